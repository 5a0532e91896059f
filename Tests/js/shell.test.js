process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShellViewModel } from '../../Public/js/viewmodels/shellViewModel.js';
import { carl, two, world } from './support/chatsWorld.js';
import { ada, message, room } from './support/fakes.js';

test('the title has the sum and the open chat’s name', { shows: ['L2'] }, () => {
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

test('a message in another chat is a toast, one per chat, that disappears by itself', { shows: ['L5'] }, async () => {
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

test('the sum follows each chat’s level: all, mentions, nothing', { shows: ['L2', 'R3'] }, () => {
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

test('toasts follow mention levels, edits, deletions and reading elsewhere; they link to their message',
  { shows: ['L5', 'R3'] }, () => {
  const group = { kind: 'group', name: 'Team', peer: null };
  const here = world({ rooms: [
    room({ id: 'some', ...group, mention_level: 'mentions' }), room({ id: 'none', ...group, mention_level: 'nothing' }),
    ...two(),
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

test('a toast under the pointer stays; failures are toasts too', { shows: ['L5'] }, async () => {
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

test('a change of one’s profile on another device shows here', { shows: ['A4'] }, () => {
  const here = world({ rooms: [] });
  const shell = new ShellViewModel(here);
  here.event('me.updated', { ...ada, name: 'Augusta King', email: 'a@example.com' });
  assert.equal(shell.state.me.name, 'Augusta King');
  assert.equal(here.store.me.email, 'a@example.com');
});
