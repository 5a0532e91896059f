/** How long a message is tried, while the server can be reached, before it counts as failed (S3). */
export const PATIENCE = 60_000;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15_000;
const ADOPT_EVERY = 30_000;

/**
 * A message on its way to the server. `tab` is the tab that sends it.
 * @typedef {{clientId: string, roomId: string, text: string, replyTo: number|null, createdAt: string, order: number,
 *   state: 'unsent'|'failed', failure: string|null, tab: string}} OutboxEntry
 *
 * @typedef {{type: 'loaded'} | {type: 'added'|'changed'|'removed', entry: OutboxEntry}
 *   | {type: 'sent', entry: OutboxEntry, message: object}} OutboxChange
 */

/**
 * Unsent messages (S2): on disk until the server has them, sent in order within a chat, one at a time, with the same
 * client id on each try, so that the server stores each once. Never rejects; `subscribe` tells what happens.
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
  #adoptTimer = null;
  #lastOrder = 0;

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

  /** Takes over what a closed or reloaded tab left, and sends it. */
  async start() {
    if (this.#started) return this.#adopt();
    this.#started = true;
    // Held until this tab goes: how other tabs know whose messages have a sender.
    this.#locks?.request(tabLock(this.#tab), () => new Promise(() => {})).catch(() => {});
    await this.#adopt();
  }

  /** @param {(change: OutboxChange) => void} listener @returns {() => void} */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @returns {OutboxEntry[]} unsent and failed messages of a chat, in the order of their writing */
  entries(roomId) {
    return this.#sorted().filter((entry) => entry.roomId === roomId);
  }

  /** Number of messages that still wait to be sent; failed ones do not. */
  get waiting() {
    return this.#sorted().filter((entry) => entry.state === 'unsent').length;
  }

  /** Takes a message; it is shown, kept and sent from now on. @returns {OutboxEntry} */
  add({ roomId, text, replyTo = null }) {
    const now = this.#clock.now();
    this.#lastOrder = Math.max(this.#lastOrder + 1, now);
    const entry = Object.freeze({
      clientId: this.#newId(), roomId, text, replyTo, createdAt: new Date(now).toISOString(),
      order: this.#lastOrder, state: 'unsent', failure: null, tab: this.#tab,
    });
    this.#put(entry, 'added');
    this.#pump(roomId);
    return entry;
  }

  /** Tries a failed message again. */
  retry(clientId) {
    const entry = this.#entries.get(clientId);
    if (entry?.state !== 'failed') return;
    // A refused id would be refused again; nothing is stored under it for this text.
    if (entry.failure === 'conflict') {
      this.#forget(entry, 'removed');
      this.#put(Object.freeze({ ...entry, clientId: this.#newId(), state: 'unsent', failure: null }), 'added');
    } else {
      this.#put(Object.freeze({ ...entry, state: 'unsent', failure: null }), 'changed');
    }
    this.#wake(entry.roomId);
  }

  /** Deletes a failed message for good. */
  remove(clientId) {
    const entry = this.#entries.get(clientId);
    if (entry?.state === 'failed') this.#forget(entry, 'removed');
  }

  /** The server has this message: it came by the stream or in a page. */
  settle(message) {
    const entry = this.#entries.get(message.client_id);
    if (entry?.roomId === message.room_id) this.#forget(entry, 'sent', message);
  }

  /** The connection is back: no more waiting. */
  poke() {
    for (const roomId of new Set([...this.#entries.values()].map((entry) => entry.roomId))) this.#wake(roomId);
    if (this.#started) this.#adopt();
  }

  /** Stops and forgets everything, on disk too. */
  async wipe() {
    for (const lane of this.#lanes.values()) this.#clock.clearTimeout(lane.timer);
    this.#clock.clearTimeout(this.#adoptTimer);
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
      this.#lanes.set(roomId, { busy: false, timer: null, attempt: 0, blockedUntil: 0 });
    }
    return this.#lanes.get(roomId);
  }

  #wake(roomId) {
    const lane = this.#lane(roomId);
    this.#clock.clearTimeout(lane.timer);
    lane.timer = null;
    lane.attempt = 0;
    this.#pump(roomId);
  }

  /** Sends the first unsent message of a chat unless one is under way or its time has not come. */
  async #pump(roomId) {
    const lane = this.#lane(roomId);
    if (lane.busy || lane.timer !== null || this.#connection() === 'offline') return;
    const entry = this.entries(roomId).find((one) => one.state === 'unsent');
    if (!entry) return;
    if (lane.blockedUntil > this.#clock.now()) return this.#failed(lane, entry, this.#clock.now(), 'rate-limited', 0);
    lane.busy = true;
    const startedAt = this.#clock.now();
    const body = { client_id: entry.clientId, text: entry.text };
    if (entry.replyTo) body.reply_to = entry.replyTo;
    try {
      const { body: message } = await this.#alone(roomId, () => this.#api.send(roomId, body));
      lane.busy = false;
      lane.attempt = 0;
      lane.blockedUntil = 0;
      if (this.#entries.has(entry.clientId)) this.#forget(entry, 'sent', message);
    } catch (error) {
      lane.busy = false;
      if (this.#lanes.get(roomId) !== lane) return;
      const refusal = refusalOf(error);
      if (this.#entries.get(entry.clientId) !== entry) lane.attempt = 0;
      else if (refusal) this.#fail(entry, refusal);
      else return this.#failed(lane, entry, startedAt, reasonOf(error), error.retryAfter ?? 0);
    }
    if (this.#lanes.get(roomId) === lane) this.#pump(roomId);
  }

  /** One sender at a time also among tabs, where the browser can tell. */
  #alone(roomId, act) {
    return this.#locks ? this.#locks.request(`hubbub-outbox:${roomId}`, act) : act();
  }

  /** No luck: wait, and give up what has had none for a minute. Time without a connection does not count. */
  #failed(lane, entry, startedAt, reason, retryAfter) {
    const { roomId } = entry;
    const now = this.#clock.now();
    lane.attempt += 1;
    lane.blockedUntil = Math.max(lane.blockedUntil, now + retryAfter);
    const online = this.#connection() === 'online';
    for (const one of this.entries(roomId)) {
      if (one.state !== 'unsent') continue;
      if (!online) this.#tryingSince.delete(one.clientId);
      else if (!this.#tryingSince.has(one.clientId)) {
        this.#tryingSince.set(one.clientId, Math.max(startedAt, Date.parse(one.createdAt)));
      }
      if (now - (this.#tryingSince.get(one.clientId) ?? now) >= PATIENCE) this.#fail(one, reason);
    }
    const next = this.entries(roomId).find((one) => one.state === 'unsent');
    if (!next) {
      lane.blockedUntil = 0;
      return;
    }
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (lane.attempt - 1)) * (0.5 + this.#random());
    const deadline = (this.#tryingSince.get(next.clientId) ?? now) + PATIENCE;
    const delay = Math.min(Math.max(wait, lane.blockedUntil - now), Math.max(0, deadline - now));
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

  /** Takes over kept messages whose tab is gone; looks again now and then, since tabs come and go. */
  async #adopt() {
    this.#clock.clearTimeout(this.#adoptTimer);
    if (this.#locks) {
      this.#adoptTimer = this.#clock.setTimeout(() => this.#adopt(), ADOPT_EVERY);
      await this.#locks.request('hubbub-outbox-adopting', () => this.#takeOver());
    } else {
      await this.#takeOver();
    }
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
    for (const roomId of new Set(orphans.map((entry) => entry.roomId))) this.#pump(roomId);
  }

  #tell(change) {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

function tabLock(tab) {
  return `hubbub-tab:${tab}`;
}

/** The reason (a name in `texts.failures`) if the server clearly refused: trying again as it is cannot help. */
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

/** Why a message that was tried for a minute was not sent. */
function reasonOf({ status }) {
  if (status === 429) return 'rate-limited';
  return status >= 500 ? 'server' : 'network';
}
