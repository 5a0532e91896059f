/** The unread count of a chat that its notification level lets through to the page's title and the app's badge. */
export function heardCount(room) {
  if (room.muted || room.mention_level === 'nothing') return 0;
  return (room.mention_level === 'mentions' ? room.mention_count : room.unread_count) ?? 0;
}

/** Whether a new message notifies the user. @param {boolean} mentionsMe */
export function isHeard(room, mentionsMe) {
  const level = room.mention_level ?? 'all';
  return !room.muted && (level === 'all' || (level === 'mentions' && mentionsMe));
}

/**
 * The chats as the server reported them, with their unread counts, the order of the list, and requested changes that no
 * event has confirmed yet. `ChatStore` notifies listeners.
 */
export class Rooms {
  #rooms = new Map();
  #counts = new Map();
  /** The time that orders each chat; clearing or deleting messages does not decrease it. */
  #activity = new Map();
  #asked = new Map();
  #receipts = new Map();
  /** The user's own messages at the end of the read ones, by chat: after `from` up to `to`. */
  #ownRuns = new Map();

  clear() {
    for (const known of [this.#rooms, this.#counts, this.#activity, this.#asked, this.#ownRuns]) known.clear();
  }

  /** Whether a requested change is unconfirmed. */
  get asking() { return [...this.#asked.values()].some((all) => all.length > 0); }
  has(roomId) { return this.#rooms.has(roomId); }
  get(roomId) { return this.#rooms.get(roomId) ?? null; }
  /** Whether the chat as the server last sent it includes an event. @param {number|null} eventId */
  includes(roomId, eventId) { return eventId !== null && eventId <= (this.get(roomId)?.event_id ?? 0); }
  /** Replaces a chat, but keeps its counters. */
  set(roomId, room) { this.#rooms.set(roomId, room); }
  /** @returns {object[]} the chats of the list: without public rooms the user only views, and chats being deleted */
  listed() { return [...this.#rooms.values()].filter((room) => room.role !== null && !room.hidden); }
  /** @returns {object[]} the chats of the list, in its order */
  ordered() {
    return this.listed().sort((one, other) => Number(other.pinned ?? false) - Number(one.pinned ?? false)
      || this.activityOf(other.id) - this.activityOf(one.id));
  }
  /** @returns {number} milliseconds since 1970 */
  activityOf(roomId) { return this.#activity.get(roomId) ?? 0; }

  /** Adds a page of the server's list: pinned chats first, then newest first. */
  load(page) {
    for (const pinned of [true, false]) {
      const part = page.filter((room) => Boolean(room.pinned) === pinned);
      // Only the server knows why a chat without messages is above the next one.
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

  /** @param {object} room @param {{newest?: boolean}} how `newest`: the user was added, or the chat came back */
  put(room, { newest = false } = {}) {
    const top = newest ? Math.max(0, ...this.#activity.values()) + 1 : 0;
    this.#activity.set(room.id, Math.max(this.activityOf(room.id), timeOf(room), top));
    this.#counts.set(room.id, countsOf(room));
    this.#rooms.set(room.id, room);
    this.#answered(room);
  }

  remove(roomId) {
    for (const known of [this.#rooms, this.#counts, this.#activity, this.#asked, this.#ownRuns]) known.delete(roomId);
  }

  /** Shows the user's own message as the last one before its event arrives. @returns {boolean} whether it is */
  putSent(message) {
    const room = this.get(message.room_id);
    if (!room || message.seq <= (room.last_message?.seq ?? 0)) return false;
    this.#rooms.set(room.id, { ...room, last_message: message, ...this.#readBy(message, room) });
    this.#happened(message);
    return true;
  }

  /** @param {object} message @param {{counts: boolean, mentions: boolean}} what unread; mentions the user */
  created(message, { counts, mentions }) {
    const room = this.get(message.room_id);
    if (!room || message.seq <= room.last_seq) return;
    const count = this.#counts.get(room.id);
    count.unread.add(message.seq, counts && !message.deleted_at);
    count.mentions.add(message.seq, counts && mentions && !message.deleted_at);
    const last = room.last_message?.seq > message.seq ? room.last_message : message;
    const read = counts ? {} : this.#readBy(message, room);
    const { counted } = this.#after(room, read.read_seq ?? room.read_seq);
    this.#rooms.set(room.id, { ...room, last_seq: message.seq, last_message: last, ...counted, ...read });
    this.#happened(message);
  }

  /** The user's own message counts as read, unless unread messages precede it: sending does not read those. */
  #readBy({ seq }, { id, read_seq: read, last_seq: last, unread_count: unread }) {
    if (unread > 0 || seq !== last + 1) return {};
    const from = this.#ownRuns.get(id)?.to === read ? this.#ownRuns.get(id).from : read;
    this.#ownRuns.set(id, { from, to: seq });
    return { read_seq: seq };
  }

  /**
   * @param {object} message @param {'updated'|'deleted'} kind @param {{counts: boolean, mentions: boolean}} what
   * @returns {boolean} false if only the server knows the unread count now
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

  /** @returns {'same'|'moved'|'inexact'} `inexact`: only the server knows the unread count now */
  moveRead(roomId, to) {
    const room = this.get(roomId);
    // A position within the user's own last messages means the end of them.
    const own = this.#ownRuns.get(roomId);
    const seq = own && to >= own.from && to < own.to ? own.to : to;
    if (!room || room.read_seq === seq) return 'same';
    for (const asked of this.#asked.get(roomId) ?? []) for (const name of UNREAD) delete asked.members[name];
    const { counted, exact } = this.#after(room, seq);
    this.#rooms.set(roomId, { ...room, read_seq: seq, ...counted });
    return exact ? 'moved' : 'inexact';
  }

  /**
   * Applies requested members at once. Until an event confirms them or the request fails, no other event undoes them.
   * @returns {{done: () => void, failed: () => void}} reports the outcome of the request
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
    const all = this.#receipts.get(roomId) ?? new Map();
    const known = all.get(userId) ?? { delivered: 0, read: 0 };
    this.#receipts.set(roomId, all.set(userId, {
      delivered: Math.max(known.delivered, delivered ?? 0), read: Math.max(known.read, read ?? 0),
    }));
  }

  /** The greatest positions of the other members, stored as receipts of `NOBODY`, and the user's own. */
  receiptsToKeep(me) {
    return this.listed().flatMap(({ id }) => {
      const { delivered, read } = this.ticks(id, me);
      const all = [[NOBODY, delivered, read], [me, this.deliveredTo(id, me), 0]].filter(([, seq]) => seq > 0);
      return all.map(([user, ...seqs]) => ({ room_id: id, user_id: user, delivered_seq: seqs[0], read_seq: seqs[1] }));
    });
  }
  /** Up to where a member has received a chat, as far as receipts tell. */
  deliveredTo(roomId, userId) { return this.#receipts.get(roomId)?.get(userId)?.delivered ?? 0; }
  /** Drops stored receipts: those of the server are loaded. */
  dropKeptReceipts(roomId) { this.#receipts.get(roomId)?.delete(NOBODY); }
  /** The greatest positions of the other members. @param {string} [me] the user, who does not count */
  ticks(roomId, me) {
    let [delivered, read] = [0, 0];
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

  /** The server reported the chat, which includes completed requests; others are applied again. */
  #answered(room) {
    const open = (this.#asked.get(room.id) ?? []).filter((asked) => !asked.done);
    if (open.length === 0) this.#asked.delete(room.id);
    else this.#asked.set(room.id, open);
    for (const asked of open) this.#wear(room.id, asked);
  }

  #after(room, seq) {
    const { unread, mentions } = this.#counts.get(room.id);
    const [all, mine] = [unread.after(seq), mentions.after(seq)];
    // If the read position moved back, the number of mentions is unknown.
    const mentioned = mine.exact || seq >= room.read_seq ? mine.count : room.mention_count;
    return { counted: { unread_count: all.count, mention_count: mentioned }, exact: all.exact && mine.exact };
  }

  #happened(message) {
    this.#activity.set(message.room_id, Math.max(this.activityOf(message.room_id), Date.parse(message.created_at)));
  }
}

/** The user id of receipts stored by the last visit. */
const NOBODY = '';
const UNREAD = ['read_seq', 'unread_count', 'mention_count'];

/** The time of the last message, or of the creation. */
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

/**
 * Counts the unread messages of others, from the server's count and the events since. If these do not suffice (the read
 * position moved among older messages of both sides), it says so.
 */
export class UnreadCount {
  #read;
  #last;
  #count;
  #later = new Set();
  /** The last older message that changed, of which it is unknown whether it counted. */
  #unsure = 0;

  /** @param {{read_seq: number, last_seq: number, unread_count: number}} room as the server sent it */
  constructor(room) {
    this.#read = room.read_seq;
    this.#last = room.last_seq;
    this.#count = room.unread_count;
  }

  /** A message was created. `counts`: it is another person's, and not deleted. */
  add(seq, counts) {
    if (counts && seq > this.#last) this.#later.add(seq);
  }

  /** Another's message was deleted. */
  remove(seq) {
    if (this.#later.delete(seq)) return;
    if (seq > this.#read && seq <= this.#last) this.#count = Math.max(0, this.#count - 1);
  }

  /**
   * A message counts now, or no longer.
   * @returns {boolean} false if it is older than the server's count, so that it is unknown whether it counted
   */
  change(seq, counts) {
    if (seq <= this.#last) {
      if (!counts && this.#count === 0) return true;
      this.#unsure = Math.max(this.#unsure, seq);
      return false;
    }
    if (counts) this.#later.add(seq);
    else this.#later.delete(seq);
    return true;
  }

  /** @returns {{count: number, exact: boolean}} how many are unread when everything up to `seq` is read */
  after(seq) {
    let later = 0;
    for (const one of this.#later) if (one > seq) later += 1;
    const between = this.#last - seq;
    if (between <= 0) return { count: later, exact: true };
    if (seq === this.#read) return { count: this.#count + later, exact: seq >= this.#unsure };
    if (seq < this.#read) return { count: this.#count + later + (this.#read - seq), exact: false };
    const exact = (this.#count === this.#last - this.#read || this.#count === 0) && seq >= this.#unsure;
    return { count: Math.min(this.#count, between) + later, exact };
  }
}
