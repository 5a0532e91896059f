export const DURABLE = [
  'message.created', 'message.updated', 'message.deleted', 'room.created', 'room.updated', 'room.removed',
  'receipt.updated', 'user.updated', 'me.updated', 'draft.updated', 'message.hidden', 'reaction.added',
  'reaction.removed', 'pin.added', 'pin.removed', 'member.updated', 'room.changed',
];
export const PASSING = ['typing', 'presence'];

/** A stream without data for this long is dead: the server sends a `ping` every 15 s. */
const SILENCE = 40_000;
/** A new stream without data for this long is buffered by a proxy. */
const FIRST_SILENCE = 20_000;
const STREAM_AGAIN = 300_000;
const POLL_WAIT = 25;

/** @typedef {'online'|'connecting'|'offline'} Connection */

/**
 * The server's live events, in order, each once: over `EventSource`, or by polling `/sync` if a proxy buffers streams.
 * Reconnects by itself from the last delivered event, with growing, jittered pauses.
 */
export class EventStream {
  #EventSource;
  #api;
  #clock;
  #random;
  #isOnLine;
  #base;
  /** @type {number|null} */
  #after = null;
  /** @type {EventSource|null} */
  #source = null;
  /** @type {unknown|null} */
  #timer = null;
  /** @type {unknown|null} */
  #watchdog = null;
  #failures = 0;
  #generation = 0;
  #heardAt = 0;
  #polling = false;
  #pollUntil = 0;
  /** @type {AbortController|null} */
  #abort = null;
  /** @type {Connection} */
  #state = 'connecting';

  /** @param {{id: number|null, event: string, data: object}} _event */
  onEvent = (_event) => {};
  /** @param {'online'|'connecting'|'offline'} _state */
  onState = (_state) => {};
  /** The log does not reach back that far: reload the state, then `open` from there. The stream is closed. */
  onReset = () => {};
  onSessionEnded = () => {};
  /** Data that is not an event shows that the stream is alive. */
  onPing = () => {};

  /**
   * @param {object} environment
   * @param {typeof EventSource} environment.EventSource
   * @param {import('./api.js').Api} environment.api
   * @param {import('../viewmodels/types.js').Clock} environment.clock
   * @param {() => number} environment.random
   * @param {() => boolean} environment.isOnLine the browser's own state: a hint, wrong if only loopback is available
   * @param {string} [environment.base]
   */
  constructor({ EventSource, api, clock, random, isOnLine, base = '/api/v1' }) {
    this.#EventSource = EventSource;
    this.#api = api;
    this.#clock = clock;
    this.#random = random;
    this.#isOnLine = isOnLine;
    this.#base = base;
  }

  /** The id of the last delivered event, or of the state from which the stream was opened. */
  get lastEventId() {
    return this.#after;
  }

  /** @returns {import('./eventStream.js').Connection} */
  get state() {
    return this.#state;
  }

  /** Delivers all events after this one. @param {number} after */
  open(after) {
    this.#after = after;
    this.#failures = 0;
    this.#connect();
  }

  close() {
    this.#stop();
    this.#setState('connecting');
  }

  /** The page was shown again or the network changed: reconnects at once if the stream was silent. */
  wake() {
    if (this.#after === null) return;
    const quiet = this.#clock.now() - this.#heardAt > FIRST_SILENCE;
    if (this.#state === 'online' && !quiet && this.#isOnLine()) return;
    // Failures from before say nothing of the network that is there now: the next pauses are short again.
    this.#failures = 0;
    this.#connect();
  }

  #stop() {
    this.#generation += 1;
    this.#source?.close();
    this.#source = null;
    this.#abort?.abort();
    this.#abort = null;
    this.#clock.clearTimeout(this.#timer);
    this.#clock.clearTimeout(this.#watchdog);
    this.#timer = null;
  }

  #connect() {
    this.#stop();
    if (this.#state === 'online') this.#setState('connecting');
    if (this.#polling && this.#clock.now() < this.#pollUntil) return this.#poll();
    this.#polling = false;
    const generation = this.#generation;
    const source = new this.#EventSource(`${this.#base}/events?after=${this.#after}`);
    this.#source = source;
    this.#watch(FIRST_SILENCE, () => this.#heldBack());
    const on = (name, act) => source.addEventListener(name, (message) => {
      if (generation === this.#generation) act(message);
    });
    on('open', () => this.#setState('online'));
    on('error', () => this.#failed());
    on('hello', () => this.#heard());
    on('ping', () => {
      this.#heard();
      this.onPing();
    });
    on('reset', () => this.#reset());
    on('session.ended', () => this.#ended());
    for (const name of DURABLE) {
      on(name, (message) => {
        this.#heard();
        this.#hand({ id: Number(message.lastEventId), event: name, data: JSON.parse(message.data) });
      });
    }
    for (const name of PASSING) {
      on(name, (message) => {
        this.#heard();
        // An event without an id has the `lastEventId` of an earlier one.
        this.onEvent({ id: null, event: name, data: JSON.parse(message.data) });
      });
    }
  }

  #hand(event) {
    if (event.id <= (this.#after ?? 0)) return;
    this.#after = event.id;
    this.onEvent(event);
  }

  #heard() {
    this.#heardAt = this.#clock.now();
    this.#failures = 0;
    this.#setState('online');
    this.#watch(SILENCE, () => this.#connect());
  }

  #watch(time, act) {
    this.#clock.clearTimeout(this.#watchdog);
    this.#watchdog = this.#clock.setTimeout(act, time);
  }

  #heldBack() {
    this.#stop();
    this.#poll();
  }

  async #poll() {
    const generation = this.#generation;
    // The first request does not wait: it shows whether the server is reachable.
    let wait = 0;
    while (generation === this.#generation) {
      try {
        this.#abort = new AbortController();
        const { body } = await this.#api.sync(this.#after, wait, { signal: this.#abort.signal });
        if (generation !== this.#generation) return;
        this.#heardAt = this.#clock.now();
        this.#failures = 0;
        this.#setState('online');
        // After its first success, polling stays in use for a while.
        if (!this.#polling) this.#pollUntil = this.#heardAt + STREAM_AGAIN;
        this.#polling = true;
        if (body.reset) return this.#reset();
        for (const event of body.events) this.#take(event);
        if (generation !== this.#generation) return;
        this.#after = Math.max(this.#after ?? 0, body.last_event_id);
        this.onPing();
      } catch (error) {
        if (generation !== this.#generation) return;
        if (error.kind === 'unauthenticated') return this.#ended();
        return this.#failed(error.retryAfter ?? 0);
      }
      wait = POLL_WAIT;
      if (this.#clock.now() >= this.#pollUntil) return this.#connect();
    }
  }

  #take(event) {
    if (event.event === 'session.ended') this.#ended();
    else if (Number.isInteger(event.id)) this.#hand(event);
    else this.onEvent({ ...event, id: null });
  }

  #failed(pause = 0) {
    this.#stop();
    this.#failures += 1;
    this.#setState(this.#failures >= 2 || !this.#isOnLine() ? 'offline' : 'connecting');
    const longest = this.#failures < 12 ? 5000 : 20_000;
    const delay = Math.min(longest, 200 * 2 ** (this.#failures - 1)) * (0.5 + this.#random());
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null;
      // `EventSource` does not report why it failed; a request does (signed out, too many streams).
      if (this.#failures % 3 === 2) {
        this.#poll();
      } else {
        this.#connect();
      }
    }, Math.max(delay, pause));
  }

  #reset() {
    this.#stop();
    this.onReset();
  }

  #ended() {
    this.#stop();
    this.onSessionEnded();
  }

  #setState(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.onState(state);
  }
}
