import { colourOf, initialsOf, pictureOf } from './format.js';
import { texts } from './texts.js';
import { UnreadCount } from './unreadCount.js';

/** How long somebody counts as typing after the last notice of it (S6). */
export const TYPING_LASTS = 6000;
/** What of somebody shows as their face and name. */
const FACE = ['name', 'login', 'avatar_url', 'github_id'];

/**
 * What changed. `rooms`: all of them; `room`: one, or its place; `message`: a live event about a message;
 * `unknown-room`: a message came for a chat that is not known; `inexact`: only the server knows the unread count.
 * @typedef {{type: 'rooms'|'me'|'reset'} | {type: 'room'|'receipts'|'typing'|'unknown-room'|'inexact'|'removed'|'member',
 *   roomId: string} | {type: 'user', userId: string}
 *   | {type: 'message', kind: 'created'|'updated'|'deleted', message: object}} StoreChange
 */

/**
 * What this browser knows of people and chats: a reducer over the server's state pages and events. An event is applied
 * only if its id is greater than that of the last one applied. Listeners are called at once, after each change.
 */
export class ChatStore {
  #me = null;
  #rooms = new Map();
  #users = new Map();
  #people = new Map();
  #counts = new Map();
  #typing = new Map();
  #receipts = new Map();
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
    for (const known of [this.#rooms, this.#counts, this.#presence]) known.clear();
    this.#loaded = true;
    if (eventId !== null) this.#lastEventId = this.#baseEventId = eventId;
    for (const room of rooms) this.#put(room);
    this.#tell({ type: 'rooms' });
  }

  putRoom(room) {
    this.#put(room);
    this.#tell({ type: 'room', roomId: room.id });
  }

  /** Shows one's own message as the last before its event comes, which alone counts. */
  putSent(message) {
    const room = this.#rooms.get(message.room_id);
    if (!room || message.seq <= (room.last_message?.seq ?? 0)) return;
    this.#rooms.set(room.id, { ...room, last_message: message });
    this.#tell({ type: 'room', roomId: room.id });
  }

  room(roomId) { return this.#rooms.get(roomId) ?? null; }
  rooms() { return [...this.#rooms.values()]; }

  user(userId) { return this.#users.get(userId) ?? null; }

  /** @returns {Map<number, object>} the known people who have a GitHub account */
  usersByGitHubId() {
    return new Map([...this.#users.values()].map((user) => [user.github_id, user]));
  }

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

  /** Number of unread messages in chats that are not muted. */
  totalUnread() {
    return this.rooms().reduce((total, room) => total + (room.muted ? 0 : room.unread_count), 0);
  }

  /** How far the others have got: the greatest pointers among them. */
  ticks(roomId) {
    let delivered = 0;
    let read = 0;
    for (const [userId, receipt] of this.#receipts.get(roomId) ?? []) {
      if (userId === this.#me?.id) continue;
      delivered = Math.max(delivered, receipt.delivered, receipt.read);
      read = Math.max(read, receipt.read);
    }
    return { delivered, read };
  }

  putReceipts(roomId, receipts) {
    for (const receipt of receipts) this.#putReceipt({ ...receipt, room_id: roomId });
    this.#tell({ type: 'receipts', roomId });
  }

  /** @returns {object[]} who is typing in that chat */
  typingIn(roomId, now) {
    const typists = [...(this.#typing.get(roomId) ?? [])].filter(([, end]) => end > now);
    return typists.map(([userId]) => this.user(userId) ?? { id: userId });
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
    this.#reducers[event]?.(data, now);
    return true;
  }

  /** Tells whoever holds a part of the state to load it anew. */
  tellReset() { this.#tell({ type: 'reset' }); }

  #reducers = {
    'message.created': (message) => this.#messageCreated(message),
    'message.updated': (message) => this.#messageChanged(message, 'updated'),
    'message.deleted': (message) => this.#messageChanged(message, 'deleted'),
    'room.created': (room) => this.putRoom(room),
    'room.updated': (room) => this.putRoom(room),
    'room.removed': (room) => {
      this.#rooms.delete(room.id);
      this.#counts.delete(room.id);
      this.#tell({ type: 'removed', roomId: room.id });
    },
    'receipt.updated': (receipt) => {
      this.#putReceipt(receipt);
      if (receipt.user_id !== this.#me?.id) return this.#tell({ type: 'receipts', roomId: receipt.room_id });
      this.#moveRead(receipt.room_id, Math.max(receipt.read_seq, this.#reading.get(receipt.room_id) ?? 0));
    },
    'user.updated': (user) => {
      this.meet(user);
      if (user.id === this.#me?.id) this.#me = { ...this.#me, ...user };
      this.#tell({ type: 'user', userId: user.id });
    },
    'me.updated': (user) => this.setMe({ ...this.#me, ...user }),
    'member.updated': ({ room_id: roomId, user, role, members_count: count }) => {
      this.meet(user, { presence: false });
      const room = this.room(roomId);
      const mine = role !== null && user.id === this.#me?.id ? { role } : {};
      if (room) this.putRoom({ ...room, members_count: count, ...mine });
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
    const room = this.#rooms.get(message.room_id);
    if (!room) this.#tell({ type: 'unknown-room', roomId: message.room_id });
    else if (message.seq > room.last_seq) {
      const count = this.#counts.get(room.id);
      count.add(message.seq, !this.isMine(message) && !message.deleted_at);
      const last = room.last_message?.seq > message.seq ? room.last_message : message;
      const { count: unread } = count.after(room.read_seq);
      this.#rooms.set(room.id, { ...room, last_seq: message.seq, last_message: last, unread_count: unread });
    }
    this.#tell({ type: 'message', kind: 'created', message });
    if (room) this.#tell({ type: 'room', roomId: room.id });
  }

  #messageChanged(message, kind) {
    const room = this.#rooms.get(message.room_id);
    if (room) {
      const patch = room.last_message?.seq === message.seq ? { last_message: message } : {};
      if (kind === 'deleted' && !this.isMine(message)) {
        const count = this.#counts.get(room.id);
        count.remove(message.seq);
        patch.unread_count = count.after(room.read_seq).count;
      }
      this.#rooms.set(room.id, { ...room, ...patch });
    }
    this.#tell({ type: 'message', kind, message });
    if (room) this.#tell({ type: 'room', roomId: room.id });
  }

  #put(room) {
    this.meet(room.peer);
    this.meet(room.last_message?.sender, { presence: false });
    this.#counts.set(room.id, new UnreadCount(room));
    this.#rooms.set(room.id, room);
    if (this.#reading.get(room.id) > room.read_seq) this.#moveRead(room.id, this.#reading.get(room.id), true);
  }

  #moveRead(roomId, seq, silently = false) {
    const room = this.#rooms.get(roomId);
    if (!room || room.read_seq === seq) return;
    const { count, exact } = this.#counts.get(roomId).after(seq);
    this.#rooms.set(roomId, { ...room, read_seq: seq, unread_count: count });
    if (!silently) this.#tell({ type: 'room', roomId });
    if (!silently && !exact) this.#tell({ type: 'inexact', roomId });
  }

  #putReceipt({ room_id: roomId, user_id: userId, delivered_seq: delivered, read_seq: read }) {
    if (!this.#receipts.has(roomId)) this.#receipts.set(roomId, new Map());
    const known = this.#receipts.get(roomId).get(userId) ?? { delivered: 0, read: 0 };
    this.#receipts.get(roomId).set(userId, {
      delivered: Math.max(known.delivered, delivered ?? 0),
      read: Math.max(known.read, read ?? 0),
    });
  }

  #stopTyping(roomId, userId) {
    if (this.#typing.get(roomId)?.delete(userId)) this.#tell({ type: 'typing', roomId });
  }

  #tell(change) {
    for (const listener of [...this.#listeners]) listener(change);
  }
}
