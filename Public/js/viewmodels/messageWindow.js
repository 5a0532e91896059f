import { pageSize } from '../models/offlineSettings.js';
import { Timeline } from '../models/timeline.js';
import { GapFiller } from './gapFiller.js';
import { isCutOff, keptBefore, newestKept } from './keptPages.js';

/** The most rows that are ever shown. */
export const MOST = 300;
const TRIM_AFTER = 1000;

/**
 * Loads what a timeline shows: pages at both ends, jumps, and the numbers missing in a gap. Commands never reject:
 * a failure is in `error`, and `onChange` is called after whatever changed.
 */
export class MessageWindow {
  #roomId;
  #api;
  #store;
  #clock;
  #onChange;
  #onLoaded;
  #generation = 0;
  #early = [];
  /** Changes by events that a page on its way may be without: what, where, and the event's id. */
  #amended = [];
  /** Up to which event each message is true, as the page said that brought it. */
  #asOf = new Map();
  #gaps;
  #trimTimer = null;
  #reachedStart = false;
  #reader = null;
  #eventId = null;
  #sync;
  #page;
  /** Rows that stay when the far end is trimmed: with a page more it is the most that is ever shown. */
  #most;

  timeline = new Timeline();
  /** Which of 'all', 'earlier' and 'later' is being loaded. */
  loading = new Set();
  /** What failed last, an `ApiError`, until something succeeds. */
  error = null;
  /** The newest known state of this room was read from the server at least once. */
  loaded = false;

  /**
   * @param {string} roomId
   * @param {object} services `api`, `store`, `clock`, `sync`, `preferences`
   * @param {{onChange: () => void, onLoaded: (messages: object[]) => void}} owner
   */
  constructor(roomId, { api, store, clock, sync, preferences }, { onChange, onLoaded }) {
    this.#sync = sync;
    this.#page = pageSize(preferences);
    this.#most = MOST - this.#page;
    this.#roomId = roomId;
    this.#api = api;
    this.#store = store;
    this.#clock = clock;
    this.#onChange = onChange;
    this.#onLoaded = onLoaded;
    this.#gaps = new GapFiller(this.timeline, clock, {
      fetch: (cursor) => this.#fetchGap(cursor),
      tooWide: () => this.#giveUpGap(),
      filled: (page) => this.#onLoaded(page),
      changed: () => this.#onChange(),
    });
  }

  get hasEarlier() { return !this.#reachedStart && this.timeline.low > 1 && this.timeline.size > 0; }
  get hasLater() { return !this.timeline.live && this.loaded; }

  /** Whether the window was read before the list of chats was: what happened in between comes by no stream. */
  get outdated() { return this.#eventId !== null && this.#eventId < this.#store.baseEventId; }

  /** Whether the room's present state is in the store. */
  get knowsRoom() { return this.#store.baseEventId !== null && this.#store.room(this.#roomId) !== null; }

  /** Asks for a room whose present state is not in the store. @returns {Promise<boolean>} whether it is there now */
  async findRoom() {
    if (this.knowsRoom) return true;
    try {
      const { body } = await this.#api.room(this.#roomId);
      const known = this.#store.room(this.#roomId);
      if (!known || this.#store.baseEventId === null) this.#store.putRoom(body);
      this.error = null;
    } catch (error) {
      const kept = this.#store.room(this.#roomId) !== null && error.kind !== 'not-found';
      this.error = kept ? null : error;
    }
    this.#onChange();
    return this.error === null;
  }

  async loadReceipts() {
    try {
      const { body } = await this.#api.receipts(this.#roomId);
      this.#store.putReceipts(this.#roomId, body);
    } catch {
      // The ticks stay as they are until the next receipt comes by the stream.
    }
  }

  /** Shows kept messages until the server answers: the newest, and those from `from` on if that is not too far. */
  showKept(messages, from = null) {
    if (this.loaded || messages.length === 0) return false;
    const shown = newestKept(messages, from, { page: this.#page, most: this.#most });
    this.timeline.replace(shown, { low: shown[0].seq, high: shown.at(-1).seq, live: true });
    this.#onChange();
    return true;
  }

  /**
   * @param {Promise<boolean>|true} [wanted] asks at once, but shows the answer only when, and if, this turns out true
   * @returns {Promise<boolean>} whether the newest messages are in the window now
   */
  openLatest(wanted = true) {
    return this.#open({}, (page) => this.#show(page, { live: true, start: page.length < this.#page }), wanted);
  }

  /** Shows what is around a message. */
  openAround(seq) { return this.#openMiddle({ around: seq }); }

  /** Shows what was written at a time and after. @param {string} on RFC 3339 */
  openOn(on) { return this.#openMiddle({ on }); }

  /** Reads anew what is shown: it may have changed without an event. @param {number} seq where the reader is, or 0 */
  reload(seq) {
    if (this.timeline.live || this.timeline.size === 0) return this.openLatest();
    return this.openAround(seq || this.timeline.low);
  }

  async loadEarlier() {
    if (!this.hasEarlier || this.loading.size > 0) return;
    if (this.timeline.size > this.#most) this.timeline.trimEnd(this.#most);
    const { low } = this.timeline;
    if (isCutOff(null, this.#sync) && await this.#earlierKept(low)) return;
    await this.#load('earlier', { before: low, limit: this.#page }, (page) => {
      if (this.timeline.low !== low) return;
      this.#reachedStart = page.length < this.#page;
      this.timeline.addEarlier(page, this.#reachedStart ? 1 : page[0].seq);
    });
    if (this.#sync && isCutOff(this.error) && await this.#earlierKept(low)) this.error = null;
  }

  /** Without the server: what this browser kept. @returns {Promise<boolean>} whether there was anything */
  async #earlierKept(low) {
    const page = await keptBefore(this.#sync, this.#roomId, low, this.#page);
    if (page.length === 0 || this.timeline.low !== low) return false;
    this.timeline.addEarlier(page, page[0].seq);
    this.#onChange();
    return true;
  }

  async loadLater() {
    if (!this.hasLater || this.loading.size > 0) return;
    if (this.timeline.size > this.#most) this.#trimStart();
    const { high } = this.timeline;
    await this.#load('later', { after: high, limit: this.#page }, (page) => {
      if (this.timeline.high !== high) return;
      this.timeline.addLater(page, page.at(-1)?.seq ?? high, page.length < this.#page);
    });
  }

  /** Takes a message from an event or an answer. @returns {boolean} whether the window changed */
  merge(message) {
    const changed = this.timeline.merge(message);
    if (!changed && this.loading.size > 0) this.#early.push(message);
    this.#afterArrival();
    return changed;
  }

  /**
   * Changes what a message carries, by an event or by one's own act (`eventId` null). An event that the page knew of
   * which brought the message changes nothing.
   * @returns {boolean} whether the window changed
   */
  amend(seq, change, eventId = null) {
    if (eventId === null) return this.timeline.amend(seq, change);
    if (this.loading.size > 0) this.#amended.push({ seq, change, eventId });
    return this.#amendSince(seq, change, eventId);
  }

  #amendSince(seq, change, eventId) {
    return eventId > (this.#asOf.get(seq) ?? 0) && this.timeline.amend(seq, change);
  }

  /** Says what the reader looks at, so that the far end is the one that is trimmed. */
  readAt(seq) { this.#reader = seq; }

  close() {
    this.#generation += 1;
    this.#clock.clearTimeout(this.#trimTimer);
    this.#gaps.close();
  }

  async #openMiddle(cursor) {
    let found = false;
    const shown = await this.#open(cursor, (page) => {
      found = page.length > 0;
      const live = (page.at(-1)?.seq ?? 0) >= (this.#store.room(this.#roomId)?.last_seq ?? Infinity);
      if (found) this.#show(page, { live, start: page[0].seq === 1 });
    });
    // Nothing there: the date is later than all messages, or they are gone.
    return shown && !found ? this.openLatest() : shown;
  }

  #show(page, { live, start }) {
    this.#reachedStart = start;
    const high = page.at(-1)?.seq ?? 0;
    this.timeline.replace(page, { low: start ? 1 : page[0].seq, high, live });
  }

  #open(cursor, take, wanted) {
    this.#generation += 1;
    this.loading.clear();
    this.#early = [];
    this.#amended = [];
    const show = (page) => {
      this.loaded = true;
      take(page);
    };
    return this.#load('all', { ...cursor, limit: this.#page }, show, { wanted });
  }

  async #load(what, cursor, take, { wanted = true, again = false } = {}) {
    const generation = this.#generation;
    this.loading.add(what);
    this.#onChange();
    try {
      const answers = Promise.all([this.#api.messages(this.#roomId, cursor), wanted]);
      const [{ body: page, eventId }, isWanted] = await answers;
      if (generation !== this.#generation) return false;
      if (!isWanted) {
        this.loading.delete(what);
        this.#onChange();
        return false;
      }
      this.error = null;
      if (what === 'all') this.#eventId = eventId;
      const outdated = eventId !== null && eventId < this.#store.baseEventId;
      if (outdated && !again) return await this.#load(what, cursor, take, { again: true });
      for (const message of page) this.#store.meet(message.sender, { presence: false });
      take(page);
      for (const { seq } of page) this.#asOf.set(seq, eventId ?? 0);
      // What came by the stream while the page was on its way may be missing in it.
      for (const message of this.#early) this.timeline.merge(message);
      for (const { seq, change, eventId: id } of this.#amended) this.#amendSince(seq, change, id);
      this.#onLoaded(page);
    } catch (error) {
      if (generation !== this.#generation) return false;
      this.error = error;
    }
    this.#early = [];
    this.#amended = [];
    this.loading.delete(what);
    this.#afterArrival();
    this.#onChange();
    return this.error === null;
  }

  #afterArrival() {
    if (this.timeline.size > MOST) this.#trim();
    this.#scheduleTrim();
    this.#gaps.fill();
  }

  async #fetchGap(cursor) {
    const generation = this.#generation;
    const { body } = await this.#api.messages(this.#roomId, cursor);
    return generation === this.#generation ? body : null;
  }

  /** Who follows goes on to the newest; who reads pages on by hand. */
  async #giveUpGap() {
    if (this.#reader === null) await this.openLatest();
    else this.timeline.detach();
  }

  #scheduleTrim() {
    if (this.timeline.size <= this.#most || this.#trimTimer !== null) return;
    this.#trimTimer = this.#clock.setTimeout(() => {
      this.#trimTimer = null;
      if (this.loading.size > 0) return this.#scheduleTrim();
      this.#trim();
      this.#onChange();
    }, TRIM_AFTER);
  }

  #trim() {
    const { messages, live } = this.timeline;
    const last = this.#reader ?? (live ? Infinity : 0);
    const before = messages.filter((message) => message.seq <= last).length;
    if (before * 2 >= messages.length) this.#trimStart();
    else this.timeline.trimEnd(this.#most);
  }

  #trimStart() {
    if (this.timeline.trimStart(this.#most)) this.#reachedStart = false;
  }
}
