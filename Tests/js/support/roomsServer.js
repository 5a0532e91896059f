import { ada, bob, message, room } from './fakes.js';

/**
 * The server's side of the list of chats, as simply as it can be written: rooms with all their messages, from which
 * every number is counted again. Each change returns the events that Ada's devices get.
 */
export class RoomsServer {
  #rooms = new Map();
  #position = 0;
  #eventId = 1;
  #time = Date.parse('2026-03-14T08:00:00Z');

  constructor(count) {
    for (let index = 0; index < count; index += 1) this.letIn();
  }

  get eventId() { return this.#eventId; }

  get ids() { return [...this.#rooms.keys()]; }

  /** The rooms of Ada's list. */
  get listed() { return this.ids.filter((id) => this.#isListed(this.#rooms.get(id))); }

  /** `GET /rooms` */
  list() {
    const places = (one) => [Number(one.pinned), one.position];
    return [...this.#rooms.values()].filter((one) => this.#isListed(one))
      .sort((one, other) => places(other)[0] - places(one)[0] || places(other)[1] - places(one)[1])
      .map((one) => this.room(one.id));
  }

  /** `GET /rooms/{id}` */
  room(id) {
    const one = this.#rooms.get(id);
    const visible = one.messages.filter(({ seq }) => seq > one.cleared);
    const unread = visible.filter((m) => m.seq > one.read && m.sender.id !== ada.id && !m.deleted_at);
    return room({
      id, kind: one.kind, name: one.kind === 'group' ? `Group ${id}` : '', peer: one.kind === 'group' ? null : one.peer,
      members_count: 3, muted: one.muted, pinned: one.pinned, mention_level: one.level, last_seq: one.messages.length,
      read_seq: one.read, cleared_seq: one.cleared, unread_count: unread.length,
      mention_count: unread.filter((m) => m.mentions.includes(ada.id)).length, last_message: visible.at(-1) ?? null,
      created_at: one.created,
    });
  }

  letIn() {
    const id = `r${String(this.#rooms.size).padStart(3, '0')}`;
    const kind = this.#rooms.size % 3 === 0 ? 'group' : 'direct';
    const peer = { ...bob, id: `peer-${id}`, name: `Peer ${id}`, github_id: 100 + this.#rooms.size, online: false };
    // A group may be much older than the membership.
    const created = kind === 'group' ? '2025-01-01T00:00:00.000Z' : this.#now();
    this.#rooms.set(id, {
      id, kind, peer, created, muted: false, pinned: false, level: 'all', read: 0, cleared: 0, hidden: 0, out: false,
      position: this.#moveUp(), messages: [], isNew: true,
    });
    return [this.#event('room.created', this.room(id))];
  }

  write(id, { own, mentions }) {
    const one = this.#rooms.get(id);
    const wasListed = this.#isListed(one);
    const seq = one.messages.length + 1;
    const sender = own ? ada : one.peer;
    const written = message(seq, { room_id: id, sender, created_at: this.#now(), mentions: mentions ? [ada.id] : [] });
    one.messages.push(written);
    one.position = this.#moveUp();
    const events = wasListed ? [] : [this.#event('room.created', this.room(id))];
    events.push(this.#event('message.created', written));
    if (own && one.read < seq) events.push(...this.read(id, seq));
    return events;
  }

  edit(id, seq) {
    return this.#change(id, seq, 'message.updated', { text: `edited ${this.#eventId}`, edited_at: 'x' });
  }

  delete(id, seq) {
    return this.#change(id, seq, 'message.deleted', { text: '', deleted_at: 'x' });
  }

  read(id, seq) {
    const one = this.#rooms.get(id);
    if (seq <= one.read) return [];
    one.read = seq;
    return [this.#receipt(one)];
  }

  markUnread(id, seq) {
    this.#rooms.get(id).read = seq - 1;
    return [this.#receipt(this.#rooms.get(id))];
  }

  set(id, members) {
    Object.assign(this.#rooms.get(id), members);
    return [this.#event('room.updated', this.room(id))];
  }

  clear(id) {
    const one = this.#rooms.get(id);
    one.cleared = one.messages.length;
    one.read = Math.max(one.read, one.cleared);
    return [this.#event('room.updated', this.room(id))];
  }

  hide(id) {
    this.clear(id);
    const one = this.#rooms.get(id);
    one.hidden = one.messages.length;
    one.isNew = false;
    return [this.#event('room.removed', { id })];
  }

  #isListed(one) {
    return one.isNew || one.messages.length > one.hidden;
  }

  #change(id, seq, name, members) {
    const one = this.#rooms.get(id);
    // A deleted message does not change.
    if (one.messages[seq - 1].deleted_at) return [];
    const changed = { ...one.messages[seq - 1], ...members };
    one.messages[seq - 1] = changed;
    return seq > one.cleared ? [this.#event(name, changed)] : [];
  }

  #receipt(one) {
    return this.#event('receipt.updated',
      { room_id: one.id, user_id: ada.id, read_seq: one.read, delivered_seq: one.read });
  }

  #event(event, data) {
    this.#eventId += 1;
    return { id: this.#eventId, event, data };
  }

  #moveUp() {
    this.#position += 1;
    return this.#position;
  }

  #now() {
    this.#time += 1000;
    return new Date(this.#time).toISOString();
  }
}
