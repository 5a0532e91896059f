import { lastSeenText } from '../models/format.js';
import { texts, typingText } from '../models/texts.js';

/**
 * What stands above a conversation: who it is with, and what they do now (S6).
 * @param {object} room
 * @param {import('../models/chatStore.js').ChatStore} store
 * @param {number} now
 * @param {import('./types.js').Peer|null} shown the peer shown now: the same object stays until something changes
 */
export function headerOf(room, store, now, shown) {
  const user = room.peer && (store.user(room.peer.id) ?? room.peer);
  const person = user && store.person(user);
  const typists = store.typingIn(room.id, now).map((one) => store.person(one).name);
  return {
    title: person ? person.name : room.name,
    subtitle: subtitleOf(room, user, typists, now),
    typing: typists.length > 0,
    peer: person && peerOf(person, user, shown),
    waiting: user?.member === false,
    lastReadSeq: room.read_seq,
  };
}

function peerOf(person, user, shown) {
  const peer = { ...person, online: Boolean(user.online), login: user.login ?? null, member: user.member !== false };
  return shown && Object.keys(peer).every((name) => shown[name] === peer[name]) ? shown : Object.freeze(peer);
}

function subtitleOf(room, user, typists, now) {
  if (typists.length > 0) return typingText(room, typists);
  if (!user) return texts.conversation.members(room.members_count);
  if (user.online) return texts.conversation.online;
  return user.last_seen_at ? lastSeenText(Date.parse(user.last_seen_at), now) : '';
}
