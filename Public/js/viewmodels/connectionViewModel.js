import { Observable } from '../models/observableArray.js';
import { texts } from '../models/texts.js';

/** How long everything may be quiet about messages on their way: most are stored long before. */
const QUIET = 1000;
/** How long the page must have been connecting for the connection's return to be told. */
const NOTICED = 1000;

/**
 * Whether the app is connected and what waits for that, in a few words (S5). `said` is what those are told besides who do not
 * see it: that the connection is back, and that a message was not sent (S3). It is an object: a new one is said.
 */
export class ConnectionViewModel {
  #services;
  #state = new Observable({ state: 'connecting', text: texts.connection.connecting, waiting: 0, said: null });
  #subscriptions;
  #timer = null;
  #sending = false;
  /** Since when there is none, where there was one. */
  #lostAt = null;
  #wasOnline = false;

  /** @param {object} services `sync`, `outbox`, `clock` */
  constructor(services) {
    this.#services = services;
    const { sync, outbox } = services;
    this.#subscriptions = [sync.subscribe(() => this.#show()), outbox.subscribe((change) => this.#outboxChanged(change))];
    this.#show();
  }

  /** @returns {import('./types.js').ConnectionState} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    for (const end of this.#subscriptions) end();
    this.#services.clock.clearTimeout(this.#timer);
  }

  #outboxChanged({ type, entry }) {
    if (type === 'changed' && entry.state === 'failed') {
      this.#say(texts.connection.failed(entry.text.slice(0, 100), texts.failures[entry.failure] ?? texts.failures.invalid));
    }
    this.#show();
  }

  #say(text) {
    this.#state.update({ said: Object.freeze({ text }) });
  }

  /** The word for no connection is read out when it stands there; that nothing stands there any more is not. */
  #tellReturn(state) {
    const now = this.#services.clock.now();
    // That one is offline counts at once; to connect anew often takes no time at all.
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
    this.#state.update({ state, text: textOf(state, waiting, this.#sending), waiting });
  }
}

function textOf(state, waiting, sending) {
  const { connection } = texts;
  if (state === 'connecting') return connection.connecting;
  if (state === 'offline') return waiting > 0 ? connection.offlineWaiting(waiting) : connection.offline;
  return sending ? connection.sending(waiting) : connection.online;
}
