import { eachMidnight } from '../models/format.js';

/** The least time between two builds of the rows during bursts of events: one frame. */
const FRAME = 16;

/** Schedules the builds of the rows: at once, at the next frame during bursts, and at midnight. */
export class Rebuilds {
  #clock;
  #build;
  #builtAt = -Infinity;
  #soon = /** @type {unknown|null} */ (null);
  #endDays;

  /** @param {import('./types.js').Clock} clock @param {() => void} build @param {() => void} newDay */
  constructor(clock, build, newDay) {
    this.#clock = clock;
    this.#build = build;
    this.#endDays = eachMidnight(clock, () => {
      this.now();
      newDay();
    });
  }

  close() {
    this.#clock.clearTimeout(this.#soon);
    this.#endDays();
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
}
