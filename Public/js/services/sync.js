import { Observable } from '../models/observableArray.js';
import { KeptMessages } from './storage.js';

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 10_000;
const KEEP_AFTER = 1000;
const KEPT_ROOMS = 200;

/**
 * Keeps the store true: from the browser's storage at once, then from the server's state, then from its events;
 * anew after a `reset`. Sends delivered receipts, and settles outbox entries that came back as events.
 */
export class ChatSync {
  #services;
  #status = new Observable({ connection: 'connecting', loading: true, error: null });
  #timers = {};
  #kept;
  #refreshing = new Map();
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
    this.#kept = new KeptMessages(services.storage);
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
  get state() {
    return this.#status.state;
  }

  subscribe(listener) {
    return this.#status.subscribe(listener);
  }

  /** Shows what was stored, then loads and follows the server. Does not reject. */
  async start() {
    const { storage, store } = this.#services;
    const [me, rooms] = await Promise.all([storage.get('meta', 'me'), storage.get('meta', 'rooms')]);
    if (me && rooms && !this.#stopped) {
      store.setMe(me);
      store.load(rooms);
      this.#status.update({ loading: false });
      this.#services.outbox.start();
    }
    await this.#load();
  }

  /** Reads the state anew at once, if the last try failed. */
  retry() {
    return this.#load();
  }

  /** The page was shown again, or the network changed. */
  wake() {
    this.#services.stream.wake();
  }

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
    await outbox.wipe();
    await storage.wipe();
  }

  /** The newest messages of a chat as this browser kept them. @returns {Promise<object[]>} ascending */
  async kept(roomId) {
    const messages = await this.#kept.of(roomId);
    // It may have been cleared on another device while this one was away.
    return messages.filter((message) => message.seq > (this.#services.store.room(roomId)?.cleared_seq ?? 0));
  }

  /** Keeps the newest messages of a chat. */
  keep(roomId, messages) {
    this.#kept.keep(roomId, messages);
    this.#later('messages', () => this.#kept.write());
  }

  async #load() {
    const { api, store, storage, stream, outbox, drafts } = this.#services;
    this.#services.clock.clearTimeout(this.#timers.load);
    if (this.#stopped) return;
    try {
      const [session, rooms] = await Promise.all([api.session(), api.rooms()]);
      if (this.#stopped) return;
      const owner = await storage.get('meta', 'owner');
      // Somebody else signed in here without the last one signing out: nothing of theirs may show or be sent.
      if (owner && owner !== session.body.id) {
        drafts.wipe();
        await outbox.wipe();
        await storage.wipe();
        this.#kept.clear();
      }
      if (this.#stopped) return;
      storage.put('meta', 'owner', session.body.id);
      storage.put('meta', 'me', session.body);
      const again = store.lastEventId !== null;
      this.#attempt = 0;
      store.setMe(session.body);
      store.load(rooms.body, rooms.eventId ?? 0);
      this.#status.update({ loading: false, error: null });
      stream.open(rooms.eventId ?? 0);
      this.#connectionChanged(stream.state);
      outbox.start();
      for (const room of rooms.body) if (room.unread_count > 0) this.#received(room.id, room.last_seq);
      if (again) {
        this.#kept.clear();
        store.tellReset();
      }
      await this.#loadMore(rooms);
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

  /** Presence is in no log: what changed of it while the stream was away is asked for. */
  async #catchUpOnPresence() {
    try {
      const { body } = await this.#services.api.rooms();
      for (const { peer } of this.#stopped ? [] : body) {
        if (!peer) continue;
        const data = { user_id: peer.id, online: peer.online, last_seen_at: peer.last_seen_at ?? null };
        this.#apply({ id: null, event: 'presence', data });
      }
    } catch {
      // What comes by the stream from now on is true in any case.
    }
  }

  #apply(event) {
    const { store, clock } = this.#services;
    store.apply(event, clock.now());
  }

  #storeChanged(change) {
    const { store, outbox, clock } = this.#services;
    const { type, roomId, seq } = change;
    if (type === 'message') {
      const { kind, message } = change;
      if (this.#kept.take(message, kind === 'created')) this.#later('messages', () => this.#kept.write());
      if (store.isMine(message)) outbox.settle(message);
      else if (kind === 'created') this.#received(message.room_id, message.seq);
    }
    if (type === 'typing') this.#expireTyping(clock.now());
    if (type === 'hidden') this.#kept.dropSome(roomId, (message) => message.seq === seq);
    if (type === 'cleared') this.#kept.dropSome(roomId, (message) => message.seq <= seq);
    if (type === 'unknown-room' || type === 'inexact') this.#refresh(roomId);
    if (type === 'me') this.#meChanged(store.me);
    if (type === 'removed') {
      this.#refreshing.delete(roomId);
      this.#kept.drop(roomId);
    }
    if (['rooms', 'room', 'removed', 'user'].includes(type)) this.#later('rooms', () => this.#storeRooms());
  }

  /** Whoever hides when he was here sees it of nobody: what the page knows of the others is asked for anew (S6). */
  #meChanged(me) {
    this.#services.storage.put('meta', 'me', me);
    const before = this.#seesPresence;
    this.#seesPresence = me.settings?.last_seen ?? null;
    if (before !== null && this.#seesPresence !== before) this.#catchUpOnPresence();
  }

  #storeRooms() {
    const { storage, store } = this.#services;
    storage.put('meta', 'rooms', store.orderedRooms().slice(0, KEPT_ROOMS));
  }

  #received(roomId, seq) {
    this.#services.receipts.delivered(roomId, seq);
  }

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
    const { api, store } = this.#services;
    const turn = Symbol(roomId);
    this.#refreshing.set(roomId, turn);
    try {
      const { body, eventId } = await api.room(roomId);
      // It left the list meanwhile, or came back by an event of its own.
      if (this.#refreshing.get(roomId) !== turn) return;
      // An older state than the events that came meanwhile would undo them.
      const current = eventId === null || eventId >= (store.lastEventId ?? 0);
      if (!this.#stopped && (current || !store.room(roomId))) store.putRoom(body);
    } catch {
      // The next event or the next load tries again.
    }
    if (this.#refreshing.get(roomId) === turn) this.#refreshing.delete(roomId);
  }

  #later(name, act) {
    if (this.#stopped || this.#timers[name]) return;
    this.#timers[name] = this.#services.clock.setTimeout(() => {
      this.#timers[name] = null;
      if (!this.#stopped) act();
    }, KEEP_AFTER);
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
    const { storage } = this.#services;
    const gone = [storage.wipe('messages'), storage.delete('meta', 'me'), storage.delete('meta', 'rooms')];
    Promise.all(gone).then(() => this.onSessionEnded());
  }
}
