const GATHER = 200;
const AGAIN = 5000;

/**
 * Tells the server how far this person's devices have received and read each chat. Pointers are gathered for a
 * moment, only the farthest is sent, and at most one request a chat is under way.
 */
export class Receipts {
  #api;
  #store;
  #clock;
  #wanted = new Map();
  #busy = new Set();
  #timers = new Map();
  #delivered = new Map();

  /** @param {object} services `api`, `store`, `clock` */
  constructor({ api, store, clock }) {
    this.#api = api;
    this.#store = store;
    this.#clock = clock;
  }

  /** A message is on this device. */
  delivered(roomId, seq) {
    if (seq <= (this.#delivered.get(roomId) ?? 0)) return;
    this.#want(roomId, 'delivered_seq', seq);
  }

  /** A message was on a screen that somebody looked at (S4). Counts are right at once, here. */
  read(roomId, seq) {
    if (seq <= (this.#store.room(roomId)?.read_seq ?? 0)) return;
    this.#store.readLocally(roomId, seq);
    this.#want(roomId, 'read_seq', seq);
  }

  /** The connection is back: send what could not be sent. */
  poke() {
    for (const roomId of this.#wanted.keys()) this.#schedule(roomId, 0);
  }

  /** Forgets everything that was not sent. */
  close() {
    for (const timer of this.#timers.values()) this.#clock.clearTimeout(timer);
    this.#timers.clear();
    this.#wanted.clear();
  }

  #want(roomId, pointer, seq) {
    const wanted = this.#wanted.get(roomId) ?? {};
    if (seq <= (wanted[pointer] ?? 0)) return;
    this.#wanted.set(roomId, { ...wanted, [pointer]: seq });
    this.#schedule(roomId, GATHER);
  }

  #schedule(roomId, delay) {
    if (this.#busy.has(roomId)) return;
    if (delay > 0 && this.#timers.has(roomId)) return;
    this.#clock.clearTimeout(this.#timers.get(roomId));
    this.#timers.set(roomId, this.#clock.setTimeout(() => this.#send(roomId), delay));
  }

  async #send(roomId) {
    this.#timers.delete(roomId);
    const pointers = this.#wanted.get(roomId);
    if (!pointers) return;
    this.#wanted.delete(roomId);
    this.#busy.add(roomId);
    let pause = GATHER;
    try {
      await this.#api.putReceipt(roomId, pointers);
      if (pointers.delivered_seq) this.#delivered.set(roomId, pointers.delivered_seq);
    } catch (error) {
      const refused = error.status >= 400 && error.status < 500 && error.status !== 429;
      // Later pointers, gathered meanwhile, stand over those that failed.
      if (!refused) this.#wanted.set(roomId, { ...pointers, ...this.#wanted.get(roomId) });
      pause = Math.max(AGAIN, error.retryAfter ?? 0);
    }
    this.#busy.delete(roomId);
    if (this.#wanted.has(roomId)) this.#schedule(roomId, pause);
    else this.#store.settleRead(roomId);
  }
}
