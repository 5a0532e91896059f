import { plainLine, spanText } from '../models/format.js';
import { Observable } from '../models/observableArray.js';
import { texts } from '../models/texts.js';

/** How long messages may be in flight before the status mentions them. */
const QUIET = 1000;
/** The shortest disconnection whose end is announced. */
const NOTICED = 1000;
const SECOND = 1000;

/**
 * The connection status, and the messages that wait for it. `said` is announced to screen readers: the connection is
 * back, or a message failed. It is an object, so that the same text can be announced again.
 * @extends {Observable<import('./types.js').ConnectionState>}
 */
export class ConnectionViewModel extends Observable {
  #services;
  #timer = null;
  #countdown = null;
  #paused = false;
  #sending = false;
  /**
   * When the connection was lost; null while there is one.
   * @type {number|null}
   */
  #lostAt = null;
  #wasOnline = false;

  /** @param {object} services `sync`, `outbox`, `clock` */
  constructor(services) {
    super({ state: 'connecting', text: texts.connection.connecting, waiting: 0, said: null });
    this.#services = services;
    const { sync, outbox } = services;
    this.onClose(sync.subscribe(() => this.#show()), outbox.subscribe((change) => this.#outboxChanged(change)));
    this.#show();
  }

  close() {
    super.close();
    this.#services.clock.clearTimeout(this.#timer);
    this.#services.clock.clearTimeout(this.#countdown);
  }

  #outboxChanged({ type, entry }) {
    if (type === 'changed' && entry.state === 'failed') {
      const reason = texts.failures[entry.failure] ?? texts.failures.invalid;
      this.#say(texts.connection.failed(plainLine(entry.text).slice(0, 100), reason));
    }
    this.#show();
  }

  #say(text) {
    this.update({ said: Object.freeze({ text }) });
  }

  /** Announces the return: screen readers read the status when it appears, but not when it disappears. */
  #tellReturn(state) {
    const now = this.#services.clock.now();
    // Being offline counts at once; a reconnect is often immediate.
    if (state === 'offline') this.#lostAt = -Infinity;
    else if (state === 'connecting' && this.#wasOnline) this.#lostAt ??= now;
    if (state !== 'online') return;
    if (this.#lostAt !== null && now - this.#lostAt >= NOTICED) this.#say(texts.connection.back);
    this.#wasOnline = true;
    this.#lostAt = null;
  }

  #show() {
    const { sync, outbox, clock } = this.#services;
    const { waiting } = outbox;
    const state = sync.state.connection;
    this.#tellReturn(state);
    if (waiting === 0) {
      clock.clearTimeout(this.#timer);
      this.#timer = null;
      this.#sending = false;
    } else {
      this.#timer ??= clock.setTimeout(() => {
        this.#sending = true;
        this.#show();
      }, QUIET);
    }
    const pausedFor = outbox.pausedUntil === null || waiting === 0 ? null : outbox.pausedUntil - clock.now();
    this.#countDown(pausedFor);
    this.update({ state, text: textOf(state, waiting, this.#sending, pausedFor), waiting });
  }

  /** Counts a rate limit down each second, and announces it once. */
  #countDown(pausedFor) {
    const { clock } = this.#services;
    clock.clearTimeout(this.#countdown);
    if (pausedFor !== null) {
      this.#countdown = clock.setTimeout(() => this.#show(), Math.min(SECOND, pausedFor));
      if (!this.#paused) this.#say(texts.connection.slowedDown);
    }
    this.#paused = pausedFor !== null;
  }
}

function textOf(state, waiting, sending, pausedFor) {
  const { connection } = texts;
  if (state === 'connecting') return connection.connecting;
  if (state === 'offline') return waiting > 0 ? connection.offlineWaiting(waiting) : connection.offline;
  if (pausedFor !== null) return connection.paused(waiting, spanText(pausedFor));
  return sending ? connection.sending(waiting) : connection.online;
}
