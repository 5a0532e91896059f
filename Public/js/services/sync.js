import { Observable } from '../models/observableArray.js';
import { Kept, forgetShown } from './kept.js';

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 10_000;
const REFRESH_AGAIN = 2000;
/** Presence is loaded for so many people, in requests of the API's maximum. */
const MOST_PEERS = 200;
const PEERS_AT_ONCE = 100;

/**
 * Keeps the store current: from the browser's storage at once, then from the server's changes since then or its whole
 * state, then from its events; again after a `reset`. Sends delivered receipts, and settles outbox entries that came
 * back as events. `asked` in its state: the server has answered, or failed to; until then stored data may show.
 * @extends {Observable<{connection: any, loading: boolean, error: any, asked: boolean}>}
 */
export class ChatSync extends Observable {
  #services;
  #timers = {};
  #kept;
  /** Shows data stored up to an event, and asks only for what came after it. */
  #resuming = false;
  #complete = false;
  #refreshing = new Map();
  /** Chats whose unread count only the server knows. */
  #inexact = new Set();
  #attempt = 0;
  #loading = 0;
  /** The network came back during a load, which may have been asked over the former one. */
  #woken = false;
  #stopped = false;
  #leaving = false;
  /** Whether people may have come and gone unheard since presence was last requested. */
  #presenceIsOld = true;
  #seesPresence = null;
  /** Called once when the session is over, or there is none. */
  onSessionEnded = () => {};

  /**
   * @param {object} services
   * @param {import('./api.js').Api} services.api
   * @param {import('../models/chatStore.js').ChatStore} services.store
   * @param {import('./storage.js').BrowserStorage} services.storage
   * @param {import('./storage.js').LocalTexts} services.drafts
   * @param {import('./storage.js').LocalTexts} services.preferences
   * @param {import('./eventStream.js').EventStream|import('./sharedStream.js').SharedStream} services.stream
   * @param {import('./outbox.js').Outbox} services.outbox
   * @param {import('./receipts.js').Receipts} services.receipts
   * @param {import('../viewmodels/types.js').Clock} services.clock
   */
  constructor(services) {
    super({ connection: 'connecting', loading: true, error: null, asked: false });
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

  /** Shows stored data, then loads and follows the server's state. Does not reject. */
  async start() {
    const { storage, store } = this.#services;
    const [me, kept] = await Promise.all([storage.get('meta', 'me'), storage.get('meta', 'rooms')]);
    if (me && kept?.rooms && !this.#stopped) {
      this.#resuming = this.#complete = Number.isInteger(kept.eventId);
      store.setMe(me);
      store.restore(kept);
      this.update({ loading: false });
      this.#services.outbox.start();
    }
    this.#kept.restored();
    await this.#load();
  }

  /** Reloads the state at once if the last attempt failed. */
  retry() { return this.#load(); }
  /** The page was shown again, or the network changed. */
  wake() {
    this.#services.stream.wake();
    this.#woken = this.#loading > 0;
    if (this.#timers.load !== undefined) this.#load();
  }

  /** Signs out, then wipes. The stream's end of the session must not close the page before that. */
  async leave(signOut) {
    this.#leaving = true;
    await signOut().catch((error) => {
      this.#leaving = false;
      throw error;
    });
    await this.wipe();
  }

  /** Stops, and deletes everything stored. */
  async wipe() {
    this.#stop();
    const { storage, drafts, outbox, receipts } = this.#services;
    receipts.close();
    await this.#kept.close();
    for (const kept of [drafts, outbox, storage]) await kept.wipe();
  }

  /** The stored newest messages of a chat, or its changes, once the chats are known. @returns {Promise<object[]>} */
  kept(roomId, what = /** @type {'messages'|'changes'} */ ('messages')) { return this.#kept.of(roomId, what); }

  /** Stores the newest messages of a chat, which are current, or its changes. */
  keep(roomId, messages, whole = false, changes = null) {
    this.#kept.tell((keeper, eventId) => keeper.keep(roomId, messages, eventId, whole, changes), roomId);
  }

  /** Makes `keeper` store messages, events so far included. @param {import('./keeping.js').Keeping} keeper */
  attach(keeper) { this.#kept.attach(keeper); }

  /** Whether the server has confirmed everything in the store, so that the next start may continue from it. */
  get settled() {
    const { settled } = this.#services.store;
    return settled && this.#complete && !this.#resuming && this.#refreshing.size === 0 && this.#inexact.size === 0;
  }

  async #load() {
    const { api, store, storage, stream, outbox, receipts, drafts, preferences } = this.#services;
    this.#services.clock.clearTimeout(this.#timers.load);
    this.#timers.load = undefined;
    if (this.#stopped) return;
    this.#loading += 1;
    try {
      const since = this.#resuming ? store.lastEventId : null;
      const asked = since === null ? api.rooms() : api.sync(since, 0);
      const [session, state] = await Promise.all([api.session(), asked]);
      if (this.#stopped) return;
      const owner = await storage.get('meta', 'owner');
      const isOther = owner && owner !== session.body.id;
      // Another person signed in before the last one signed out, whose data must not show or be sent.
      if (isOther) {
        for (const texts of [drafts, preferences, outbox, storage]) await texts.wipe();
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
      this.update({ loading: false, error: null, asked: true });
      stream.open(store.lastEventId);
      this.#connectionChanged(stream.state);
      outbox.start();
      for (const room of store.rooms()) if (room.unread_count > 0) receipts.delivered(room.id, room.last_seq);
      if (since === null) await this.#loadMore(state);
    } catch (error) {
      if (this.#stopped || error.kind === 'unauthenticated') return;
      const connection = error.status === 0 ? 'offline' : 'connecting';
      this.update({ error, loading: false, asked: true, connection });
      const pause = this.#woken ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#attempt);
      this.#attempt = this.#woken ? 0 : this.#attempt + 1;
      this.#woken = false;
      this.#services.clock.clearTimeout(this.#timers.load);
      this.#timers.load = this.#services.clock.setTimeout(() => this.#load(), Math.max(pause, error.retryAfter ?? 0));
    } finally {
      this.#loading -= 1;
    }
  }

  /** Loads the server's whole state: the stored one may be outdated. */
  #take(rooms) {
    const { store } = this.#services;
    this.#complete = false;
    this.#presenceIsOld = true;
    this.#inexact.clear();
    const again = store.lastEventId !== null;
    store.load(rooms.body, rooms.eventId ?? 0);
    if (again) store.tellReset();
    else this.#kept.forget();
  }

  /** Loads the further pages of a long list of chats, while the first shows. */
  async #loadMore({ eventId, next }) {
    const { api, store, receipts } = this.#services;
    let page = { next };
    while (page.next) {
      page = await api.rooms(page.next);
      // Reloaded meanwhile, which loads the rest.
      if (this.#stopped || store.baseEventId !== eventId) return;
      store.loadMore(page.body);
      for (const room of page.body) if (room.unread_count > 0) receipts.delivered(room.id, room.last_seq);
    }
    this.#complete = true;
  }

  #connectionChanged(connection) {
    this.update({ connection });
    if (connection !== 'online') {
      this.#presenceIsOld = true;
      return;
    }
    if (this.#presenceIsOld) this.#catchUpOnPresence();
    this.#presenceIsOld = false;
    this.#services.outbox.poke();
    this.#services.receipts.poke();
  }

  /** Asks who is online; of the newest chats first. An answer from before the stream is open may miss a change. */
  async #catchUpOnPresence(ids = this.#services.store.presenceWanted()) {
    try {
      const peers = ids.slice(0, MOST_PEERS);
      while (peers.length > 0 && !this.#stopped) {
        const data = { last_seen_at: null, told: this.#services.store.presenceTold };
        const { body } = await this.#services.api.presence(peers.splice(0, PEERS_AT_ONCE));
        for (const one of body) this.#apply({ id: null, event: 'presence', data: { ...data, ...one } });
      }
    } catch {
      // The stream reports later changes in any case.
    }
  }

  #apply(event) {
    if (!this.#stopped) this.#services.store.apply(event, this.#services.clock.now());
  }

  #storeChanged(change) {
    const { store, outbox, receipts, clock } = this.#services;
    const { type, roomId } = change;
    if (type === 'message') {
      const { kind, message } = change;
      if (store.isMine(message)) outbox.settle(message);
      else if (kind === 'created') receipts.delivered(message.room_id, message.seq);
    }
    if (type === 'typing') this.#expireTyping(clock.now());
    const concerns = roomId ?? change.message?.room_id ?? change.data?.room_id;
    this.#kept.tell((keeper, eventId) => keeper.take(change, eventId), concerns);
    if (type === 'unknown-room' || type === 'inexact') this.refresh(roomId);
    // A new chat, or one beyond the loaded pages. Once the stream is open, all are asked for.
    const stranger = type === 'room' && !this.#presenceIsOld && store.lacksPresence(roomId);
    if (stranger) this.#catchUpOnPresence([stranger]);
    if (type === 'me' || (type === 'user' && change.userId === store.me?.id)) this.#meChanged(store.me);
    if (type === 'removed') for (const known of [this.#refreshing, this.#inexact]) known.delete(roomId);
  }

  /** People who hide their presence see nobody's: reloads the presence of others. */
  #meChanged(me) {
    this.#services.storage.put('meta', 'me', me);
    const before = this.#seesPresence;
    this.#seesPresence = me.settings?.last_seen ?? null;
    if (before !== null && this.#seesPresence !== before) this.#catchUpOnPresence();
  }

  #expireTyping(now) {
    const { store, clock } = this.#services;
    clock.clearTimeout(this.#timers.typing);
    const next = store.expireTyping(now);
    if (next === null) return;
    this.#timers.typing = clock.setTimeout(() => this.#expireTyping(clock.now()), next - now);
  }

  /** Loads one chat if events do not suffice. */
  async refresh(roomId) {
    if (this.#refreshing.has(roomId)) return;
    const { api, store, clock } = this.#services;
    this.#inexact.add(roomId);
    const turn = Symbol(roomId);
    this.#refreshing.set(roomId, turn);
    try {
      const { body, eventId } = await api.room(roomId);
      // The chat left the list meanwhile, or came back by an event.
      if (this.#refreshing.get(roomId) !== turn) return;
      // A state older than the events received meanwhile would undo them.
      const current = eventId === null || eventId >= (store.lastEventId ?? 0);
      if (!this.#stopped && (current || !store.room(roomId))) store.putRoom(body);
      if (current) this.#inexact.delete(roomId);
      // In a busy chat the response is outdated on arrival: asks again a moment later.
      else clock.setTimeout(() => !this.#stopped && this.#inexact.has(roomId) && this.refresh(roomId), REFRESH_AGAIN);
    } catch {
      // The next event or load retries.
    }
    if (this.#refreshing.get(roomId) === turn) this.#refreshing.delete(roomId);
  }

  #stop() {
    this.#stopped = true;
    this.#services.stream.close();
    for (const timer of Object.values(this.#timers)) this.#services.clock.clearTimeout(timer);
  }

  /** The session ended elsewhere: deletes what was shown, and keeps unsent text for its author. */
  #sessionEnded() {
    if (this.#stopped || this.#leaving) return;
    this.#stop();
    // The current write ends before the deletion.
    this.#kept.close().then(() => forgetShown(this.#services.storage)).then(() => this.onSessionEnded());
  }
}
