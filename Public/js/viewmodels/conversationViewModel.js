import { midnight } from '../models/format.js';
import { buildRows, keyOf, sameRow } from '../models/messageRows.js';
import { Observable, ObservableArray } from '../models/observableArray.js';
import { problemText, texts } from '../models/texts.js';
import { unreadOf } from '../models/unreadCount.js';
import { NOTHING_KNOWN, headerOf } from './conversationHeader.js';
import { MessageWindow } from './messageWindow.js';

/** Rows are derived at most once in this time while many events arrive: one frame. */
const FRAME = 16;

/** One open chat (C1–C6, S1, S3, S4, S6). */
export class ConversationViewModel {
  #roomId;
  #services;
  #window;
  #state = new Observable(NOTHING_KNOWN);
  #subscriptions;
  #newAfter = null;
  #below = [];
  #view = { lastSeqVisible: 0, focused: false, atBottom: true };
  #missing = false;
  #builtAt = -Infinity;
  #buildTimer = null;
  #dayTimer = null;
  #ticket = 0;
  #place = null;
  #closed = false;

  /** @type {ObservableArray<import('./types.js').MessageRow>} */
  rows = new ObservableArray({ equals: sameRow });

  /**
   * @param {string} roomId
   * @param {object} services `store`, `api`, `outbox`, `receipts`, `sync`, `clock`
   */
  constructor(roomId, services) {
    this.#roomId = roomId;
    this.#services = services;
    const { store, outbox, sync } = services;
    this.#window = new MessageWindow(roomId, services, {
      onChange: () => this.#build(),
      onLoaded: (messages) => this.#loaded(messages),
    });
    this.#subscriptions = [
      store.subscribe((change) => this.#storeChanged(change)),
      outbox.subscribe((change) => this.#outboxChanged(change)),
      sync.subscribe(({ connection }) => {
        if (connection === 'online' && this.#window.error) this.reload();
      }),
    ];
    this.#nextDay();
    this.#showHeader();
  }

  get roomId() { return this.#roomId; }

  /** @returns {import('./types.js').ConversationState} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#closed = true;
    this.#window.close();
    for (const end of this.#subscriptions) end();
    this.#services.clock.clearTimeout(this.#buildTimer);
    this.#services.clock.clearTimeout(this.#dayTimer);
  }

  /** Shows what is kept at once, then what the server has: at `at`, the first unread message, or the newest. */
  async open({ at = null } = {}) {
    const { store, sync } = this.#services;
    let from = null;
    // A chat that is known by its address alone: its newest messages are asked for together with what it is.
    const early = at === null && !this.#window.knowsRoom;
    const found = this.#window.findRoom().then((there) => {
      if (there) ({ newAfter: this.#newAfter, from } = unreadOf(store.room(this.#roomId)));
      return there && !this.#closed;
    });
    this.#window.loadReceipts();
    const latest = early ? this.#window.openLatest(found.then((there) => there && from === null)) : null;
    if (!await found) return;
    if (at !== null) return this.jumpTo(at);
    if (from === null) sync.kept(this.#roomId).then((messages) => this.#showKept(messages));
    const shown = await (from === null ? latest ?? this.#window.openLatest() : this.#window.openAround(from));
    if (shown) this.#goToStart();
  }

  loadEarlier() {
    return this.#window.loadEarlier();
  }

  loadLater() {
    return this.#window.loadLater();
  }

  async jumpToLatest() {
    const shown = this.#window.timeline.live || await this.#window.openLatest();
    if (!shown) return;
    this.#below = [];
    this.#goTo('latest', null);
  }

  async jumpTo(seq) {
    const shown = this.#window.timeline.get(seq) !== null || await this.#window.openAround(seq);
    if (!shown) return;
    const message = this.#window.timeline.get(seq);
    if (message) this.#goTo('message', keyOf(message, this.#services.store.isMine(message)));
    else this.#goTo('latest', null);
  }

  /** @param {string} isoDate '2026-03-14', a local day, or a time with its zone */
  async jumpToDate(isoDate) {
    const from = /^\d{4}-\d\d-\d\d$/.test(isoDate) ? new Date(`${isoDate}T00:00:00`) : new Date(isoDate);
    if (Number.isNaN(from.getTime()) || !await this.#window.openOn(from.toISOString())) return;
    const first = this.#window.timeline.messages.find((message) => Date.parse(message.created_at) >= from.getTime());
    if (first) this.#goTo('message', keyOf(first, this.#services.store.isMine(first)));
    else this.#goTo('latest', null);
  }

  async retry(key) {
    this.#services.outbox.retry(key);
  }

  async remove(key) {
    this.#services.outbox.remove(key);
  }

  /** Loads again what failed. */
  async reload() {
    this.#window.error = null;
    if (this.#window.loaded && this.#window.timeline.size > 0) return this.#window.reload(this.#view.lastSeqVisible);
    await this.open();
  }

  /**
   * Says what is on the screen. Only what a focused window shows counts as read (S4).
   * @param {{lastSeqVisible: number|null, focused: boolean, atBottom: boolean}} view
   */
  async visible({ lastSeqVisible, focused, atBottom }) {
    this.#view = { lastSeqVisible: lastSeqVisible ?? 0, focused, atBottom };
    const following = atBottom && this.#window.timeline.live;
    this.#window.readAt(following ? null : lastSeqVisible);
    this.#readVisible();
    this.#below = following ? [] : this.#below.filter((seq) => seq > (lastSeqVisible ?? 0));
    this.#showBelow();
  }

  /** Kept rows say nothing of what is unread: they count once the server has answered. */
  #readVisible() {
    const { lastSeqVisible, focused } = this.#view;
    if (focused && lastSeqVisible > 0 && this.#window.loaded) {
      this.#services.receipts.read(this.#roomId, lastSeqVisible);
    }
  }

  #showKept(messages) {
    if (this.#closed || this.#window.timeline.size > 0) return;
    for (const message of messages) this.#services.store.meet(message.sender, { fresh: false });
    if (this.#window.showKept(messages)) this.#goToStart();
  }

  #loaded(messages) {
    const { store, outbox, receipts, sync } = this.#services;
    for (const message of messages) if (store.isMine(message)) outbox.settle(message);
    const { live, messages: all } = this.#window.timeline;
    const last = all.at(-1);
    if (last) receipts.delivered(this.#roomId, last.seq);
    if (live) sync.keep(this.#roomId, all);
    if (all.some((message) => message.seq === this.#view.lastSeqVisible)) this.#readVisible();
  }

  #storeChanged(change) {
    if (change.type === 'message' && change.message.room_id === this.#roomId) this.#arrived(change);
    const here = change.roomId === this.#roomId;
    if (change.type === 'removed' && here) {
      this.#missing = true;
      this.#build();
    } else if (change.type === 'reset') {
      this.#window.loadReceipts();
      this.#window.reload(this.#view.lastSeqVisible);
    } else if (change.type === 'receipts' && here) this.#build();
    else if (change.type === 'me') this.#build();
    else if (change.type === 'user') {
      this.#buildSoon();
      this.#showHeader();
    } else if (change.type === 'rooms' || (here && ['room', 'typing'].includes(change.type))) this.#showHeader();
    if (change.type === 'rooms' && this.#window.outdated) this.#window.reload(this.#view.lastSeqVisible);
  }

  #arrived({ kind, message }) {
    const { store } = this.#services;
    const fresh = kind === 'created' && !this.#window.timeline.get(message.seq);
    const own = store.isMine(message);
    if (fresh && !own && this.#window.loaded) {
      const following = this.#view.atBottom && this.#window.timeline.live;
      if (!following) this.#below.push(message.seq);
      const allRead = (store.room(this.#roomId)?.read_seq ?? 0) >= message.seq - 1;
      if (!this.#view.focused && allRead) this.#newAfter = message.seq - 1;
    }
    if (kind === 'deleted') this.#below = this.#below.filter((seq) => seq !== message.seq);
    if (this.#window.merge(message)) this.#buildSoon();
    else this.#showBelow();
  }

  #outboxChanged(change) {
    if (change.type === 'loaded') return this.#build();
    if (change.entry.roomId !== this.#roomId) return;
    if (change.type === 'sent') {
      this.#window.merge(change.message);
      return this.#build();
    }
    if (change.type !== 'added') return this.#build();
    this.#newAfter = null;
    if (!this.#window.timeline.live && this.#window.loaded) {
      this.jumpToLatest();
      return;
    }
    this.#goTo('latest', null);
  }

  #goToStart() {
    const line = this.rows.items.find((row) => row.newLine);
    this.#goTo(line ? 'new' : 'latest', line?.key ?? null);
  }

  #goTo(kind, key) {
    this.#ticket += 1;
    this.#place = Object.freeze({ kind, key, ticket: this.#ticket });
    this.#build();
  }

  #buildSoon() {
    const { clock } = this.#services;
    const wait = this.#builtAt + FRAME - clock.now();
    if (wait <= 0) return this.#build();
    this.#buildTimer ??= clock.setTimeout(() => this.#build(), wait);
  }

  #build() {
    if (this.#closed) return;
    const { store, outbox, clock } = this.#services;
    clock.clearTimeout(this.#buildTimer);
    this.#buildTimer = null;
    this.#builtAt = clock.now();
    const { timeline, loaded, loading, error } = this.#window;
    const showsEnd = timeline.live || !loaded;
    this.rows.replaceAll(this.#missing ? [] : buildRows({
      messages: timeline.messages,
      pending: showsEnd ? outbox.entries(this.#roomId) : [],
      store,
      ticks: store.ticks(this.#roomId),
      newAfter: this.#newAfter,
      now: clock.now(),
    }));
    const missing = this.#missing || error?.kind === 'not-found';
    this.#state.update({
      loading: this.rows.length === 0 && !loaded && error === null && !missing,
      loadingEarlier: loading.has('earlier'),
      loadingLater: loading.has('later'),
      atLatest: timeline.live,
      hasEarlier: this.#window.hasEarlier,
      hasLater: this.#window.hasLater,
      empty: loaded && this.rows.length === 0 && !missing,
      missing,
      error: error && !missing ? `${texts.conversation.loadFailed} ${problemText(error)}` : null,
      place: this.#place,
    });
    this.#showBelow();
  }

  #showBelow() {
    const newBelow = this.#below.length;
    this.#state.update({ newBelow, newBelowText: texts.conversation.newBelow(newBelow) });
  }

  #showHeader() {
    const { store, clock } = this.#services;
    const room = store.room(this.#roomId);
    if (!room) return;
    this.#state.update(headerOf(room, store, clock.now(), this.#state.state.peer));
  }

  /** "Today" becomes "Yesterday" at midnight. */
  #nextDay() {
    const { clock } = this.#services;
    this.#dayTimer = clock.setTimeout(() => {
      this.#build();
      this.#showHeader();
      this.#nextDay();
    }, midnight(clock.now(), 1) - clock.now() + 1);
  }
}
