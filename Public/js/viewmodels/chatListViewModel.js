import { colourOf, fullTimeText, initialsOf, listTimeText, midnight, pictureOf, previewOf } from '../models/format.js';
import { Observable, ObservableArray } from '../models/observableArray.js';
import { problemText, texts, typingText } from '../models/texts.js';

/** One row a chat (L1, L2), newest first, pinned ones before; messages of the outbox count as the newest. */
export class ChatListViewModel {
  #services;
  #state = new Observable({ loading: true, error: null, empty: false, totalUnread: 0 });
  #subscriptions;
  #selected = null;
  #scheduled = false;
  #dayTimer = null;
  #closed = false;

  /** @type {ObservableArray<import('./types.js').ChatRow>} */
  rows = new ObservableArray({ key: (row) => row.id });

  /** @param {object} services `store`, `outbox`, `sync`, `clock` */
  constructor(services) {
    this.#services = services;
    const { store, outbox, sync } = services;
    this.#subscriptions = [
      store.subscribe(() => this.#buildSoon()),
      outbox.subscribe(() => this.#buildSoon()),
      sync.subscribe(() => this.#buildSoon()),
    ];
    this.#build();
    this.#nextDay();
  }

  /** @returns {import('./types.js').ChatListState} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#closed = true;
    for (const end of this.#subscriptions) end();
    this.#services.clock.clearTimeout(this.#dayTimer);
  }

  /** Marks the chat that is open. @param {string|null} roomId */
  select(roomId) {
    this.#selected = roomId;
    this.#build();
  }

  retry() {
    return this.#services.sync.retry();
  }

  /** Several changes of one event, or of one script, are one patch. */
  #buildSoon() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      if (!this.#closed) this.#build();
    });
  }

  #build() {
    const { store, outbox, sync } = this.#services;
    const sorted = store.rooms()
      .map((room) => ({ room, last: lastOf(room, outbox.entries(room.id).at(-1)) }))
      .sort((one, other) => Number(other.room.pinned) - Number(one.room.pinned)
        || other.last.at - one.last.at || (one.room.id < other.room.id ? -1 : 1));
    this.rows.replaceAll(sorted.map(({ room, last }) => this.#rowOf(room, last)));
    const { loading, error } = sync.state;
    this.#state.update({
      loading: loading && !store.loaded,
      error: error && `${texts.chats.loadFailed} ${problemText(error)}`,
      empty: store.loaded && !loading && !error && this.rows.length === 0,
      totalUnread: store.totalUnread(),
    });
  }

  #rowOf(room, last) {
    const { store, clock } = this.#services;
    const now = clock.now();
    const user = room.peer && (store.user(room.peer.id) ?? room.peer);
    const person = user && store.person(user);
    const own = last.entry !== null || (last.message !== null && store.isMine(last.message));
    const hasText = last.entry !== null || last.message !== null;
    return {
      id: room.id,
      name: person?.name ?? room.name,
      initials: person?.initials ?? initialsOf(room.name),
      colour: person?.colour ?? colourOf(room.id),
      avatarUrl: person ? person.avatarUrl : pictureOf(room.avatar_url),
      online: Boolean(user?.online),
      preview: last.message?.deleted_at
        ? texts.chats.deletedPreview
        : previewOf(last.entry?.text ?? last.message?.text ?? ''),
      previewPrefix: own ? texts.chats.you : '',
      previewState: last.entry?.state ?? null,
      time: hasText ? listTimeText(last.at, now) : '',
      timeTitle: hasText ? fullTimeText(last.at) : '',
      timeISO: hasText ? new Date(last.at).toISOString() : '',
      unread: room.unread_count,
      unreadText: texts.chats.unread(room.unread_count),
      muted: Boolean(room.muted),
      pinned: Boolean(room.pinned),
      selected: room.id === this.#selected,
      typing: typingText(room, store.typingIn(room.id, now).map((one) => store.person(one).name)),
    };
  }

  /** Hours become weekdays at midnight. */
  #nextDay() {
    const { clock } = this.#services;
    this.#dayTimer = clock.setTimeout(() => {
      this.#build();
      this.#nextDay();
    }, midnight(clock.now(), 1) - clock.now() + 1);
  }
}

/** What stands last in a chat, and when it was written. */
function lastOf(room, entry = null) {
  const message = room.last_message ?? null;
  const at = Date.parse(message?.created_at ?? room.created_at);
  const written = entry ? Date.parse(entry.createdAt) : 0;
  // One that failed long ago is not the newest for ever.
  if (entry && (entry.state === 'unsent' || written >= at)) return { entry, message: null, at: written };
  return { entry: null, message, at };
}
