import { colourOf, initialsOf, pictureOf } from './format.js';
import { Rooms, heardCount } from './rooms.js';
import { texts } from './texts.js';

/** How long somebody counts as typing after the last notice of it (S6). */
export const TYPING_LASTS = 6000;
/** Whose GitHub account is not told has none any more. */
const UNLINKED = { login: undefined, github_id: undefined };
/** What shows of somebody. */
const FACE = ['name', 'login', 'avatar_url', 'github_id'];

/**
 * What changed. `rooms`: all of them; `room`: one, or its place; `message`: a live event about a message; `hidden`: one
 * that I hid; `cleared`: everything up to `seq` is gone for me; `unknown-room`: a message came for a chat that is not
 * known; `inexact`: only the server knows what is unread and last; `event`: one that changes nothing here (reactions,
 * pins), for whom it concerns.
 * @typedef {{type: 'rooms'|'me'|'reset'} | {type: 'user', userId: string}
 *   | {type: 'hidden'|'cleared', roomId: string, seq: number}
 *   | {type: 'room'|'receipts'|'typing'|'unknown-room'|'inexact'|'draft', roomId: string}
 *   | {type: 'member', roomId: string, user: object, role: string|null}
 *   | {type: 'removed', roomId: string, kind?: 'direct'|'group', into?: string}
 *   | {type: 'message', kind: 'created'|'updated'|'deleted', message: object}
 *   | {type: 'event', id: number, event: string, data: object}} StoreChange
 */

/**
 * What this browser knows of people and chats: a reducer over the server's state pages and events. An event is applied
 * only if its id is greater than that of the last one applied. Listeners are called at once, after each change.
 */
export class ChatStore {
  #me = null;
  #rooms = new Rooms();
  #users = new Map();
  #people = new Map();
  #typing = new Map();
  #reading = new Map();
  /** What the stream told of presence since the last load: newer than what any answer says, even of strangers. */
  #presence = new Map();
  #listeners = new Set();
  #loaded = false;
  #lastEventId = null;
  #baseEventId = null;

  /** @returns {object|null} the signed-in user */
  get me() { return this.#me; }
  /** Whether any list of chats was loaded, from storage or from the server. */
  get loaded() { return this.#loaded; }
  /** @returns {number|null} id of the last event that is in this state */
  get lastEventId() { return this.#lastEventId; }
  /** @returns {number|null} the event up to which the last loaded list was true; later ones come by the stream */
  get baseEventId() { return this.#baseEventId; }
  /** Whether all of it is the server's word: nothing shows before the server has it. */
  get settled() { return this.#reading.size === 0 && !this.#rooms.asking; }

  /** @param {(change: StoreChange) => void} listener @returns {() => void} ends the subscription */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  setMe(user) {
    this.#me = user;
    this.meet(user);
    this.#tell({ type: 'me' });
  }

  /** Takes a whole list of chats in the place of the present one. `eventId` says up to which event it is true. */
  load(rooms, eventId = null) {
    for (const known of [this.#rooms, this.#presence]) known.clear();
    this.#loaded = true;
    if (eventId !== null) this.#lastEventId = this.#baseEventId = eventId;
    this.loadMore(rooms);
  }

  /** Takes a further page of the list of chats; what the stream told of one meanwhile is newer. */
  loadMore(rooms) {
    const fresh = rooms.filter((room) => !this.#rooms.has(room.id));
    this.#rooms.load(fresh);
    for (const room of fresh) this.#met(room);
    this.#tell({ type: 'rooms' });
  }

  /** @param {object} room @param {{newest?: boolean}} [how] `newest`: it goes to the top of the list */
  putRoom(room, how) {
    const known = this.#rooms.get(room.id);
    const cleared = known ? known.cleared_seq ?? 0 : room.cleared_seq;
    this.#rooms.put(room, how);
    this.#met(room);
    this.#tell({ type: 'room', roomId: room.id });
    if (room.cleared_seq > cleared) this.#tell({ type: 'cleared', roomId: room.id, seq: room.cleared_seq });
  }

  /** Shows one's own message as the last before its event comes, which alone counts. */
  putSent(message) { if (this.#rooms.putSent(message)) this.#tell({ type: 'room', roomId: message.room_id }); }

  /**
   * Shows a chat as the server is being asked to make it; `hidden: true` takes it off the list.
   * @returns {{done: () => void, failed: () => void}} to be told what became of the request
   */
  ask(roomId, members) {
    const asked = this.#rooms.ask(roomId, members);
    this.#tell({ type: 'room', roomId });
    return { done: asked.done, failed: () => { asked.failed(); this.#tell({ type: 'room', roomId }); } };
  }

  room(roomId) { return this.#rooms.get(roomId); }
  /** The chats of the list, in no particular order. */
  rooms() { return this.#rooms.listed(); }
  /** The same as the list shows them: pinned ones, then the newest first. */
  orderedRooms() { return this.#rooms.ordered(); }

  /** When a chat was last the newest: the order of the list. @returns {number} milliseconds since 1970 */
  activityOf(roomId) { return this.#rooms.activityOf(roomId); }

  user(userId) { return this.#users.get(userId) ?? null; }

  /** @returns {Map<number, object>} the known people who have a GitHub account */
  usersByGitHubId() { return new Map([...this.#users.values()].map((user) => [user.github_id, user])); }

  /** The face of somebody: the same frozen object until name or picture change. */
  person(user) {
    const known = this.#users.get(user?.id) ?? user;
    const id = known?.id ?? '';
    let person = this.#people.get(id);
    if (person) return person;
    const name = known?.name || known?.login || texts.person.unknown;
    const colour = colourOf(known?.github_id ?? id);
    person = Object.freeze({ id, name, initials: initialsOf(name), colour, avatarUrl: pictureOf(known?.avatar_url) });
    this.#people.set(id, person);
    return person;
  }

  /**
   * Remembers somebody; `presence: false`: what the source says of presence is old.
   * @param {object|null} user
   * @param {{fresh?: boolean, presence?: boolean}} [how] `fresh: false`: from storage, only for whom nobody knows yet
   */
  meet(user, { fresh = true, presence = true } = {}) {
    if (!user) return;
    const known = this.#users.get(user.id);
    if (known && !fresh) return;
    const before = known && !presence ? { online: known.online, last_seen_at: known.last_seen_at } : {};
    this.#users.set(user.id, { ...known, ...user, ...(this.#presence.get(user.id) ?? before) });
    if (!known || FACE.some((name) => user[name] !== known[name])) this.#people.delete(user.id);
  }

  isMine(message) { return this.#me !== null && message.sender?.id === this.#me.id; }

  /** Whether a message mentions this person. */
  mentionsMe(message) { return this.#me !== null && (message.mentions ?? []).includes(this.#me.id); }

  /** Number of unread messages in chats that may be heard of (L2): not muted, and as their mention level says (R3). */
  totalUnread() { return this.rooms().reduce((total, room) => total + heardCount(room), 0); }

  /** How far the others have got: the greatest pointers among them. */
  ticks(roomId) { return this.#rooms.ticks(roomId, this.#me?.id); }

  putReceipts(roomId, receipts) {
    for (const receipt of receipts) this.#rooms.putReceipt({ ...receipt, room_id: roomId });
    this.#tell({ type: 'receipts', roomId });
  }

  /** @returns {object[]} who is typing in that chat */
  typingIn(roomId, now) {
    return [...(this.#typing.get(roomId) ?? [])].flatMap(([id, end]) => (end > now ? this.user(id) ?? { id } : []));
  }

  /** Forgets who stopped typing. @returns {number|null} when to call again */
  expireTyping(now) {
    let next = null;
    for (const [roomId, typists] of [...this.#typing]) {
      const before = typists.size;
      for (const [userId, end] of [...typists]) {
        if (end <= now) typists.delete(userId);
        else next = Math.min(next ?? end, end);
      }
      if (typists.size === 0) this.#typing.delete(roomId);
      if (typists.size !== before) this.#tell({ type: 'typing', roomId });
    }
    return next;
  }

  /** Moves one's own pointer at once; until `settleRead`, events with an older one do not move it back. */
  readLocally(roomId, seq) {
    this.#reading.set(roomId, Math.max(seq, this.#reading.get(roomId) ?? 0));
    this.#moveRead(roomId, seq);
  }

  settleRead(roomId) { this.#reading.delete(roomId); }

  /**
   * Applies an event of the stream.
   * @param {{id: number|null, event: string, data: object}} event
   * @param {number} now
   * @returns {boolean} false when it was in the state already
   */
  apply({ id, event, data }, now) {
    if (id !== null) {
      if (this.#lastEventId !== null && id <= this.#lastEventId) return false;
      this.#lastEventId = id;
    }
    if (this.#reducers[event]) this.#reducers[event](data, now);
    else this.#tell({ type: 'event', id, event, data });
    return true;
  }

  /** Tells whoever holds a part of the state to load it anew. */
  tellReset() { this.#tell({ type: 'reset' }); }

  #reducers = {
    'message.created': (message) => this.#messageCreated(message),
    'message.updated': (message) => this.#messageChanged(message, 'updated'),
    'message.deleted': (message) => this.#messageChanged(message, 'deleted'),
    'room.created': (room) => this.putRoom(room, { newest: true }),
    'room.updated': (room) => this.putRoom(room),
    'room.removed': ({ id: roomId, peer }) => {
      const kind = this.#rooms.get(roomId)?.kind;
      this.#rooms.remove(roomId);
      this.#reading.delete(roomId);
      const into = peer ? this.rooms().find((room) => room.peer?.id === peer.id)?.id : undefined;
      this.#tell({ type: 'removed', roomId, kind, into });
    },
    'message.hidden': ({ room_id: roomId, seq }) => {
      for (const type of ['hidden', 'inexact']) this.#tell({ type, roomId, seq });
    },
    'draft.updated': ({ room_id: roomId, draft }) => {
      if (this.#rooms.has(roomId)) this.#rooms.set(roomId, { ...this.#rooms.get(roomId), draft });
      this.#tell({ type: 'draft', roomId });
    },
    'receipt.updated': (receipt) => {
      this.#rooms.putReceipt(receipt);
      if (receipt.user_id !== this.#me?.id) return this.#tell({ type: 'receipts', roomId: receipt.room_id });
      this.#moveRead(receipt.room_id, Math.max(receipt.read_seq, this.#reading.get(receipt.room_id) ?? 0));
    },
    'user.updated': (user) => {
      this.meet({ ...UNLINKED, ...user });
      if (user.id === this.#me?.id) this.#me = { ...this.#me, ...UNLINKED, ...user };
      this.#tell({ type: 'user', userId: user.id });
    },
    'me.updated': (user) => this.setMe({ ...this.#me, ...UNLINKED, ...user }),
    'member.updated': ({ room_id: roomId, user, role, members_count }) => {
      this.meet(user, { presence: false });
      const mine = role && user.id === this.#me?.id ? { role } : {};
      if (this.#rooms.has(roomId)) this.putRoom({ ...this.room(roomId), members_count, ...mine });
      this.#tell({ type: 'member', roomId, user, role });
    },
    presence: ({ user_id: userId, online, last_seen_at: lastSeenAt }) => {
      this.#presence.set(userId, { online, last_seen_at: lastSeenAt });
      const user = this.#users.get(userId);
      if (!user) return;
      this.#users.set(userId, { ...user, online, last_seen_at: lastSeenAt });
      this.#tell({ type: 'user', userId });
    },
    typing: (typing, now) => {
      if (typing.user_id === this.#me?.id) return;
      if (!typing.typing) return this.#stopTyping(typing.room_id, typing.user_id);
      if (!this.#typing.has(typing.room_id)) this.#typing.set(typing.room_id, new Map());
      this.#typing.get(typing.room_id).set(typing.user_id, now + TYPING_LASTS);
      this.#tell({ type: 'typing', roomId: typing.room_id });
    },
  };

  #messageCreated(message) {
    this.meet(message.sender, { presence: false });
    this.#stopTyping(message.room_id, message.sender?.id);
    const known = this.#rooms.has(message.room_id);
    if (known) this.#rooms.created(message, this.#isToMe(message));
    else this.#tell({ type: 'unknown-room', roomId: message.room_id });
    this.#tell({ type: 'message', kind: 'created', message });
    if (known) this.#tell({ type: 'room', roomId: message.room_id });
  }

  #messageChanged(message, kind) {
    const roomId = message.room_id;
    const exact = this.#rooms.changed(message, kind, this.#isToMe(message));
    this.#tell({ type: 'message', kind, message });
    if (this.#rooms.has(roomId)) this.#tell({ type: 'room', roomId });
    if (!exact) this.#tell({ type: 'inexact', roomId });
  }

  #isToMe(message) { return { counts: !this.isMine(message), mentions: this.mentionsMe(message) }; }

  #met(room) {
    this.meet(room.peer);
    this.meet(room.last_message?.sender, { presence: false });
    if (this.#reading.get(room.id) > room.read_seq) this.#rooms.moveRead(room.id, this.#reading.get(room.id));
  }

  #moveRead(roomId, seq) {
    const became = this.#rooms.moveRead(roomId, seq);
    if (became !== 'same') this.#tell({ type: 'room', roomId });
    if (became === 'inexact') this.#tell({ type: 'inexact', roomId });
  }
  #stopTyping(roomId, userId) {
    if (this.#typing.get(roomId)?.delete(userId)) this.#tell({ type: 'typing', roomId });
  }

  #tell(change) { for (const listener of [...this.#listeners]) listener(change); }
}
