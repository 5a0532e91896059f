import { plainLine } from '../models/format.js';
import { Observable, ObservableArray, onceSoon } from '../models/observableArray.js';
import { isHeard } from '../models/rooms.js';
import { texts } from '../models/texts.js';

const TOAST_LASTS = 6000;
const MOST_TOASTS = 3;

/**
 * The frame of all pages: title, total of unread messages, and toasts for other chats.
 * @extends {Observable<import('./types.js').ShellState>}
 */
export class ShellViewModel extends Observable {
  #services;
  #timers = new Map();
  /** @type {string|null} */
  #pageTitle = null;
  #held = new Set();
  #notices = 0;
  /** Computing the total takes all chats, so it follows the paint of new messages. */
  #showLater;

  /** Whether notifications are silenced; set a moment after the page is shown. @type {() => boolean} */
  isQuiet = () => false;

  /** @type {ObservableArray<import('./types.js').Toast>} newest last, at most three, one a chat */
  toasts = new ObservableArray({ key: (toast) => toast.id });

  /** @param {object} services `store`, `sync`, `clock` */
  constructor(services) {
    super({ title: texts.appName, totalUnread: 0, me: null, section: 'chats', roomId: null });
    this.#services = services;
    this.#showLater = onceSoon(() => this.#show(), services.clock.afterPaint ?? ((act) => act()));
    this.onClose(services.store.subscribe((change) => this.#storeChanged(change)));
    this.#show();
  }

  close() {
    super.close();
    for (const timer of this.#timers.values()) this.#services.clock.clearTimeout(timer);
  }

  /** The page's address changed. */
  show(section, roomId = null) {
    this.update({ section, roomId });
    this.#pageTitle = null;
    if (roomId !== null) this.dismiss(roomId);
    this.#show();
  }

  /** Sets the title until the next address. @param {string} title */
  entitle(title) {
    this.#pageTitle = title;
    this.#show();
  }

  dismiss(id) {
    this.#services.clock.clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#held.delete(id);
    const index = this.toasts.indexOfKey(id);
    if (index >= 0) this.toasts.removeAt(index);
  }

  /** Keeps a toast while the pointer or the focus is on it. */
  hold(id) {
    this.#held.add(id);
    this.#services.clock.clearTimeout(this.#timers.get(id));
  }

  /** Lets it time out again. */
  release(id) {
    if (this.#held.delete(id)) this.#leaveLater(id);
  }

  /** Shows an error. @param {string} text */
  tell(text) {
    this.#notices += 1;
    this.#put({
      id: `notice-${this.#notices}`, roomId: null, seq: null, sender: null, roomName: '', isGroup: false, text,
    });
  }

  #storeChanged(change) {
    const { store } = this.#services;
    if (change.type === 'message') this.#messageChanged(change);
    if (change.type === 'room') this.#roomChanged(change.roomId);
    if (change.type === 'cleared') this.#dropRead(change.roomId);
    if (change.type === 'removed') this.dismiss(change.roomId);
    if (change.type === 'rooms') {
      for (const { roomId } of [...this.toasts.items]) if (store.room(roomId)) this.#dropRead(roomId);
    }
    this.#showLater();
  }

  #messageChanged({ kind, message }) {
    if (kind === 'created') return this.#toast(message);
    const index = this.toasts.indexOfKey(message.room_id);
    const toast = this.toasts.items[index];
    if (toast?.seq !== message.seq) return;
    if (kind === 'deleted') this.dismiss(toast.id);
    else this.toasts.update(index, { ...toast, text: plainLine(message.text) });
  }

  /** The chat was renamed, or was unknown when the message arrived. */
  #roomChanged(roomId) {
    this.#dropRead(roomId);
    const index = this.toasts.indexOfKey(roomId);
    const room = this.#services.store.room(roomId);
    if (index < 0 || !room || room.peer) return;
    const toast = this.toasts.items[index];
    if (toast.roomName !== room.name) this.toasts.update(index, { ...toast, roomName: room.name, isGroup: true });
  }

  /** Drops the toasts of a chat that was read elsewhere, cleared or muted. */
  #dropRead(roomId) {
    const toast = this.toasts.items[this.toasts.indexOfKey(roomId)];
    const room = this.#services.store.room(roomId);
    if (!toast?.seq || !room) return;
    if (room.read_seq >= toast.seq || room.cleared_seq >= toast.seq || room.muted) this.dismiss(roomId);
  }

  #toast(message) {
    const { store } = this.#services;
    const roomId = message.room_id;
    const room = store.room(roomId);
    if (store.isMine(message) || message.deleted_at || roomId === this.state.roomId) return;
    if (this.isQuiet() || (room && !isHeard(room, store.mentionsMe(message)))) return;
    // Read on another device already: the receipt may arrive before the message shows.
    if (room && room.read_seq >= message.seq) return;
    const sender = store.person(message.sender);
    const isGroup = Boolean(room && !room.peer);
    const roomName = isGroup ? room.name : sender.name;
    this.dismiss(roomId);
    this.#put({ id: roomId, roomId, seq: message.seq, sender, roomName, isGroup, text: plainLine(message.text) });
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
    const roomName = room && (room.peer ? store.person(room.peer).name : room.name);
    const name = this.#pageTitle ?? roomName ?? texts.sections[section];
    this.update({
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
  // Any origin: only path and query matter.
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
  if (first === 'news' && !second) return { section: first };
  if (first === 'settings' && !third) return { section: first };
  return { section: null };
}

/**
 * The list of people beside a chat stays when the chat's own pages are gone to: a place in it, or all about it.
 * @param {string} address @param {{pathname: string}} location @param {{state: any}} history of this moment
 * @returns {string|undefined} the list's address
 */
export function besideStill(address, { pathname }, { state }) {
  const chat = (path) => /^\/chats\/([^/?]+)/.exec(path)?.[1];
  return chat(address) !== undefined && chat(address) === chat(pathname) ? state?.beside : undefined;
}
