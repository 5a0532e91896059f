import { changedChat, isRecord } from './keeping.js';

/** More chats than this are not kept, and no more of them than fit into so many bytes, roughly counted. */
const MOST_CHATS = 200;
const MOST_BYTES = 32 * 1024 * 1024;
/** What a message takes beside its text. */
const MESSAGE_BYTES = 600;
const PAGE = 100;
/** Between two questions: what the person does meanwhile comes first. */
const PAUSE = 150;
const AGAIN = 30_000;
const SOON = 2000;

/**
 * Fetches the newest messages of all chats, not only of those that were opened, so that they are there without a
 * network (O1): in the background, the newest chats first, one question at a time. What is kept already is not asked
 * for again: events keep it true.
 */
export class Mirror {
  #services;
  #timer = null;
  #running = false;
  #wanted = false;
  #closed = false;
  #seen = new Set();
  #ends;

  /**
   * @param {object} services `api`, `store`, `storage`, `sync`, `clock`
   * @param {import('./keeping.js').Keeping} services.keeper
   * @param {LockManager|null} services.locks
   * @param {() => number} services.most how many messages of each chat are kept
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

  /** Looks for what is missing, in a moment. */
  soon() {
    this.#wanted = true;
    if (!this.#closed && !this.#running) this.#later(SOON);
  }

  /** Looks for what is missing. Never rejects. */
  async run() {
    const { locks, storage, sync } = this.#services;
    if (this.#running || this.#closed) return;
    // Without a connection there is nothing to ask; without a disk, nothing to keep it on.
    if (sync.state.connection !== 'online' || !storage.lasting) return;
    this.#running = true;
    this.#wanted = false;
    let pause = null;
    try {
      // One tab at a time: the next finds everything there.
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

  /** @returns {Promise<number>} roughly how many bytes the chat takes */
  async #chat(roomId) {
    const { storage, store, most } = this.#services;
    let record = isRecord(await storage.get('messages', roomId));
    const last = store.room(roomId)?.last_message?.seq ?? 0;
    // Nothing has been kept yet, or something is missing at its end.
    if (!record || last > (record.messages.at(-1)?.seq ?? 0)) record = await this.#fetch(roomId, {});
    while (record && !record.whole && record.messages.length < most() && !this.#closed) {
      record = await this.#fetch(roomId, { before: record.messages[0]?.seq });
    }
    if (record?.messages.length > most()) {
      await storage.update('messages', roomId, (present) => changedChat(present, [], most()));
    }
    return (record?.messages ?? []).reduce((sum, { text }) => sum + MESSAGE_BYTES + 2 * (text?.length ?? 0), 0);
  }

  async #fetch(roomId, cursor, tries = 3) {
    const { api, clock, keeper, storage } = this.#services;
    let page;
    try {
      page = await api.messages(roomId, { ...cursor, limit: PAGE });
    } catch (error) {
      // Left, or deleted, meanwhile.
      if (error.kind === 'not-found' || error.kind === 'forbidden') return null;
      throw error;
    }
    if (this.#closed) return null;
    const isKept = keeper.keep(roomId, page.body, page.eventId ?? 0, page.body.length < PAGE);
    // Something has happened in the chat while the page was on its way.
    if (!isKept && tries > 1) return this.#fetch(roomId, cursor, tries - 1);
    await keeper.write();
    await new Promise((resolve) => { clock.setTimeout(resolve, PAUSE); });
    return isRecord(await storage.get('messages', roomId));
  }
}
