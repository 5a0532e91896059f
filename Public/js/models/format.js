/**
 * How values are shown: times in the reader's zone, failures, initials, colours, messages on one line; and ids for
 * unsent messages.
 */
import { locale, texts } from './texts.js';

const pad = (number) => String(number).padStart(2, '0');

/** A local calendar day as one comparable number, 20260314. */
export function dayKey(milliseconds) {
  const date = new Date(milliseconds);
  return date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate();
}

/** Local midnight, `days` from the day of `milliseconds`, also across changes of the clock. */
export function midnight(milliseconds, days = 0) {
  const date = new Date(milliseconds);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

/**
 * Calls `act` after each local midnight: "today" becomes "yesterday".
 * @param {{now: () => number, setTimeout: Function, clearTimeout: Function}} clock
 * @param {() => void} act
 * @returns {() => void} ends that
 */
export function eachMidnight(clock, act) {
  let timer;
  const wait = () => {
    timer = clock.setTimeout(() => {
      act();
      wait();
    }, midnight(clock.now(), 1) - clock.now() + 1);
  };
  wait();
  return () => clock.clearTimeout(timer);
}

/** '18:03', local. */
export function hourText(milliseconds) {
  const date = new Date(milliseconds);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/**
 * Formats local days. A formatter keeps the time zone that it was made in, so it gets the local date as if it were UTC:
 * a change of zone shows at once.
 * @param {Intl.DateTimeFormatOptions} options @returns {(milliseconds: number) => string}
 */
function dayFormat(options) {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return (milliseconds) => {
    const date = new Date(milliseconds);
    return format.format(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()));
  };
}

/** '14 March 2026', local. */
export const dateText = dayFormat({ day: 'numeric', month: 'long', year: 'numeric' });
const shortDateText = dayFormat({ day: 'numeric', month: 'short' });
const shortDateTextWithYear = dayFormat({ day: 'numeric', month: 'short', year: 'numeric' });
const weekdayText = dayFormat({ weekday: 'long' });
const shortWeekdayText = dayFormat({ weekday: 'short' });

/** 'Saturday, 14 March 2026, 18:03', local: for tooltips. */
export function fullTimeText(milliseconds) {
  return texts.time.full(weekdayText(milliseconds), dateText(milliseconds), hourText(milliseconds));
}

/** The time in a chat's row: the hour today, the weekday in the six days before, else the date. */
export function listTimeText(milliseconds, now) {
  if (dayKey(milliseconds) === dayKey(now)) return hourText(milliseconds);
  if (milliseconds >= midnight(now, -6) && milliseconds < now) return shortWeekdayText(milliseconds);
  const isThisYear = new Date(milliseconds).getFullYear() === new Date(now).getFullYear();
  return isThisYear ? shortDateText(milliseconds) : shortDateTextWithYear(milliseconds);
}

/** The text of a countdown: '4:59', '1:02:03'. */
export function spanText(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = pad(seconds % 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** A sentence for a failed request, by the kind of its `ApiError`. @param {{kind?: string}} error @returns {string} */
export function problemText({ kind }) {
  return texts.problem[kind] ?? texts.problem.server;
}

/** Who is typing in a chat; '' if nobody is. @param {{kind: string}} room @param {string[]} names */
export function typingText(room, names) {
  if (names.length === 0) return '';
  if (room.kind === 'direct') return texts.chats.typing;
  return names.length === 1 ? texts.chats.nameTyping(names[0]) : texts.chats.namesTyping(names.length);
}

/** One or two letters for a face without a picture. */
export function initialsOf(name) {
  const words = name.split(/[\s\-_.]+/u).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  const initials = letters.map((word) => [...word][0]).join('');
  return initials === '' ? '?' : initials.toLocaleUpperCase();
}

/** One of twelve colours, constant for an id (FNV-1a). */
export function colourOf(id) {
  let hash = 0x811c9dc5;
  for (const character of String(id)) {
    hash = Math.imul(hash ^ Number(character.codePointAt(0)), 0x01000193) >>> 0;
  }
  return hash % 12;
}

/** The address of a picture, or null if initials are drawn instead. */
export function pictureOf(avatarUrl) {
  if (!avatarUrl) return null;
  const key = avatarUrl.slice(avatarUrl.lastIndexOf('/') + 1);
  return key.startsWith('initials-') ? null : avatarUrl;
}

/**
 * A random UUID (version 4, RFC 9562 section 5.4). `crypto.randomUUID` is missing on insecure origins.
 * @param {(bytes: Uint8Array) => Uint8Array} fill `crypto.getRandomValues`
 */
export function newId(fill) {
  const bytes = fill(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)]
    .join('-');
}

const LONGEST_SOURCE = 1000;
const LONGEST = 200;
/** What stands before a line's text: quotes, bullets, task boxes, a heading. Numbers are text: "14. March". */
const LEAD = /^(?:\s|>|[-+*](?=\s|$)(?:\s+\[[ x]\](?=\s))?)*(?:#{1,6}(?=\s|$))?\s*/i;
const ALERT = /^\[!(?:note|tip|important|warning|caution)\]\s*$/i;
const FENCE = /^(`{3,}|~{3,})[^`]*$/;
const RULE = /^([-_*])\1\1+\s*$/;
/** Makes the text above it a heading, or with a pipe or colon a table's head. */
const UNDERLINE = /^(?:=+|[|:\s]*-[-|:\s]*)$/;
/** In order: an escape, code, an address, an address in angle brackets, brackets, emphasis. */
const TOKEN = new RegExp([
  /\\([!-/:-@[-`{-~\n])|(`+)(?!`)([^]*?[^`])\2(?!`)|`+|https?:\/\/[^\s<\]]*[^\s<\]?!.,:;*_~'"()]/,
  /<([a-z][a-z\d+.-]+:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>|(!?\[)|(\])|(\*+|_+|~+)/,
].map(({ source }) => source).join('|'), 'gi');
/** The address and title of a link. */
const TARGET = /\(\s*(?=\S)(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/y;
const LETTER = /[\dA-Za-z\u00c0-\u1fff\u3040-\ud7ff]/;

/**
 * A message as one plain line, for lists, quotes and notifications: Markdown without its marks; a text of nothing else
 * stays as it is. It knows the marks, not the whole grammar. `PlainLine.swift` makes the server's, and
 * `Tests/Fixtures/plain-lines.json` holds both to the same lines. Shortcodes stay: the table of emoji is not at hand.
 * @param {string} text
 */
export function plainLine(text) {
  const source = text.trimStart().slice(0, LONGEST_SOURCE);
  return (onOneLine(blocksOf(source).join(' ')) || onOneLine(source)).slice(0, LONGEST);
}

const onOneLine = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** The plain texts of paragraphs, headings, rows and code. */
function blocksOf(text) {
  const blocks = [];
  let paragraph = '';
  let fence = '';
  let isTable = false;
  const close = () => {
    blocks.push(withoutMarks(paragraph));
    paragraph = '';
  };
  for (const line of text.split('\n')) {
    const [lead] = /** @type {RegExpExecArray} */ (LEAD.exec(line));
    const rest = line.slice(lead.length);
    const mark = FENCE.exec(rest)?.[1];
    if (fence) {
      if (mark?.startsWith(fence) && rest.trim() === mark) fence = '';
      else blocks.push(line.replace(/^[\s>]+/, ''));
      continue;
    }
    const begins = rest === '' || /[-+*#]/.test(lead);
    const isUnder = paragraph !== '' && UNDERLINE.test(rest);
    fence = mark ?? '';
    if (begins) isTable = false;
    if (isUnder && /[|:]/.test(rest)) {
      isTable = true;
      const head = paragraph.lastIndexOf('\n');
      paragraph = paragraph.slice(0, head) + cells(paragraph.slice(head));
    }
    if (begins || isTable || isUnder || mark) close();
    if (rest === '' || isUnder || mark || RULE.test(rest) || (lead.includes('>') && ALERT.test(rest))) continue;
    paragraph += `\n${isTable ? cells(rest) : rest}`;
    if (lead.includes('#')) {
      paragraph = paragraph.replace(/\s#+\s*$/, '');
      close();
    }
  }
  close();
  return blocks;
}

/** The cells of a table's row. A pipe with a backslash is text. */
const cells = (row) => row.replaceAll(/\\?\|/g, (pipe) => (pipe === '|' ? ' ' : pipe));

function withoutMarks(text) {
  const parts = [];
  const open = {};
  let end = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const [all, escaped, , code, address, bracket, closing, marks] = match;
    parts.push(text.slice(end, match.index));
    TARGET.lastIndex = end = match.index + all.length;
    const [opens, closes] = marks ? sidesOf(marks, text[match.index - 1], text[end]) : [bracket, closing];
    const places = open[marks ?? '['] ??= [];
    const start = closes ? places.pop() : undefined;
    if (start !== undefined && (marks || TARGET.test(text))) {
      parts[start] = '';
      if (closing) end = TOKEN.lastIndex = TARGET.lastIndex;
    } else {
      parts.push(escaped ?? code ?? address ?? all);
      if (opens) places.push(parts.length - 1);
    }
  }
  return parts.join('') + text.slice(end);
}

/**
 * Whether a run of marks may open emphasis, and may close it: as in CommonMark, but not within words that may be
 * arithmetic: `2*3*4`.
 */
function sidesOf(marks, before, after) {
  const [ahead, behind] = [before, after].map((side) => (!side || /\s/.test(side) ? 0 : LETTER.test(side) ? 2 : 1));
  if (ahead + behind === 4 && (marks.length === 1 || marks[0] === '_' || /\d/.test(before + after))) return [];
  return [behind > 0 && (behind > 1 || ahead < 2), ahead > 0 && (ahead > 1 || behind < 2)];
}
