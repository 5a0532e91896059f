import {
  colourOf, dayKey, eachMidnight, fullTimeText, initialsOf, listTimeText, pictureOf, plainLine, problemText, typingText,
} from '../models/format.js';
import { Observable, ObservableArray, onceSoon } from '../models/observableArray.js';
import { texts } from '../models/texts.js';

/**
 * The rows of the chat list: pinned first, then newest first. An unsent message makes its chat the newest.
 * @extends {Observable<import('./types.js').ChatListState>}
 */
export class ChatListViewModel extends Observable {
  #services;
  #selected = null;
  /** Combines several changes of one microtask. */
  #buildSoon = onceSoon(() => !this.isClosed && this.#build());
  /** Runs after the open chat has painted the message: sorting thousands of rows takes longer than that. */
  #buildLater;
  /** Each chat's row and its inputs, so that only changed rows are made again. */
  #made = new Map();

  /** @type {ObservableArray<import('./types.js').ChatRow>} */
  rows = new ObservableArray({ key: (row) => row.id });

  /** @param {object} services `store`, `outbox`, `drafts`, `sync`, `clock` */
  constructor(services) {
    super({ loading: true, error: null, empty: false, totalUnread: 0 });
    this.#services = services;
    const { store, outbox, sync } = services;
    this.#buildLater = onceSoon(() => !this.isClosed && this.#build(), services.clock.afterPaint);
    this.onClose(
      store.subscribe(({ type }) => (type === 'rooms' ? this.#buildSoon() : this.#buildLater())),
      outbox.subscribe(() => this.#buildLater()),
      sync.subscribe(() => this.#buildSoon()),
      eachMidnight(services.clock, () => this.#build()),
    );
    this.#build();
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
    this.update({
      loading: loading && !store.loaded,
      // While offline, the connection status in the title bar is enough if chats are shown.
      error: error && (error.status !== 0 || this.rows.length === 0)
        ? `${texts.chats.loadFailed} ${problemText(error)}` : null,
      empty: store.loaded && !loading && !error && this.rows.length === 0,
      totalUnread: store.totalUnread(),
    });
  }

  /** The same object as before while nothing it shows has changed. */
  #rowOf({ room, entry }, lastPinned, { now, today, drafts }) {
    const { store } = this.#services;
    const user = room.peer && (store.user(room.peer.id) ?? room.peer);
    const sender = room.last_message && (store.user(room.last_message.sender?.id) ?? room.last_message.sender);
    const selected = room.id === this.#selected;
    // The open chat shows its draft in the composer. Text that is not on the server yet takes precedence.
    const isHere = store.baseEventId === null || drafts.has(`${room.id}#new`);
    const draft = selected ? '' : (isHere ? drafts.get(room.id) : room.draft) ?? '';
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
      return { preview: plainLine(draft), previewPrefix: chats.draft, previewState: 'draft' };
    }
    const own = entry !== null || (message && this.#services.store.isMine(message));
    const text = entry?.text ?? message?.text ?? '';
    const name = room.kind === 'group' && sender ? shortened(sender.name.split(' ')[0]) : '';
    return {
      preview: !entry && message?.deleted_at ? chats.deletedPreview : plainLine(text),
      previewPrefix: own ? chats.you : name && chats.said(name),
      previewState: entry?.state ?? null,
    };
  }
}

/** The rank of a chat in the list, and the unsent message that is its last. */
function placeOf(room, activity, entry) {
  const rank = room.pinned ? 0 : 1;
  const written = entry ? Date.parse(entry.createdAt) : 0;
  const last = Date.parse(room.last_message?.created_at ?? '') || 0;
  // A message that failed long ago does not keep its chat on top.
  if (entry && (entry.state === 'unsent' || written >= last)) {
    return { room, rank, entry, at: Math.max(written, activity) };
  }
  return { room, rank, entry: null, at: activity };
}

/** Shortens a long name to leave room for the message, and never cuts the colon. */
function shortened(name) {
  const letters = [...name];
  return letters.length > 13 ? `${letters.slice(0, 12).join('').replace(/[\s-]+$/u, '')}…` : name;
}

function timesOf(entry, message, now) {
  if (!entry && !message) return { time: '', timeTitle: '', timeISO: '' };
  const at = Date.parse(entry ? entry.createdAt : message.created_at);
  return { time: listTimeText(at, now), timeTitle: fullTimeText(at), timeISO: new Date(at).toISOString() };
}
