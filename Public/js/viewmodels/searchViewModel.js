import { colourOf, fullTimeText, initialsOf, listTimeText, pictureOf, problemText } from '../models/format.js';
import { limits } from '../models/limits.js';
import { Observable, ObservableArray, onceSoon } from '../models/observableArray.js';
import { sharedTexts } from '../models/texts/shared.js';
import { searchTexts } from '../models/texts/search.js';
import { serverTexts } from '../models/texts/server.js';
import { openDirect } from './openDirect.js';

/** The most of one's own chats that show before the server answers. */
const MOST_NAMES = 6;
const OPERATOR = /(?:^|\s)-?(?:from|in|before|after|has):/iu;

/**
 * Searches chats, people and messages. Names of chats show at once, also offline.
 * @extends {Observable<import('./types.js').SearchState>}
 */
export class SearchViewModel extends Observable {
  #services;
  #abort = /** @type {AbortController|null} */ (null);
  #rooms = [];
  #people = [];
  #found = [];
  #next = null;
  #buildSoon = onceSoon(() => this.#build());

  /** @type {ObservableArray<import('./types.js').FoundChat>} */
  chats = new ObservableArray();
  /** @type {ObservableArray<import('./types.js').FoundPerson>} */
  people = new ObservableArray();
  /** @type {ObservableArray<import('./types.js').FoundMessage>} */
  messages = new ObservableArray();

  /** @param {object} services `store`, `api`, `sync`, `clock` */
  constructor(services) {
    super(NOTHING);
    this.#services = services;
    const { store, sync } = services;
    this.onClose(
      store.subscribe((change) => this.#storeChanged(change)),
      sync.subscribe(({ connection }) => {
        if (connection === 'online' && this.state.canRetry) this.retry();
        this.update({ offline: connection === 'offline' });
      }),
    );
  }

  close() {
    super.close();
    this.#abort?.abort();
  }

  /** Searches for a text; cancels an earlier request. @param {string} text */
  search(text) {
    const query = [...text.trim()].slice(0, limits.query).join('');
    if (query === this.state.query && this.state.error === null) return;
    this.#ask(query);
  }

  retry() {
    this.#ask(this.state.query);
  }

  /** The end of the messages is near the screen. */
  async nearEnd() {
    const { loading, loadingMore, error } = this.state;
    if (this.#next === null || loading || loadingMore || error !== null) return;
    const { signal } = /** @type {AbortController} */ (this.#abort);
    this.update({ loadingMore: true });
    try {
      const answer = await this.#services.api.request('GET', this.#next, { signal });
      if (signal.aborted) return;
      this.#next = answer.next;
      const known = new Set(this.#found.map(keyOf));
      this.#found = [...this.#found, ...answer.body.messages.filter((message) => !known.has(keyOf(message)))];
      this.#meet(answer.body);
      this.#build();
      this.update({ loadingMore: false, end: this.#next === null, page: this.state.page + 1 });
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  /** Opens the direct chat with a person. @returns {Promise<string|null>} its id; null: `pressError` says why */
  async press(person) {
    this.update({ pressError: null });
    try {
      return await openDirect(this.#services, { userId: person.key });
    } catch (error) {
      this.update({ pressError: `${sharedTexts.openFailed(person.name)} ${problemText(error)}` });
      return null;
    }
  }

  async #ask(query) {
    this.#abort?.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const { api, sync } = this.#services;
    const narrowed = OPERATOR.test(query);
    this.#next = null;
    this.update({
      ...NOTHING, query, loading: query !== '', offline: sync.state.connection === 'offline',
      gitHubQuery: narrowed ? '' : query, first: this.#isEmpty && query !== '',
    });
    if (query === '') [this.#rooms, this.#people, this.#found] = [[], [], []];
    this.#build();
    if (query === '') return;
    try {
      const answer = await api.request('GET', '/search', { query: { q: query }, signal });
      if (signal.aborted) return;
      const { users, rooms, messages } = answer.body;
      [this.#rooms, this.#people, this.#found, this.#next] = [rooms, users, messages, answer.next];
      this.#meet(answer.body);
      this.#build();
      this.update({
        loading: false, first: false, empty: this.#isEmpty && this.#next === null,
        end: this.#next === null && this.#found.length > 0, page: 1,
        said: searchTexts.found(this.chats.length + this.people.length + this.messages.length, this.#next !== null),
      });
    } catch (error) {
      if (signal.aborted) return;
      [this.#rooms, this.#people, this.#found] = [[], [], []];
      this.#build();
      this.#failed(error);
    }
  }

  get #isEmpty() {
    return this.chats.length + this.people.length + this.messages.length === 0;
  }

  #failed(error) {
    // A wrong query may only be incomplete: shows the reason without an alert.
    const isWrong = error.kind === 'invalid';
    const told = isWrong ? error.errors.map(({ detail }) => serverTexts.said(detail)).filter(Boolean).join(' ') : '';
    const why = told || (isWrong ? serverTexts.said(error.detail) : '');
    this.update({
      loading: false, loadingMore: false, first: false,
      error: why || `${searchTexts.failed} ${problemText(error)}`,
      isWrong, canRetry: !isWrong,
    });
  }

  #meet({ users = [], messages }) {
    const { store } = this.#services;
    for (const user of users) store.meet(user);
    for (const { sender } of messages) store.meet(sender, { fresh: false });
  }

  #storeChanged(change) {
    if (this.state.query === '') return;
    const gone = goneBy(change);
    if (gone) this.#found = this.#found.filter((message) => !gone(message));
    if (['user', 'room', 'rooms', 'removed'].includes(change.type) || gone) this.#buildSoon();
  }

  #build() {
    const { query } = this.state;
    this.chats.replaceAll(this.#roomsOf(query).map((room) => this.#chatOf(room)));
    // People whose chat shows are not shown twice.
    const peers = new Set(this.#roomsOf(query).map((room) => room.peer?.id));
    const people = this.#people.filter((user) => !peers.has(user.id) && user.id !== this.#services.store.me?.id);
    this.people.replaceAll(people.map((user) => this.#personOf(user)));
    this.messages.replaceAll(this.#found.map((message) => this.#messageOf(message)));
  }

  /** One's own chats with matching names, newest first, then the server's others. */
  #roomsOf(query) {
    if (query === '') return [];
    const { store } = this.#services;
    const words = OPERATOR.test(query) ? [] : plain(query).split(/[\s"]+/u).filter(Boolean);
    const fits = (room) => words.every((word) => plain(this.#namesOf(room)).includes(word));
    const own = words.length === 0 ? [] : store.orderedRooms().filter(fits).slice(0, MOST_NAMES);
    const shown = new Set(own.map((room) => room.id));
    return [...own, ...this.#rooms.filter((room) => !shown.has(room.id)).map((room) => store.room(room.id) ?? room)];
  }

  #namesOf(room) {
    const { peer } = room;
    return peer ? `${this.#services.store.person(peer).name} ${peer.login ?? ''}` : room.name;
  }

  #chatOf(room) {
    const { store } = this.#services;
    const user = room.peer && (store.user(room.peer.id) ?? room.peer);
    const person = user && store.person(user);
    const isOthers = room.role === null;
    return {
      key: room.id,
      href: `/chats/${room.id}`,
      name: person?.name ?? room.name,
      initials: person?.initials ?? initialsOf(room.name),
      colour: person?.colour ?? colourOf(room.id),
      avatarUrl: person ? person.avatarUrl : pictureOf(room.avatar_url),
      online: Boolean(user?.online),
      detail: isOthers ? searchTexts.publicRoom : user?.login ? `@${user.login}` : room.topic ?? '',
    };
  }

  #personOf(user) {
    const { store } = this.#services;
    const known = store.user(user.id) ?? user;
    const { name, initials, colour, avatarUrl } = store.person(known);
    const online = Boolean(known.online);
    const detail = known.login ? `@${known.login}` : searchTexts.member(online);
    return { key: user.id, name, initials, colour, avatarUrl, online, detail };
  }

  #messageOf(message) {
    const { store, clock } = this.#services;
    const sender = store.person(message.sender);
    const at = Date.parse(message.created_at);
    const room = store.room(message.room.id);
    const peer = room?.peer && store.person(room.peer);
    const { name, initials, colour, avatarUrl } = sender;
    return {
      key: keyOf(message),
      href: hrefOf(message),
      name, initials, colour, avatarUrl,
      // Leaves out the chat's name if it is the sender's.
      place: peer?.id === sender.id ? '' : searchTexts.inside(peer?.name ?? room?.name ?? message.room.name),
      pieces: message.snippet,
      time: listTimeText(at, clock.now()),
      timeTitle: fullTimeText(at),
      timeISO: message.created_at,
    };
  }
}

/** Leads to a message, and says which of its words were found. */
function hrefOf({ room_id: roomId, seq, snippet }) {
  const words = new Set(snippet.filter(({ hit }) => hit).map(({ text }) => text));
  const found = [...words].map((word) => `&found=${encodeURIComponent(word)}`);
  return `/chats/${roomId}?at=${seq}${found.join('')}`;
}

const NOTHING = Object.freeze({
  query: '', loading: false, first: false, loadingMore: false, empty: false, end: false, error: null, isWrong: false,
  canRetry: false, offline: false, pressError: null, gitHubQuery: '', said: '', page: 0,
});

const keyOf = (message) => `${message.room_id}#${message.seq}`;

/** The text without case and accents. */
function plain(text) {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();
}

/** Selects the found messages that a change removes, or null. @returns {((message: object) => boolean)|null} */
function goneBy({ type, kind, message, roomId, seq }) {
  if (type === 'message' && kind === 'deleted') return (one) => keyOf(one) === keyOf(message);
  if (type === 'hidden') return (one) => one.room_id === roomId && one.seq === seq;
  if (type === 'cleared') return (one) => one.room_id === roomId && one.seq <= seq;
  if (type === 'removed') return (one) => one.room_id === roomId;
  return null;
}
