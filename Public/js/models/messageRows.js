import { dayLabel } from './days.js';
import { dayKey, fullTimeText, hourText, plainLine } from './format.js';
import { mentionedIn } from './mentions.js';
import { shallowEqual } from './observableArray.js';
import { texts } from './texts.js';
import { chatTexts } from './texts/conversation.js';

/** @type {readonly import('./reactions.js').Reaction[]} one object, so that rows without any look the same */
export const NO_REACTIONS = Object.freeze([]);

/**
 * The input of the rows.
 * @typedef {object} RowSource
 * @property {readonly any[]} messages stored ones, ascending
 * @property {readonly any[]} pending the outbox's entries of this chat, in order
 * @property {import('./chatStore.js').ChatStore} store
 * @property {{delivered: number, read: number}} ticks the greatest positions of the others
 * @property {number|null} newAfter the "New" line is drawn before the first message of another person after this
 * @property {number} now
 * @property {string|null} [repository] of the room: what `#12` belongs to
 * @property {(seq: number) => any} [original] the message that a reply quotes; null if this person cannot see it,
 *   undefined until it is loaded
 * @property {(message: any) => readonly import('./reactions.js').Reaction[]|undefined} [reactions] below a message
 * @property {ReadonlySet<number>|null} [selection] selected messages, null outside of the selection mode
 * @property {(rows: any[]) => any[]} [place] puts the lines that are not messages between the rows
 */

/**
 * Makes the rows of a conversation (`viewmodels/types.js`) from stored and unsent messages. Unsent ones come last, in
 * the order of writing; one that is stored already shows once.
 * @param {RowSource} source
 */
export function buildRows(source) {
  const { messages, pending, store, newAfter, now, selection = null, repository = null } = source;
  const rows = [];
  const stored = new Set();
  const quote = (seq) => quoteOf(seq, source);
  for (const message of messages) {
    const own = store.isMine(message);
    if (own) stored.add(message.client_id);
    const row = storedRow(message, own, source, quote);
    if (selection !== null) row.selected = selection.has(message.seq);
    row.repository = repository;
    rows.push(row);
  }
  const me = store.person(store.me);
  for (const entry of pending) if (!stored.has(entry.clientId)) rows.push(pendingRow(entry, me, quote, repository));
  return flag(source.place?.(rows) ?? rows, newAfter, now);
}

/** Whether two rows with the same key look the same. Two of their members are compared deeply. */
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

/** The key of a stored message's row: the client id for one's own, so that the row stays when it is sent. */
export function keyOf(message, own) {
  return own ? message.client_id : `#${message.seq}`;
}

/** @param {any} message @param {boolean} own @param {RowSource} source @param {(seq: number) => any} quote */
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
    repository: /** @type {string|null} */ (null),
  };
}

function pendingRow(entry, me, quote, repository) {
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
    repository,
  };
}

function tickState(seq, { delivered, read }) {
  if (seq <= read) return 'read';
  return seq <= delivered ? 'delivered' : 'sent';
}

/** The quote in a reply: author and text, a note that it is gone, or an empty placeholder while it loads. */
/** @param {number} seq @param {RowSource} source */
function quoteOf(seq, { store, original }) {
  if (!seq) return null;
  const message = original?.(seq);
  if (message === null) return { seq, name: '', text: chatTexts.originalGone, missing: true };
  if (!message) return { seq, name: '', text: '', missing: false };
  const text = message.deleted_at ? chatTexts.deleted : plainLine(message.text);
  return { seq, name: store.person(message.sender).name, text, missing: false };
}

/** Formatted times, cached for each message: they cost more than the rest of a row and never change. */
const times = new WeakMap();

/** @param {object} owner never changes its time @param {string|number} when */
export function timesOf(owner, when) {
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

/** Sets the flags that depend on neighbouring rows. A new row changes at most those next to it. */
function flag(rows, newAfter, now) {
  let lineDrawn = newAfter === null;
  let previous = null;
  for (const row of rows) {
    const newLine = !lineDrawn && !row.own && row.seq > newAfter;
    lineDrawn ||= newLine;
    const firstOfDay = previous === null || dayKey(row.at) !== dayKey(previous.at);
    const joined = previous !== null && !firstOfDay && !newLine && row.sender?.id === previous.sender?.id;
    row.newLine = newLine;
    row.firstOfDay = firstOfDay;
    row.dayLabel = firstOfDay ? dayLabel(row.at, now) : '';
    row.firstOfSender = !joined;
    row.lastOfSender = true;
    if (previous) previous.lastOfSender = !joined;
    previous = row;
  }
  for (const row of rows) delete row.at;
  return rows;
}
