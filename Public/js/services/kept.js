/** How much is gathered for a keeper that has not come yet. */
const MOST_EARLY = 1000;

/**
 * The messages that this browser kept, as far as a first paint needs them. `Keeping` writes them, and comes later: what
 * it has to know is gathered for it.
 */
export class Kept {
  #services;
  #keeper = null;
  #early = [];
  /** Chats in which something happened that no keeper knows of yet. */
  #changed = new Set();
  #closed = false;
  #ready;
  /** To be called when the chats of the last time are known, or there are none. */
  restored;

  /** @param {object} services `store`, `storage` */
  constructor(services) {
    this.#services = services;
    this.#ready = new Promise((resolve) => { this.restored = resolve; });
  }

  /** @returns {Promise<object[]>} ascending by seq; none of a chat that is not known, or of which more has happened */
  async of(roomId) {
    await this.#ready;
    const { storage, store } = this.#services;
    if (this.#closed || this.#changed.has(roomId)) return [];
    const messages = this.#keeper
      ? await this.#keeper.of(roomId) : (await storage.get('messages', roomId))?.messages ?? [];
    // It may have been cleared, or left, meanwhile.
    const room = store.room(roomId);
    return room ? messages.filter((message) => message.seq > (room.cleared_seq ?? 0)) : [];
  }

  /** @param {(keeper: object, eventId: number) => void} act @param {string} [roomId] whom it concerns */
  tell(act, roomId) {
    const eventId = this.#services.store.lastEventId ?? 0;
    if (this.#keeper) return act(this.#keeper, eventId);
    // The keeper does not come: then nothing that is kept is known to be true.
    if (this.#early.length >= MOST_EARLY) return this.forget();
    this.#early.push((keeper) => act(keeper, eventId));
    if (roomId) this.#changed.add(roomId);
  }

  /** Nobody knows what happened to what is kept. */
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
 * Forgets what was shown of chats, at the end of a session. What was written and not sent, and drafts, stay for their
 * writer: should somebody else sign in, they go then.
 * @param {import('./storage.js').BrowserStorage} storage
 */
export async function forgetShown(storage) {
  await Promise.all([storage.wipe('messages'), storage.delete('meta', 'me'), storage.delete('meta', 'rooms')]);
}
