import { previewOf } from '../models/format.js';
import { Observable, ObservableArray } from '../models/observableArray.js';
import { texts } from '../models/texts.js';

const TOAST_LASTS = 6000;
const MOST_TOASTS = 3;

/** The frame around all pages: title, sum of unread messages (L2), and toasts for other chats (L5). */
export class ShellViewModel {
  #services;
  #state = new Observable({ title: texts.appName, totalUnread: 0, me: null, section: 'chats', roomId: null });
  #subscriptions;
  #timers = new Map();

  /** @type {ObservableArray<import('./types.js').Toast>} newest last, at most three, one a chat */
  toasts = new ObservableArray({ key: (toast) => toast.id });

  /** @param {object} services `store`, `sync`, `clock` */
  constructor(services) {
    this.#services = services;
    this.#subscriptions = [services.store.subscribe((change) => this.#storeChanged(change))];
    this.#show();
  }

  /** @returns {import('./types.js').ShellState} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    for (const end of this.#subscriptions) end();
    for (const timer of this.#timers.values()) this.#services.clock.clearTimeout(timer);
  }

  /** The page's address changed. */
  show(section, roomId = null) {
    this.#state.update({ section, roomId });
    if (roomId !== null) this.dismiss(roomId);
    this.#show();
  }

  dismiss(id) {
    this.#services.clock.clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    const index = this.toasts.indexOfKey(id);
    if (index >= 0) this.toasts.removeAt(index);
  }

  #storeChanged(change) {
    const { store } = this.#services;
    if (change.type === 'message' && change.kind === 'created') this.#toast(change.message);
    if (change.type === 'room' && store.room(change.roomId)?.unread_count === 0) this.dismiss(change.roomId);
    if (change.type === 'removed') this.dismiss(change.roomId);
    this.#show();
  }

  #toast(message) {
    const { store, clock } = this.#services;
    const roomId = message.room_id;
    const room = store.room(roomId);
    if (store.isMine(message) || message.deleted_at || roomId === this.state.roomId || room?.muted) return;
    // Read on another device already: the pointer's event may come before the page shows.
    if (room && room.read_seq >= message.seq) return;
    const sender = store.person(message.sender);
    const roomName = room && !room.peer ? room.name : sender.name;
    const toast = { id: roomId, roomId, sender, roomName, text: previewOf(message.text) };
    this.dismiss(roomId);
    if (this.toasts.length >= MOST_TOASTS) this.dismiss(this.toasts.items[0].id);
    this.toasts.insert(this.toasts.length, toast);
    this.#timers.set(roomId, clock.setTimeout(() => this.dismiss(roomId), TOAST_LASTS));
  }

  #show() {
    const { store } = this.#services;
    const { section, roomId } = this.state;
    const room = roomId === null ? null : store.room(roomId);
    const totalUnread = store.totalUnread();
    const name = room ? (room.peer ? store.person(room.peer).name : room.name) : texts.sections[section];
    this.#state.update({
      title: texts.shell.title(totalUnread, name),
      totalUnread,
      me: store.me && store.person(store.me),
    });
  }
}
