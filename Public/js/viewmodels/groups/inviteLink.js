/**
 * The address for somebody who never signed in here (D7): an invitation of one use. Where this person may not invite,
 * or nobody need be invited, it is the door.
 * @param {{invite: Function}} groups @param {string} origin of this page
 * @returns {Promise<string>} rejects when the server cannot be asked
 */
export async function inviteLink(groups, origin) {
  try {
    const { body } = await groups.invite(null, { max_uses: 1 });
    return new URL(body.url, origin).href;
  } catch (error) {
    if (!['forbidden', 'not-found', 'conflict'].includes(error.kind)) throw error;
    return new URL('/sign-in', origin).href;
  }
}
