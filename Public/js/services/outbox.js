/** How long a send is retried while the server is reachable, before the message fails. */
const PATIENCE = 60_000;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15_000;
const ADOPT_EVERY = 30_000;

/**
 * An unsent or failed message. `tab` is the tab that sends it.
 * @typedef {{clientId: string, roomId: string, text: string, replyTo: number|null, createdAt: string, order: number,
 *   state: 'unsent'|'failed', failure: string|null, tab: string}} OutboxEntry
 *
 * `entry` is missing for `loaded` and `paused` (a rate limit began or ended). `message` is the stored one of `sent`.
 * @typedef {{type: 'loaded'|'added'|'changed'|'removed'|'sent'|'paused', entry?: OutboxEntry,
 *   message?: any}} OutboxChange
 */

/**
 * The unsent messages, on disk until the server has stored them. Each chat sends one at a time, in order, and retries
 * with the same client id, so that the server stores each message once. Never rejects; listeners learn the outcome.
 */
export class Outbox {
  #api;
  #storage;
  #clock;
  #random;
  #locks;
  #newId;
  #connection;
  #tab;
  #entries = new Map();
  #lanes = new Map();
  #tryingSince = new Map();
  #listeners = new Set();
  #started = false;
  #adoptTimer = /** @type {unknown|null} */ (null);
  #lastOrder = 0;
  /** The end of a rate limit, which applies to all chats. */
  #pausedUntil = 0;
  #pauseTimer = /** @type {unknown|null} */ (null);

  /**
   * @param {object} services
   * @param {import('./api.js').Api} services.api
   * @param {import('./storage.js').BrowserStorage} services.storage
   * @param {import('../viewmodels/types.js').Clock} services.clock
   * @param {() => number} services.random
   * @param {LockManager|null} services.locks null on insecure origins
   * @param {() => string} services.newId makes a UUID
   * @param {() => 'online'|'connecting'|'offline'} services.connection
   */
  constructor({ api, storage, clock, random, locks, newId, connection }) {
    this.#api = api;
    this.#storage = storage;
    this.#clock = clock;
    this.#random = random;
    this.#locks = locks;
    this.#newId = newId;
    this.#connection = connection;
    this.#tab = newId();
  }

  /** Adopts the messages of closed or reloaded tabs, and starts to send. */
  async start() {
    // The tab holds this lock while it lives, so that others do not adopt its messages.
    if (!this.#started) this.#locks?.request(tabLock(this.#tab), () => new Promise(() => {})).catch(() => {});
    this.#started = true;
    await this.#adopt();
  }

  /** @param {(change: OutboxChange) => void} listener @returns {() => void} */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @returns {OutboxEntry[]} unsent and failed messages of a chat, in the order in which they were written */
  entries(roomId) {
    return this.#sorted().filter((entry) => entry.roomId === roomId);
  }

  /** The number of unsent messages, without failed ones. */
  get waiting() {
    return this.#sorted().filter((entry) => entry.state === 'unsent').length;
  }

  /** The end of a rate limit in milliseconds since 1970; null if there is none. */
  get pausedUntil() {
    return this.#pausedUntil > this.#clock.now() ? this.#pausedUntil : null;
  }

  /** Adds a message: it shows at once, is stored, and is sent. @returns {OutboxEntry} */
  add({ roomId, text, replyTo = null }) {
    this.#lastOrder = Math.max(this.#lastOrder + 1, this.#clock.now());
    const entry = Object.freeze({
      clientId: this.#newId(), roomId, text, replyTo, createdAt: new Date(this.#clock.now()).toISOString(),
      order: this.#lastOrder, state: 'unsent', failure: null, tab: this.#tab,
    });
    this.#put(entry, 'added');
    this.#pump(roomId);
    return entry;
  }

  /** Retries a failed message. */
  retry(clientId) {
    const entry = this.#entries.get(clientId);
    if (entry?.state !== 'failed') return;
    // The server has stored another text under this client id, so it needs a new one.
    const anew = entry.failure === 'conflict';
    if (anew) this.#forget(entry, 'removed');
    const again = { ...entry, clientId: anew ? this.#newId() : clientId, state: 'unsent', failure: null };
    this.#put(Object.freeze(again), anew ? 'added' : 'changed');
    this.#wake(entry.roomId);
  }

  /** Deletes a failed message. */
  remove(clientId) {
    const entry = this.#entries.get(clientId);
    if (entry?.state === 'failed') this.#forget(entry, 'removed');
  }

  /** Removes a message that arrived by the stream or in a page: the server has stored it. */
  settle(message) {
    const entry = this.#entries.get(message.client_id);
    if (entry?.roomId === message.room_id) this.#forget(entry, 'sent', message);
  }

  /** The connection is back: retries at once. */
  poke() {
    this.#wakeAll();
    if (this.#started) this.#adopt();
  }

  /** Stops, and deletes everything, also on disk. */
  async wipe() {
    for (const lane of this.#lanes.values()) this.#clock.clearTimeout(lane.timer);
    this.#clock.clearTimeout(this.#adoptTimer);
    this.#clock.clearTimeout(this.#pauseTimer);
    this.#pausedUntil = 0;
    this.#lanes.clear();
    this.#entries.clear();
    this.#tryingSince.clear();
    await this.#storage.wipe('outbox');
    this.#tell({ type: 'loaded' });
  }

  #sorted() {
    return [...this.#entries.values()].sort((one, other) => one.order - other.order);
  }

  #lane(roomId) {
    if (!this.#lanes.has(roomId)) {
      this.#lanes.set(roomId, { busy: false, timer: null, attempt: 0 });
    }
    return this.#lanes.get(roomId);
  }

  #wakeAll() {
    for (const roomId of new Set(this.#sorted().map((entry) => entry.roomId))) this.#wake(roomId);
  }

  #wake(roomId) {
    const lane = this.#lane(roomId);
    this.#clock.clearTimeout(lane.timer);
    Object.assign(lane, { timer: null, attempt: 0 });
    this.#pump(roomId);
  }

  /** Sends the first unsent message of a chat, unless one is in flight or a pause has not ended. */
  async #pump(roomId) {
    const lane = this.#lane(roomId);
    if (lane.busy || lane.timer !== null || this.#connection() === 'offline' || this.pausedUntil !== null) return;
    const entry = this.entries(roomId).find((one) => one.state === 'unsent');
    if (!entry) return;
    lane.busy = true;
    const startedAt = this.#clock.now();
    const { clientId, text, replyTo } = entry;
    const body = { client_id: clientId, text, ...(replyTo && { reply_to: replyTo }) };
    try {
      const { body: message } = await this.#alone(roomId, () => this.#api.send(roomId, body));
      lane.busy = false;
      lane.attempt = 0;
      if (this.#entries.has(entry.clientId)) this.#forget(entry, 'sent', message);
    } catch (error) {
      lane.busy = false;
      if (this.#lanes.get(roomId) !== lane) return;
      const refusal = refusalOf(error);
      if (this.#entries.get(entry.clientId) !== entry) lane.attempt = 0;
      else if (refusal) this.#fail(entry, refusal);
      else if (error.status === 429) return this.#pause(error.retryAfter ?? LONGEST_WAIT);
      else return this.#failed(lane, entry, startedAt, error);
    }
    if (this.#lanes.get(roomId) === lane) this.#pump(roomId);
  }

  /** Locks the chat among tabs, if the browser has locks. */
  #alone(roomId, act) {
    return this.#locks ? this.#locks.request(`hubbub-outbox:${roomId}`, act) : act();
  }

  /** Pauses all chats, since a rate limit applies to the user. Messages do not fail because of it. */
  #pause(time) {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + time);
    this.#tryingSince.clear();
    this.#clock.clearTimeout(this.#pauseTimer);
    this.#pauseTimer = this.#clock.setTimeout(() => {
      this.#tell({ type: 'paused' });
      this.#wakeAll();
    }, this.#pausedUntil - this.#clock.now());
    this.#tell({ type: 'paused' });
  }

  /** Schedules a retry. A message fails after a minute of retries; time without a connection does not count. */
  #failed(lane, entry, startedAt, error) {
    const { roomId } = entry;
    const now = this.#clock.now();
    lane.attempt += 1;
    const [online, reason] = [this.#connection() === 'online', error.status >= 500 ? 'server' : 'network'];
    for (const one of this.entries(roomId).filter(({ state }) => state === 'unsent')) {
      if (!online) this.#tryingSince.delete(one.clientId);
      else if (!this.#tryingSince.has(one.clientId)) {
        this.#tryingSince.set(one.clientId, Math.max(startedAt, Date.parse(one.createdAt)));
      }
      if (now - (this.#tryingSince.get(one.clientId) ?? now) >= PATIENCE) this.#fail(one, reason);
    }
    const next = this.entries(roomId).find((one) => one.state === 'unsent');
    if (!next) return;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (lane.attempt - 1)) * (0.5 + this.#random());
    const deadline = (this.#tryingSince.get(next.clientId) ?? now) + PATIENCE;
    // A 503 has a Retry-After.
    const delay = Math.min(Math.max(wait, error.retryAfter ?? 0), Math.max(0, deadline - now));
    lane.timer = this.#clock.setTimeout(() => {
      lane.timer = null;
      this.#pump(roomId);
    }, delay);
  }

  #fail(entry, failure) {
    this.#tryingSince.delete(entry.clientId);
    this.#put(Object.freeze({ ...entry, state: 'failed', failure }), 'changed');
  }

  #put(entry, type) {
    this.#entries.set(entry.clientId, entry);
    this.#storage.put('outbox', entry.clientId, entry);
    this.#tell({ type, entry });
  }

  #forget(entry, type, message) {
    this.#entries.delete(entry.clientId);
    this.#tryingSince.delete(entry.clientId);
    this.#storage.delete('outbox', entry.clientId);
    this.#tell({ type, entry, message });
  }

  /** Adopts stored messages whose tab is closed, and checks again periodically. */
  async #adopt() {
    this.#clock.clearTimeout(this.#adoptTimer);
    if (!this.#locks) return this.#takeOver();
    this.#adoptTimer = this.#clock.setTimeout(() => this.#adopt(), ADOPT_EVERY);
    await this.#locks.request('hubbub-outbox-adopting', () => this.#takeOver());
  }

  async #takeOver() {
    const kept = await this.#storage.all('outbox');
    const { held = [] } = (await this.#locks?.query()) ?? {};
    const living = new Set(held.map((lock) => lock.name));
    const orphans = kept.filter((entry) => entry.tab !== this.#tab && !living.has(tabLock(entry.tab))
      && !this.#entries.has(entry.clientId));
    for (const orphan of orphans) {
      const entry = Object.freeze({ ...orphan, tab: this.#tab });
      this.#entries.set(entry.clientId, entry);
      this.#lastOrder = Math.max(this.#lastOrder, entry.order);
      await this.#storage.put('outbox', entry.clientId, entry);
    }
    if (orphans.length === 0) return;
    this.#tell({ type: 'loaded' });
    orphans.forEach(({ roomId }) => this.#pump(roomId));
  }

  #tell(change) {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

function tabLock(tab) {
  return `hubbub-tab:${tab}`;
}

/** The reason (a name in `texts.failures`) if the server refused the message for good; else null. */
function refusalOf({ kind, status, errors = [] }) {
  if (kind === 'conflict') return 'conflict';
  if (kind === 'not-found') return 'removed';
  if (kind === 'unauthenticated') return 'signed-out';
  if (kind === 'forbidden') return 'forbidden';
  if (kind === 'too-large') return 'too-long';
  if (kind === 'invalid' && errors.some((error) => error.code?.includes('long'))) return 'too-long';
  const passing = status === 408 || status === 425 || status === 429;
  return status >= 400 && status < 500 && !passing ? 'invalid' : null;
}
