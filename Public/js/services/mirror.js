import { changedChat, isRecord } from './keeping.js';

/** The most chats that are kept, and roughly how many bytes they may take. */
const MOST_CHATS = 200;
const MOST_BYTES = 32 * 1024 * 1024;
/** The size of a message without its text. */
const MESSAGE_BYTES = 600;
const PAGE = 100;
/** The pause between two requests, so that the user's own requests come first. */
const PAUSE = 150;
const AGAIN = 30_000;
const SOON = 2000;

/**
 * Stores the newest messages of all chats for offline use, including those never opened. Runs in the background, newest
 * chats first, one request at a time. Stored chats are not fetched again: events keep them current.
 */
export class Mirror {
  #services;
  #timer = /** @type {unknown|null} */ (null);
  #running = false;
  #wanted = false;
  #closed = false;
  #seen = new Set();
  #ends;

  /**
   * @param {import('./client.js').Client & {keeper: import('./keeping.js').Keeping, most: () => number}} services
   *   `most`: the number of messages kept of each chat
   */
  constructor(services) {
    this.#services = services;
    const { sync, store } = services;
    this.#ends = [
      sync.subscribe(({ connection }) => connection === 'online' && this.#wanted && this.soon()),
      store.subscribe(({ type, roomId }) => {
        if (type === 'removed') this.#seen.delete(roomId);
        if (type === 'rooms' || (type === 'room' && !this.#seen.has(roomId))) this.soon();
      }),
    ];
  }

  /** Schedules `run`. */
  soon() {
    this.#wanted = true;
    if (!this.#closed && !this.#running) this.#later(SOON);
  }

  /** Fetches missing messages. Never rejects. */
  async run() {
    const { locks, storage, sync } = this.#services;
    if (this.#running || this.#closed) return;
    // Does nothing while offline, or if nothing can be stored.
    if (sync.state.connection !== 'online' || !storage.lasting) return;
    this.#running = true;
    this.#wanted = false;
    let pause = null;
    try {
      // One tab at a time: the next one finds everything stored.
      await (locks ? locks.request('hubbub-mirror', () => this.#round()) : this.#round());
      if (this.#wanted) pause = SOON;
    } catch (error) {
      this.#wanted = true;
      pause = Math.max(AGAIN, error.retryAfter ?? 0);
    }
    this.#running = false;
    if (pause !== null) this.#later(pause);
  }

  close() {
    this.#closed = true;
    this.#services.clock.clearTimeout(this.#timer);
    for (const end of this.#ends) end();
  }

  #later(pause) {
    const { clock } = this.#services;
    if (this.#closed) return;
    clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => this.run(), pause);
  }

  async #round() {
    const { keeper, storage, store } = this.#services;
    await keeper.write();
    const kept = new Set();
    let bytes = 0;
    for (const { id } of store.orderedRooms().slice(0, MOST_CHATS)) {
      if (this.#closed || bytes > MOST_BYTES) break;
      bytes += await this.#chat(id);
      kept.add(id);
    }
    await keeper.write();
    for (const id of this.#closed ? [] : await storage.keys('messages')) {
      if (!kept.has(id)) await storage.delete('messages', id);
    }
    for (const { id } of store.orderedRooms()) this.#seen.add(id);
  }

  /** Completes a chat. @returns {Promise<number>} roughly how many bytes it takes */
  async #chat(roomId) {
    const { storage, store, most } = this.#services;
    let record = isRecord(await storage.get('messages', roomId));
    const last = store.room(roomId)?.last_message?.seq ?? 0;
    // Nothing is stored yet, or the newest messages are missing.
    if (!record || last > (record.messages.at(-1)?.seq ?? 0)) record = await this.#fetch(roomId, {});
    while (record && !record.whole && record.messages.length < most() && !this.#closed) {
      record = await this.#fetch(roomId, { before: record.messages[0]?.seq });
    }
    const lacksLines = record && !record.changes && store.room(roomId)?.kind === 'group';
    if (lacksLines && !this.#closed) await this.#fetch(roomId, null);
    if (record && record.messages.length > most()) {
      await storage.update('messages', roomId, (present) => changedChat(present, [], most()));
    }
    return (record?.messages ?? []).reduce((sum, { text }) => sum + MESSAGE_BYTES + 2 * (text?.length ?? 0), 0);
  }

  /** Fetches a page of messages; without a cursor, the newest lines of a group's log that are not messages. */
  async #fetch(roomId, cursor, tries = 3) {
    const { api, clock, keeper, storage } = this.#services;
    let page;
    try {
      page = cursor ? await api.messages(roomId, { ...cursor, limit: PAGE })
        : await api.request('GET', `/rooms/${encodeURIComponent(roomId)}/changes`, { query: { limit: PAGE } });
    } catch (error) {
      // The chat was left or deleted meanwhile.
      if (error.kind === 'not-found' || error.kind === 'forbidden') return null;
      throw error;
    }
    if (this.#closed) return null;
    const { body, eventId, prev } = page;
    const isKept = cursor ? keeper.keep(roomId, body, eventId ?? 0, prev === null && body.length < PAGE)
      : keeper.keep(roomId, [], eventId ?? 0, false, body);
    // The chat changed while the page was loading.
    if (!isKept && tries > 1) return this.#fetch(roomId, cursor, tries - 1);
    await keeper.write();
    await new Promise((resolve) => { clock.setTimeout(resolve, PAUSE); });
    return isRecord(await storage.get('messages', roomId));
  }
}
