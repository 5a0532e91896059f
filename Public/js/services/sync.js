import { Observable } from '../models/observableArray.js';
import { Kept, forgetShown } from './kept.js';

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 10_000;
const REFRESH_AGAIN = 2000;

/**
 * Keeps the store true: from the browser's storage at once, then from what the server says has changed since then, or
 * from its whole state, then from its events; anew after a `reset`. Sends delivered receipts, and settles outbox
 * entries that came back as events.
 */
export class ChatSync {
  #services;
  #status = new Observable({ connection: 'connecting', loading: true, error: null });
  #timers = {};
  #kept;
  /** What is shown is what was kept up to an event: only what came after it is asked for. */
  #resuming = false;
  #complete = false;
  #refreshing = new Map();
  /** Chats of which only the server knows what is unread, until it was asked. */
  #inexact = new Set();
  #attempt = 0;
  #stopped = false;
  #leaving = false;
  #wasLost = false;
  #seesPresence = null;

  /** Called once when this browser is not signed in (any more). */
  onSessionEnded = () => {};

  /**
   * @param {object} services
   * @param {import('./api.js').Api} services.api
   * @param {import('../models/chatStore.js').ChatStore} services.store
   * @param {import('./storage.js').BrowserStorage} services.storage
   * @param {import('./storage.js').LocalTexts} services.drafts
   * @param {import('./eventStream.js').EventStream} services.stream
   * @param {import('./outbox.js').Outbox} services.outbox
   * @param {import('./receipts.js').Receipts} services.receipts
   * @param {import('../viewmodels/types.js').Clock} services.clock
   */
  constructor(services) {
    this.#services = services;
    this.#kept = new Kept(services);
    const { api, stream, store } = services;
    api.onUnauthenticated = () => this.#sessionEnded();
    stream.onEvent = (event) => this.#apply(event);
    stream.onState = (connection) => this.#connectionChanged(connection);
    stream.onReset = () => this.#load();
    stream.onSessionEnded = () => this.#sessionEnded();
    store.subscribe((change) => this.#storeChanged(change));
    services.outbox.subscribe(({ type, message }) => {
      if (type === 'sent') store.putSent(message);
    });
  }

  /** @returns {{connection: 'online'|'connecting'|'offline', loading: boolean, error: object|null}} */
  get state() { return this.#status.state; }
  subscribe(listener) { return this.#status.subscribe(listener); }

  /** Shows what was stored, then loads and follows the server. Does not reject. */
  async start() {
    const { storage, store } = this.#services;
    const [me, kept] = await Promise.all([storage.get('meta', 'me'), storage.get('meta', 'rooms')]);
    if (me && kept?.rooms && !this.#stopped) {
      this.#resuming = this.#complete = Number.isInteger(kept.eventId);
      store.setMe(me);
      store.load(kept.rooms.map(unseen), kept.eventId);
      this.#status.update({ loading: false });
      this.#services.outbox.start();
    }
    this.#kept.restored();
    await this.#load();
  }

  /** Reads the state anew at once, if the last try failed. */
  retry() { return this.#load(); }
  /** The page was shown again, or the network changed. */
  wake() { this.#services.stream.wake(); }

  /** Signs out, then wipes. The stream's word that the session ended must not end the page before that. */
  async leave(signOut) {
    this.#leaving = true;
    try {
      await signOut();
    } catch (error) {
      this.#leaving = false;
      throw error;
    }
    await this.wipe();
  }

  /** Ends everything and forgets what is kept, for good: nothing is stored after this. */
  async wipe() {
    this.#stop();
    const { storage, drafts, outbox, receipts } = this.#services;
    receipts.close();
    drafts.wipe();
    await this.#kept.close();
    await outbox.wipe();
    await storage.wipe();
  }

  /** The newest messages of a chat as this browser kept them, once it knows its chats. @returns {Promise<object[]>} ascending */
  kept(roomId) { return this.#kept.of(roomId); }

  /** Keeps the newest messages of a chat, which are true up to now. */
  keep(roomId, messages, whole = false) {
    this.#kept.tell((keeper, eventId) => keeper.keep(roomId, messages, eventId, whole), roomId);
  }

  /** From now on `keeper` writes what is kept, and learns what happened before. @param {import('./keeping.js').Keeping} keeper */
  attach(keeper) { this.#kept.attach(keeper); }

  /** Whether all that the store shows is the server's word, so that the next start may go on from it. */
  get settled() {
    const { settled } = this.#services.store;
    return settled && this.#complete && !this.#resuming && this.#refreshing.size === 0 && this.#inexact.size === 0;
  }

  async #load() {
    const { api, store, storage, stream, outbox, drafts, preferences } = this.#services;
    this.#services.clock.clearTimeout(this.#timers.load);
    if (this.#stopped) return;
    try {
      const since = this.#resuming ? store.lastEventId : null;
      const asked = since === null ? api.rooms() : api.sync(since, 0);
      const [session, state] = await Promise.all([api.session(), asked]);
      if (this.#stopped) return;
      const owner = await storage.get('meta', 'owner');
      const isOther = owner && owner !== session.body.id;
      // Somebody else signed in here without the last one signing out: nothing of theirs may show or be sent.
      if (isOther) {
        for (const texts of [drafts, preferences]) texts.wipe();
        await outbox.wipe();
        await storage.wipe();
      }
      if (this.#stopped) return;
      storage.put('meta', 'owner', session.body.id);
      storage.put('meta', 'me', session.body);
      this.#attempt = 0;
      this.#resuming = false;
      if (since !== null && (isOther || state.body.reset)) return await this.#load();
      store.setMe(session.body);
      if (since === null) this.#take(state);
      else for (const event of state.body.events) if (Number.isInteger(event.id)) this.#apply(event);
      this.#status.update({ loading: false, error: null });
      stream.open(store.lastEventId);
      this.#connectionChanged(stream.state);
      outbox.start();
      for (const room of store.rooms()) if (room.unread_count > 0) this.#received(room.id, room.last_seq);
      if (since === null) await this.#loadMore(state);
      else await this.#catchUpOnPresence();
    } catch (error) {
      if (this.#stopped || error.kind === 'unauthenticated') return;
      this.#attempt += 1;
      this.#status.update({
        error,
        loading: false,
        connection: error.status === 0 ? 'offline' : 'connecting',
      });
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (this.#attempt - 1));
      this.#timers.load = this.#services.clock.setTimeout(() => this.#load(), Math.max(pause, error.retryAfter ?? 0));
    }
  }

  /** The server's whole state in the place of what was known: of what was kept nobody knows whether it is still so. */
  #take(rooms) {
    const { store } = this.#services;
    this.#complete = false;
    this.#inexact.clear();
    const again = store.lastEventId !== null;
    store.load(rooms.body, rooms.eventId ?? 0);
    if (again) store.tellReset();
    else this.#kept.forget();
  }

  /** The further pages of a long list of chats, while the first is shown. */
  async #loadMore({ eventId, next }) {
    const { api, store } = this.#services;
    let page = { next };
    while (page.next) {
      page = await api.rooms(page.next);
      // Loaded anew meanwhile, the rest comes with that.
      if (this.#stopped || store.baseEventId !== eventId) return;
      store.loadMore(page.body);
      for (const room of page.body) if (room.unread_count > 0) this.#received(room.id, room.last_seq);
    }
    this.#complete = true;
  }

  #connectionChanged(connection) {
    const before = this.#status.state.connection;
    this.#status.update({ connection });
    if (connection !== 'online') {
      this.#wasLost ||= before === 'online';
      return;
    }
    if (this.#wasLost) this.#catchUpOnPresence();
    this.#wasLost = false;
    this.#services.outbox.poke();
    this.#services.receipts.poke();
  }

  async #catchUpOnPresence() {
    const { api, store } = this.#services;
    try {
      const { catchUpOnPresence } = await import('./presence.js');
      await catchUpOnPresence(api, store.orderedRooms(), (event) => !this.#stopped && this.#apply(event));
    } catch {
      // What comes by the stream from now on is true in any case.
    }
  }

  #apply(event) {
    const { store, clock } = this.#services;
    store.apply(event, clock.now());
    return true;
  }

  #storeChanged(change) {
    const { store, outbox, clock } = this.#services;
    const { type, roomId } = change;
    if (type === 'message') {
      const { kind, message } = change;
      if (store.isMine(message)) outbox.settle(message);
      else if (kind === 'created') this.#received(message.room_id, message.seq);
    }
    if (type === 'typing') this.#expireTyping(clock.now());
    this.#kept.tell((keeper, eventId) => keeper.take(change, eventId), roomId ?? change.message?.room_id);
    if (type === 'unknown-room' || type === 'inexact') this.#refresh(roomId);
    if (type === 'me') this.#meChanged(store.me);
    if (type === 'removed') {
      this.#refreshing.delete(roomId);
      this.#inexact.delete(roomId);
    }
  }

  /** Whoever hides when he was here sees it of nobody: what the page knows of the others is asked for anew (S6). */
  #meChanged(me) {
    this.#services.storage.put('meta', 'me', me);
    const before = this.#seesPresence;
    this.#seesPresence = me.settings?.last_seen ?? null;
    if (before !== null && this.#seesPresence !== before) this.#catchUpOnPresence();
  }

  #received(roomId, seq) { this.#services.receipts.delivered(roomId, seq); }

  #expireTyping(now) {
    const { store, clock } = this.#services;
    clock.clearTimeout(this.#timers.typing);
    const next = store.expireTyping(now);
    if (next === null) return;
    this.#timers.typing = clock.setTimeout(() => this.#expireTyping(clock.now()), next - now);
  }

  /** Asks the server for one chat where events alone do not suffice. */
  async #refresh(roomId) {
    if (this.#refreshing.has(roomId)) return;
    const { api, store, clock } = this.#services;
    this.#inexact.add(roomId);
    const turn = Symbol(roomId);
    this.#refreshing.set(roomId, turn);
    try {
      const { body, eventId } = await api.room(roomId);
      // It left the list meanwhile, or came back by an event of its own.
      if (this.#refreshing.get(roomId) !== turn) return;
      // An older state than the events that came meanwhile would undo them.
      const current = eventId === null || eventId >= (store.lastEventId ?? 0);
      if (!this.#stopped && (current || !store.room(roomId))) store.putRoom(body);
      if (current) this.#inexact.delete(roomId);
      // Where much happens an answer is old when it comes: asked again a moment later.
      else clock.setTimeout(() => !this.#stopped && this.#inexact.has(roomId) && this.#refresh(roomId), REFRESH_AGAIN);
    } catch {
      // The next event or the next load tries again.
    }
    if (this.#refreshing.get(roomId) === turn) this.#refreshing.delete(roomId);
  }

  #stop() {
    this.#stopped = true;
    this.#services.stream.close();
    for (const timer of Object.values(this.#timers)) this.#services.clock.clearTimeout(timer);
  }

  /** The session ended elsewhere: what was read here goes, what was written stays for its writer (S3). */
  #sessionEnded() {
    if (this.#stopped || this.#leaving) return;
    this.#stop();
    // What is being written is done before it goes.
    this.#kept.close().then(() => forgetShown(this.#services.storage)).then(() => this.onSessionEnded());
  }
}

/** A kept chat: who was here when it was kept need not be here now. */
function unseen(room) {
  return room.peer?.online ? { ...room, peer: { ...room.peer, online: false } } : room;
}
