/** How values are shown: times in the reader's zone, failures, initials, colours; and ids for unsent messages. */
import { locale, texts } from './texts.js';

const DAY = 86_400_000;
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
const ages = new Intl.RelativeTimeFormat(locale);

/** 'Saturday, 14 March 2026, 18:03', local: for tooltips. */
export function fullTimeText(milliseconds) {
  return texts.time.full(weekdayText(milliseconds), dateText(milliseconds), hourText(milliseconds));
}

/** Heading of a day in the log: 'Today', 'Yesterday', '14 March 2026'. */
export function dayLabel(milliseconds, now) {
  const day = dayKey(milliseconds);
  if (day === dayKey(now)) return texts.time.today;
  if (day === dayKey(midnight(now, -1))) return texts.time.yesterday;
  return dateText(milliseconds);
}

/** The time in a chat's row: the hour today, the weekday in the six days before, else the date. */
export function listTimeText(milliseconds, now) {
  if (dayKey(milliseconds) === dayKey(now)) return hourText(milliseconds);
  if (milliseconds >= midnight(now, -6) && milliseconds < now) return shortWeekdayText(milliseconds);
  const isThisYear = new Date(milliseconds).getFullYear() === new Date(now).getFullYear();
  return isThisYear ? shortDateText(milliseconds) : shortDateTextWithYear(milliseconds);
}

/** 'last seen today at 18:03'. */
export function lastSeenText(milliseconds, now) {
  const { lastSeen, lastSeenToday, lastSeenYesterday, lastSeenDate } = texts.conversation;
  const day = dayKey(milliseconds);
  if (day === dayKey(now)) return lastSeen(lastSeenToday(hourText(milliseconds)));
  if (day === dayKey(midnight(now, -1))) return lastSeen(lastSeenYesterday(hourText(milliseconds)));
  return lastSeen(lastSeenDate(dateText(milliseconds)));
}

/** 'just now', '20 minutes ago', '3 days ago'. */
export function ageText(milliseconds, now) {
  const minutes = Math.floor((now - milliseconds) / 60_000);
  if (minutes < 1) return texts.time.justNow;
  if (minutes < 60) return ages.format(-minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return ages.format(-hours, 'hour');
  return ages.format(-Math.floor((now - milliseconds) / DAY), 'day');
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

/** The text of a message on one line, cut to what fits any row. */
export function previewOf(text) {
  return text.slice(0, 200).replaceAll(/\s+/gu, ' ').trim();
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
