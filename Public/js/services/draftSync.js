const PAUSE = 800;
const AGAIN = 5000;
/** The server takes no longer ones. */
const LONGEST = 10_000;
/** So long after it was sent, a draft that comes by the stream is taken for one's own echo. */
const ECHO_LASTS = 30_000;

/**
 * What is being written in each chat (K3): in this browser with every key press, on the server after a pause, and from
 * there on my other devices. What was typed here and is not yet on the server stands over what comes from elsewhere.
 */
export class DraftSync {
  #api;
  #store;
  #texts;
  #clock;
  #timers = new Map();
  #busy = new Set();
  /** Whether what is written here is not on the server yet; kept too, so that a reload goes on telling it. */
  #new = new Map();
  #echoes = new Map();
  #listeners = new Set();
  #learning = false;

  /**
   * @param {object} services
   * @param {import('./api.js').Api} services.api
   * @param {import('../models/chatStore.js').ChatStore} services.store
   * @param {import('./storage.js').LocalTexts} services.drafts
   * @param {import('./sync.js').ChatSync} services.sync
   * @param {import('../viewmodels/types.js').Clock} services.clock
   */
  constructor({ api, store, drafts, sync, clock }) {
    this.#api = api;
    this.#store = store;
    this.#texts = drafts;
    this.#clock = clock;
    store.subscribe((change) => this.#changed(change));
    sync.subscribe(({ connection }) => {
      if (connection === 'online') for (const roomId of this.#timers.keys()) this.flush(roomId);
    });
  }

  /** @param {(roomId: string) => void} listener called when another device's draft is there @returns {() => void} */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @returns {string} what is written in that chat and not sent */
  text(roomId) {
    const there = this.#there(roomId);
    if (there === null || this.#isNew(roomId)) return this.#texts.get(roomId);
    if (this.#texts.get(roomId) !== there) this.#texts.set(roomId, there);
    return there;
  }

  /** Somebody types. */
  set(roomId, text) {
    this.#texts.set(roomId, text);
    this.#mark(roomId, true);
    this.#later(roomId, PAUSE);
  }

  /** What was written is sent: nothing is left, here at once and elsewhere without waiting for a pause. */
  clear(roomId) {
    this.#texts.set(roomId, '');
    this.#texts.set(`${roomId}#reply`, '');
    const nothingThere = this.#there(roomId) === '' && !this.#busy.has(roomId);
    this.#mark(roomId, !nothingThere);
    this.flush(roomId);
  }

  /** The message that the draft replies to. @returns {{seq: number, name: string, text: string}|null} */
  reply(roomId) {
    const kept = this.#texts.get(`${roomId}#reply`);
    return kept === '' ? null : JSON.parse(kept);
  }

  setReply(roomId, target) {
    this.#texts.set(`${roomId}#reply`, target ? JSON.stringify(target) : '');
  }

  /** Tells the server now what is new: the chat is left, or the page hidden. */
  async flush(roomId) {
    this.#clock.clearTimeout(this.#timers.get(roomId));
    this.#timers.delete(roomId);
    const text = this.#texts.get(roomId);
    if (!this.#isNew(roomId) || this.#busy.has(roomId) || text.length > LONGEST) return;
    this.#busy.add(roomId);
    const echo = this.#expect(roomId, text);
    let pause = null;
    try {
      await this.#api.request('PATCH', `/rooms/${encodeURIComponent(roomId)}`, { body: { draft: text } });
      this.#learn(roomId, text);
      if (this.#texts.get(roomId) === text) this.#mark(roomId, false);
      else pause = PAUSE;
    } catch (error) {
      echo.until = 0;
      const refused = error.status >= 400 && error.status < 500 && error.status !== 429;
      if (!refused) pause = Math.max(AGAIN, error.retryAfter ?? 0);
    }
    this.#busy.delete(roomId);
    if (pause !== null) this.#later(roomId, this.#texts.get(roomId) === '' ? 0 : pause);
  }

  #later(roomId, pause) {
    this.#clock.clearTimeout(this.#timers.get(roomId));
    this.#timers.set(roomId, this.#clock.setTimeout(() => this.flush(roomId), pause));
  }

  /** What the server has, null while that is not known. */
  #there(roomId) {
    const room = this.#store.baseEventId === null ? null : this.#store.room(roomId);
    return room ? room.draft ?? '' : null;
  }

  /** Of a chat that was not written in since the page was loaded, what was kept tells; it is told to the server then. */
  #isNew(roomId) {
    if (!this.#new.has(roomId)) {
      const kept = this.#texts.get(`${roomId}#new`) !== '';
      this.#new.set(roomId, kept);
      if (kept) this.#later(roomId, PAUSE);
    }
    return this.#new.get(roomId);
  }

  #mark(roomId, isNew) {
    this.#new.set(roomId, isNew);
    this.#texts.set(`${roomId}#new`, isNew ? 'yes' : '');
  }

  #expect(roomId, text) {
    const now = this.#clock.now();
    const echo = { text, until: now + ECHO_LASTS };
    const others = (this.#echoes.get(roomId) ?? []).filter(({ until }) => until > now);
    this.#echoes.set(roomId, [...others, echo]);
    return echo;
  }

  /** The server has it: what it had before must not come back before the event of this arrives. */
  #learn(roomId, draft) {
    this.#learning = true;
    this.#store.apply({ id: null, event: 'draft.updated', data: { room_id: roomId, draft } }, this.#clock.now());
    this.#learning = false;
  }

  /** Whether this came from here: what was typed since then must not be undone by it. */
  #isEcho(roomId, text) {
    const now = this.#clock.now();
    const echoes = (this.#echoes.get(roomId) ?? []).filter(({ until }) => until > now);
    const index = echoes.findIndex((echo) => echo.text === text);
    if (index < 0) return false;
    this.#echoes.set(roomId, echoes.slice(index + 1));
    return true;
  }

  #changed(change) {
    if (change.type === 'rooms') for (const { id } of this.#store.rooms()) this.#tell(id);
    if (change.type === 'room') this.#tell(change.roomId);
    if (change.type !== 'draft' || this.#learning) return;
    const { roomId } = change;
    if (!this.#isEcho(roomId, this.#there(roomId) ?? '')) this.#tell(roomId);
  }

  #tell(roomId) {
    if (this.#isNew(roomId)) return;
    for (const listener of [...this.#listeners]) listener(roomId);
  }
}
