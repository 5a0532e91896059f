import { isCutOff, keptBefore, newestKept, pageSize } from '../models/keptMessages.js';
import { GapFiller, Timeline } from '../models/timeline.js';
import { identified } from './conversationHeader.js';

/** The most rows in the window. */
const MOST = 300;
const TRIM_AFTER = 1000;

/**
 * Loads the messages of a timeline: pages at both ends, jumps, and gaps. Commands never reject: a failure is in
 * `error`, and `onChange` is called after each change.
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
  /** Changes by events that a loading page may not include. */
  #amended = [];
  /** The last event that each message includes, by the page that it came with. */
  #asOf = new Map();
  #gaps;
  #trimTimer = null;
  #reachedStart = false;
  #reader = /** @type {number|null} */ (null);
  #eventId = /** @type {number|null} */ (null);
  #sync;
  #page;
  /** The rows that remain after trimming; one page more makes the most. */
  #most;

  timeline = new Timeline();
  /** Which page is loading: one at a time. */
  loading = /** @type {'all'|'earlier'|'later'|null} */ (null);
  /** The last failure, until something succeeds. */
  error = /** @type {import('../services/api.js').ApiError|null} */ (null);
  /** Whether a page of this room was loaded from the server. */
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
      fetch: (cursor) => this.#fetchGap(cursor), tooWide: () => this.#giveUpGap(),
      filled: (page) => this.#onLoaded(page), changed: () => this.#onChange(),
    });
  }

  get hasEarlier() { return !this.#reachedStart && this.timeline.low > 1 && this.timeline.size > 0; }
  get hasLater() { return !this.timeline.live && this.loaded; }

  /** Whether the window is older than the list of chats: the stream does not replay events in between. */
  get outdated() { return this.#eventId !== null && this.#eventId < this.#store.baseEventId; }

  /** Whether the room's current state is in the store. */
  get knowsRoom() { return this.#store.baseEventId !== null && this.#store.room(this.#roomId) !== null; }

  /** Loads a room that is not in the store. @returns {Promise<boolean>} whether it is there now */
  async findRoom() {
    if (this.knowsRoom) return true;
    try {
      const { body, eventId } = await this.#api.room(this.#roomId);
      if (!this.knowsRoom) this.#store.putRoom(body);
      // That is older than events that came meanwhile, and the stream does not repeat those before the list of chats.
      if (eventId < this.#store.lastEventId) this.#sync.refresh(this.#roomId);
      await identified(this.#store);
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
      this.#store.putReceipts(this.#roomId, (await this.#api.receipts(this.#roomId)).body);
    } catch {
      // The ticks stay until the next receipt event.
    }
  }

  /** @param {any[]} messages kept ones, while the server does not answer @param {number|null} [from] as `newestKept` */
  showKept(messages, from = null) {
    if ((this.loaded && !isCutOff(this.error)) || messages.length === 0) return false;
    const shown = newestKept(messages, from, { page: this.#page, most: this.#most });
    this.#show(shown, { live: true, start: false });
    this.#onChange();
    return true;
  }

  /**
   * @param {Promise<boolean>|true} [wanted] loads at once, but shows the page only if this resolves to true
   * @returns {Promise<boolean>} whether the newest messages are in the window now
   */
  openLatest(wanted = true) {
    const take = (page, { prev }) => this.#show(page, { live: true, start: this.#isEnd(page, prev) });
    return this.#open({}, take, wanted);
  }

  /** Shows the messages around one. */
  openAround(seq) { return this.#openMiddle({ around: seq }); }

  /** Shows the messages from a time on. @param {string} on RFC 3339 */
  openOn(on) { return this.#openMiddle({ on }); }

  /** Reloads the window, which may have changed without an event. @param {number} seq where the reader is, or 0 */
  reload(seq) {
    if (this.timeline.live || this.timeline.size === 0) return this.openLatest();
    return this.openAround(seq || this.timeline.low);
  }

  async loadEarlier() {
    if (!this.hasEarlier || this.loading) return;
    if (this.timeline.size > this.#most) this.timeline.trimEnd(this.#most);
    const { low } = this.timeline;
    if (isCutOff(null, this.#sync) && await this.#earlierKept(low)) return;
    await this.#load('earlier', { before: low, limit: this.#page }, (page, { prev }) => {
      if (this.timeline.low !== low) return;
      this.#reachedStart = this.#isEnd(page, prev);
      this.timeline.addEarlier(page, this.#reachedStart ? 1 : page[0].seq);
    });
    if (this.#sync && isCutOff(this.error) && await this.#earlierKept(low)) this.error = null;
  }

  /** Loads earlier stored messages while offline. @returns {Promise<boolean>} whether there were any */
  async #earlierKept(low) {
    const page = await keptBefore(this.#sync, this.#roomId, low, this.#page);
    if (page.length === 0 || this.timeline.low !== low) return false;
    this.timeline.addEarlier(page, page[0].seq);
    this.#onChange();
    return true;
  }

  async loadLater() {
    if (!this.hasLater || this.loading) return;
    if (this.timeline.size > this.#most) this.#trimStart();
    const { high } = this.timeline;
    await this.#load('later', { after: high, limit: this.#page }, (page, { next }) => {
      if (this.timeline.high !== high) return;
      this.timeline.addLater(page, page.at(-1)?.seq ?? high, this.#isEnd(page, next));
    });
  }

  /** Whether a page is the last: a short one may only have been cut at the size limit. */
  #isEnd(page, link) { return link === null && page.length < this.#page; }

  /** Merges a message from an event or a response. @returns {boolean} whether the window changed */
  merge(message) {
    const changed = this.timeline.merge(message);
    if (!changed && this.loading) this.#early.push(message);
    this.#afterArrival();
    return changed;
  }

  /**
   * Changes reactions or the pin of a message, by an event or the user's own action (`eventId` null). An event that the
   * message's page already includes changes nothing.
   * @returns {boolean} whether the window changed
   */
  amend(seq, change, eventId = null) {
    if (eventId === null) return this.timeline.amend(seq, change);
    if (this.loading) this.#amended.push({ seq, change, eventId });
    return this.#amendSince(seq, change, eventId);
  }

  #amendSince(seq, change, eventId) {
    return eventId > (this.#asOf.get(seq) ?? 0) && this.timeline.amend(seq, change);
  }

  /** Sets the reader's position, so that trimming drops the far end. */
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
    // Nothing found: the date is after all messages, or they were deleted.
    return shown && !found ? this.openLatest() : shown;
  }

  #show(page, { live, start }) {
    this.#reachedStart = start;
    const high = page.at(-1)?.seq ?? 0;
    this.timeline.replace(page, { low: start ? 1 : page[0].seq, high, live });
  }

  #open(cursor, take, wanted) {
    this.#generation += 1;
    this.loading = null;
    this.#early = [];
    this.#amended = [];
    return this.#load('all', { ...cursor, limit: this.#page }, (page, answer) => {
      this.loaded = true;
      take(page, answer);
    }, { wanted });
  }

  async #load(what, cursor, take, { wanted = true, again = false } = {}) {
    const generation = this.#generation;
    this.loading = what;
    this.#onChange();
    try {
      const [answer, isWanted] = await Promise.all([this.#api.messages(this.#roomId, cursor), wanted]);
      const { body: page, eventId } = answer;
      if (generation !== this.#generation) return false;
      if (!isWanted) {
        this.loading = null;
        this.#onChange();
        return false;
      }
      this.error = null;
      if (what === 'all') this.#eventId = eventId;
      const outdated = eventId !== null && eventId < this.#store.baseEventId;
      if (outdated && !again) return await this.#load(what, cursor, take, { again: true });
      for (const message of page) this.#store.meet(message.sender, { presence: false });
      take(page, answer);
      for (const { seq } of page) this.#asOf.set(seq, eventId ?? 0);
      // Applies events that arrived while the page was loading.
      for (const message of this.#early) this.timeline.merge(message);
      for (const { seq, change, eventId: id } of this.#amended) this.#amendSince(seq, change, id);
      this.#onLoaded(page);
    } catch (error) {
      if (generation !== this.#generation) return false;
      this.error = error;
    }
    this.#early = [];
    this.#amended = [];
    this.loading = null;
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
    const answer = await this.#api.messages(this.#roomId, cursor);
    return generation === this.#generation ? answer : null;
  }

  /** At the newest message, follows to the newest; elsewhere the reader loads later pages by scrolling. */
  async #giveUpGap() {
    if (this.#reader === null) await this.openLatest();
    else this.timeline.detach();
  }

  #scheduleTrim() {
    if (this.timeline.size <= this.#most || this.#trimTimer !== null) return;
    this.#trimTimer = this.#clock.setTimeout(() => {
      this.#trimTimer = null;
      if (this.loading) return this.#scheduleTrim();
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
