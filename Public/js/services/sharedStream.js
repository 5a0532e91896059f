const LOCK = 'hubbub-stream';
const CHANNEL = 'hubbub-stream';
/** The leading tab sends a sign of life at least every 15 s, as the server does. */
const SILENCE = 40_000;

/**
 * One event stream for all tabs of a browser, since a browser opens only six connections to a server. The tab that
 * holds a lock reads the stream and broadcasts it. Each broadcast names its predecessor, so that a follower detects a
 * gap and asks the server. Has the interface of `EventStream`.
 */
export class SharedStream {
  #stream;
  #api;
  #locks;
  #clock;
  #channel;
  /** @type {number|null} */
  #last = null;
  #leading = false;
  #queued = false;
  /** @type {((value: any) => void)|null} */
  #release = null;
  #catchingUp = false;
  #catchUpAgain = false;
  /** @type {unknown|null} */
  #watchdog = null;
  #closed = false;
  /** @type {import('./eventStream.js').Connection} */
  #state = 'connecting';

  onEvent = (_event) => {};
  onState = (_state) => {};
  onReset = () => {};
  onSessionEnded = () => {};

  /**
   * @param {object} services
   * @param {import('./eventStream.js').EventStream} services.stream
   * @param {import('./api.js').Api} services.api
   * @param {LockManager} services.locks
   * @param {(name: string) => BroadcastChannel} services.openChannel
   * @param {import('../viewmodels/types.js').Clock} services.clock
   */
  constructor({ stream, api, locks, openChannel, clock }) {
    this.#stream = stream;
    this.#api = api;
    this.#locks = locks;
    this.#clock = clock;
    this.#channel = openChannel(CHANNEL);
    this.#channel.onmessage = ({ data }) => this.#received(data);
    stream.onEvent = (event) => this.#lead(event);
    stream.onState = (state) => {
      this.#setState(state);
      this.#post({ type: 'state', state, at: this.#last });
    };
    stream.onPing = () => this.#post({ type: 'state', state: this.#state, at: this.#last });
    stream.onReset = () => {
      this.#post({ type: 'reset' });
      this.onReset();
    };
    stream.onSessionEnded = () => {
      this.#post({ type: 'ended' });
      this.onSessionEnded();
    };
  }

  get lastEventId() {
    return this.#last;
  }

  /** Whether this tab reads the stream for all. */
  get leads() {
    return this.#leading;
  }

  /** @returns {import('./eventStream.js').Connection} */
  get state() {
    return this.#state;
  }

  open(after) {
    this.#last = after;
    if (this.#leading) return this.#stream.open(after);
    if (!this.#queued) this.#queue();
    this.#post({ type: 'who' });
    this.#watch();
  }

  close() {
    this.#closed = true;
    this.#clock.clearTimeout(this.#watchdog);
    this.#stream.close();
    this.#release?.(null);
    this.#channel.close();
  }

  wake() {
    if (this.#leading) this.#stream.wake();
    else if (this.#last !== null) this.#post({ type: 'who' });
  }

  /** Waits for the lock. With `steal`, takes it from a leader that seems frozen. */
  #queue(steal = false) {
    this.#queued = true;
    const held = this.#locks.request(LOCK, steal ? { steal } : {}, () => {
      // Granted too late: passes it to the next in the queue.
      if (this.#closed) return null;
      this.#leading = true;
      this.#clock.clearTimeout(this.#watchdog);
      this.#stream.open(this.#last);
      return new Promise((resolve) => {
        this.#release = resolve;
      });
    });
    held.catch(() => {
      if (!this.#leading || this.#closed) return;
      // Another tab took over while this one was asleep: follows it.
      this.#leading = false;
      this.#stream.close();
      this.#queue();
      this.#post({ type: 'who' });
      this.#watch();
    });
  }

  #lead(event) {
    this.#post({ type: 'event', after: this.#last, event });
    if (event.id !== null) this.#last = event.id;
    this.onEvent(event);
  }

  #received(message) {
    if (message.type === 'who') {
      if (this.#leading) this.#post({ type: 'state', state: this.#state, at: this.#last });
      return;
    }
    if (this.#leading || this.#last === null) return;
    this.#watch();
    if (message.type === 'reset') return this.onReset();
    if (message.type === 'ended') return this.onSessionEnded();
    if (message.type === 'state') {
      this.#setState(message.state);
      if (message.at > this.#last) this.#catchUp();
      return;
    }
    const { event, after } = message;
    if (event.id === null) return this.onEvent(event);
    if (event.id <= this.#last) return;
    if (after > this.#last || this.#catchingUp) return this.#catchUp();
    this.#hand(event);
  }

  #hand(event) {
    if (event.id <= (this.#last ?? 0)) return;
    this.#last = event.id;
    this.onEvent(event);
  }

  /** Asks the server for events that the channel missed. The response includes those broadcast meanwhile. */
  async #catchUp() {
    this.#catchUpAgain = this.#catchingUp;
    if (this.#catchingUp) return;
    this.#catchingUp = true;
    try {
      const { body } = await this.#api.sync(this.#last, 0);
      if (body.reset) this.onReset();
      else {
        for (const event of body.events) if (Number.isInteger(event.id)) this.#hand(event);
      }
    } catch (error) {
      if (error.kind === 'unauthenticated') this.onSessionEnded();
      // On failure, the leader's next sign of life shows the gap again.
    }
    this.#catchingUp = false;
    if (this.#catchUpAgain) this.#catchUp();
  }

  #watch() {
    this.#clock.clearTimeout(this.#watchdog);
    this.#watchdog = this.#clock.setTimeout(() => this.#queue(true), SILENCE);
  }

  #post(message) {
    if (this.#closed) return;
    if (message.type === 'who' || this.#leading) this.#channel.postMessage(message);
  }

  #setState(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.onState(state);
  }
}
