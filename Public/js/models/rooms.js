import { UnreadCount } from './unreadCount.js';

/** What a chat lets be heard of itself: in the page's title, on the app's badge, as toasts (L2, L5, R3). */
export function heardCount(room) {
  if (room.muted || room.mention_level === 'nothing') return 0;
  return (room.mention_level === 'mentions' ? room.mention_count : room.unread_count) ?? 0;
}

/** Whether a new message of a chat is one to be told of. @param {boolean} mentionsMe */
export function isHeard(room, mentionsMe) {
  const level = room.mention_level ?? 'all';
  return !room.muted && (level === 'all' || (level === 'mentions' && mentionsMe));
}

/**
 * The chats as the server told them, and what follows: unread messages and mentions, the order of the list, and what was
 * asked of the server but is not in its events yet. Tells nobody: that is up to `ChatStore`.
 */
export class Rooms {
  #rooms = new Map();
  #counts = new Map();
  /** When each chat was last the newest. It never falls: what is cleared or deleted leaves a chat in its place. */
  #activity = new Map();
  #asked = new Map();
  #receipts = new Map();

  clear() {
    for (const known of [this.#rooms, this.#counts, this.#activity, this.#asked]) known.clear();
  }

  /** Whether something was asked of the server that it has not done or refused yet. */
  get asking() { return [...this.#asked.values()].some((all) => all.length > 0); }

  has(roomId) { return this.#rooms.has(roomId); }

  get(roomId) { return this.#rooms.get(roomId) ?? null; }

  /** Replaces what is known of a chat, without a word on its counts. */
  set(roomId, room) { this.#rooms.set(roomId, room); }

  /** @returns {object[]} those of the list: not a public one that one only looks at, nor one that is being deleted */
  listed() { return [...this.#rooms.values()].filter((room) => room.role !== null && !room.hidden); }

  /** @returns {object[]} the same in the order of the list */
  ordered() {
    return this.listed().sort((one, other) => Number(other.pinned ?? false) - Number(one.pinned ?? false)
      || this.activityOf(other.id) - this.activityOf(one.id));
  }

  /** @returns {number} milliseconds since 1970 */
  activityOf(roomId) { return this.#activity.get(roomId) ?? 0; }

  /** Takes a page of the server's list in its order, pinned ones first and then the newest. */
  load(page) {
    for (const pinned of [true, false]) {
      const part = page.filter((room) => Boolean(room.pinned) === pinned);
      // A chat without messages stands where it does for a reason that only the server knows: above the next one.
      let floor = 0;
      for (const room of part.toReversed()) {
        floor = Math.max(floor, timeOf(room));
        this.#activity.set(room.id, floor);
      }
      for (const room of this.#rooms.values()) {
        if (Boolean(room.pinned) === pinned && this.activityOf(room.id) < floor) this.#activity.set(room.id, floor);
      }
    }
    for (const room of page) this.put(room);
  }

  /** @param {object} room @param {{newest?: boolean}} [how] `newest`: this person was let in, or the chat came back */
  put(room, { newest = false } = {}) {
    const top = newest ? Math.max(0, ...this.#activity.values()) + 1 : 0;
    this.#activity.set(room.id, Math.max(this.activityOf(room.id), timeOf(room), top));
    this.#counts.set(room.id, countsOf(room));
    this.#rooms.set(room.id, room);
    this.#answered(room);
  }

  remove(roomId) {
    for (const known of [this.#rooms, this.#counts, this.#activity, this.#asked]) known.delete(roomId);
  }

  /** Shows one's own message as the last before its event comes. @returns {boolean} whether it is the last */
  putSent(message) {
    const room = this.get(message.room_id);
    if (!room || message.seq <= (room.last_message?.seq ?? 0)) return false;
    this.#rooms.set(room.id, { ...room, last_message: message });
    this.#happened(message);
    return true;
  }

  /** @param {object} message @param {{counts: boolean, mentions: boolean}} what it is to this person */
  created(message, { counts, mentions }) {
    const room = this.get(message.room_id);
    if (!room || message.seq <= room.last_seq) return;
    const count = this.#counts.get(room.id);
    count.unread.add(message.seq, counts && !message.deleted_at);
    count.mentions.add(message.seq, counts && mentions && !message.deleted_at);
    const last = room.last_message?.seq > message.seq ? room.last_message : message;
    const { counted } = this.#after(room, room.read_seq);
    this.#rooms.set(room.id, { ...room, last_seq: message.seq, last_message: last, ...counted });
    this.#happened(message);
  }

  /**
   * @param {object} message @param {'updated'|'deleted'} kind @param {{counts: boolean, mentions: boolean}} what
   * @returns {boolean} false: only the server knows what is unread now
   */
  changed(message, kind, { counts, mentions }) {
    const room = this.get(message.room_id);
    if (!room) return true;
    const patch = room.last_message?.seq === message.seq ? { last_message: message } : {};
    const count = this.#counts.get(room.id);
    if (kind === 'deleted' && counts) count.unread.remove(message.seq);
    const known = !counts || count.mentions.change(message.seq, mentions && kind !== 'deleted');
    const { counted, exact } = this.#after(room, room.read_seq);
    this.#rooms.set(room.id, { ...room, ...patch, ...(counts ? counted : {}) });
    if (counts && !exact) return false;
    return known || message.seq <= room.read_seq || !(mentions || room.mention_count > 0);
  }

  /** @returns {'same'|'moved'|'inexact'} `inexact`: only the server knows what is unread now */
  moveRead(roomId, seq) {
    const room = this.get(roomId);
    if (!room || room.read_seq === seq) return 'same';
    for (const asked of this.#asked.get(roomId) ?? []) for (const name of UNREAD) delete asked.members[name];
    const { counted, exact } = this.#after(room, seq);
    this.#rooms.set(roomId, { ...room, read_seq: seq, ...counted });
    return exact ? 'moved' : 'inexact';
  }

  /**
   * Shows members as the server is being asked to make them. Until it says so by an event, or the request fails, what it
   * tells of other things does not undo that.
   * @returns {{done: () => void, failed: () => void}} what became of the request
   */
  ask(roomId, members) {
    const asked = { members: { ...members }, before: {}, done: false };
    const all = this.#asked.get(roomId) ?? [];
    this.#asked.set(roomId, [...all, asked]);
    this.#wear(roomId, asked);
    return {
      done: () => { asked.done = true; },
      failed: () => this.#takeBack(roomId, asked),
    };
  }

  putReceipt({ room_id: roomId, user_id: userId, delivered_seq: delivered, read_seq: read }) {
    if (!this.#receipts.has(roomId)) this.#receipts.set(roomId, new Map());
    const known = this.#receipts.get(roomId).get(userId) ?? { delivered: 0, read: 0 };
    this.#receipts.get(roomId).set(userId, {
      delivered: Math.max(known.delivered, delivered ?? 0),
      read: Math.max(known.read, read ?? 0),
    });
  }

  /** How far the others have got: the greatest pointers among them. @param {string} [me] who does not count */
  ticks(roomId, me) {
    let delivered = 0;
    let read = 0;
    for (const [userId, receipt] of this.#receipts.get(roomId) ?? []) {
      if (userId === me) continue;
      delivered = Math.max(delivered, receipt.delivered, receipt.read);
      read = Math.max(read, receipt.read);
    }
    return { delivered, read };
  }

  #wear(roomId, asked) {
    const room = this.get(roomId);
    if (!room) return;
    for (const name of Object.keys(asked.members)) asked.before[name] = room[name];
    this.#rooms.set(roomId, { ...room, ...asked.members });
  }

  #takeBack(roomId, asked) {
    const room = this.get(roomId);
    const all = this.#asked.get(roomId) ?? [];
    if (!room || !all.includes(asked)) return;
    const later = all.slice(all.indexOf(asked) + 1);
    this.#asked.set(roomId, all.filter((one) => one !== asked));
    for (const name of Object.keys(asked.members)) {
      const next = later.find((one) => name in one.members);
      if (next) next.before[name] = asked.before[name];
      else this.#rooms.set(roomId, { ...this.get(roomId), [name]: asked.before[name] });
    }
  }

  /** The server's own word came: what it was asked for and has done is in it. */
  #answered(room) {
    const open = (this.#asked.get(room.id) ?? []).filter((asked) => !asked.done);
    if (open.length === 0) this.#asked.delete(room.id);
    else this.#asked.set(room.id, open);
    for (const asked of open) this.#wear(room.id, asked);
  }

  #after(room, seq) {
    const { unread, mentions } = this.#counts.get(room.id);
    const [all, mine] = [unread.after(seq), mentions.after(seq)];
    // Going back, how many of the messages mention this person is not even roughly known.
    const mentioned = mine.exact || seq >= room.read_seq ? mine.count : room.mention_count;
    return { counted: { unread_count: all.count, mention_count: mentioned }, exact: all.exact && mine.exact };
  }

  #happened(message) {
    this.#activity.set(message.room_id, Math.max(this.activityOf(message.room_id), Date.parse(message.created_at)));
  }
}

const UNREAD = ['read_seq', 'unread_count', 'mention_count'];

/** When something last happened, as far as the chat itself tells. */
function timeOf(room) {
  return Date.parse(room.last_message?.created_at ?? room.created_at) || 0;
}

function countsOf(room) {
  const { last_seq, read_seq, unread_count, mention_count = 0 } = room;
  return {
    unread: new UnreadCount({ last_seq, read_seq, unread_count }),
    mentions: new UnreadCount({ last_seq, read_seq, unread_count: mention_count }),
  };
}
