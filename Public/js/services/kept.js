/** The most changes gathered until the keeper is loaded. */
const MOST_EARLY = 1000;

/**
 * Reads the stored messages for the first paint. `Keeping`, which writes them, is loaded later: changes are gathered
 * for it until then.
 */
export class Kept {
  #services;
  /** @type {import('./keeping.js').Keeping|null} */
  #keeper = null;
  #early = [];
  /** Chats with changes that the keeper does not know yet. */
  #changed = new Set();
  #closed = false;
  #ready;
  /** Called when the stored chats are known, or there are none. */
  restored;

  /** @param {object} services `store`, `storage` */
  constructor(services) {
    this.#services = services;
    this.#ready = new Promise((resolve) => { this.restored = resolve; });
  }

  /**
   * @param {string} roomId @param {'messages'|'changes'} what
   * @returns {Promise<object[]>} ascending; empty for an unknown chat, or one that has changed since
   */
  async of(roomId, what) {
    await this.#ready;
    const { storage, store } = this.#services;
    if (this.#closed || this.#changed.has(roomId)) return [];
    const stored = this.#keeper
      ? await this.#keeper.of(roomId, what) : (await storage.get('messages', roomId))?.[what] ?? [];
    // The chat may have been cleared or left meanwhile.
    const room = store.room(roomId);
    if (!room || what === 'changes') return room ? stored : [];
    return stored.filter((message) => message.seq > (room.cleared_seq ?? 0));
  }

  /** @param {(keeper: object, eventId: number) => void} act @param {string} [roomId] the chat concerned */
  tell(act, roomId) {
    const eventId = this.#services.store.lastEventId ?? 0;
    if (this.#keeper) return act(this.#keeper, eventId);
    // The keeper failed to load, so the stored messages may be stale.
    if (this.#early.length >= MOST_EARLY) return this.forget();
    this.#early.push((keeper) => act(keeper, eventId));
    if (roomId) this.#changed.add(roomId);
  }

  /** Drops the stored messages, because their changes are unknown. */
  forget() {
    this.#early = [];
    this.tell((keeper) => keeper.forget());
    return this.#keeper ? null : this.#services.storage.wipe('messages');
  }

  attach(keeper) {
    this.#keeper = keeper;
    this.#changed.clear();
    if (this.#closed) keeper.close();
    for (const act of this.#early.splice(0)) act(keeper);
  }

  async close() {
    this.#closed = true;
    await this.#keeper?.close();
  }
}

/**
 * Deletes what was shown of chats at the end of a session. Unsent messages and drafts stay for their author, and go
 * when another person signs in.
 * @param {import('./storage.js').BrowserStorage} storage
 */
export async function forgetShown(storage) {
  await Promise.all([storage.wipe('messages'), storage.delete('meta', 'me'), storage.delete('meta', 'rooms')]);
}
