const GATHER = 200;
const AGAIN = 5000;

/**
 * Reports to the server how far this person has received and read each chat. Positions are gathered for a moment, only
 * the farthest is sent, and each chat has at most one request in flight.
 */
export class Receipts {
  #api;
  #store;
  #clock;
  #wanted = new Map();
  #busy = new Set();
  #timers = new Map();

  /** @param {object} services `api`, `store`, `clock` */
  constructor({ api, store, clock }) {
    this.#api = api;
    this.#store = store;
    this.#clock = clock;
  }

  /** A message arrived on this device. */
  delivered(roomId, seq) {
    if (seq <= this.#store.deliveredTo(roomId)) return;
    this.#want(roomId, 'delivered_seq', seq);
  }

  /** A message was seen. Updates the local counts at once. */
  read(roomId, seq) {
    if (seq <= (this.#store.room(roomId)?.read_seq ?? 0)) return;
    this.#store.readLocally(roomId, seq);
    this.#want(roomId, 'read_seq', seq);
  }

  /** The connection is back: sends what failed. */
  poke() {
    for (const roomId of this.#wanted.keys()) this.#schedule(roomId, 0);
  }

  /** Drops everything unsent. */
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
      if (pointers.delivered_seq) this.#store.deliveredLocally(roomId, pointers.delivered_seq);
    } catch (error) {
      const refused = error.status >= 400 && error.status < 500 && error.status !== 429;
      // Later positions gathered meanwhile replace those that failed.
      if (!refused) this.#wanted.set(roomId, { ...pointers, ...this.#wanted.get(roomId) });
      pause = Math.max(AGAIN, error.retryAfter ?? 0);
    }
    this.#busy.delete(roomId);
    if (this.#wanted.has(roomId)) this.#schedule(roomId, pause);
    else this.#store.settleRead(roomId);
  }
}
