import { lastSeenText } from '../models/days.js';
import { colourOf, initialsOf, pictureOf, problemText, typingText } from '../models/format.js';
import { sharedTexts } from '../models/texts/shared.js';
import { chatTexts } from '../models/texts/conversation.js';

/** The state of a chat before it is loaded. */
export const NOTHING_KNOWN = Object.freeze({
  title: '', subtitle: '', typing: false, peer: null, face: null, loading: true, page: null, alone: false,
  atLatest: false, hasEarlier: false, hasLater: false, newBelow: 0, newBelowText: '', empty: false, waiting: false,
  missing: false, missingText: '', error: null, lastReadSeq: 0, place: null, selected: null,
});

/**
 * The header of a chat: its name, and the peer's presence or the typing indicator.
 * @param {object} room
 * @param {import('../models/chatStore.js').ChatStore} store
 * @param {number} now
 * @param {import('./types.js').ConversationState} shown the current state, whose objects are reused if nothing changed
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
    // Messages do not wait for a person who is online. Until presence is known, nothing is said.
    waiting: user?.member === false && user.online === false,
    alone: !user && room.members_count === 1 && ['owner', 'admin'].includes(room.role),
    lastReadSeq: room.read_seq,
  };
}

function peerOf(person, user) {
  return { ...person, online: Boolean(user.online), login: user.login ?? null, member: user.member !== false };
}

function faceOf({ id, name, avatar_url: picture }) {
  return { initials: initialsOf(name), colour: colourOf(id), avatarUrl: pictureOf(picture), online: false };
}

/** The same object as before if nothing changed. */
function kept(fresh, shown) {
  return shown && Object.keys(fresh).every((name) => shown[name] === fresh[name]) ? shown : Object.freeze(fresh);
}

function subtitleOf(room, user, typists, now) {
  if (typists.length > 0) return typingText(room, typists);
  if (!user) return sharedTexts.members(room.members_count);
  if (user.online) return sharedTexts.online;
  if (user.last_seen_at) return lastSeenText(Date.parse(user.last_seen_at), now);
  return user.login ? chatTexts.onGitHub(user.login) : '';
}

/** How somebody was taken out of a group. @param {{name: string, by: any, banned: boolean}} removal */
export function removalText({ name, by, banned }, store) {
  if (!by) return chatTexts.notIn(name);
  return (banned ? chatTexts.bannedFrom : chatTexts.removedFrom)(store.person(by).name, name);
}

/**
 * The loading state of a chat: what is loading, what failed, and whether more messages follow or precede.
 * @param {import('./messageWindow.js').MessageWindow} window
 * @param {readonly {kind: string}[]} rows
 * @param {{name: string, by: any, banned: boolean}|null} removal how the user was removed while the chat was open
 * @param {object} services `store`, `sync`: while offline, the status in the title bar is enough if messages are shown
 */
export function loadingOf(window, rows, removal, { store, sync }) {
  const { timeline, loaded, loading } = window;
  const isEmpty = !rows.some(({ kind }) => kind === 'message');
  const { connection } = sync.state;
  const error = !isEmpty && connection !== 'online' && window.error?.status === 0 ? null : window.error;
  const missing = removal !== null || error?.kind === 'not-found';
  return {
    loading: isEmpty && !loaded && error === null && !missing,
    page: loading,
    atLatest: timeline.live,
    hasEarlier: window.hasEarlier,
    hasLater: window.hasLater,
    empty: loaded && isEmpty && !missing,
    missing,
    missingText: removal ? removalText(removal, store) : chatTexts.missing,
    error: error && !missing ? `${chatTexts.loadFailed} ${problemText(error)}` : null,
  };
}

/**
 * Waits until it is known who is signed in: before that, own messages would be drawn as somebody else's.
 * @param {import('../models/chatStore.js').ChatStore} store
 */
export async function identified(store) {
  if (store.me) return;
  await new Promise((resolve) => {
    const end = store.subscribe(({ type }) => {
      if (type !== 'me') return;
      end();
      resolve(null);
    });
  });
}
