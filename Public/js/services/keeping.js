import { isMark, marked } from '../models/reactions.js';

/** At most so many chats of the list are stored, from its top. */
export const KEPT_ROOMS = 1000;
const WRITE_AFTER = 1000;

/**
 * The stored messages of one chat: ascending by seq, including event `upTo`. `whole`: nothing earlier exists. `changes`
 * of a group, ascending by id, are missing until they were loaded.
 * @typedef {{upTo: number, whole: boolean, messages: object[], changes?: object[]}} KeptChat
 *
 * A change of stored messages, as of an event: a message arrived or changed, its reactions or pin did, one was deleted
 * for this person, all up to `seq` were cleared, a group's log got a line, or the newest ones (`KeptPage`) or lines
 * (`KeptLines`) were loaded.
 * @typedef {{type: 'message', eventId: number, kind: string, message: any}
 *   | {type: 'event', eventId: number, seq: number, event: string, data: any, mine: boolean}
 *   | {type: 'line', eventId: number, line: any}
 *   | {type: 'hidden', eventId: number, seq: number} | {type: 'cleared', eventId: number, seq: number}
 *   | KeptPage | KeptLines} KeptChange
 * @typedef {{type: 'lines', lines: any[]}} KeptLines
 * @typedef {{type: 'page', eventId: number, messages: any[], whole?: boolean}} KeptPage `whole`: nothing is earlier
 */

/**
 * A stored chat after some changes. Changes that it includes have no effect, in whatever order tabs write.
 * @param {KeptChat|undefined} record @param {KeptChange[]} changes @param {number} most messages to keep
 * @returns {KeptChat|undefined} undefined: still not kept
 */
export function changedChat(record, changes, most) {
  let kept = isRecord(record) ? record : undefined;
  for (const change of changes) {
    if (change.type === 'page') kept = withPage(kept, change);
    else if (change.type === 'lines') kept &&= { ...kept, changes: union(kept.changes ?? [], change.lines) };
    else if (kept && change.eventId > kept.upTo) kept = { ...kept, messages: changedMessages(kept, change) };
    if (kept?.changes) kept = { ...kept, changes: lines(kept.changes, change) };
  }
  if (!kept) return undefined;
  const ids = changes.map((change) => (change.type === 'page' || change.type === 'lines' ? 0 : change.eventId));
  const upTo = Math.max(kept.upTo, ...ids);
  const whole = kept.whole && kept.messages.length <= most;
  const known = kept.changes ? { changes: kept.changes.slice(-most) } : {};
  return { upTo, whole, messages: kept.messages.slice(-most), ...known };
}

/** Lines never change: they may come in any order and number. @param {any[]} some @param {any[]} others */
function union(some, others) {
  const byId = new Map([...some, ...others].map((one) => [one.id, one]));
  return [...byId.values()].sort((one, other) => one.id - other.id);
}

/** @param {any[]} changes @param {KeptChange} change */
function lines(changes, change) {
  if (change.type === 'cleared') return changes.filter(({ id }) => id > change.eventId);
  return change.type === 'line' ? union(changes, [change.line]) : changes;
}

/** @param {any} record from the storage, perhaps of an older version @returns {KeptChat|null} */
export function isRecord(record) {
  return Array.isArray(record?.messages) && Number.isInteger(record.upTo) ? record : null;
}

/** @param {KeptChat} kept @param {Exclude<KeptChange, KeptPage|KeptLines>} change */
function changedMessages({ messages, whole }, change) {
  if (change.type === 'line') return messages;
  if (change.type === 'event') return messages.map((one) => (one.seq === change.seq ? marked(one, change) : one));
  if (change.type === 'hidden') return messages.filter((one) => one.seq !== change.seq);
  if (change.type === 'cleared') return messages.filter((one) => one.seq > change.seq);
  const { kind, message } = change;
  const index = messages.findIndex((one) => one.seq === message.seq);
  if (index >= 0) return messages.with(index, newer(messages[index], message));
  // An edit of a message that is not stored: nothing is added below the stored ones.
  const belongs = kind === 'created' && (whole || messages.length === 0 || message.seq > messages[0].seq);
  return belongs ? [...messages, message].sort((one, other) => one.seq - other.seq) : messages;
}

/**
 * The server's page replaces what is stored in its range; the rest stays if it is contiguous.
 * @param {KeptChat|undefined} kept @param {KeptPage} page
 */
function withPage(kept, { messages, eventId, whole = false }) {
  const [low, high] = [messages[0]?.seq ?? 0, messages.at(-1)?.seq ?? 0];
  const known = kept?.messages ?? [];
  if (!kept || known.length === 0 || known.at(-1).seq < low - 1) return { ...kept, upTo: eventId, whole, messages };
  const earlier = whole ? [] : known.filter(({ seq }) => seq < low);
  const later = known.filter(({ seq }) => seq > high);
  return {
    ...kept, upTo: Math.min(kept.upTo, eventId), whole: whole || kept.whole,
    messages: [...earlier, ...messages, ...later],
  };
}

/** The later of two states of a message: the deleted one, or the one edited last. */
function newer(one, other) {
  if (one.deleted_at) return one;
  if (!other.deleted_at && (other.edited_at ?? '') < (one.edited_at ?? '')) return one;
  // Events of a message do not say what hangs on it.
  const { reactions, pinned_at: pinnedAt } = one;
  return other.deleted_at || !(reactions || pinnedAt) ? other : { ...other, reactions, pinned_at: pinnedAt };
}

/**
 * Stores what the next start shows: the list of chats with the last event that it includes, and the messages of chats.
 * Messages are written first, so that the list never claims more than is stored.
 */
export class Keeping {
  #services;
  #pending = new Map();
  /** The last event that changed each chat since the page was loaded. */
  #lastChange = new Map();
  #timer = /** @type {unknown|null} */ (null);
  #roomsChanged = false;
  #busy = Promise.resolve();
  #closed = false;

  /** Called when the stored messages were dropped because their changes are unknown. */
  onForgotten = () => {};

  /**
   * @param {import('./client.js').Client & {settled: () => boolean, most: () => number}} services `settled`: the server
   *   has confirmed everything in the store; `most`: how many messages of each chat are kept
   */
  constructor(services) {
    this.#services = services;
  }

  /** What is stored of a chat, including pending changes. @returns {Promise<object[]>} ascending */
  async of(roomId, what = 'messages') {
    await this.#busy;
    const record = await this.#services.storage.get('messages', roomId);
    return changedChat(record, this.#pending.get(roomId) ?? [], this.#services.most())?.[what] ?? [];
  }

  /**
   * Stores the newest messages of a chat from the server, or its changes.
   * @returns {boolean} false: something has happened in the chat since, which the page does not have
   */
  keep(roomId, messages, eventId, whole = false, changes = null) {
    if ((this.#lastChange.get(roomId) ?? 0) > eventId) return false;
    if (changes) this.#later(roomId, { type: 'lines', lines: changes });
    if (messages.length > 0 || whole) this.#later(roomId, { type: 'page', messages, eventId, whole });
    return true;
  }

  /** @param {import('../models/chatStore.js').StoreChange} change @param {number} eventId when it happened */
  take(change, eventId) {
    const { type, message, kind, seq, event, data } = change;
    const roomId = change.roomId ?? message?.room_id ?? data?.room_id;
    if (['message', 'hidden', 'cleared', 'event'].includes(type)) this.#lastChange.set(roomId, eventId);
    if (event === 'room.changed') this.#later(roomId, { type: 'line', line: data, eventId });
    if (type === 'event' && isMark(event)) {
      const mine = data.user_id === this.#services.store.me?.id;
      this.#later(roomId, { type, event, data, mine, seq: data.seq, eventId });
    }
    if (type === 'message') this.#later(roomId, { type, kind, message, eventId });
    if (type === 'hidden' || type === 'cleared') this.#later(roomId, { type, seq, eventId });
    if (type === 'removed') this.#drop(roomId);
    if (type === 'reset') this.forget();
    if (['rooms', 'room', 'removed', 'user', 'me', 'message', 'draft', 'member', 'receipts'].includes(type)) {
      this.#roomsChanged = true;
      this.#soon();
    }
  }

  /** Drops all messages, because their changes are unknown. The list of chats is the server's, just loaded. */
  forget() {
    this.#pending.clear();
    this.#roomsChanged = true;
    this.#soon();
    this.#run(() => this.#services.storage.wipe('messages'));
    this.onForgotten();
  }

  /** Writes pending changes. @returns {Promise<void>} */
  write() {
    this.#services.clock.clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#closed) return this.#busy;
    const { store, storage, settled, most } = this.#services;
    // Taken together: the pending changes belong to this state.
    const changes = [...this.#pending];
    this.#pending.clear();
    const complete = store.baseEventId !== null && settled();
    let list = null;
    if (this.#roomsChanged && complete) {
      list = store.toKeep(KEPT_ROOMS);
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

  /** Stops writing; resolves when the current write is done. */
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

  /** Runs writes one after the other. */
  #run(act) {
    this.#busy = this.#busy.then(() => (this.#closed ? null : act()));
    return this.#busy;
  }
}
