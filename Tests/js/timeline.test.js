process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { buildRows, sameRow } from '../../Public/js/models/messageRows.js';
import { ObservableArray } from '../../Public/js/models/observableArray.js';
import { Timeline } from '../../Public/js/models/timeline.js';
import { ada, bob, message, seeded, shuffled } from './support/fakes.js';

const seqs = (timeline) => timeline.messages.map((one) => one.seq);
const pageOf = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => message(from + index));

test('a stream, a poll and a response deliver the same messages in any order: each once, newest state wins',
  { shows: ['C4'] }, () => {
  const random = seeded(11);
  for (let round = 0; round < 200; round += 1) {
    const final = pageOf(11, 30).map((one) => {
      const choice = random();
      if (choice < 0.2) return { ...one, text: '', deleted_at: '2026-03-14T10:00:00.000Z' };
      if (choice < 0.5) return { ...one, text: 'edited', edited_at: '2026-03-14T09:30:00.000Z' };
      return one;
    });
    const states = final.flatMap((one) => {
      const original = message(one.seq);
      const edit = { ...original, text: 'first edit', edited_at: '2026-03-14T09:00:00.000Z' };
      return one === original || !(one.edited_at || one.deleted_at) ? [original] : [original, edit, one];
    });
    const timeline = new Timeline();
    timeline.replace(pageOf(1, 10), { low: 1, high: 10, live: true });
    for (const one of shuffled([...states, ...states, ...states], random)) timeline.merge(one);
    assert.deepEqual(timeline.messages.slice(10), final);
    assert.equal(timeline.gap(), null);
    assert.equal(timeline.high, 30);
  }
});

test('a gap is detected, and closed when filled or when the server has nothing there', () => {
  const timeline = new Timeline();
  timeline.replace(pageOf(1, 3), { low: 1, high: 3, live: true });
  timeline.merge(message(7));
  timeline.merge(message(9));
  assert.deepEqual(timeline.gap(), { after: 3, before: 7 });
  timeline.addLater([message(4), message(5)], 6, false);
  assert.deepEqual(timeline.gap(), { after: 7, before: 9 });
  timeline.addLater([], 8, false);
  assert.equal(timeline.gap(), null);
  assert.deepEqual(seqs(timeline), [1, 2, 3, 4, 5, 7, 9]);
  assert.ok(timeline.live);
});

test('a window in the middle takes no arrivals', () => {
  const timeline = new Timeline();
  timeline.replace(pageOf(50, 99), { low: 50, high: 99, live: false });
  assert.equal(timeline.merge(message(100)), false);
  assert.equal(timeline.merge(message(3)), false);
  assert.equal(timeline.merge(message(60, { edited_at: 'x', text: 'new' })), true);
  assert.equal(timeline.gap(), null);
  timeline.addLater(pageOf(100, 120), 120, true);
  assert.equal(timeline.merge(message(121)), true);
  timeline.addEarlier(pageOf(40, 49), 40);
  assert.equal(timeline.low, 40);
  assert.equal(timeline.high, 121);
});

test('trimming either end keeps the rest and its range', () => {
  const timeline = new Timeline();
  timeline.replace(pageOf(1, 100), { low: 1, high: 100, live: true });
  assert.equal(timeline.trimStart(200), false);
  assert.equal(timeline.trimStart(60), true);
  assert.deepEqual([timeline.low, timeline.high, timeline.size], [41, 100, 60]);
  assert.equal(timeline.trimEnd(60), false);
  assert.equal(timeline.trimEnd(10), true);
  assert.deepEqual([timeline.low, timeline.high, timeline.live], [41, 50, false]);
  assert.equal(timeline.merge(message(101)), false);
  assert.equal(timeline.get(101), null);
});

test('dropping the end removes everything after a gap', () => {
  const timeline = new Timeline();
  timeline.replace(pageOf(1, 5), { low: 1, high: 5, live: true });
  timeline.merge(message(900));
  timeline.detach();
  assert.deepEqual(seqs(timeline), [1, 2, 3, 4, 5]);
  assert.equal(timeline.live, false);
});

test('a newer state survives a page loaded before it', () => {
  const timeline = new Timeline();
  timeline.replace(pageOf(1, 5), { low: 1, high: 5, live: true });
  timeline.merge(message(6));
  timeline.merge(message(2, { text: 'edited', edited_at: '2026-03-14T09:00:00.000Z' }));
  timeline.replace(pageOf(1, 5), { low: 1, high: 5, live: true });
  assert.equal(timeline.get(2).text, 'edited');
  assert.equal(timeline.high, 6);
});

function world() {
  const store = new ChatStore();
  store.setMe(ada);
  store.meet(bob);
  const build = (messages, extra = {}) => buildRows({
    messages, pending: [], store, ticks: { delivered: 0, read: 0 }, newAfter: null,
    now: Date.parse('2026-03-14T12:00:00Z'), ...extra,
  });
  return { store, build };
}

const entry = (clientId, members = {}) => ({
  clientId, roomId: 'room', text: clientId, replyTo: null, createdAt: '2026-03-14T11:00:00.000Z', order: 1,
  state: 'unsent', failure: null, ...members,
});

test('rows have the day, their position in a sender’s run, and the state', { shows: ['C2', 'S1'] }, () => {
  const { build } = world();
  const rows = build([
    message(1, { created_at: '2026-03-12T10:00:00.000Z' }),
    message(2, { created_at: '2026-03-13T10:00:00.000Z' }),
    message(3), message(4),
    message(5, { sender: ada }), message(6, { sender: ada }), message(7, { sender: ada }),
  ], { ticks: { delivered: 6, read: 5 } });
  assert.deepEqual(rows.map((row) => row.dayLabel), ['12 March 2026', 'Yesterday', 'Today', '', '', '', '']);
  assert.deepEqual(rows.map((row) => row.firstOfSender), [true, true, true, false, true, false, false]);
  assert.deepEqual(rows.map((row) => row.lastOfSender), [true, true, false, true, false, false, true]);
  assert.deepEqual(rows.map((row) => row.state),
    ['received', 'received', 'received', 'received', 'read', 'delivered', 'sent']);
  assert.deepEqual(rows.map((row) => row.key), ['#1', '#2', '#3', '#4', 'client-5', 'client-6', 'client-7']);
  assert.equal(rows[2].time, '08:00');
  assert.equal(rows[2].timeTitle, 'Saturday, 14 March 2026, 08:00');
  assert.equal('at' in rows[0], false);
});

test('unsent messages are last, in order, and keep their key when stored', () => {
  const { build } = world();
  const pending = [entry('a'), entry('b', { state: 'failed', failure: 'too-long' })];
  const before = build([message(1)], { pending });
  assert.deepEqual(before.map((row) => [row.key, row.seq, row.state]),
    [['#1', 1, 'received'], ['a', null, 'unsent'], ['b', null, 'failed']]);
  assert.equal(before[2].failure, 'It is too long.');
  const after = build([message(1), message(2), message(3, { sender: ada, client_id: 'a' })], { pending });
  assert.deepEqual(after.map((row) => row.key), ['#1', '#2', 'a', 'b']);
  assert.equal(after[2].state, 'sent');
});

test('another’s client id never hides or replaces one’s own row', () => {
  const { build } = world();
  const rows = build([message(1, { client_id: 'a' })], { pending: [entry('a')] });
  assert.deepEqual(rows.map((row) => row.key), ['#1', 'a']);
});

test('edited and deleted messages, quotes, the New line', { shows: ['C7'] }, () => {
  const { build } = world();
  const originals = new Map([[1, message(1)], [3, message(3, { deleted_at: 'x', text: '' })], [98, null]]);
  const original = (seq) => originals.get(seq);
  const rows = build([
    message(1), message(2, { edited_at: '2026-03-14T09:00:00.000Z', reply_to: 1 }),
    message(3, { deleted_at: 'x', text: 'secret', reply_to: 1 }),
    message(4, { sender: ada, reply_to: 99 }), message(5), message(6, { reply_to: 3 }), message(7, { reply_to: 98 }),
  ], { newAfter: 3, original });
  assert.equal(rows[1].edited, true);
  assert.deepEqual(rows[1].replyTo, { seq: 1, name: 'Bob', text: 'text 1', missing: false });
  assert.deepEqual([rows[2].deleted, rows[2].text, rows[2].replyTo], [true, '', null]);
  assert.deepEqual(rows[3].replyTo, { seq: 99, name: '', text: '', missing: false }, 'not known yet');
  assert.equal(rows[5].replyTo.text, 'This message was deleted');
  assert.deepEqual([rows[6].replyTo.missing, rows[6].replyTo.text], [true, 'This message is not available any more.']);
  assert.deepEqual(rows.map((row) => row.newLine), [false, false, false, false, true, false, false]);
  assert.ok(sameRow(rows[1], { ...rows[1], replyTo: { ...rows[1].replyTo } }));
  assert.ok(!sameRow(rows[1], { ...rows[1], text: '' }));
});

test('an arrival patches at most three rows, whoever writes and whatever waits', () => {
  const random = seeded(23);
  const { build } = world();
  const array = new ObservableArray({ equals: sameRow });
  const timeline = new Timeline();
  timeline.replace([], { low: 1, high: 0, live: true });
  const pending = [entry('p1'), entry('p2')];
  array.replaceAll(build([], { pending }));
  for (let seq = 1; seq <= 300; seq += 1) {
    const created = new Date(Date.parse('2026-03-01T08:00:00Z') + seq * 3_600_000 * random() * 2).toISOString();
    timeline.merge(message(seq, { sender: random() < 0.5 ? ada : bob, created_at: created }));
    const changes = array.replaceAll(build(timeline.messages, { pending, newAfter: 100 }));
    assert.ok(changes.length <= 3, `${changes.length} patches`);
  }
});
