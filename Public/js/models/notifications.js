/** What is told to somebody who does not look, and when (T1, T2). */
import { previewOf } from './format.js';
import { isHeard } from './rooms.js';

/**
 * The hours in which nothing is told, by the clock on the wall; kept with the account.
 * @typedef {object} QuietHours
 * @property {boolean} on
 * @property {string} from `22:00`
 * @property {string} to up to `from` it is on the next day; equal to it there is no end
 * @property {number} utc_offset minutes that this person's clock is ahead of UTC
 */

/** @type {QuietHours} until the server has told others */
export const USUAL_HOURS = Object.freeze({ on: false, from: '22:00', to: '07:00', utc_offset: 0 });

/**
 * Whether nothing is to be told now.
 * @param {QuietHours|undefined} hours @param {number} now milliseconds since 1970
 */
export function isQuiet(hours, now) {
  if (!hours?.on) return false;
  const date = new Date(now);
  // This browser knows what its clock shows; the offset is for the server, which does not.
  const minute = date.getHours() * 60 + date.getMinutes();
  const [from, to] = [minuteOf(hours.from), minuteOf(hours.to)];
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** @param {string} text `07:30` @returns {number} minutes since midnight; NaN for what is no time of day */
export function minuteOf(text) {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

/** @param {number} now @returns {number} how many minutes the clock here is ahead of UTC */
export function utcOffset(now) {
  // Adding zero turns UTC's -0 into a plain one.
  return -new Date(now).getTimezoneOffset() + 0;
}

/**
 * Whether a message is one to be told of at all: another's, of a chat that may be heard, and not read yet.
 * @param {object} message @param {import('./chatStore.js').ChatStore} store
 */
export function isTold(message, store) {
  const room = store.room(message.room_id);
  if (!room || store.isMine(message) || message.deleted_at) return false;
  return isHeard(room, store.mentionsMe(message)) && room.read_seq < message.seq;
}

/**
 * A system notification. One a chat: a newer one takes its place. `path` is where it leads; null: nowhere.
 * @typedef {{tag: string, title: string, body: string, icon: string|null, seq: number, path: string|null}} Notice
 */

/** @param {object} message @param {import('./chatStore.js').ChatStore} store @returns {Notice} */
export function noticeOf(message, store) {
  const room = store.room(message.room_id);
  const sender = store.person(message.sender);
  const isGroup = Boolean(room && !room.peer);
  const text = previewOf(message.text);
  return {
    tag: message.room_id, seq: message.seq, path: `/chats/${message.room_id}`, icon: isGroup ? null : sender.avatarUrl,
    title: isGroup ? room.name : sender.name, body: isGroup ? `${sender.name}: ${text}` : text,
  };
}
