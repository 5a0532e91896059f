/**
 * How far the user has read an open chat. Only messages in a focused window count as read. Counts the arrivals below
 * the screen, and places the "New" line.
 */
export class Reading {
  #roomId;
  #services;
  #window;
  #below = [];
  #begun = false;
  /** Whether the chat shows another place than where it begins, until it goes there. */
  #isMisplaced = false;
  #view = { firstSeqVisible: 0, lastSeqVisible: 0, focused: false, atBottom: true };
  /** The last message seen before sending skipped unread ones; null if none were skipped. */
  #seenTo = /** @type {number|null} */ (null);
  /** The "New" line is above the first message of another person after this one; null for none, undefined at first. */
  newAfter = /** @type {number|null|undefined} */ (undefined);

  /**
   * @param {string} roomId
   * @param {object} services `store`, `receipts`, `sync`
   * @param {import('./messageWindow.js').MessageWindow} window
   */
  constructor(roomId, services, window) {
    this.#roomId = roomId;
    this.#services = services;
    this.#window = window;
    this.#begun = services.sync.state.asked;
  }

  /**
   * The server has answered, or is unreachable: from now on visible rows count as read.
   * @param {boolean} mayMove whether the chat shows where the stored list of chats said that it begins
   * @returns {boolean} whether another device has read on, or marked as unread: the chat has to open again
   */
  begin(mayMove) {
    if (this.#begun) return false;
    this.#begun = true;
    const { newAfter } = unreadOf(this.#services.store.room(this.#roomId));
    const stale = mayMove && this.newAfter !== undefined && newAfter !== this.newAfter;
    if (stale) {
      this.#window.loaded = false;
      this.#isMisplaced = true;
    } else this.readVisible();
    return stale;
  }

  /** The last message on screen; 0 before anything is loaded. */
  get lastSeqVisible() {
    return this.#view.lastSeqVisible;
  }

  /** The chat goes to a place: what is on screen there is told next, and what was before counts no more. */
  placed() {
    if (this.#isMisplaced) this.#view = { ...this.#view, lastSeqVisible: 0 };
    this.#isMisplaced = false;
  }

  /** How many lie below what is on screen: arrivals, and what was unread from the start. */
  get below() {
    const { read_seq: read = 0, unread_count: unread = 0 } = this.#services.store.room(this.#roomId) ?? {};
    if (this.#following || unread === 0) return this.#below.length;
    const { store } = this.#services;
    const { lastSeqVisible } = this.#view;
    const passed = this.#window.timeline.messages.filter((message) => message.seq > read
      && message.seq <= lastSeqVisible && !message.deleted_at && !store.isMine(message));
    return Math.max(this.#below.length, unread - passed.length);
  }

  /** Whether the screen is away from the end, at a message that is still loaded. */
  get isAway() {
    return !this.#view.atBottom && Boolean(this.#window.timeline.get(this.#view.firstSeqVisible));
  }

  get #following() {
    return this.#view.atBottom && this.#window.timeline.live;
  }

  /**
   * The view was scrolled, focused or resized.
   * @param {{firstSeqVisible?: number, lastSeqVisible: number|null, focused: boolean, atBottom: boolean}} view
   */
  moved({ firstSeqVisible = 0, lastSeqVisible, focused, atBottom }) {
    this.#view = { firstSeqVisible, lastSeqVisible: lastSeqVisible ?? 0, focused, atBottom };
    this.#window.readAt(this.#following ? null : lastSeqVisible);
    this.readVisible();
    this.#below = this.#following ? [] : this.#below.filter((seq) => seq > (lastSeqVisible ?? 0));
  }

  /** Stored rows may be outdated, so they count as read only once the server has answered. */
  readVisible() {
    const { lastSeqVisible, focused } = this.#view;
    const counts = focused && lastSeqVisible > 0 && this.#begun && !this.#isMisplaced && this.#window.loaded;
    if (!counts || this.#skips()) return;
    if (this.#seenTo !== null) this.#seenTo = Math.max(this.#seenTo, lastSeqVisible);
    this.#services.receipts.read(this.#roomId, lastSeqVisible);
  }

  /** Whether unseen messages of others are above the screen. */
  #skips() {
    const seenTo = this.#seenTo;
    if (seenTo === null) return false;
    const { firstSeqVisible } = this.#view;
    const { messages } = this.#window.timeline;
    if (firstSeqVisible <= seenTo + 1) return false;
    if (!(messages[0]?.seq <= seenTo + 1)) return true;
    return messages.some((message) => message.seq > seenTo && message.seq < firstSeqVisible
      && !message.deleted_at && !this.#services.store.isMine(message));
  }

  /** The user sent a message: the view goes to the newest, and skipped messages stay unread. */
  wrote() {
    const room = this.#services.store.room(this.#roomId);
    const { newAfter } = unreadOf(room);
    this.newAfter = newAfter;
    this.#seenTo = newAfter;
  }

  /** A page was loaded: rows that were on screen before count now. */
  loaded() {
    if (this.#window.timeline.get(this.lastSeqVisible)) this.readVisible();
  }

  /** A new message of another person arrived by the stream. */
  arrived({ seq }) {
    if (!this.#window.loaded) return;
    if (!this.#following) this.#below.push(seq);
    const allRead = (this.#services.store.room(this.#roomId)?.read_seq ?? 0) >= seq - 1;
    if (!this.#view.focused && allRead) this.newAfter = seq - 1;
  }

  /** A message is deleted or hidden. */
  gone(seq) {
    this.#below = this.#below.filter((one) => one !== seq);
  }

  /** The user jumps to the newest; skipped messages count as read. */
  caughtUp() {
    this.#seenTo = null;
    this.#below = [];
    this.#view = { ...this.#view, atBottom: true };
  }
}

/** With more unread messages than this, a chat opens at the first of them instead of the newest message. */
const FEW_UNREAD = 40;

/**
 * The position at which a chat opens.
 * @param {object|null} room
 * @returns {{newAfter: number|null, from: number|null}} the "New" line stands after `newAfter`; `from` is the first
 *   unread message if the page of the newest ones does not reach back to it
 */
export function unreadOf(room) {
  const { unread_count: unread = 0, read_seq: read = 0, last_seq: last = 0 } = room ?? {};
  const isFar = unread > 0 && read > 0 && last - read > FEW_UNREAD;
  return { newAfter: unread > 0 ? read : null, from: isFar ? read + 1 : null };
}
