/**
 * How far an open chat is read (C5, S4): only what a focused window shows counts; what came below the reader is
 * counted, and where the unread began there is a line.
 */
export class Reading {
  #roomId;
  #services;
  #window;
  #below = [];
  #view = { lastSeqVisible: 0, focused: false, atBottom: true };
  /** The "New" line stands before the first message of another after this one; null for none. */
  newAfter = null;

  /**
   * @param {string} roomId
   * @param {object} services `store`, `receipts`
   * @param {import('./messageWindow.js').MessageWindow} window
   */
  constructor(roomId, services, window) {
    this.#roomId = roomId;
    this.#services = services;
    this.#window = window;
  }

  /** The last message on screen, 0 before anything is known. */
  get lastSeqVisible() {
    return this.#view.lastSeqVisible;
  }

  /** How many arrived below what is on screen. */
  get below() {
    return this.#below.length;
  }

  get #following() {
    return this.#view.atBottom && this.#window.timeline.live;
  }

  /** @param {{lastSeqVisible: number|null, focused: boolean, atBottom: boolean}} view what is on the screen now */
  moved({ lastSeqVisible, focused, atBottom }) {
    this.#view = { lastSeqVisible: lastSeqVisible ?? 0, focused, atBottom };
    this.#window.readAt(this.#following ? null : lastSeqVisible);
    this.readVisible();
    this.#below = this.#following ? [] : this.#below.filter((seq) => seq > (lastSeqVisible ?? 0));
  }

  /** Kept rows say nothing of what is unread: they count once the server has answered. */
  readVisible() {
    const { lastSeqVisible, focused } = this.#view;
    if (focused && lastSeqVisible > 0 && this.#window.loaded) this.#services.receipts.read(this.#roomId, lastSeqVisible);
  }

  /** A page came: what was on screen before it counts now. */
  loaded() {
    if (this.#window.timeline.get(this.lastSeqVisible)) this.readVisible();
  }

  /** A message of another came by the stream, one that was not known. */
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

  /** The reader goes to the newest. */
  caughtUp() {
    this.#below = [];
  }
}
