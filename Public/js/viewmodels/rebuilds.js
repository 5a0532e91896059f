import { midnight } from '../models/format.js';

/** Rows are derived at most once in this time while many events arrive: one frame. */
const FRAME = 16;

/** When rows are derived anew: at once, with the next frame where much arrives, and at midnight. */
export class Rebuilds {
  #clock;
  #build;
  #builtAt = -Infinity;
  #soon = null;
  #dayTimer = null;

  /** @param {import('./types.js').Clock} clock @param {() => void} build @param {() => void} newDay */
  constructor(clock, build, newDay) {
    this.#clock = clock;
    this.#build = build;
    this.#awaitMidnight(newDay);
  }

  close() {
    this.#clock.clearTimeout(this.#soon);
    this.#clock.clearTimeout(this.#dayTimer);
  }

  now() {
    this.#clock.clearTimeout(this.#soon);
    this.#soon = null;
    this.#builtAt = this.#clock.now();
    this.#build();
  }

  soon() {
    const wait = this.#builtAt + FRAME - this.#clock.now();
    if (wait <= 0) return this.now();
    this.#soon ??= this.#clock.setTimeout(() => this.now(), wait);
  }

  /** "Today" becomes "Yesterday". */
  #awaitMidnight(newDay) {
    const now = this.#clock.now();
    this.#dayTimer = this.#clock.setTimeout(() => {
      this.now();
      newDay();
      this.#awaitMidnight(newDay);
    }, midnight(now, 1) - now + 1);
  }
}
