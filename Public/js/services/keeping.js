/** The list of chats is kept whole up to this length; of a longer one only what is above. */
export const KEPT_ROOMS = 1000;
const WRITE_AFTER = 1000;

/**
 * The kept messages of one chat: ascending by seq, true up to event `upTo`. `whole`: nothing earlier is there.
 * @typedef {{upTo: number, whole: boolean, messages: object[]}} KeptChat
 *
 * What happened to kept messages, as of an event: a message came or changed, one was hidden, all up to `seq` were
 * cleared, or the newest ones were read from the server.
 * @typedef {{eventId: number, type: 'message'|'hidden'|'cleared'|'page', kind?: string, message?: object, seq?: number,
 *   messages?: object[], whole?: boolean}} KeptChange
 */

/**
 * What a kept chat is after some changes. Those that it has already change nothing, in whatever order tabs write.
 * @param {KeptChat|undefined} record @param {KeptChange[]} changes @param {number} most messages that are kept
 * @returns {KeptChat|undefined} undefined: still not kept
 */
export function changedChat(record, changes, most) {
  let kept = isRecord(record) ? record : undefined;
  for (const change of changes) {
    if (change.type === 'page') kept = withPage(kept, change);
    else if (kept && change.eventId > kept.upTo) kept = { ...kept, messages: changedMessages(kept, change) };
  }
  if (!kept) return undefined;
  const upTo = Math.max(kept.upTo, ...changes.filter(({ type }) => type !== 'page').map(({ eventId }) => eventId));
  const whole = kept.whole && kept.messages.length <= most;
  return { upTo, whole, messages: kept.messages.slice(-most) };
}

/** @param {any} record what the storage gave, perhaps of an older version @returns {KeptChat|null} */
export function isRecord(record) {
  return Array.isArray(record?.messages) && Number.isInteger(record.upTo) ? record : null;
}

function changedMessages({ messages, whole }, { type, kind, message, seq }) {
  if (type === 'hidden') return messages.filter((one) => one.seq !== seq);
  if (type === 'cleared') return messages.filter((one) => one.seq > seq);
  const index = messages.findIndex((one) => one.seq === message.seq);
  if (index >= 0) return messages.with(index, newer(messages[index], message));
  // An edit of one that is not kept; nothing is put in below what is.
  const belongs = kind === 'created' && (whole || messages.length === 0 || message.seq > messages[0].seq);
  return belongs ? [...messages, message].sort((one, other) => one.seq - other.seq) : messages;
}

/**
 * What the server gave stands over what is kept in its range; the rest stays if it borders on that. `whole`: there is
 * nothing earlier.
 */
function withPage(kept, { messages, eventId, whole = false }) {
  const [low, high] = [messages[0]?.seq ?? 0, messages.at(-1)?.seq ?? 0];
  const known = kept?.messages ?? [];
  if (known.length === 0 || known.at(-1).seq < low - 1) return { upTo: eventId, whole, messages };
  const earlier = whole ? [] : known.filter(({ seq }) => seq < low);
  const later = known.filter(({ seq }) => seq > high);
  return {
    upTo: Math.min(kept.upTo, eventId), whole: whole || kept.whole, messages: [...earlier, ...messages, ...later],
  };
}

/** Of two states of a message the later one: deleted for good, or edited last. */
function newer(one, other) {
  if (one.deleted_at) return one;
  return other.deleted_at || (other.edited_at ?? '') >= (one.edited_at ?? '') ? other : one;
}

/**
 * Writes what the next start begins with (O1, O2): the list of chats with the event up to which it is true, and the
 * messages of the chats that are kept. Messages are written first: what the list says to be known, is.
 */
export class Keeping {
  #services;
  #pending = new Map();
  /** The last event by which something changed in a chat since the page was loaded. */
  #lastChange = new Map();
  #timer = null;
  #roomsChanged = false;
  #busy = Promise.resolve();
  #closed = false;

  /** Called when the kept messages were forgotten, since nobody knows what happened to them. */
  onForgotten = () => {};

  /**
   * @param {object} services `store`, `storage`, `clock`
   * @param {() => boolean} services.settled whether all that the store shows is the server's word
   * @param {() => number} services.most how many messages of each chat are kept
   */
  constructor(services) {
    this.#services = services;
  }

  /** The kept messages of a chat, with what was not written yet. @returns {Promise<object[]>} ascending by seq */
  async of(roomId) {
    await this.#busy;
    const record = await this.#services.storage.get('messages', roomId);
    return changedChat(record, this.#pending.get(roomId) ?? [], this.#services.most())?.messages ?? [];
  }

  /**
   * Keeps the newest messages of a chat as the server gave them.
   * @returns {boolean} false: something has happened in the chat since, which the page does not have
   */
  keep(roomId, messages, eventId, whole = false) {
    if ((this.#lastChange.get(roomId) ?? 0) > eventId) return false;
    if (messages.length > 0 || whole) this.#later(roomId, { type: 'page', messages, eventId, whole });
    return true;
  }

  /** @param {import('../models/chatStore.js').StoreChange} change @param {number} eventId when it happened */
  take(change, eventId) {
    const { type, roomId, message, kind, seq } = change;
    if (type === 'message' || type === 'hidden' || type === 'cleared') {
      this.#lastChange.set(roomId ?? message.room_id, eventId);
    }
    if (type === 'message') this.#later(message.room_id, { type, kind, message, eventId });
    if (type === 'hidden' || type === 'cleared') this.#later(roomId, { type, seq, eventId });
    if (type === 'removed') this.#drop(roomId);
    if (type === 'reset') this.forget();
    if (['rooms', 'room', 'removed', 'user', 'message', 'draft'].includes(type)) {
      this.#roomsChanged = true;
      this.#soon();
    }
  }

  /** Forgets all messages: what happened to them is not known. The list of chats is the server's, read anew. */
  forget() {
    this.#pending.clear();
    this.#roomsChanged = true;
    this.#soon();
    this.#run(() => this.#services.storage.wipe('messages'));
    this.onForgotten();
  }

  /** Writes what waits. @returns {Promise<void>} */
  write() {
    this.#services.clock.clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#closed) return this.#busy;
    const { store, storage, settled, most } = this.#services;
    // Taken at one moment: what is pending belongs to this very state.
    const changes = [...this.#pending];
    this.#pending.clear();
    const complete = store.baseEventId !== null && settled();
    let list = null;
    if (this.#roomsChanged && complete) {
      const rooms = store.orderedRooms();
      list = { eventId: rooms.length <= KEPT_ROOMS ? store.lastEventId : null, rooms: rooms.slice(0, KEPT_ROOMS) };
      this.#roomsChanged = false;
    } else if (this.#roomsChanged && store.baseEventId !== null) this.#soon();
    return this.#run(async () => {
      for (const [roomId, some] of changes) {
        if (this.#closed) return;
        await storage.update('messages', roomId, (record) => changedChat(record, some, most()));
      }
      if (list && !this.#closed) await storage.put('meta', 'rooms', list);
    });
  }

  /** Nothing is written any more; resolves when what was being written is done. */
  close() {
    this.#closed = true;
    this.#services.clock.clearTimeout(this.#timer);
    this.#pending.clear();
    return this.#busy;
  }

  #drop(roomId) {
    this.#pending.delete(roomId);
    this.#lastChange.delete(roomId);
    this.#run(() => this.#services.storage.delete('messages', roomId));
  }

  #later(roomId, change) {
    if (!this.#pending.has(roomId)) this.#pending.set(roomId, []);
    this.#pending.get(roomId).push(change);
    this.#soon();
  }

  #soon() {
    if (!this.#closed) this.#timer ??= this.#services.clock.setTimeout(() => this.write(), WRITE_AFTER);
  }

  /** One after the other. */
  #run(act) {
    this.#busy = this.#busy.then(() => (this.#closed ? null : act()));
    return this.#busy;
  }
}
