import { Rebuilds } from '../models/days.js';
import { buildRows, keyOf, sameRow } from '../models/messageRows.js';
import { Observable, ObservableArray } from '../models/observableArray.js';
import { chatTexts } from '../models/texts/conversation.js';
import { NOTHING_KNOWN, headerOf, loadingOf } from './conversationHeader.js';
import { MessageWindow } from './messageWindow.js';
import { Reading, unreadOf } from './reading.js';

/**
 * One open chat.
 * @extends {Observable<import('./types.js').ConversationState>}
 */
export class ConversationViewModel extends Observable {
  #roomId;
  #services;
  #window;
  #reading;
  #extras = /** @type {import('./messageExtras.js').MessageExtras|null} */ (null);
  #forExtras = [];
  #rebuilds;
  /** How the user was removed from the chat while it was open. */
  #removal = null;
  #selection = /** @type {Set<number>|null} */ (null);
  #place = /** @type {import('./types.js').Place|null} */ (null);

  /** @type {ObservableArray<import('./types.js').MessageRow>} */
  rows = new ObservableArray({ equals: sameRow });

  /**
   * @param {string} roomId
   * @param {object} services `store`, `api`, `outbox`, `receipts`, `sync`, `clock`
   */
  constructor(roomId, services) {
    super(NOTHING_KNOWN);
    this.#roomId = roomId;
    this.#services = services;
    const { store, outbox, sync } = services;
    this.#window = new MessageWindow(roomId, services, {
      onChange: () => this.#build(),
      onLoaded: (messages) => this.#loaded(messages),
    });
    this.#reading = new Reading(roomId, services, this.#window);
    this.#rebuilds = new Rebuilds(services.clock, () => this.#derive(), () => this.#showHeader());
    this.onClose(
      store.subscribe((change) => this.#storeChanged(change)),
      outbox.subscribe((change) => this.#outboxChanged(change)),
      sync.subscribe(({ connection, asked }) => {
        // The stored list of chats was outdated: the unread messages begin elsewhere.
        if (asked && this.#reading.begin(this.#place?.kind !== 'message')) this.open();
        if (connection !== 'online') return;
        this.#extras?.retry();
        if (this.#window.error) this.reload();
      }),
    );
    this.#showHeader();
  }

  get roomId() { return this.#roomId; }
  get extras() { return this.#extras; }

  close() {
    super.close();
    this.#window.close();
    this.#rebuilds.close();
  }

  /**
   * Shows stored messages at once, then those of the server: at `at`, the first unread message, or the newest.
   * @returns {Promise<boolean>} false if the message `at` does not exist
   */
  async open({ at = null } = {}) {
    const { store, sync } = this.#services;
    // A list of chats that turns out to be outdated opens the chat anew, but not elsewhere.
    if (at !== null) this.#place = Object.freeze({ kind: 'message', key: null, ticket: 0 });
    let from = null;
    // If the chat is not in the store, it loads together with its newest messages.
    const early = at === null && !this.#window.knowsRoom;
    const found = this.#window.findRoom().then((there) => {
      if (there) ({ newAfter: this.#reading.newAfter, from } = unreadOf(store.room(this.#roomId)));
      return there && !this.isClosed;
    });
    if (at === null) sync.kept(this.#roomId).then((messages) => this.#showKept(messages));
    this.#window.loadReceipts();
    const latest = early ? this.#window.openLatest(found.then((there) => there && from === null)) : null;
    if (!await found) return true;
    if (at !== null) return this.jumpTo(at);
    if (await (from === null ? latest ?? this.#window.openLatest() : this.#window.openAround(from))) this.#goToStart();
    else this.#showKept(await sync.kept(this.#roomId));
    return true;
  }

  loadEarlier() { return this.#window.loadEarlier(); }
  loadLater() { return this.#window.loadLater(); }
  async jumpToLatest() {
    if (!this.#window.timeline.live && !await this.#reachEnd()) return;
    this.#reading.caughtUp(), this.#goTo('latest');
  }

  /** @returns {Promise<boolean>} false if the message does not exist: shows the next one instead */
  async jumpTo(seq) {
    if (!this.#window.timeline.get(seq) && !await this.#window.openAround(seq)) return true;
    const message = this.#window.timeline.get(seq) ?? this.#window.timeline.messages.find((one) => one.seq > seq);
    this.#goToMessage(message);
    return message?.seq === seq;
  }

  /** @param {string} isoDate '2026-03-14', a local day, or a time with its zone */
  async jumpToDate(isoDate) {
    const from = /^\d{4}-\d\d-\d\d$/.test(isoDate) ? new Date(`${isoDate}T00:00:00`) : new Date(isoDate);
    if (Number.isNaN(from.getTime()) || !await this.#window.openOn(from.toISOString())) return;
    this.#goToMessage(this.#window.timeline.messages.find((one) => Date.parse(one.created_at) >= from.getTime()));
  }

  /** Adds the extras after the first paint. @param {(window: MessageWindow, onChange: object) => object} make */
  extend(make) {
    this.#extras = make(this.#window, { now: () => this.#build(), soon: () => this.#buildSoon() });
    for (const act of this.#forExtras.splice(0)) act(this.#extras);
    this.#build();
  }

  /** @returns {import('./types.js').MessageRow|null} my last message, if it is in view and can be changed */
  lastOwn() {
    if (!this.#window.timeline.live) return null;
    return this.rows.items.findLast((one) => one.own && one.seq !== null && !one.deleted && !one.forwardedFrom) ?? null;
  }

  /** @returns {object|null} a message of the window as the server sent it */
  message(seq) { return this.#window.timeline.get(seq); }

  /** Takes a message from a response, before or after its event. */
  take(message) {
    if (this.#window.merge(message)) this.#withExtras((extras) => extras.changed(message));
    this.#build();
  }

  /** Removes a message that was deleted for this user. */
  hide(seq) {
    this.#withExtras((extras) => extras.hidden(seq));
    this.#window.timeline.drop({ seq });
    this.#reading.gone(seq);
    this.#selection?.delete(seq);
    this.#build();
  }

  /** Selects a message, lets go of it, or takes several. @param {number|null} seq null: ends @param {number[]} more */
  select(seq, ...more) {
    this.#selection = seq === null ? null : this.#selection ?? new Set();
    if (more.length > 0 || !this.#selection?.delete(seq)) for (const one of [seq, ...more]) this.#selection?.add(one);
    this.#build();
  }

  /** @returns {import('./types.js').MessageRow[]} the selected messages in their order, as far as they are loaded */
  selectedRows() { return this.rows.items.filter((row) => row.selected); }

  async retry(key) { this.#services.outbox.retry(key); }
  async remove(key) { this.#services.outbox.remove(key); }
  /** Retries what failed. */
  async reload() {
    this.#window.error = null;
    await (this.#window.loaded && this.#window.timeline.size > 0 ? this.#reloadHere() : this.open());
  }

  /** Reports the messages on the screen (`Reading`). */
  async visible(view) { this.#reading.moved(view), this.#showBelow(); }

  /** Calls `act` with the extras, once they are loaded. */
  #withExtras(act) { this.#extras ? act(this.#extras) : this.#forExtras.push(act); }
  #reloadHere() { return this.#window.reload(this.#reading.lastSeqVisible); }

  /** Shows stored messages if they include the place to begin, or the server is unreachable. */
  #showKept(messages) {
    if (this.isClosed || this.#window.timeline.size > 0 || messages.length === 0) return;
    for (const { sender } of messages) this.#services.store.meet(sender, { fresh: false });
    const { newAfter, from } = unreadOf(this.#services.store.room(this.#roomId));
    if (messages[0].seq > (from ?? Infinity) && !this.#window.error) return;
    this.#reading.newAfter ??= newAfter;
    if (this.#window.showKept(messages, from)) this.#goToStart();
  }

  #loaded(messages) {
    const { store, outbox, receipts, sync } = this.#services;
    for (const message of messages) if (store.isMine(message)) outbox.settle(message);
    const { live, messages: all } = this.#window.timeline;
    if (all.length > 0) receipts.delivered(this.#roomId, all.at(-1).seq);
    if (live) sync.keep(this.#roomId, all);
    this.#reading.loaded();
  }

  #storeChanged(change) {
    const { type, data } = change;
    if (type === 'message' && change.message.room_id === this.#roomId) this.#arrived(change);
    else if (type === 'event' && data.room_id === this.#roomId) this.#withExtras((extras) => extras.applied(change));
    else if (type === 'reset') {
      this.#window.loadReceipts();
      this.#extras?.pins.load();
      this.#reloadHere();
    } else if (type === 'me') this.#build();
    else if (type === 'user') this.#buildSoon(), this.#showHeader();
    else if (type === 'rooms') {
      // The list has replaced all chats, and this one is not on it.
      const isLost = this.state.title && !this.#removal && !this.#window.knowsRoom;
      if (isLost) this.#services.sync.refresh(this.#roomId);
      this.#showHeader();
      if (this.#window.outdated) this.#reloadHere();
    } else if (change.roomId === this.#roomId) this.#roomChanged(change);
  }

  #roomChanged({ type, seq, roomId, removal }) {
    if (type === 'hidden') this.hide(seq);
    else if (type === 'receipts') this.#build();
    else if (type === 'removed') {
      this.#removal = removal, this.#build();
    } else if (this.#removal && type === 'room' && this.#services.store.room(roomId)) {
      // The user was added again.
      this.#removal = null;
      this.open();
    } else if (type === 'room' || type === 'typing') {
      // Of a sent message the outbox tells last: built before, the rows would lack it.
      this.#showHeader(), type === 'room' && queueMicrotask(() => this.#buildSoon());
      // Cleared on another device.
      const upTo = this.#services.store.room(this.#roomId)?.cleared_seq ?? 0;
      if (upTo > 0 && this.#window.timeline.drop({ upTo })) this.#build();
    }
  }

  #arrived({ kind, message }) {
    const fresh = kind === 'created' && !this.#window.timeline.get(message.seq);
    if (fresh && !this.#services.store.isMine(message)) this.#reading.arrived(message);
    if (kind === 'deleted') this.#reading.gone(message.seq);
    this.#window.merge(message) ? this.#buildSoon() : this.#showBelow();
    if (kind !== 'created') this.#withExtras((extras) => extras.changed(message));
  }

  #outboxChanged(change) {
    if (change.type === 'loaded') return this.#build();
    if (change.entry.roomId !== this.#roomId) return;
    if (change.type === 'sent') this.#window.merge(change.message);
    if (change.type !== 'added') return this.#build();
    this.#reading.wrote();
    if (this.#window.timeline.live || !this.#window.loaded) this.#goTo('latest');
    else this.#reachEnd().then((there) => there && this.#goTo('latest'));
  }

  /** Loads the newest messages, or shows the stored ones while no server answers. */
  async #reachEnd() {
    return await this.#window.openLatest() || this.#window.showKept(await this.#services.sync.kept(this.#roomId));
  }

  #goToStart() {
    const key = this.rows.items.find((row) => row.newLine)?.key ?? null;
    // Who has scrolled among stored rows stays there when the server's come.
    const stays = this.#reading.isAway && (this.#place?.key === key || this.#place?.kind === 'latest');
    if (stays) return this.#reading.placed();
    this.#goTo(key ? 'new' : 'latest', key);
  }

  #goToMessage(message) {
    this.#goTo(message ? 'message' : 'latest', message && keyOf(message, this.#services.store.isMine(message)));
  }

  /** @param {'latest'|'message'|'new'} kind @param {string|null} [key] */
  #goTo(kind, key = null) {
    this.#place = Object.freeze({ kind, key, ticket: (this.#place?.ticket ?? 0) + 1 });
    this.#reading.placed(), this.#build();
  }

  #buildSoon() { if (!this.isClosed) this.#rebuilds.soon(); }
  #build() { if (!this.isClosed) this.#rebuilds.now(); }

  #derive() {
    const { store, outbox, clock } = this.#services;
    const { timeline, loaded } = this.#window;
    this.rows.replaceAll(this.#removal ? [] : buildRows({
      messages: timeline.messages,
      pending: timeline.live || !loaded ? outbox.entries(this.#roomId) : [],
      store,
      ticks: store.ticks(this.#roomId),
      newAfter: this.#reading.newAfter ?? null,
      now: clock.now(),
      selection: this.#selection, repository: store.room(this.#roomId)?.repository,
      ...this.#extras?.sources ?? { original: (seq) => timeline.get(seq) ?? undefined },
    }));
    this.update({
      ...loadingOf(this.#window, this.rows.items, this.#removal, this.#services),
      place: this.#place,
      selected: this.#selection && this.selectedRows().length,
    });
    this.#showBelow();
  }

  #showBelow() {
    const newBelow = this.#reading.below;
    this.update({ newBelow, newBelowText: chatTexts.newBelow(newBelow) });
  }

  #showHeader() {
    const { store, clock } = this.#services, room = store.room(this.#roomId);
    if (room) this.update(headerOf(room, store, clock.now(), this.state)), this.#showBelow();
  }
}
