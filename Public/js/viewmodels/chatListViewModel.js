import {
  colourOf, dayKey, fullTimeText, initialsOf, listTimeText, midnight, pictureOf, previewOf,
} from '../models/format.js';
import { Observable, ObservableArray, onceSoon } from '../models/observableArray.js';
import { problemText, texts, typingText } from '../models/texts.js';

/** One row a chat (L1, L2), newest first, pinned ones before; messages of the outbox count as the newest. */
export class ChatListViewModel {
  #services;
  #state = new Observable({ loading: true, error: null, empty: false, totalUnread: 0 });
  #subscriptions;
  #selected = null;
  /** Several changes of one event, or of one script, are one patch. */
  #buildSoon = onceSoon(() => !this.#closed && this.#build());
  /** A message shows in its chat first: of thousands of rows the order alone takes longer than that. */
  #buildLater;
  #dayTimer = null;
  #closed = false;
  /** By chat, what its row was made from and the row: of thousands only those that changed are made anew. */
  #made = new Map();

  /** @type {ObservableArray<import('./types.js').ChatRow>} */
  rows = new ObservableArray({ key: (row) => row.id });

  /** @param {object} services `store`, `outbox`, `drafts`, `sync`, `clock` */
  constructor(services) {
    this.#services = services;
    const { store, outbox, sync } = services;
    this.#buildLater = onceSoon(() => !this.#closed && this.#build(), services.clock.afterPaint);
    this.#subscriptions = [
      store.subscribe(({ type }) => (type === 'rooms' ? this.#buildSoon() : this.#buildLater())),
      outbox.subscribe(() => this.#buildLater()),
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

  #build() {
    const { store, outbox, drafts, sync, clock } = this.#services;
    const now = clock.now();
    const common = { now, today: dayKey(now), drafts: drafts.all() };
    const sorted = store.rooms()
      .map((room) => placeOf(room, store.activityOf(room.id), outbox.entries(room.id).at(-1)))
      .sort((one, other) => one.rank - other.rank || other.at - one.at);
    const isLastPinned = ({ rank }, index) => rank === 0 && sorted[index + 1]?.rank === 1;
    this.rows.replaceAll(sorted.map((place, index) => this.#rowOf(place, isLastPinned(place, index), common)));
    if (this.#made.size > sorted.length) {
      for (const id of this.#made.keys()) if (!store.room(id)) this.#made.delete(id);
    }
    const { loading, error } = sync.state;
    this.#state.update({
      loading: loading && !store.loaded,
      // Without a connection, the title bar says enough where chats are shown.
      error: error && (error.status !== 0 || this.rows.length === 0) ? `${texts.chats.loadFailed} ${problemText(error)}` : null,
      empty: store.loaded && !loading && !error && this.rows.length === 0,
      totalUnread: store.totalUnread(),
    });
  }

  /** The same object as before while nothing of what it shows has changed. */
  #rowOf({ room, entry }, lastPinned, { now, today, drafts }) {
    const { store } = this.#services;
    const user = room.peer && (store.user(room.peer.id) ?? room.peer);
    const sender = room.last_message && (store.user(room.last_message.sender?.id) ?? room.last_message.sender);
    const selected = room.id === this.#selected;
    // What is being written in the open chat stands there for all to see.
    const draft = selected ? '' : (drafts.get(room.id) || room.draft || '');
    const typing = typingText(room, store.typingIn(room.id, now).map((one) => store.person(one).name));
    const parts = [room, entry, user, sender, selected, draft, typing, lastPinned, today];
    const made = this.#made.get(room.id);
    if (made && parts.every((part, index) => part === made.parts[index])) return made.row;
    const person = user && store.person(user);
    const row = {
      id: room.id,
      name: person?.name ?? room.name,
      initials: person?.initials ?? initialsOf(room.name),
      colour: person?.colour ?? colourOf(room.id),
      avatarUrl: person ? person.avatarUrl : pictureOf(room.avatar_url),
      online: Boolean(user?.online),
      ...this.#previewOf(room, entry, sender, draft),
      ...timesOf(entry, room.last_message, now),
      unread: room.unread_count,
      unreadText: texts.chats.unread(room.unread_count),
      mentioned: room.mention_count > 0,
      muted: Boolean(room.muted),
      quiet: Boolean(room.muted) || (room.mention_level ?? 'all') !== 'all',
      pinned: Boolean(room.pinned),
      lastPinned,
      selected,
      typing,
    };
    this.#made.set(room.id, { parts, row });
    return row;
  }

  #previewOf(room, entry, sender, draft) {
    const { last_message: message } = room;
    const { chats } = texts;
    if (draft.trim() !== '' && !entry) {
      return { preview: previewOf(draft), previewPrefix: chats.draft, previewState: 'draft' };
    }
    const own = entry !== null || (message && this.#services.store.isMine(message));
    const text = entry?.text ?? message?.text ?? '';
    const name = room.kind === 'group' && sender ? shortened(sender.first_name || sender.name) : '';
    return {
      preview: !entry && message?.deleted_at ? chats.deletedPreview : previewOf(text),
      previewPrefix: own ? chats.you : name && chats.said(name),
      previewState: entry?.state ?? null,
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

/** Where a chat stands in the list, and the message of the outbox that stands last in it. */
function placeOf(room, activity, entry = null) {
  const rank = room.pinned ? 0 : 1;
  const written = entry ? Date.parse(entry.createdAt) : 0;
  const last = Date.parse(room.last_message?.created_at ?? '') || 0;
  // One that failed long ago is not the newest for ever.
  if (entry && (entry.state === 'unsent' || written >= last)) return { room, rank, entry, at: Math.max(written, activity) };
  return { room, rank, entry: null, at: activity };
}

/** A long name leaves room for what was said, and its colon is never cut. */
function shortened(name) {
  const letters = [...name];
  return letters.length > 13 ? `${letters.slice(0, 12).join('').replace(/[\s-]+$/u, '')}…` : name;
}

function timesOf(entry, message, now) {
  if (!entry && !message) return { time: '', timeTitle: '', timeISO: '' };
  const at = Date.parse(entry ? entry.createdAt : message.created_at);
  return { time: listTimeText(at, now), timeTitle: fullTimeText(at), timeISO: new Date(at).toISOString() };
}
