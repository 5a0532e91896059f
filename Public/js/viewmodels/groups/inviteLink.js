/**
 * The link for a person without an account here: an invitation with one use, or the sign-in page if this person may not
 * invite or invitations are not required.
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
