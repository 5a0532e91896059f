process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { Observable } from '../../Public/js/models/observableArray.js';
import { ChatListViewModel } from '../../Public/js/viewmodels/chatListViewModel.js';
import { ConnectionViewModel } from '../../Public/js/viewmodels/connectionViewModel.js';
import { ShellViewModel } from '../../Public/js/viewmodels/shellViewModel.js';
import { LocalTexts } from '../../Public/js/services/storage.js';
import { FakeClock, FakeLocalStorage, ada, bob, failure, message, mirror, room, settle } from './support/fakes.js';

const carl = { ...bob, id: 'carl', login: 'carl', name: 'Carl', github_id: 3, online: false };

function world({ rooms = [], loaded = true } = {}) {
  const clock = new FakeClock();
  const store = new ChatStore();
  store.setMe(ada);
  if (loaded) store.load(rooms, 1);
  const status = new Observable({ connection: 'online', loading: !loaded, error: null });
  const sync = {
    retried: 0, get state() { return status.state; }, subscribe: (listener) => status.subscribe(listener),
    retry: () => { sync.retried += 1; },
  };
  const listeners = new Set();
  const outbox = {
    kept: [], get waiting() { return this.kept.filter((entry) => entry.state === 'unsent').length; },
    entries: (roomId) => outbox.kept.filter((entry) => entry.roomId === roomId),
    subscribe: (listener) => { listeners.add(listener); return () => listeners.delete(listener); },
    tell: (change) => { for (const listener of listeners) listener(change); },
    set: (kept) => { outbox.kept = kept; for (const listener of listeners) listener({ type: 'loaded' }); },
  };
  let id = 1;
  const event = (name, data) => { id += 1; store.apply({ id, event: name, data }, clock.now()); };
  const passing = (name, data) => store.apply({ id: null, event: name, data }, clock.now());
  const drafts = new LocalTexts(new FakeLocalStorage(), 'draft');
  return { clock, store, status, sync, outbox, drafts, event, passing };
}

const two = () => [
  room({
    id: 'a', last_seq: 1, read_seq: 1,
    last_message: message(1, { room_id: 'a', created_at: '2026-03-14T09:00:00.000Z' }),
  }),
  room({
    id: 'b', peer: carl, last_seq: 1, read_seq: 1,
    last_message: message(1, {
      room_id: 'b', sender: ada, text: 'mine\nand more', created_at: '2026-03-11T09:00:00.000Z',
    }),
  }),
];

test('one row a chat, newest first, with its last message, time, count and face (L1)', () => {
  const list = new ChatListViewModel(world({ rooms: two() }));
  assert.deepEqual(list.rows.items.map((row) => [row.id, row.name, row.previewPrefix, row.preview, row.time, row.online]), [
    ['a', 'Bob', '', 'text 1', '09:00', true], ['b', 'Carl', 'You: ', 'mine and more', 'Wed', false],
  ]);
  assert.equal(list.rows.items[0].avatarUrl, null);
  assert.equal(list.rows.items[0].initials, 'B');
  assert.equal(list.rows.items[0].timeTitle, 'Saturday, 14 March 2026, 09:00');
});

test('a message moves its row to the top and counts; nothing else is touched (L1, L2)', async () => {
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

test('the list and the title follow a message after its paint, at once what the list itself is', async () => {
  const here = world({ rooms: two() });
  const painted = [];
  here.clock.afterPaint = (act) => painted.push(act);
  const list = new ChatListViewModel(here);
  const shell = new ShellViewModel(here);
  for (const seq of [2, 3]) here.event('message.created', message(seq, { room_id: 'b', sender: carl, text: `news ${seq}` }));
  await settle();
  const preview = () => list.rows.items.find(({ id }) => id === 'b').preview;
  assert.deepEqual([preview(), shell.state.totalUnread, painted.length], ['mine and more', 0, 2], 'each asks once');
  for (const act of painted.splice(0)) act();
  assert.deepEqual([preview(), shell.state.totalUnread], ['news 3', 2]);
  here.store.load([], 9);
  await settle();
  assert.equal(list.rows.length, 0);
});

test('an unsent message is its chat’s newest (S1)', async () => {
  const here = world({ rooms: two() });
  const list = new ChatListViewModel(here);
  here.outbox.set([{ clientId: 'x', roomId: 'b', text: 'soon', createdAt: '2026-03-14T12:00:00.000Z', state: 'unsent' }]);
  await settle();
  const [row] = list.rows.items;
  assert.deepEqual([row.id, row.preview, row.previewPrefix, row.previewState], ['b', 'soon', 'You: ', 'unsent']);
});

test('names, presence and typing show at once; typing touches its row only (L2, S6)', async () => {
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

test('loading, empty and failed lists are told apart', async () => {
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

test('at midnight hours become weekdays', async () => {
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

test('the connection says in words what it is and what waits (S5)', async () => {
  const here = world();
  const connection = new ConnectionViewModel(here);
  assert.deepEqual(connection.state, { state: 'online', text: '', waiting: 0, said: null });
  here.status.update({ connection: 'connecting' });
  await settle();
  assert.equal(connection.state.text, 'Connecting…');
  here.status.update({ connection: 'offline' });
  await settle();
  assert.equal(connection.state.text, 'Offline');
  const unsent = { roomId: 'a', state: 'unsent', text: '', createdAt: '2026-03-14T12:00:00.000Z' };
  here.outbox.set([unsent, { ...unsent }]);
  assert.equal(connection.state.text, 'Offline, 2 messages waiting');
  here.outbox.set([]);
  here.status.update({ connection: 'online' });
  await settle();
  here.outbox.set([unsent]);
  assert.equal(connection.state.text, '', 'what is sent at once is not spoken of');
  await here.clock.advance(1000);
  assert.equal(connection.state.text, 'Sending 1 message…');
  here.outbox.set([]);
  assert.deepEqual(connection.state, { state: 'online', text: '', waiting: 0, said: { text: 'Connected again' } });
  connection.close();
});

test('that the connection is back, and that a message failed, is said once each, to be read out (S3, S5, H4)', async () => {
  const here = world();
  const connection = new ConnectionViewModel(here);
  const said = [];
  let last = null;
  connection.subscribe((state) => {
    if (state.said !== last) said.push(state.said.text);
    last = state.said;
  });
  const status = async (connection) => {
    here.status.update({ connection });
    await settle();
  };
  await status('connecting');
  await here.clock.advance(999);
  await status('online');
  assert.deepEqual(said, [], 'nobody noticed that it was gone');
  await status('connecting');
  await here.clock.advance(1000);
  await status('online');
  assert.deepEqual(said.splice(0), ['Connected again']);
  await status('offline');
  await status('connecting');
  await status('online');
  assert.deepEqual(said, ['Connected again']);
  const entry = { roomId: 'a', state: 'unsent', text: 'hello', failure: null, createdAt: '2026-03-14T12:00:00.000Z' };
  here.outbox.tell({ type: 'added', entry });
  here.outbox.tell({ type: 'changed', entry: { ...entry, state: 'failed', failure: 'server' } });
  await settle();
  assert.equal(said[1], 'Not sent: hello. The server had a problem for a minute.');
  here.outbox.tell({ type: 'changed', entry });
  here.outbox.set([]);
  await settle();
  assert.equal(said.length, 2);
  here.outbox.tell({ type: 'changed', entry: { ...entry, state: 'failed', failure: 'server' } });
  await settle();
  assert.deepEqual([said.length, said[2]], [3, said[1]], 'another try that fails is said again');
  connection.close();
});

test('a first connection is no return (S5)', async () => {
  const here = world();
  here.status.update({ connection: 'connecting' });
  await settle();
  const connection = new ConnectionViewModel(here);
  await here.clock.advance(5000);
  here.status.update({ connection: 'online' });
  await settle();
  assert.equal(connection.state.said, null);
  connection.close();
});

test('the title has the sum and the open chat’s name (L2)', () => {
  const here = world({ rooms: two() });
  const shell = new ShellViewModel(here);
  assert.equal(shell.state.title, 'Chats · Hubbub');
  shell.show('chats', 'b');
  assert.equal(shell.state.title, 'Carl · Hubbub');
  here.event('message.created', message(2, { room_id: 'a' }));
  assert.equal(shell.state.title, '(1) Carl · Hubbub');
  here.event('user.updated', { ...carl, name: 'Charles' });
  assert.equal(shell.state.title, '(1) Charles · Hubbub');
  shell.show('people');
  assert.equal(shell.state.title, '(1) People · Hubbub');
  assert.equal(shell.state.me.name, 'Ada Lovelace');
});

test('a message in another chat is a toast, one a chat, that leaves by itself (L5)', async () => {
  const team = room({ id: 'g', kind: 'group', name: 'Team', peer: null });
  const here = world({ rooms: [...two(), team, room({ id: 'm', muted: true }), room({ id: 'c' })] });
  const shell = new ShellViewModel(here);
  shell.show('chats', 'a');
  here.event('message.created', message(2, { room_id: 'a' }));
  here.event('message.created', message(2, { room_id: 'b', sender: ada }));
  here.event('message.created', message(2, { room_id: 'm' }));
  assert.equal(shell.toasts.length, 0);
  here.event('message.created', message(3, { room_id: 'b', sender: carl, text: 'hi\nyou' }));
  here.event('message.created', message(1, { room_id: 'g', sender: carl }));
  assert.deepEqual(shell.toasts.items.map((toast) => [toast.roomId, toast.sender.name, toast.roomName, toast.text]),
    [['b', 'Carl', 'Carl', 'hi you'], ['g', 'Carl', 'Team', 'text 1']]);
  here.event('message.created', message(4, { room_id: 'b', sender: carl }));
  here.event('message.created', message(1, { room_id: 'c' }));
  here.event('message.created', message(9, { room_id: 'unknown' }));
  assert.deepEqual(shell.toasts.items.map((toast) => toast.id), ['b', 'c', 'unknown']);
  shell.show('chats', 'b');
  here.event('receipt.updated', { room_id: 'c', user_id: 'ada', read_seq: 1 });
  assert.deepEqual(shell.toasts.items.map((toast) => toast.id), ['unknown']);
  await here.clock.advance(6000);
  assert.equal(shell.toasts.length, 0);
  here.event('message.created', message(2, { room_id: 'c' }));
  here.event('room.removed', { id: 'c' });
  assert.equal(shell.toasts.length, 0);
  shell.close();
});

test('a row says who wrote in a group, what is drafted, and who mentioned me (L1, K3, R3)', async () => {
  const team = room({
    id: 'g', kind: 'group', name: 'Team', peer: null, last_seq: 1, unread_count: 1, mention_count: 1,
    mention_level: 'mentions', last_message: message(1, { room_id: 'g', sender: { ...carl, first_name: 'Carl' } }),
  });
  const here = world({ rooms: [...two(), team] });
  const list = new ChatListViewModel(here);
  const row = (id) => list.rows.items.find((one) => one.id === id);
  assert.deepEqual([row('g').previewPrefix, row('g').preview, row('g').mentioned, row('g').quiet], ['Carl: ', 'text 1', true, true]);
  const long = { ...carl, id: 'long', first_name: 'Maximiliane-Charlotte' };
  here.event('message.created', message(2, { room_id: 'g', sender: long }));
  await settle();
  assert.equal(row('g').previewPrefix, 'Maximiliane…: ', 'a long name leaves room, and its colon is there');
  here.drafts.set('a', 'half a\nthought');
  list.select('b');
  assert.deepEqual([row('a').previewPrefix, row('a').preview, row('a').previewState], ['Draft: ', 'half a thought', 'draft']);
  list.select('a');
  assert.equal(row('a').previewPrefix, '', 'the open chat shows it in its field');
  here.event('room.updated', { ...here.store.room('b'), draft: 'from the phone' });
  await settle();
  assert.equal(row('b').preview, 'from the phone');
});

test('the last pinned chat is known, where others stand below it', () => {
  const [first, second] = two();
  const lastPinned = (rooms) => new ChatListViewModel(world({ rooms })).rows.items.map((row) => row.lastPinned);
  assert.deepEqual(lastPinned([{ ...first, pinned: true }, second]), [true, false]);
  assert.deepEqual(lastPinned([{ ...first, pinned: true }, { ...second, pinned: true }]), [false, false]);
  assert.deepEqual(lastPinned([first, second]), [false, false]);
});

test('a chat that one only looks at, or was let into long after it was made, stands where it belongs', async () => {
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

test('the sum counts as each chat wishes: all, mentions, nothing (L2, R3)', () => {
  const counts = { unread_count: 5, mention_count: 2, last_seq: 5 };
  const here = world({ rooms: [
    room({ id: 'all', ...counts }), room({ id: 'some', ...counts, mention_level: 'mentions' }),
    room({ id: 'none', ...counts, mention_level: 'nothing' }), room({ id: 'muted', ...counts, muted: true }),
  ] });
  assert.equal(here.store.totalUnread(), 7);
  here.event('message.created', message(6, { room_id: 'some', mentions: ['ada'] }));
  here.event('message.created', message(7, { room_id: 'some', mentions: ['bob'] }));
  assert.equal(here.store.totalUnread(), 8);
});

test('toasts follow mention levels, edits, deletions and reading elsewhere; they lead to their message (L5, R3)', () => {
  const group = { kind: 'group', name: 'Team', peer: null };
  const here = world({ rooms: [
    room({ id: 'some', ...group, mention_level: 'mentions' }), room({ id: 'none', ...group, mention_level: 'nothing' }), ...two(),
  ] });
  const shell = new ShellViewModel(here);
  here.event('message.created', message(1, { room_id: 'none', mentions: ['ada'] }));
  here.event('message.created', message(1, { room_id: 'some' }));
  assert.equal(shell.toasts.length, 0);
  here.event('message.created', message(2, { room_id: 'some', mentions: ['ada'] }));
  const [toast] = shell.toasts.items;
  assert.deepEqual([toast.seq, toast.isGroup, toast.roomName], [2, true, 'Team']);
  here.event('room.updated', { ...here.store.room('some'), name: 'Crew' });
  assert.equal(shell.toasts.items[0].roomName, 'Crew');
  here.event('message.updated', message(2, { room_id: 'some', mentions: ['ada'], text: 'mended' }));
  here.event('message.updated', message(1, { room_id: 'some', text: 'another' }));
  assert.equal(shell.toasts.items[0].text, 'mended');
  here.event('message.deleted', message(2, { room_id: 'some', deleted_at: 'x', text: '' }));
  assert.equal(shell.toasts.length, 0);
  here.event('message.created', message(2, { room_id: 'a' }));
  here.event('message.created', message(2, { room_id: 'b', sender: carl }));
  here.event('receipt.updated', { room_id: 'a', user_id: 'ada', read_seq: 2 });
  assert.deepEqual(shell.toasts.items.map((one) => one.id), ['b']);
  here.event('room.updated', { ...here.store.room('b'), muted: true });
  assert.equal(shell.toasts.length, 0);
  shell.close();
});

test('a toast that is looked at stays; what failed is a toast, too (L5)', async () => {
  const here = world({ rooms: two() });
  const shell = new ShellViewModel(here);
  here.event('message.created', message(2, { room_id: 'a' }));
  shell.tell('It failed.');
  shell.hold('a');
  await here.clock.advance(7000);
  assert.deepEqual(shell.toasts.items.map((toast) => [toast.roomId, toast.text]), [['a', 'text 2']]);
  shell.release('a');
  shell.release('a');
  await here.clock.advance(6000);
  assert.equal(shell.toasts.length, 0);
  for (const text of ['one', 'two', 'three', 'four']) shell.tell(text);
  assert.deepEqual(shell.toasts.items.map((toast) => toast.text), ['two', 'three', 'four']);
  here.store.load([], 50);
  assert.equal(shell.toasts.length, 3);
  shell.close();
  assert.equal(here.clock.pending, 0);
});

test('a change of oneself on another device shows here (A4)', () => {
  const here = world({ rooms: [] });
  const shell = new ShellViewModel(here);
  here.event('me.updated', { ...ada, name: 'Augusta King', email: 'a@example.com' });
  assert.equal(shell.state.me.name, 'Augusta King');
  assert.equal(here.store.me.email, 'a@example.com');
});
