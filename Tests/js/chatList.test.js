process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShellViewModel } from '../../Public/js/viewmodels/shellViewModel.js';
import { ChatListViewModel } from '../../Public/js/viewmodels/chatListViewModel.js';
import { carl, two, world } from './support/chatsWorld.js';
import { bob, failure, message, mirror, room, settle } from './support/fakes.js';

test('one row per chat, newest first, with its last message, time, count and picture', { shows: ['L1'] }, () => {
  const list = new ChatListViewModel(world({ rooms: two() }));
  const shown = ({ id, name, previewPrefix, preview, time, online }) =>
    [id, name, previewPrefix, preview, time, online];
  assert.deepEqual(list.rows.items.map(shown), [
    ['a', 'Bob', '', 'text 1', '09:00', true], ['b', 'Carl', 'You: ', 'mine and more', 'Wed', false],
  ]);
  assert.equal(list.rows.items[0].avatarUrl, null);
  assert.equal(list.rows.items[0].initials, 'B');
  assert.equal(list.rows.items[0].timeTitle, 'Saturday, 14 March 2026, 09:00');
});

test('a message moves its row to the top and counts; nothing else changes', { shows: ['L1', 'L2'] }, async () => {
  const here = world({ rooms: two() });
  const list = new ChatListViewModel(here);
  const copy = mirror(list.rows);
  const news = message(2, { room_id: 'b', sender: carl, text: 'news', created_at: '2026-03-14T11:00:00.000Z' });
  here.event('message.created', news);
  await settle();
  assert.deepEqual(copy.steps, ['move', 'update']);
  assert.deepEqual([copy[0].id, copy[0].preview, copy[0].unread, copy[0].unreadText], ['b', 'news', 1, '1']);
  assert.equal(list.state.totalUnread, 1);
  here.event('message.deleted', { ...news, text: '', deleted_at: 'x' });
  await settle();
  assert.deepEqual([copy[0].preview, copy[0].unread], ['Message deleted', 0]);
});

test('the list and the title update after the message is painted, changes of the list itself at once', async () => {
  const here = world({ rooms: two() });
  const painted = [];
  here.clock.afterPaint = (act) => painted.push(act);
  const list = new ChatListViewModel(here);
  const shell = new ShellViewModel(here);
  for (const seq of [2, 3]) here.event('message.created',
    message(seq, { room_id: 'b', sender: carl, text: `news ${seq}` }));
  await settle();
  const preview = () => list.rows.items.find(({ id }) => id === 'b').preview;
  assert.deepEqual([preview(), shell.state.totalUnread, painted.length], ['mine and more', 0, 2], 'each asks once');
  for (const act of painted.splice(0)) act();
  assert.deepEqual([preview(), shell.state.totalUnread], ['news 3', 2]);
  here.store.load([], 9);
  await settle();
  assert.equal(list.rows.length, 0);
});

test('an unsent message is its chat’s newest', { shows: ['S1'] }, async () => {
  const here = world({ rooms: two() });
  const list = new ChatListViewModel(here);
  here.outbox.set([{
    clientId: 'x', roomId: 'b', text: 'soon', createdAt: '2026-03-14T12:00:00.000Z', state: 'unsent',
  }]);
  await settle();
  const [row] = list.rows.items;
  assert.deepEqual([row.id, row.preview, row.previewPrefix, row.previewState], ['b', 'soon', 'You: ', 'unsent']);
});

test('names, presence and typing show at once; typing changes its row only', { shows: ['L2', 'S6'] }, async () => {
  const here = world({ rooms: two() });
  const list = new ChatListViewModel(here);
  here.event('user.updated', { ...carl, name: 'Charles' });
  here.passing('presence', { user_id: 'carl', online: true });
  await settle();
  assert.deepEqual([list.rows.items[1].name, list.rows.items[1].online], ['Charles', true]);
  const copy = mirror(list.rows);
  here.passing('typing', { room_id: 'a', user_id: 'bob', typing: true });
  await settle();
  assert.equal(copy[0].typing, 'typing…');
  assert.deepEqual(copy.steps, ['update']);
});

test('pinned chats stay on top, muted ones do not count, the open one is marked', async () => {
  const [first, second] = two();
  const team = room({ id: 'g', kind: 'group', name: 'Team', peer: null });
  const here = world({ rooms: [first, { ...second, pinned: true, muted: true, unread_count: 5 }, team] });
  const list = new ChatListViewModel(here);
  assert.deepEqual(list.rows.items.map((row) => row.id), ['b', 'a', 'g']);
  assert.equal(list.state.totalUnread, 0);
  assert.deepEqual([list.rows.items[2].time, list.rows.items[2].initials], ['', 'T']);
  list.select('a');
  assert.deepEqual(list.rows.items.map((row) => row.selected), [false, true, false]);
  here.store.meet(carl);
  for (const id of ['bob', 'carl']) here.passing('typing', { room_id: 'g', user_id: id, typing: true });
  await settle();
  assert.equal(list.rows.items[2].typing, '2 people are typing…');
});

test('loading, empty and failed lists are distinguished', async () => {
  const here = world({ loaded: false });
  const list = new ChatListViewModel(here);
  assert.deepEqual([list.state.loading, list.state.empty], [true, false]);
  here.status.update({ loading: false, error: failure('network') });
  await settle();
  assert.match(list.state.error, /could not be loaded/);
  list.retry();
  assert.equal(here.sync.retried, 1);
  here.store.load([], 3);
  here.status.update({ error: null });
  await settle();
  assert.deepEqual([list.state.loading, list.state.empty, list.state.error], [false, true, null]);
});

test('at midnight times become weekdays', async () => {
  const here = world({ rooms: two() });
  const list = new ChatListViewModel(here);
  await here.clock.advance(12 * 3_600_000 + 10);
  assert.equal(list.rows.items[0].time, 'Sat');
  list.close();
  here.event('user.updated', { ...bob, name: 'Later' });
  await settle();
  assert.equal(list.rows.items[0].name, 'Bob');
  assert.equal(here.clock.pending, 0);
});

test('a row says who wrote in a group, what is drafted, and who mentioned me',
  { shows: ['L1', 'K3', 'R3'] }, async () => {
  const team = room({
    id: 'g', kind: 'group', name: 'Team', peer: null, last_seq: 1, unread_count: 1, mention_count: 1,
    mention_level: 'mentions', last_message: message(1, { room_id: 'g', sender: { ...carl, first_name: 'Carl' } }),
  });
  const here = world({ rooms: [...two(), team] });
  const list = new ChatListViewModel(here);
  const row = (id) => list.rows.items.find((one) => one.id === id);
  assert.deepEqual([row('g').previewPrefix, row('g').preview, row('g').mentioned, row('g').quiet],
    ['Carl: ', 'text 1', true, true]);
  const long = { ...carl, id: 'long', name: 'Maximiliane-Charlotte Braun' };
  here.event('message.created', message(2, { room_id: 'g', sender: long }));
  await settle();
  assert.equal(row('g').previewPrefix, 'Maximiliane…: ', 'a long name leaves room, and its colon is there');
  here.drafts.set('a', 'half a\nthought');
  here.drafts.set('a#new', 'yes');
  list.select('b');
  assert.deepEqual([row('a').previewPrefix, row('a').preview, row('a').previewState],
    ['Draft: ', 'half a thought', 'draft']);
  list.select('a');
  assert.equal(row('a').previewPrefix, '', 'the open chat shows it in its field');
  here.event('room.updated', { ...here.store.room('b'), draft: 'from the phone' });
  await settle();
  assert.equal(row('b').preview, 'from the phone');
  // What was stored here gives way to the other device's, also when that has deleted it.
  here.drafts.set('b', 'older');
  here.event('room.updated', { ...here.store.room('b'), draft: 'from the phone, longer' });
  await settle();
  assert.equal(row('b').preview, 'from the phone, longer');
  here.event('room.updated', { ...here.store.room('b'), draft: '' });
  await settle();
  assert.equal(row('b').previewState, null);
});

test('the last pinned chat is marked if others are below it', () => {
  const [first, second] = two();
  const lastPinned = (rooms) => new ChatListViewModel(world({ rooms })).rows.items.map((row) => row.lastPinned);
  assert.deepEqual(lastPinned([{ ...first, pinned: true }, second]), [true, false]);
  assert.deepEqual(lastPinned([{ ...first, pinned: true }, { ...second, pinned: true }]), [false, false]);
  assert.deepEqual(lastPinned([first, second]), [false, false]);
});

test('a chat that is only viewed, or was joined late, is at its proper place', async () => {
  const old = { kind: 'group', name: 'Old', peer: null, created_at: '2020-01-01T00:00:00.000Z' };
  const here = world({ rooms: [room({ id: 'g', ...old }), ...two()] });
  const list = new ChatListViewModel(here);
  const order = () => list.rows.items.map((row) => row.id);
  assert.deepEqual(order(), ['g', 'a', 'b'], 'the server knows why it is the newest');
  here.store.putRoom(room({ id: 'public', ...old, role: null }));
  here.event('room.created', room({ id: 'new', ...old }));
  await settle();
  assert.deepEqual(order(), ['new', 'g', 'a', 'b']);
});
