import { Observable } from '../models/observableArray.js';
import { texts } from '../models/texts.js';

/** How long everything may be quiet about messages on their way: most are stored long before. */
const QUIET = 1000;

/** Whether the app is connected and what waits for that, in a few words (S5). */
export class ConnectionViewModel {
  #services;
  #state = new Observable({ state: 'connecting', text: texts.connection.connecting, waiting: 0 });
  #subscriptions;
  #timer = null;
  #sending = false;

  /** @param {object} services `sync`, `outbox`, `clock` */
  constructor(services) {
    this.#services = services;
    const { sync, outbox } = services;
    this.#subscriptions = [sync.subscribe(() => this.#show()), outbox.subscribe(() => this.#show())];
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

  #show() {
    const { sync, outbox, clock } = this.#services;
    const { waiting } = outbox;
    const state = sync.state.connection;
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
