import { countCharacters, limits } from '../models/limits.js';

const PAUSE = 800;
const AGAIN = 5000;
/** A draft from the stream counts as the echo of one's own for so long after it was sent. */
const ECHO_LASTS = 30_000;

/**
 * Drafts of each chat: stored in this browser at every key press, and on the server after a pause, for the user's other
 * devices. Text typed here and not yet on the server takes precedence over drafts from elsewhere.
 */
export class DraftSync {
  #api;
  #store;
  #texts;
  #clock;
  #timers = new Map();
  #busy = new Set();
  /** Whether the draft is not on the server yet. Stored too, so that it is sent after a reload. */
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

  /** @param {(roomId: string) => void} listener is called when another device's draft arrived @returns {() => void} */
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

  /** The text has changed. */
  set(roomId, text) {
    this.#texts.set(roomId, text);
    this.#mark(roomId, true);
    this.#later(roomId, PAUSE);
  }

  /** The message was sent: clears the draft here, and on the server without a pause. */
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

  /** Sends a changed draft now: the chat is left, or the page hidden. */
  async flush(roomId) {
    this.#clock.clearTimeout(this.#timers.get(roomId));
    this.#timers.delete(roomId);
    const text = this.#texts.get(roomId);
    if (!this.#isNew(roomId) || this.#busy.has(roomId) || countCharacters(text) > limits.draft) return;
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

  /** The server's draft, null while unknown. */
  #there(roomId) {
    const room = this.#store.baseEventId === null ? null : this.#store.room(roomId);
    return room ? room.draft ?? '' : null;
  }

  /** Whether the draft is newer than the server's. After a reload the stored mark decides, and the draft is sent. */
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

  /** The server has stored the draft: the one before must not come back until the event of this one arrives. */
  #learn(roomId, draft) {
    this.#learning = true;
    this.#store.apply({ id: null, event: 'draft.updated', data: { room_id: roomId, draft } }, this.#clock.now());
    this.#learning = false;
  }

  /** Whether a draft is an echo from here, which must not undo what was typed since. */
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
