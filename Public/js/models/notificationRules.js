/** Which notifications are shown, and when. */
import { plainLine } from './format.js';
import { isHeard } from './rooms.js';

/**
 * The do-not-disturb hours in local time; stored with the account.
 * @typedef {object} QuietHours
 * @property {boolean} on
 * @property {string} from `22:00`
 * @property {string} to on the next day if not after `from`; the whole day if equal to it
 * @property {number} utc_offset minutes ahead of UTC
 */

/** @type {QuietHours} until the server has told others */
export const USUAL_HOURS = Object.freeze({ on: false, from: '22:00', to: '07:00', utc_offset: 0 });

/**
 * Whether notifications are silenced now.
 * @param {QuietHours|undefined} hours @param {number} now milliseconds since 1970
 */
export function isQuiet(hours, now) {
  if (!hours?.on) return false;
  const date = new Date(now);
  // This browser uses its own clock; the offset is for the server.
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
 * Whether a message notifies: it is another person's, unread, and its chat is not silenced.
 * @param {object} message @param {import('./chatStore.js').ChatStore} store
 */
export function isTold(message, store) {
  const room = store.room(message.room_id);
  if (!room || store.isMine(message) || message.deleted_at) return false;
  return isHeard(room, store.mentionsMe(message)) && room.read_seq < message.seq;
}

/**
 * A system notification, one for each chat: a newer one replaces it. `path` is its target, null for none.
 * @typedef {{tag: string, title: string, body: string, icon: string|null, seq: number, path: string|null}} Notice
 */

/** @param {object} message @param {import('./chatStore.js').ChatStore} store @returns {Notice} */
export function noticeOf(message, store) {
  const room = store.room(message.room_id);
  const sender = store.person(message.sender);
  const isGroup = Boolean(room && !room.peer);
  const text = plainLine(message.text);
  return {
    tag: message.room_id, seq: message.seq, path: `/chats/${message.room_id}`, icon: isGroup ? null : sender.avatarUrl,
    title: isGroup ? room.name : sender.name, body: isGroup ? `${sender.name}: ${text}` : text,
  };
}
