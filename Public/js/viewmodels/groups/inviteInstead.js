import { groupTexts } from '../../models/texts/groups.js';
import { openDirect } from '../openDirect.js';

/** Whether the server refused to add a person because their settings want an invitation instead. */
export function wantsInvitation(error) {
  return (error.errors ?? []).some(({ field, code }) => field === 'user' && code === 'invite');
}

/**
 * Invites a person to a group by a message in their direct chat, with a link for one use.
 * @param {any} services `api`, `groups`, `origin` of this page, `outbox`, `store`
 * @param {string} roomId @param {string} userId
 * @returns {Promise<void>} rejects with `ApiError`
 */
export async function inviteInstead(services, roomId, userId) {
  const { groups, origin, outbox, store } = services;
  const { body } = await groups.invite(roomId, { max_uses: 1 });
  const link = new URL(body.url, origin).href;
  const chat = await openDirect(services, { userId });
  outbox.add({ roomId: chat, text: groupTexts.members.invitation(store.room(roomId)?.name ?? '', link) });
}
