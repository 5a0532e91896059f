/**
 * Counts others' messages after a pointer, from what the server said when the chat was loaded and from the events
 * since. Where that does not suffice (the pointer moved among older messages of both sides) it says so.
 */
export class UnreadCount {
  #read;
  #last;
  #count;
  #later = new Set();
  /** The last of the earlier messages that changed without a word on whether it had counted. */
  #unsure = 0;

  /** @param {{read_seq: number, last_seq: number, unread_count: number}} room as the server sent it */
  constructor(room) {
    this.#read = room.read_seq;
    this.#last = room.last_seq;
    this.#count = room.unread_count;
  }

  /** A message was created. `counts`: it is another's, and there. */
  add(seq, counts) {
    if (counts && seq > this.#last) this.#later.add(seq);
  }

  /** Another's message was deleted. */
  remove(seq) {
    if (this.#later.delete(seq)) return;
    if (seq > this.#read && seq <= this.#last) this.#count = Math.max(0, this.#count - 1);
  }

  /**
   * A message may count now, or no longer.
   * @returns {boolean} false: it was there before this was loaded, and whether it counted is not known
   */
  change(seq, counts) {
    if (seq <= this.#last) {
      if (!counts && this.#count === 0) return true;
      this.#unsure = Math.max(this.#unsure, seq);
      return false;
    }
    if (counts) this.#later.add(seq);
    else this.#later.delete(seq);
    return true;
  }

  /** @returns {{count: number, exact: boolean}} how many are unread when everything up to `seq` is read */
  after(seq) {
    let later = 0;
    for (const one of this.#later) if (one > seq) later += 1;
    const between = this.#last - seq;
    if (between <= 0) return { count: later, exact: true };
    if (seq === this.#read) return { count: this.#count + later, exact: seq >= this.#unsure };
    if (seq < this.#read) return { count: this.#count + later + (this.#read - seq), exact: false };
    const exact = (this.#count === this.#last - this.#read || this.#count === 0) && seq >= this.#unsure;
    return { count: Math.min(this.#count, between) + later, exact };
  }
}

/** More unread messages than this are shown from the first of them on, not from the newest. */
const FEW_UNREAD = 40;

/**
 * Where a chat is opened (C1).
 * @param {object|null} room
 * @returns {{newAfter: number|null, from: number|null}} the "New" line stands after `newAfter`; `from` is the first
 *   unread message if the page of the newest ones does not reach back to it
 */
export function unreadOf(room) {
  const { unread_count: unread = 0, read_seq: read = 0, last_seq: last = 0 } = room ?? {};
  const isFar = unread > 0 && read > 0 && last - read > FEW_UNREAD;
  return { newAfter: unread > 0 ? read : null, from: isFar ? read + 1 : null };
}
