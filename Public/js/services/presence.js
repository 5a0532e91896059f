/** How many people may be asked about at once, and how many are in all: those of the newest chats. */
const PAGE = 100;
const MOST = 200;

/**
 * Presence is in no log: what changed of it while the stream was away is asked for.
 * @param {import('./api.js').Api} api @param {object[]} rooms newest first
 * @param {(event: object) => boolean} apply false: no more is wanted
 */
export async function catchUpOnPresence(api, rooms, apply) {
  const peers = rooms.flatMap(({ peer }) => (peer && peer.member !== false ? peer.id : []));
  const asked = [...new Set(peers)].slice(0, MOST);
  while (asked.length > 0) {
    const { body } = await api.presence(asked.splice(0, PAGE));
    for (const data of body) if (!apply({ id: null, event: 'presence', data: { last_seen_at: null, ...data } })) return;
  }
}
