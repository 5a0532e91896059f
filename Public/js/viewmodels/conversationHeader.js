import { colourOf, initialsOf, lastSeenText, pictureOf } from '../models/format.js';
import { problemText, texts, typingText } from '../models/texts.js';

/** What an open chat shows of itself before anything is known of it. */
export const NOTHING_KNOWN = Object.freeze({
  title: '', subtitle: '', typing: false, peer: null, face: null, loading: true, loadingEarlier: false, loadingLater: false,
  atLatest: false, hasEarlier: false, hasLater: false, newBelow: 0, newBelowText: '', empty: false, waiting: false,
  missing: false, error: null, lastReadSeq: 0, place: null, selected: null,
});

/**
 * What stands above a conversation: who it is with, and what they do now (S6).
 * @param {object} room
 * @param {import('../models/chatStore.js').ChatStore} store
 * @param {number} now
 * @param {import('./types.js').ConversationState} shown what is shown now: the same objects stay until something changes
 */
export function headerOf(room, store, now, shown) {
  const user = room.peer && (store.user(room.peer.id) ?? room.peer);
  const person = user && store.person(user);
  const typists = store.typingIn(room.id, now).map((one) => store.person(one).name);
  const peer = person && kept(peerOf(person, user), shown.peer);
  return {
    title: person ? person.name : room.name,
    subtitle: subtitleOf(room, user, typists, now),
    typing: typists.length > 0,
    peer,
    face: peer ?? kept(faceOf(room), shown.face),
    // Somebody who is online reads along, whatever the way in: nothing waits (D7).
    waiting: user?.member === false && !user.online,
    lastReadSeq: room.read_seq,
  };
}

function peerOf(person, user) {
  return { ...person, online: Boolean(user.online), login: user.login ?? null, member: user.member !== false };
}

function faceOf({ id, name, avatar_url: picture }) {
  return { initials: initialsOf(name), colour: colourOf(id), avatarUrl: pictureOf(picture), online: false };
}

/** The same object as before where nothing of it has changed. */
function kept(fresh, shown) {
  return shown && Object.keys(fresh).every((name) => shown[name] === fresh[name]) ? shown : Object.freeze(fresh);
}

function subtitleOf(room, user, typists, now) {
  if (typists.length > 0) return typingText(room, typists);
  if (!user) return texts.conversation.members(room.members_count);
  if (user.online) return texts.conversation.online;
  if (user.last_seen_at) return lastSeenText(Date.parse(user.last_seen_at), now);
  return user.login ? texts.conversation.login(user.login) : '';
}

/**
 * How much of a conversation is there: what loads, what failed, what lies beyond.
 * @param {import('./messageWindow.js').MessageWindow} window
 * @param {number} rowCount
 * @param {boolean} removed the chat was taken away while it was open
 * @param {'online'|'connecting'|'offline'} connection without one, the title bar says enough where messages are shown
 */
export function loadingOf(window, rowCount, removed, connection) {
  const { timeline, loaded, loading } = window;
  const error = rowCount > 0 && connection !== 'online' && window.error?.status === 0 ? null : window.error;
  const missing = removed || error?.kind === 'not-found';
  return {
    loading: rowCount === 0 && !loaded && error === null && !missing,
    loadingEarlier: loading.has('earlier'),
    loadingLater: loading.has('later'),
    atLatest: timeline.live,
    hasEarlier: window.hasEarlier,
    hasLater: window.hasLater,
    empty: loaded && rowCount === 0 && !missing,
    missing,
    error: error && !missing ? `${texts.conversation.loadFailed} ${problemText(error)}` : null,
  };
}
