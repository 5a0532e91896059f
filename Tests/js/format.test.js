process.env.TZ = 'Europe/Berlin';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as days from '../../Public/js/models/days.js';
import * as format from '../../Public/js/models/format.js';
import { countCharacters } from '../../Public/js/models/limits.js';
import { chatTexts } from '../../Public/js/models/texts/conversation.js';
import { plural, texts } from '../../Public/js/models/texts.js';
import { sharedTexts } from '../../Public/js/models/texts/shared.js';

const at = (text) => Date.parse(text);
const now = at('2026-03-14T17:03:00Z');

test('day headings say Today, Yesterday, then the date, in local days', { shows: ['C2'] }, () => {
  assert.equal(days.dayLabel(at('2026-03-13T23:30:00Z'), now), 'Today');
  assert.equal(days.dayLabel(at('2026-03-13T22:30:00Z'), now), 'Yesterday');
  assert.equal(days.dayLabel(at('2026-03-12T22:30:00Z'), now), '12 March 2026');
  assert.equal(days.dayLabel(at('2026-03-14T10:00:00Z'), at('2026-03-20T10:00:00Z')), '14 March 2026');
});

test('yesterday is right even on the day of a clock change', () => {
  const monday = at('2026-03-30T10:00:00Z');
  assert.equal(days.dayLabel(at('2026-03-29T00:30:00Z'), monday), 'Yesterday');
  assert.equal(format.midnight(monday) - format.midnight(monday, -1), 23 * 3_600_000);
});

test('a chat row shows the time today, the weekday this week, otherwise the date', { shows: ['L1'] }, () => {
  assert.equal(format.listTimeText(at('2026-03-14T17:02:00Z'), now), '18:02');
  assert.equal(format.listTimeText(at('2026-03-13T17:02:00Z'), now), 'Fri');
  assert.equal(format.listTimeText(at('2026-03-08T17:02:00Z'), now), 'Sun');
  assert.equal(format.listTimeText(at('2026-03-07T17:02:00Z'), now), '7 Mar');
  assert.equal(format.listTimeText(at('2025-03-14T17:02:00Z'), now), '14 Mar 2025');
});

test('the tooltip has the full local time', () => {
  assert.equal(format.fullTimeText(now), 'Saturday, 14 March 2026, 18:03');
});

test('last seen names the day', () => {
  assert.equal(days.lastSeenText(at('2026-03-14T05:00:00Z'), now), 'last seen today at 06:00');
  assert.equal(days.lastSeenText(at('2026-03-13T05:00:00Z'), now), 'last seen yesterday at 06:00');
  assert.equal(days.lastSeenText(at('2026-02-13T05:00:00Z'), now), 'last seen on 13 February 2026');
});

test('ages and countdowns', () => {
  assert.equal(days.ageText(now - 1000, now), 'just now');
  assert.equal(days.ageText(now - 60_000, now), '1 minute ago');
  assert.equal(days.ageText(now - 20 * 60_000, now), '20 minutes ago');
  assert.equal(days.ageText(now - 3 * 3_600_000, now), '3 hours ago');
  assert.equal(days.ageText(now - 49 * 3_600_000, now), '2 days ago');
  assert.equal(format.spanText(299_001), '5:00');
  assert.equal(format.spanText(3_723_000), '1:02:03');
  assert.equal(format.spanText(-5), '0:00');
});

test('initials and colours replace a missing picture', { shows: ['D8'] }, () => {
  assert.equal(format.initialsOf('Ada Lovelace'), 'AL');
  assert.equal(format.initialsOf('octo-cat'), 'OC');
  assert.equal(format.initialsOf('bob'), 'B');
  assert.equal(format.initialsOf('😀 smile'), '😀S');
  assert.equal(format.initialsOf('  '), '?');
  const colours = new Set(Array.from({ length: 500 }, (_, id) => format.colourOf(id)));
  assert.equal(colours.size, 12);
  assert.equal(format.colourOf('ada'), format.colourOf('ada'));
  assert.equal(format.pictureOf('/api/v1/avatars/initials-7'), null);
  assert.equal(format.pictureOf('/api/v1/avatars/ab12'), '/api/v1/avatars/ab12');
  assert.equal(format.pictureOf(undefined), null);
});

test('characters are code points', () => {
  assert.equal(countCharacters('a😀é'), 3);
});

test('ids are UUIDs of version 4', () => {
  assert.equal(format.newId((bytes) => bytes.fill(255)), 'ffffffff-ffff-4fff-bfff-ffffffffffff');
  const random = (bytes) => globalThis.crypto.getRandomValues(bytes);
  const made = new Set(Array.from({ length: 100 }, () => format.newId(random)));
  assert.equal(made.size, 100);
});

test('plurals follow the language', () => {
  assert.deepEqual([0, 1, 2, 1.5].map((count) => plural(count, 'day', 'days')), ['days', 'day', 'days', 'days']);
});

test('dates follow a change of the time zone', () => {
  process.env.TZ = 'Asia/Tokyo';
  assert.equal(format.fullTimeText(now), 'Sunday, 15 March 2026, 02:03');
  process.env.TZ = 'Europe/Berlin';
  assert.equal(format.fullTimeText(now), 'Saturday, 14 March 2026, 18:03');
});

test('texts count rightly', () => {
  assert.equal(texts.chats.unread(0), '');
  assert.equal(texts.chats.unread(100), '99+');
  assert.equal(texts.chats.unreadLabel(1), '1 unread message');
  assert.equal(texts.connection.offlineWaiting(2), 'Offline, 2 messages waiting');
  assert.equal(texts.shell.title(3, 'Ada Lovelace'), '(3) Ada Lovelace · Hubbub');
  assert.equal(texts.shell.title(0, ''), 'Hubbub');
  assert.equal(chatTexts.newBelow(3), '3 new');
  assert.equal(format.problemText({ kind: 'network' }), texts.problem.network);
  assert.equal(format.problemText({ kind: 'internal' }), texts.problem.server);
  assert.equal(texts.chats.namesTyping(2), '2 people are typing…');
  assert.equal(sharedTexts.resetsAt('18:05'), 'It resets at 18:05.');
});
