import { People } from './people.js';
import { Rooms, heardCount } from './rooms.js';

/** How long a typing indicator lasts after its last event, in milliseconds. */
const TYPING_LASTS = 6000;
/** Fills in the members that the server leaves out when there is no linked GitHub account. */
const UNLINKED = { login: undefined, github_id: undefined };
/**
 * A change of the store. `rooms`: all chats; `room`: one chat, or its position; `message`: a live event about a
 * message; `hidden`: a message deleted for this person; `cleared`: everything up to `seq` was cleared for this person;
 * `unknown-room`: a message arrived for a chat that is not loaded; `inexact`: only the server knows the unread count
 * and the last message; `event`: passed on unchanged (reactions, pins).
 * `removal` names the removed group and who removed this person from it, if somebody did.
 * `kind` is `direct` or `group` for a removed chat, and `created`, `updated` or `deleted` for a message.
 * @typedef {{type: 'rooms'|'me'|'reset'|'user'|'hidden'|'cleared'|'room'|'receipts'|'typing'|'unknown-room'|'inexact'
 *   |'draft'|'member'|'removed'|'message'|'event', userId?: string, roomId?: string, seq?: number, user?: any,
 *   role?: string|null, kind?: string, into?: string, removal?: {name: string, by: any, banned: boolean},
 *   message?: any, id?: number, event?: string, data?: any}} StoreChange
 */

/**
 * What this browser knows of people and chats: a reducer over the server's state pages and events. An event is applied
 * only if its id is greater than that of the last one applied. Listeners are called at once, after each change.
 */
export class ChatStore {
  #me = /** @type {{id: string, [member: string]: any}|null} */ (null);
  #rooms = new Rooms();
  #people = new People();
  #typing = new Map();
  #reading = new Map();
  #listeners = new Set();
  #loaded = false;
  #lastEventId = /** @type {number|null} */ (null);
  #baseEventId = /** @type {number|null} */ (null);

  /** @returns {object|null} the signed-in user */
  get me() { return this.#me; }
  /** Whether the list of chats was loaded, from storage or the server. */
  get loaded() { return this.#loaded; }
  /** @returns {number|null} id of the last event that is in this state */
  get lastEventId() { return this.#lastEventId; }
  /** @returns {number|null} the event up to which the last loaded list was true; later ones come by the stream */
  get baseEventId() { return this.#baseEventId; }
  /** Whether the server has confirmed everything in the store. */
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

  /** Replaces the list of chats. `eventId` is the last event that it includes. */
  load(rooms, eventId = null) {
    this.#rooms.clear();
    this.#people.forgetPresence();
    this.#loaded = true;
    if (eventId !== null) this.#lastEventId = this.#baseEventId = eventId;
    this.loadMore(rooms);
  }

  /** Restores what the last visit stored. People are newer there than in the chats. */
  restore({ rooms, eventId, people = [], receipts = [] }) {
    this.load(rooms, eventId);
    for (const user of people) this.meet(user);
    for (const receipt of receipts) this.#rooms.putReceipt(receipt);
  }

  /** What is stored for the next visit. @param {number} most stored chats */
  toKeep(most) {
    const rooms = this.orderedRooms();
    return {
      eventId: rooms.length <= most ? this.#lastEventId : null, rooms: rooms.slice(0, most),
      people: this.#people.toKeep(), receipts: this.#rooms.receiptsToKeep(this.#me?.id),
    };
  }

  /** Adds a further page of the list of chats. Chats already updated by the stream are newer and stay. */
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

  /** Shows one's own message as the last one until its event arrives, which decides. */
  putSent(message) { if (this.#rooms.putSent(message)) this.#tell({ type: 'room', roomId: message.room_id }); }

  /**
   * Applies a requested change to a chat before the server confirms it; `hidden: true` takes it off the list.
   * @returns {{done: () => void, failed: () => void}} reports the outcome of the request
   */
  ask(roomId, members) {
    const asked = this.#rooms.ask(roomId, members);
    this.#tell({ type: 'room', roomId });
    return { done: asked.done, failed: () => { asked.failed(); this.#tell({ type: 'room', roomId }); } };
  }

  room(roomId) { return this.#rooms.get(roomId); }
  /** The chats of the list, in no particular order. */
  rooms() { return this.#rooms.listed(); }
  /** The chats in the order of the list: pinned first, then newest first. */
  orderedRooms() { return this.#rooms.ordered(); }
  /** The time that orders a chat in the list. @returns {number} milliseconds since 1970 */
  activityOf(roomId) { return this.#rooms.activityOf(roomId); }

  user(userId) { return this.#people.get(userId); }
  /** @returns {string|false|undefined} the id of the peer if their presence is unknown */
  lacksPresence(roomId) {
    const id = this.room(roomId)?.peer?.id;
    return id && !this.#people.hasPresence(id) && id;
  }
  /** Whose presence shows somewhere: the peers of chats, newest first, and those whom answers told of. */
  presenceWanted() {
    const peers = this.orderedRooms().flatMap(({ peer }) => peer?.id ?? []);
    return [...new Set([...peers, ...this.#people.withPresence()])].filter((id) => id !== this.#me?.id);
  }
  /** How often the stream has told of presence. */
  get presenceTold() { return this.#people.presenceTold; }
  usersByGitHubId() { return this.#people.byGitHubId(); }
  person(user) { return this.#people.face(user); }
  meet(user, how) { this.#people.meet(user, how); }

  isMine(message) { return this.#me !== null && message.sender?.id === this.#me.id; }
  /** Whether a message mentions this person. */
  mentionsMe(message) { return this.#me !== null && (message.mentions ?? []).includes(this.#me.id); }

  /** The number of unread messages in chats that are not muted, as far as their mention level lets them count. */
  totalUnread() { return this.rooms().reduce((total, room) => total + heardCount(room), 0); }

  /** The greatest read and delivered positions among the other members. */
  ticks(roomId) { return this.#rooms.ticks(roomId, this.#me?.id); }
  /** Up to where the server knows that this person has received a chat. */
  deliveredTo(roomId) { return this.#rooms.deliveredTo(roomId, this.#me?.id); }
  /** The server has answered that it knows. What it knew before, no event tells. */
  deliveredLocally(roomId, seq) {
    this.#rooms.putReceipt({ room_id: roomId, user_id: this.#me?.id, delivered_seq: seq, read_seq: 0 });
    this.#tell({ type: 'receipts', roomId });
  }

  putReceipts(roomId, receipts) {
    this.#rooms.dropKeptReceipts(roomId);
    for (const receipt of receipts) this.#rooms.putReceipt({ ...receipt, room_id: roomId });
    this.#tell({ type: 'receipts', roomId });
  }

  /** @returns {object[]} who is typing in that chat */
  typingIn(roomId, now) {
    return [...(this.#typing.get(roomId) ?? [])].flatMap(([id, end]) => (end > now ? this.user(id) ?? { id } : []));
  }

  /** Ends expired typing indicators. @returns {number|null} when to call again */
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

  /** Moves one's own read position at once. Until `settleRead`, older events do not move it back. */
  readLocally(roomId, seq) {
    this.#reading.set(roomId, Math.max(seq, this.#reading.get(roomId) ?? 0));
    this.#moveRead(roomId, seq);
  }

  settleRead(roomId) { this.#reading.delete(roomId); }

  /**
   * Applies an event of the stream.
   * @param {{id: number|null, event: string, data: object}} event
   * @param {number} now
   * @returns {boolean} false if the state included it already
   */
  apply({ id, event, data }, now) {
    if (id !== null) {
      if (this.#lastEventId !== null && id <= this.#lastEventId) return false;
      this.#lastEventId = id;
    }
    if (this.#reducers[event]) this.#reducers[event](data, now, id);
    else this.#tell({ type: 'event', id, event, data });
    return true;
  }

  /** Makes listeners reload what they hold of the state. */
  tellReset() { this.#tell({ type: 'reset' }); }

  #reducers = {
    'message.created': (message) => this.#messageCreated(message),
    'message.updated': (message, _now, id) => this.#messageChanged(message, 'updated', id),
    'message.deleted': (message, _now, id) => this.#messageChanged(message, 'deleted', id),
    'room.created': (room) => this.putRoom(room, { newest: true }),
    'room.updated': (room) => this.putRoom(room),
    'room.removed': ({ id: roomId, peer, name, removed_by: by = null, banned = false }) => {
      this.meet(by, { presence: false });
      const kind = this.#rooms.get(roomId)?.kind;
      this.#rooms.remove(roomId);
      this.#reading.delete(roomId);
      const into = peer ? this.rooms().find((room) => room.peer?.id === peer.id)?.id : undefined;
      this.#tell({ type: 'removed', roomId, kind, into, removal: { name, by, banned } });
    },
    'message.hidden': ({ room_id: roomId, seq }) => {
      for (const type of ['hidden', 'inexact']) this.#tell({ type, roomId, seq });
    },
    'draft.updated': ({ room_id: roomId, draft }) => {
      if (this.#rooms.has(roomId)) this.#rooms.set(roomId, { ...this.#rooms.get(roomId), draft });
      this.#tell({ type: 'draft', roomId });
    },
    'receipt.updated': (receipt, _now, id) => {
      this.#rooms.putReceipt(receipt);
      if (receipt.user_id !== this.#me?.id) return this.#tell({ type: 'receipts', roomId: receipt.room_id });
      if (this.#rooms.includes(receipt.room_id, id)) return;
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
      if (this.#rooms.has(roomId)) {
        this.#rooms.set(roomId, { ...this.room(roomId), members_count, ...mine });
        this.#tell({ type: 'room', roomId });
      }
      this.#tell({ type: 'member', roomId, user, role });
    },
    presence: ({ user_id: userId, online, last_seen_at, told }) => {
      if (this.#people.takePresence(userId, { online, last_seen_at }, told)) this.#tell({ type: 'user', userId });
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

  #messageChanged(message, kind, id) {
    const roomId = message.room_id;
    const exact = this.#rooms.includes(roomId, id) || this.#rooms.changed(message, kind, this.#isToMe(message));
    this.#tell({ type: 'message', kind, message });
    if (this.#rooms.has(roomId)) this.#tell({ type: 'room', roomId });
    if (!exact) this.#tell({ type: 'inexact', roomId });
  }

  #isToMe(message) { return { counts: !this.isMine(message), mentions: this.mentionsMe(message) }; }

  #met(room) {
    this.meet(room.peer, { presence: false });
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
