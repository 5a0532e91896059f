import { dayKey, dayLabel, fullTimeText, hourText, previewOf } from './format.js';
import { mentionedIn } from './mentions.js';
import { shallowEqual } from './observableArray.js';
import { texts } from './texts.js';
import { chatTexts } from './texts/conversation.js';

/** @type {readonly import('./reactions.js').Reaction[]} one object, so that rows without any look the same */
export const NO_REACTIONS = Object.freeze([]);

/**
 * The rows of a conversation, as `viewmodels/types.js` describes them, from stored and unsent messages.
 * Unsent ones come last, in the order in which they were written; one that is stored already shows once.
 * @param {object} source
 * @param {readonly object[]} source.messages stored ones, ascending
 * @param {readonly object[]} source.pending the outbox's entries of this chat, in order
 * @param {import('./chatStore.js').ChatStore} source.store
 * @param {{delivered: number, read: number}} source.ticks how far the others have got
 * @param {number|null} source.newAfter the "New" line stands before the first message of another after this one
 * @param {number} source.now
 * @param {(seq: number) => object|null|undefined} [source.original] a message that others reply to; null where there is
 *   none for this person, undefined while that is not known
 * @param {(message: object) => readonly import('./reactions.js').Reaction[]} [source.reactions] what shows under it
 * @param {ReadonlySet<number>|null} [source.selection] numbers of the selected messages, null while none are selected
 */
export function buildRows(source) {
  const { messages, pending, store, newAfter, now, selection = null } = source;
  const rows = [];
  const stored = new Set();
  const quote = (seq) => quoteOf(seq, source);
  for (const message of messages) {
    const own = store.isMine(message);
    if (own) stored.add(message.client_id);
    const row = storedRow(message, own, source, quote);
    if (selection !== null) row.selected = selection.has(message.seq);
    rows.push(row);
  }
  const me = store.person(store.me);
  for (const entry of pending) if (!stored.has(entry.clientId)) rows.push(pendingRow(entry, me, quote));
  flag(rows, newAfter, now);
  return rows;
}

/** Whether two rows with the same key look the same. Their members are the same; two of them are compared within. */
export function sameRow(one, other) {
  for (const name in one) {
    if (!Object.is(one[name], other[name]) && !WITHIN[name]?.(one[name], other[name])) return false;
  }
  return true;
}

const WITHIN = {
  replyTo: shallowEqual,
  reactions: (some, others) => some.length === others.length
    && some.every((one, index) => shallowEqual(one, others[index])),
};

/** The key of a stored message's row: for one's own the client id, which the row had while it was unsent. */
export function keyOf(message, own) {
  return own ? message.client_id : `#${message.seq}`;
}

function storedRow(message, own, { store, ticks, reactions }, quote) {
  const state = own ? tickState(message.seq, ticks) : 'received';
  const deleted = Boolean(message.deleted_at);
  return {
    key: keyOf(message, own),
    kind: 'message',
    seq: message.seq,
    clientId: own ? message.client_id : null,
    own,
    sender: store.person(message.sender),
    text: deleted ? '' : message.text,
    ...timesOf(message, message.created_at),
    state,
    stateText: texts.states[state],
    failure: null,
    edited: Boolean(message.edited_at) && !deleted,
    editedTitle: message.edited_at && !deleted ? editedTitle(message) : '',
    deleted,
    replyTo: deleted ? null : quote(message.reply_to),
    forwardedFrom: message.forwarded_from && !deleted ? store.person(message.forwarded_from).name : '',
    mentioned: mentionedIn(message, store),
    reactions: deleted ? NO_REACTIONS : reactions?.(message) ?? message.reactions ?? NO_REACTIONS,
    pinned: Boolean(message.pinned_at) && !deleted,
    selected: null,
  };
}

function pendingRow(entry, me, quote) {
  return {
    key: entry.clientId,
    kind: 'message',
    seq: null,
    clientId: entry.clientId,
    own: true,
    sender: me,
    text: entry.text,
    ...timesOf(entry, entry.createdAt),
    state: entry.state,
    stateText: texts.states[entry.state],
    failure: entry.state === 'failed' ? (texts.failures[entry.failure] ?? texts.failures.invalid) : null,
    edited: false,
    editedTitle: '',
    deleted: false,
    replyTo: quote(entry.replyTo),
    forwardedFrom: '',
    mentioned: '',
    reactions: NO_REACTIONS,
    pinned: false,
    selected: null,
  };
}

function tickState(seq, { delivered, read }) {
  if (seq <= read) return 'read';
  return seq <= delivered ? 'delivered' : 'sent';
}

/** What a reply shows of its original: who and what, or that it is gone, or for a moment nothing but its place. */
function quoteOf(seq, { store, original }) {
  if (!seq) return null;
  const message = original?.(seq);
  if (message === null) return { seq, name: '', text: chatTexts.originalGone, missing: true };
  if (!message) return { seq, name: '', text: '', missing: false };
  const text = message.deleted_at ? texts.conversation.deleted : previewOf(message.text);
  return { seq, name: store.person(message.sender).name, text, missing: false };
}

/** Texts of a time cost more than all else of a row, and never change: kept for as long as the message is. */
const times = new WeakMap();

function timesOf(owner, when) {
  let known = times.get(owner);
  if (!known) {
    const at = new Date(when);
    const milliseconds = at.getTime();
    known = Object.freeze({
      at: milliseconds,
      time: hourText(milliseconds),
      timeTitle: fullTimeText(milliseconds),
      timeISO: at.toISOString(),
    });
    times.set(owner, known);
  }
  return known;
}

const edits = new WeakMap();

function editedTitle(message) {
  let title = edits.get(message);
  if (!title) edits.set(message, title = chatTexts.editedAt(fullTimeText(Date.parse(message.edited_at))));
  return title;
}

/** Flags that depend on the neighbours: an arrival changes those of at most the rows beside it. */
function flag(rows, newAfter, now) {
  let lineDrawn = newAfter === null;
  let previous = null;
  for (const row of rows) {
    const newLine = !lineDrawn && !row.own && row.seq > newAfter;
    lineDrawn ||= newLine;
    const firstOfDay = previous === null || dayKey(row.at) !== dayKey(previous.at);
    const joined = previous !== null && !firstOfDay && !newLine && row.sender.id === previous.sender.id;
    row.newLine = newLine;
    row.firstOfDay = firstOfDay;
    row.dayLabel = firstOfDay ? dayLabel(row.at, now) : '';
    row.firstOfSender = !joined;
    row.lastOfSender = true;
    if (previous) previous.lastOfSender = !joined;
    previous = row;
  }
  for (const row of rows) delete row.at;
}
