/**
 * The stored messages of one chat that are in view: a window over a room that may hold any number of them.
 *
 * `low`…`high` is the range of which everything is known: a number in it that has no message has none for this person.
 * While the window reaches the newest message (`live`), messages beyond `high + 1` are kept and shown too, and the
 * numbers between are a gap, to be fetched. Merging is commutative and idempotent: pages, events and the answer to
 * one's own send may bring the same message in any order and any number of times.
 */
export class Timeline {
  #messages = new Map();
  #low = 1;
  #high = 0;
  #live = false;
  #sorted = null;

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
   * Starts anew with one page. What was known of the same messages and is newer is kept.
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

  /** Takes a page that lies directly before the window, or covers more. */
  addEarlier(page, low) {
    for (const message of page) this.#put(message);
    this.#low = Math.min(this.#low, low);
  }

  /** Takes a page that lies directly after `high`; `live`: there is nothing after it. */
  addLater(page, high, live) {
    for (const message of page) this.#put(message);
    this.#high = Math.max(this.#high, high);
    this.#live ||= live;
    this.#extend();
  }

  /**
   * Takes one message from an event or an answer: known ones are replaced by a newer state; unknown ones are taken
   * if they belong to the window.
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
   * Changes what a message carries beside its text: reactions, a pin. @param {(message: object) => object} change
   * @returns {boolean} whether it is in the window
   */
  amend(seq, change) {
    const known = this.#messages.get(seq);
    if (!known) return false;
    this.#messages.set(seq, change(known));
    this.#sorted = null;
    return true;
  }

  /** Takes away what this person hid, or all up to `seq`, which they cleared; the numbers stay covered. */
  drop({ seq = 0, upTo = 0 }) {
    const gone = [...this.#messages.keys()].filter((one) => one === seq || one <= upTo);
    for (const one of gone) this.#messages.delete(one);
    if (gone.length === 0) return false;
    this.#sorted = null;
    // Beyond a gap: what is fetched for the gap says that there is nothing at this place.
    this.#extend();
    return true;
  }

  /** @returns {{after: number, before: number}|null} numbers between which messages are missing */
  gap() {
    if (!this.#live) return null;
    const beyond = [...this.#messages.keys()].filter((seq) => seq > this.#high);
    return beyond.length === 0 ? null : { after: this.#high, before: Math.min(...beyond) };
  }

  /** Everything up to `high` is known now: what is not there does not exist for this person. */
  cover(high) {
    this.#high = Math.max(this.#high, high);
    this.#extend();
  }

  /** Lets go of the newest messages: what lies after a gap is dropped, and arrivals are not shown. */
  detach() {
    for (const seq of [...this.#messages.keys()]) if (seq > this.#high) this.#messages.delete(seq);
    this.#live = false;
    this.#sorted = null;
  }

  /** Forgets the earliest messages so that `count` stay. */
  trimStart(count) {
    const gone = this.messages.slice(0, Math.max(0, this.size - count));
    if (gone.length === 0) return false;
    for (const message of gone) this.#messages.delete(message.seq);
    this.#low = gone.at(-1).seq + 1;
    this.#sorted = null;
    return true;
  }

  /** Forgets the latest messages so that `count` stay; the window is not live then. */
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
    // Events come without what is each reader's own.
    const keeps = known?.reactions !== undefined && message.reactions === undefined;
    const { reactions, pinned_at: pinnedAt } = keeps ? known : message;
    this.#messages.set(message.seq, keeps ? { ...message, reactions, pinned_at: pinnedAt } : message);
    this.#sorted = null;
    return true;
  }

  /** Moves `high` over what is there without a gap. */
  #extend() {
    while (this.#messages.has(this.#high + 1)) this.#high += 1;
  }
}

/** A deletion is final; otherwise the later edit counts. Equal states are no change. */
function isNewer(message, known) {
  if (known.deleted_at) return false;
  if (message.deleted_at) return true;
  return (message.edited_at ?? '') > (known.edited_at ?? '');
}
