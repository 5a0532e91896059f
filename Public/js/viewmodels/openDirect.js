/**
 * Opens the direct chat with a person: the one in the list, or one that the server returns or creates.
 * @param {{api: import('../services/api.js').Api, store: import('../models/chatStore.js').ChatStore}} services
 * @param {{userId?: string, login?: string, githubId?: number}} person by their id here, or by their GitHub account
 * @returns {Promise<string>} the room's id; rejects with `ApiError`
 */
export async function openDirect({ api, store }, { userId, login, githubId }) {
  const isTheirs = (peer) => (userId === undefined
    ? githubId !== undefined && peer.github_id === githubId : peer.id === userId);
  const known = store.rooms().find(({ kind, peer }) => kind === 'direct' && peer && isTheirs(peer));
  if (known) return known.id;
  const { body } = await api.openDirect({ user_id: userId, github_login: login, github_id: githubId });
  store.putRoom(body, { newest: !store.room(body.id) });
  return body.id;
}
