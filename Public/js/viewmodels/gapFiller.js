/** The most numbers that are fetched to close a gap. */
export const WIDEST_GAP = 200;
const FILL_AGAIN = 2000;

/** Fetches the numbers that are missing between what was known and what arrived; again until it succeeds. */
export class GapFiller {
  #timeline;
  #clock;
  #owner;
  #filling = false;
  #timer = null;

  /**
   * @param {import('../models/timeline.js').Timeline} timeline
   * @param {import('./types.js').Clock} clock
   * @param {object} owner
   * @param {(cursor: object) => Promise<object[]|null>} owner.fetch null when it is not wanted any more
   * @param {() => Promise<void>|void} owner.tooWide there is too much in between to show it
   * @param {(page: object[]) => void} owner.filled
   * @param {() => void} owner.changed
   */
  constructor(timeline, clock, owner) {
    this.#timeline = timeline;
    this.#clock = clock;
    this.#owner = owner;
  }

  close() {
    this.#clock.clearTimeout(this.#timer);
  }

  /** Closes the gap, if there is one. */
  async fill() {
    const gap = this.#timeline.gap();
    if (this.#filling || !gap) return;
    this.#filling = true;
    this.#clock.clearTimeout(this.#timer);
    try {
      if (gap.before - gap.after > WIDEST_GAP) await this.#owner.tooWide();
      else await this.#fetch(gap);
    } catch {
      this.#timer = this.#clock.setTimeout(() => this.fill(), FILL_AGAIN);
      this.#filling = false;
      return;
    }
    this.#filling = false;
    this.#owner.changed();
    this.fill();
  }

  async #fetch({ after, before }) {
    const page = await this.#owner.fetch({ after, limit: WIDEST_GAP });
    if (page === null) return;
    // What the server does not have before the arrival was hidden or cleared for this person.
    const high = page.length < WIDEST_GAP ? Math.max(before - 1, page.at(-1)?.seq ?? 0) : page.at(-1).seq;
    this.#timeline.addLater(page, high, false);
    this.#owner.filled(page);
  }
}
