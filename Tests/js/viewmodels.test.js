process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { Observable } from '../../Public/js/models/observableArray.js';
import { LocalTexts } from '../../Public/js/services/storage.js';
import { ChatListViewModel } from '../../Public/js/viewmodels/chatListViewModel.js';
import { ConnectionViewModel } from '../../Public/js/viewmodels/connectionViewModel.js';
import { SessionViewModel } from '../../Public/js/viewmodels/sessionViewModel.js';
import { SettingsViewModel } from '../../Public/js/viewmodels/settingsViewModel.js';
import { ShellViewModel } from '../../Public/js/viewmodels/shellViewModel.js';
import { FakeClock, FakeLocalStorage, ada, answer, bob, deferred, failure, fakeApi, message, mirror, room, settle } from './support/fakes.js';

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
    set: (kept) => { outbox.kept = kept; for (const listener of listeners) listener({ type: 'loaded' }); },
  };
  let id = 1;
  const event = (name, data) => { id += 1; store.apply({ id, event: name, data }, clock.now()); };
  const passing = (name, data) => store.apply({ id: null, event: name, data }, clock.now());
  return { clock, store, status, sync, outbox, event, passing };
}

const two = () => [
  room({ id: 'a', last_message: message(1, { room_id: 'a', created_at: '2026-03-14T09:00:00.000Z' }), last_seq: 1, read_seq: 1 }),
  room({ id: 'b', peer: carl, last_message: message(1, { room_id: 'b', sender: ada, text: 'mine\nand more', created_at: '2026-03-11T09:00:00.000Z' }), last_seq: 1, read_seq: 1 }),
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
  here.event('message.created', message(2, { room_id: 'b', sender: carl, text: 'news', created_at: '2026-03-14T11:00:00.000Z' }));
  await settle();
  assert.deepEqual(copy.steps, ['move', 'update']);
  assert.deepEqual([copy[0].id, copy[0].preview, copy[0].unread, copy[0].unreadText], ['b', 'news', 1, '1']);
  assert.equal(list.state.totalUnread, 1);
  here.event('message.deleted', message(2, { room_id: 'b', sender: carl, text: '', deleted_at: 'x', created_at: '2026-03-14T11:00:00.000Z' }));
  await settle();
  assert.deepEqual([copy[0].preview, copy[0].unread], ['Message deleted', 0]);
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
  const here = world({ rooms: [first, { ...second, pinned: true, muted: true, unread_count: 5 }, room({ id: 'g', kind: 'group', name: 'Team', peer: null })] });
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
  assert.deepEqual(connection.state, { state: 'online', text: '', waiting: 0 });
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
  assert.deepEqual(connection.state, { state: 'online', text: '', waiting: 0 });
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
  const here = world({ rooms: [...two(), room({ id: 'g', kind: 'group', name: 'Team', peer: null }), room({ id: 'm', muted: true }), room({ id: 'c' })] });
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

function session(methods, mode = 'sign-in') {
  const clock = new FakeClock();
  const api = fakeApi(methods);
  const signedIn = [];
  const form = new SessionViewModel({ api, clock, mode, onSignedIn: (user) => signedIn.push(user) });
  const fill = (values) => { for (const [name, value] of Object.entries(values)) form.set(name, value); };
  return { api, form, fill, signedIn };
}

test('wrong input is told at the field, before the server is asked (A2)', async () => {
  const { form, fill, api } = session({}, 'sign-up');
  assert.equal(await form.submit(), false);
  assert.deepEqual(Object.keys(form.state.fieldErrors).sort(), ['email', 'first_name', 'password']);
  fill({ email: 'no address', password: 'short', first_name: 'Ada', last_name: 'x'.repeat(101) });
  assert.deepEqual(form.state.fieldErrors, {});
  form.leave('email');
  form.leave('first_name');
  assert.deepEqual(Object.keys(form.state.fieldErrors), ['email']);
  await form.submit();
  assert.match(form.state.fieldErrors.password, /8/);
  assert.match(form.state.fieldErrors.last_name, /100/);
  form.set('password', 'x'.repeat(257));
  await form.submit();
  assert.match(form.state.fieldErrors.password, /256/);
  form.show('sign-in');
  assert.deepEqual(form.state.fieldErrors, {});
  form.set('password', 'old');
  form.set('email', '');
  form.leave('email');
  form.leave('password');
  await form.submit();
  assert.deepEqual(Object.keys(form.state.fieldErrors), ['email']);
  assert.equal(api.calls.length, 0);
  form.close();
});

test('signing up sends trimmed values once and hands on the user (A2)', async () => {
  const gate = deferred();
  const { form, fill, api, signedIn } = session({ signUp: () => gate.promise }, 'sign-up');
  fill({ email: ' ada@example.org ', password: ' pass word ', first_name: ' Ada ', last_name: ' ' });
  const done = form.submit();
  assert.equal(form.state.busy, true);
  assert.equal(await form.submit(), false);
  gate.resolve(answer(ada, { status: 201 }));
  assert.equal(await done, true);
  assert.deepEqual(api.calls, [['signUp', { email: 'ada@example.org', password: ' pass word ', first_name: 'Ada' }]]);
  assert.deepEqual(signedIn, [ada]);
  assert.equal(form.state.values.password, '');
  const named = session({ signUp: async () => answer(ada) }, 'sign-up');
  named.fill({ email: 'a@b', password: '12345678', first_name: 'A', last_name: 'L' });
  await named.form.submit();
  assert.equal(named.api.calls[0][1].last_name, 'L');
});

test('signing in never tells which of the two was wrong (A2)', async () => {
  const said = new Set();
  for (const error of [failure('unauthenticated', { status: 401 }), failure('not-found', { status: 404 }),
    failure('invalid', { status: 422, errors: [{ field: 'password', code: 'too_short' }] })]) {
    const { form, fill } = session({ signIn: async () => { throw error; } });
    fill({ email: 'ada@example.org', password: 'x' });
    assert.equal(await form.submit(), false);
    assert.deepEqual(form.state.fieldErrors, {});
    said.add(form.state.formError);
  }
  assert.deepEqual([...said], ['Email or password is wrong.']);
});

test('the server’s complaints go to their fields; a limit says when to try again (A2)', async () => {
  const cases = [
    [failure('conflict', { status: 409 }), { email: /already/ }],
    [failure('invalid', { errors: [{ field: 'email', code: 'taken' }, { field: 'email', code: 'x' }, { field: 'other', code: 'x' }] }), { email: /already/ }],
    [failure('invalid', { errors: [{ field: 'email', code: 'missing' }] }), { email: /Enter/ }],
    [failure('invalid', { errors: [{ field: 'email', code: 'invalid' }] }), { email: /look like/ }],
    [failure('invalid', { errors: [{ field: 'password', code: 'too_common' }] }), { password: /Too many/ }],
    [failure('invalid', { errors: [{ field: 'password', code: 'too_short' }] }), { password: /8/ }],
    [failure('invalid', { errors: [{ field: 'password', code: 'too_long' }] }), { password: /256/ }],
    [failure('invalid', { errors: [{ field: 'first_name', code: 'missing' }] }), { first_name: /Enter/ }],
    [failure('invalid', { errors: [{ field: 'last_name', code: 'too_long' }] }), { last_name: /100/ }],
    [failure('invalid', { errors: [{ field: 'last_name', code: 'odd', detail: 'Odd name.' }] }), { last_name: /^Odd name\.$/ }],
    [failure('invalid', { errors: [{ field: 'last_name' }] }), { last_name: /correct/ }],
    [failure('invalid', { detail: 'No.' }), /^No\.$/],
    [failure('forbidden', { status: 403 }), /invitation/],
    [failure('rate-limited', { retryAfter: 120_000 }), /at 12:02\./],
    [failure('rate-limited'), /in a minute/],
    [failure('network'), /cannot be reached/],
    [failure('internal', { status: 500 }), /went wrong/],
  ];
  for (const [error, expected] of cases) {
    const { form, fill } = session({ signUp: async () => { throw error; } }, 'sign-up');
    fill({ email: 'ada@example.org', password: '12345678', first_name: 'Ada' });
    assert.equal(await form.submit(), false);
    assert.equal(form.state.busy, false);
    if (expected instanceof RegExp) assert.match(form.state.formError, expected);
    else for (const [field, pattern] of Object.entries(expected)) assert.match(form.state.fieldErrors[field], pattern);
  }
});

function settings(methods = {}, signOut = async () => {}) {
  const here = world();
  here.store.setMe({ ...ada, email: 'ada@example.org' });
  const preferences = new LocalTexts(new FakeLocalStorage(), 'preference');
  const model = new SettingsViewModel({ api: fakeApi(methods), store: here.store, preferences, signOut });
  return { ...here, model, preferences };
}

test('names are saved and show at once; wrong ones are told at the field (A4)', async () => {
  let error = null;
  const { model, store, event } = settings({
    changeMe: async (values) => {
      if (error) throw error;
      return answer({ ...ada, ...values, name: `${values.first_name} ${values.last_name}` });
    },
  });
  assert.deepEqual([model.state.values.first_name, model.state.email, model.state.changed], ['Ada', 'ada@example.org', false]);
  model.set('first_name', ' ');
  assert.equal(await model.save(), false);
  assert.match(model.state.fieldErrors.first_name, /Enter/);
  model.set('first_name', ' Augusta ');
  assert.equal(model.state.changed, true);
  event('user.updated', { ...ada, first_name: 'Elsewhere' });
  assert.equal(model.state.values.first_name, ' Augusta ', 'what is being typed stays');
  assert.equal(await model.save(), true);
  assert.deepEqual([model.state.saved, model.state.changed, store.me.first_name, store.me.email], [true, false, 'Augusta', 'ada@example.org']);
  assert.equal(model.state.me.name, 'Augusta Lovelace');
  error = failure('invalid', { errors: [{ field: 'last_name', code: 'too_long' }] });
  assert.equal(await model.save(), false);
  assert.match(model.state.fieldErrors.last_name, /100/);
  error = failure('network');
  await model.save();
  assert.match(model.state.formError, /cannot be reached/);
  model.close();
});

test('the theme is kept; signing out tells when it could not', async () => {
  let fails = true;
  const { model, preferences } = settings({}, async () => { if (fails) throw failure('network'); });
  assert.equal(model.state.theme, 'system');
  model.setTheme('dark');
  assert.equal(preferences.get('theme'), 'dark');
  assert.equal(await model.signOut(), false);
  assert.match(model.state.formError, /still signed in/);
  fails = false;
  assert.equal(await model.signOut(), true);
  assert.equal(model.state.busy, false);
});
