import { previewOf } from '../models/format.js';
import { Observable, ObservableArray, onceSoon } from '../models/observableArray.js';
import { isHeard } from '../models/rooms.js';
import { texts } from '../models/texts.js';

const TOAST_LASTS = 6000;
const MOST_TOASTS = 3;

/** The frame around all pages: title, sum of unread messages (L2), and toasts for other chats (L5). */
export class ShellViewModel {
  #services;
  #state = new Observable({ title: texts.appName, totalUnread: 0, me: null, section: 'chats', roomId: null });
  #subscriptions;
  #timers = new Map();
  #held = new Set();
  #notices = 0;
  /** The sum goes over all chats: what arrives shows first. */
  #showLater;

  /** Whether nothing is to be told now (T2); what knows it arrives a moment after the page. @type {() => boolean} */
  isQuiet = () => false;

  /** @type {ObservableArray<import('./types.js').Toast>} newest last, at most three, one a chat */
  toasts = new ObservableArray({ key: (toast) => toast.id });

  /** @param {object} services `store`, `sync`, `clock` */
  constructor(services) {
    this.#services = services;
    this.#showLater = onceSoon(() => this.#show(), services.clock.afterPaint ?? ((act) => act()));
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
    this.#held.delete(id);
    const index = this.toasts.indexOfKey(id);
    if (index >= 0) this.toasts.removeAt(index);
  }

  /** Somebody looks at it: it stays. */
  hold(id) {
    this.#held.add(id);
    this.#services.clock.clearTimeout(this.#timers.get(id));
  }

  /** And goes a while later. */
  release(id) {
    if (this.#held.delete(id)) this.#leaveLater(id);
  }

  /** Says that something failed. @param {string} text */
  tell(text) {
    this.#notices += 1;
    this.#put({ id: `notice-${this.#notices}`, roomId: null, seq: null, sender: null, roomName: '', isGroup: false, text });
  }

  #storeChanged(change) {
    const { store } = this.#services;
    if (change.type === 'message') this.#messageChanged(change);
    if (change.type === 'room') this.#roomChanged(change.roomId);
    if (change.type === 'cleared') this.#dropRead(change.roomId);
    if (change.type === 'removed') this.dismiss(change.roomId);
    if (change.type === 'rooms') for (const { roomId } of [...this.toasts.items]) if (store.room(roomId)) this.#dropRead(roomId);
    this.#showLater();
  }

  #messageChanged({ kind, message }) {
    if (kind === 'created') return this.#toast(message);
    const index = this.toasts.indexOfKey(message.room_id);
    const toast = this.toasts.items[index];
    if (toast?.seq !== message.seq) return;
    if (kind === 'deleted') this.dismiss(toast.id);
    else this.toasts.update(index, { ...toast, text: previewOf(message.text) });
  }

  /** It got another name, or was not known when the message came. */
  #roomChanged(roomId) {
    this.#dropRead(roomId);
    const index = this.toasts.indexOfKey(roomId);
    const room = this.#services.store.room(roomId);
    if (index < 0 || !room || room.peer) return;
    const toast = this.toasts.items[index];
    if (toast.roomName !== room.name) this.toasts.update(index, { ...toast, roomName: room.name, isGroup: true });
  }

  /** Read elsewhere, cleared, or muted meanwhile. */
  #dropRead(roomId) {
    const toast = this.toasts.items[this.toasts.indexOfKey(roomId)];
    const room = this.#services.store.room(roomId);
    if (!toast || !room) return;
    if (room.read_seq >= toast.seq || room.cleared_seq >= toast.seq || room.muted) this.dismiss(roomId);
  }

  #toast(message) {
    const { store } = this.#services;
    const roomId = message.room_id;
    const room = store.room(roomId);
    if (store.isMine(message) || message.deleted_at || roomId === this.state.roomId) return;
    if (this.isQuiet() || (room && !isHeard(room, store.mentionsMe(message)))) return;
    // Read on another device already: the pointer's event may come before the page shows.
    if (room && room.read_seq >= message.seq) return;
    const sender = store.person(message.sender);
    const isGroup = Boolean(room && !room.peer);
    const roomName = isGroup ? room.name : sender.name;
    this.dismiss(roomId);
    this.#put({ id: roomId, roomId, seq: message.seq, sender, roomName, isGroup, text: previewOf(message.text) });
  }

  #put(toast) {
    if (this.toasts.length >= MOST_TOASTS) this.dismiss(this.toasts.items[0].id);
    this.toasts.insert(this.toasts.length, toast);
    this.#leaveLater(toast.id);
  }

  #leaveLater(id) {
    const { clock } = this.#services;
    this.#timers.set(id, clock.setTimeout(() => this.dismiss(id), TOAST_LASTS));
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

/**
 * What an address names.
 * @typedef {object} Route
 * @property {'chats'|'people'|'news'|'settings'|null} section
 * @property {string} [roomId]
 * @property {'info'|'rooms'|'create'|'invite'} [page] a page of groups
 * @property {string} [token] of an invitation
 * @property {string[]} [thing] of GitHub's, by the segments of its address
 * @property {string} [login] whose page it is
 * @property {number} [at] seq of a message to go to
 * @property {string} [query] what is searched for
 * @property {import('./types.js').PeopleList} [list]
 */

/** @param {string} address path and query @returns {Route} */
export function routeOf(address) {
  // Any origin: an address of this server is path and query.
  const url = new URL(address, 'http://hubbub');
  let segments;
  try {
    segments = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return { section: null };
  }
  const [first = 'chats', second, third] = segments;
  if (first === 'github') return { section: 'news', thing: segments.slice(1) };
  if (segments.length > 3) return { section: null };
  if (first === 'chats' && !third) {
    return { section: 'chats', roomId: second, at: Number(url.searchParams.get('at')) || undefined };
  }
  if (first === 'chats' && third === 'info') return { section: 'chats', roomId: second, page: 'info' };
  if (first === 'rooms' && !second) return { section: 'chats', page: 'rooms' };
  if (first === 'rooms' && second === 'new' && !third) return { section: 'chats', page: 'create' };
  if (first === 'invite' && second && !third) return { section: 'chats', page: 'invite', token: second };
  if (first === 'search' && !second) return { section: 'chats', query: (url.searchParams.get('q') ?? '').trim() };
  if (first === 'people' && !second) {
    const query = (url.searchParams.get('q') ?? '').trim();
    return { section: 'people', list: query ? { kind: 'search', subject: query } : { kind: 'users', subject: '' } };
  }
  if (first === 'people' && !third) return { section: 'people', login: second };
  if (first === 'people' && (third === 'followers' || third === 'following')) {
    return { section: 'people', list: { kind: third, subject: second } };
  }
  if (first === 'orgs' && second && !third) return { section: 'people', list: { kind: 'org', subject: second } };
  if ((first === 'news' || first === 'settings') && !second) return { section: first };
  return { section: null };
}
