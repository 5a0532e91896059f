/** The most numbers that are fetched to close a gap. */
const WIDEST_GAP = 200;
const FILL_AGAIN = 2000;

/**
 * The loaded window of one chat's stored messages.
 *
 * `low`…`high` is completely known: this person cannot see a message whose number is missing there. While the window
 * reaches the newest message (`live`), messages beyond `high + 1` are kept and shown too; the numbers between are a
 * gap, to be fetched. Merging is commutative and idempotent: pages, events and the response to one's own send may bring
 * the same message in any order and any number of times.
 */
export class Timeline {
  #messages = new Map();
  #low = 1;
  #high = 0;
  #live = false;
  #sorted = /** @type {any[]|null} */ (null);

  /** Whether the newest message belongs to the window, so that arrivals are shown. */
  get live() {
    return this.#live;
  }

  get low() {
    return this.#low;
  }

  get high() {
    return this.#high;
  }

  get size() {
    return this.#messages.size;
  }

  /** @returns {readonly object[]} the messages in order of `seq` */
  get messages() {
    this.#sorted ??= [...this.#messages.values()].sort((one, other) => one.seq - other.seq);
    return this.#sorted;
  }

  get(seq) {
    return this.#messages.get(seq) ?? null;
  }

  /**
   * Replaces the window by one page. Newer states of the same messages are kept.
   * @param {object[]} page ascending
   * @param {{low: number, high: number, live: boolean}} range what the page covers
   */
  replace(page, { low, high, live }) {
    const before = this.#messages;
    this.#messages = new Map();
    this.#low = low;
    this.#high = high;
    this.#live = live;
    this.#sorted = null;
    for (const message of page) this.#put(message);
    for (const message of before.values()) {
      const beyond = live && message.seq > high;
      if (beyond || this.#messages.has(message.seq)) this.#put(message);
    }
    this.#extend();
  }

  /** Adds a page directly before the window, or overlapping it. */
  addEarlier(page, low) {
    for (const message of page) this.#put(message);
    this.#low = Math.min(this.#low, low);
  }

  /** Adds a page directly after `high`; `live`: nothing follows it. */
  addLater(page, high, live) {
    for (const message of page) this.#put(message);
    this.#high = Math.max(this.#high, high);
    this.#live ||= live;
    this.#extend();
  }

  /**
   * Merges one message from an event or a response. A newer state replaces a known one; an unknown message is added if
   * it belongs to the window.
   * @returns {boolean} whether anything changed
   */
  merge(message) {
    const belongs = message.seq >= this.#low && (this.#live || message.seq <= this.#high);
    if (!belongs && !this.#messages.has(message.seq)) return false;
    const changed = this.#put(message);
    this.#extend();
    return changed;
  }

  /**
   * Changes a message's reactions or pin. @param {(message: object) => object} change
   * @returns {boolean} whether it is in the window
   */
  amend(seq, change) {
    const known = this.#messages.get(seq);
    if (!known) return false;
    this.#messages.set(seq, change(known));
    this.#sorted = null;
    return true;
  }

  /** Removes a message deleted for this person, or all up to `seq` if cleared; the numbers stay covered. */
  drop({ seq = 0, upTo = 0 }) {
    const gone = [...this.#messages.keys()].filter((one) => one === seq || one <= upTo);
    for (const one of gone) this.#messages.delete(one);
    if (gone.length === 0) return false;
    this.#sorted = null;
    // Beyond a gap: fetching the gap shows that this number has no message.
    this.#extend();
    return true;
  }

  /** @returns {{after: number, before: number}|null} numbers between which messages are missing */
  gap() {
    if (!this.#live) return null;
    const beyond = [...this.#messages.keys()].filter((seq) => seq > this.#high);
    return beyond.length === 0 ? null : { after: this.#high, before: Math.min(...beyond) };
  }

  /** Detaches the window from the newest messages: drops those after a gap, and shows no new ones. */
  detach() {
    for (const seq of [...this.#messages.keys()]) if (seq > this.#high) this.#messages.delete(seq);
    this.#live = false;
    this.#sorted = null;
  }

  /** Drops the earliest messages and keeps `count`. */
  trimStart(count) {
    const gone = this.messages.slice(0, Math.max(0, this.size - count));
    if (gone.length === 0) return false;
    for (const message of gone) this.#messages.delete(message.seq);
    this.#low = gone.at(-1).seq + 1;
    this.#sorted = null;
    return true;
  }

  /** Drops the latest messages and keeps `count`; the window is no longer live. */
  trimEnd(count) {
    const gone = this.messages.slice(count);
    if (gone.length === 0) return false;
    for (const message of gone) this.#messages.delete(message.seq);
    this.#high = Math.min(this.#high, gone[0].seq - 1);
    this.#live = false;
    this.#sorted = null;
    return true;
  }

  #put(message) {
    const known = this.#messages.get(message.seq);
    if (known && !isNewer(message, known)) return false;
    // Events leave out the members that depend on the reader.
    const keeps = known?.reactions !== undefined && message.reactions === undefined;
    const { reactions, pinned_at: pinnedAt } = keeps ? known : message;
    this.#messages.set(message.seq, keeps ? { ...message, reactions, pinned_at: pinnedAt } : message);
    this.#sorted = null;
    return true;
  }

  /** Moves `high` to the end of the contiguous messages. */
  #extend() {
    while (this.#messages.has(this.#high + 1)) this.#high += 1;
  }
}

/** A deletion is final; otherwise the later edit wins. Equal states are no change. */
function isNewer(message, known) {
  if (known.deleted_at) return false;
  if (message.deleted_at) return true;
  return (message.edited_at ?? '') > (known.edited_at ?? '');
}

/** Fetches the numbers that are missing between what was known and what arrived; again until it succeeds. */
export class GapFiller {
  #timeline;
  #clock;
  #owner;
  #filling = false;
  #timer = /** @type {unknown|null} */ (null);

  /**
   * @param {Timeline} timeline
   * @param {import('../viewmodels/types.js').Clock} clock
   * @param {object} owner
   * @param {(cursor: object) => Promise<import('../services/api.js').Answer|null>} owner.fetch null when it is not
   *   wanted any more
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
    const answer = await this.#owner.fetch({ after, limit: WIDEST_GAP });
    if (answer === null) return;
    const { body: page, next } = answer;
    // What the server does not have before the arrival was hidden or cleared for this person.
    const isWhole = next === null && page.length < WIDEST_GAP;
    const high = isWhole ? Math.max(before - 1, page.at(-1)?.seq ?? 0) : page.at(-1).seq;
    this.#timeline.addLater(page, high, false);
    this.#owner.filled(page);
  }
}
