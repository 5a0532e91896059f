/** Small pure rules of showing: times in the reader's zone, initials, colours, and ids for what is not stored yet. */

import { texts } from './texts.js';

const DAY = 86_400_000;
const pad = (number) => String(number).padStart(2, '0');

/** A local calendar day as one comparable number, 20260314. */
export function dayKey(milliseconds) {
  const date = new Date(milliseconds);
  return date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate();
}

/** Local midnight, `days` from the day of `milliseconds`; right also when clocks change. */
export function midnight(milliseconds, days = 0) {
  const date = new Date(milliseconds);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

/** '18:03', local. */
export function hourText(milliseconds) {
  const date = new Date(milliseconds);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** '14 March 2026', local. */
export function dateText(milliseconds) {
  const date = new Date(milliseconds);
  return texts.time.date(date.getDate(), texts.months[date.getMonth()], date.getFullYear());
}

/** 'Saturday, 14 March 2026, 18:03', local: for tooltips. */
export function fullTimeText(milliseconds) {
  const weekday = texts.weekdays[new Date(milliseconds).getDay()];
  return texts.time.full(weekday, dateText(milliseconds), hourText(milliseconds));
}

/** Heading of a day in the log: 'Today', 'Yesterday', '14 March 2026' (C2). */
export function dayLabel(milliseconds, now) {
  const day = dayKey(milliseconds);
  if (day === dayKey(now)) return texts.time.today;
  if (day === dayKey(midnight(now, -1))) return texts.time.yesterday;
  return dateText(milliseconds);
}

/** Time of a chat's row (L1): today its hour, in the six days before the weekday, else the date. */
export function listTimeText(milliseconds, now) {
  if (dayKey(milliseconds) === dayKey(now)) return hourText(milliseconds);
  const date = new Date(milliseconds);
  if (milliseconds >= midnight(now, -6) && milliseconds < now) {
    return texts.time.shortWeekday(texts.weekdays[date.getDay()]);
  }
  const month = texts.months[date.getMonth()];
  if (date.getFullYear() === new Date(now).getFullYear()) return texts.time.shortDate(date.getDate(), month);
  return texts.time.shortDateWithYear(date.getDate(), month, date.getFullYear());
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
  if (minutes < 60) return texts.time.agoMinutes(minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return texts.time.agoHours(hours);
  return texts.time.agoDays(Math.floor((now - milliseconds) / DAY));
}

/** '4:59', '1:02:03': what a countdown shows. */
export function spanText(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = pad(seconds % 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** One or two letters for a face without a picture. */
export function initialsOf(name) {
  const words = name.split(/[\s\-_.]+/u).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  const initials = letters.map((word) => [...word][0]).join('');
  return initials === '' ? '?' : initials.toLocaleUpperCase();
}

/** One of twelve colours, always the same for an id (FNV-1a). */
export function colourOf(id) {
  let hash = 0x811c9dc5;
  for (const character of String(id)) {
    hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193) >>> 0;
  }
  return hash % 12;
}

/** The address of a picture, or null where there is none and initials are drawn instead (D8). */
export function pictureOf(avatarUrl) {
  if (!avatarUrl) return null;
  const key = avatarUrl.slice(avatarUrl.lastIndexOf('/') + 1);
  return key.startsWith('initials-') ? null : avatarUrl;
}

/** The number of characters as people count them to a limit: code points, as the server does. */
export function countCharacters(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Text of a message on one line, cut where no row could show more. */
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
