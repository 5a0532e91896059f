import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { UnreadCount } from '../../Public/js/models/rooms.js';
import { ada, bob, message, room, seeded } from './support/fakes.js';

const carl = { ...bob, id: 'carl', name: 'Carl', github_id: 3 };

function storeWith(members = {}, eventId = 10) {
  const store = new ChatStore();
  store.setMe(ada);
  store.load([room(members)], eventId);
  const changes = [];
  store.subscribe((change) => changes.push(change));
  return { store, changes };
}

const created = (id, data) => ({ id, event: 'message.created', data });

test('an event is applied only if its id is greater than the last one', () => {
  const { store, changes } = storeWith();
  assert.equal(store.apply(created(10, message(1)), 0), false);
  assert.equal(store.apply(created(11, message(1)), 0), true);
  assert.equal(store.apply(created(11, message(1)), 0), false);
  assert.equal(store.lastEventId, 11);
  assert.equal(changes.filter((change) => change.type === 'message').length, 1);
  assert.equal(store.room('room').unread_count, 1);
});

test('unread counts others’ messages once, one’s own never', () => {
  const { store } = storeWith({ last_seq: 5, read_seq: 5 });
  store.apply(created(11, message(5)), 0);
  store.apply(created(12, message(6)), 0);
  store.apply(created(13, message(7, { sender: ada })), 0);
  assert.equal(store.room('room').unread_count, 1);
  assert.equal(store.room('room').last_message.seq, 7);
  store.apply({ id: 14, event: 'message.deleted', data: message(6, { deleted_at: 'x', text: '' }) }, 0);
  assert.equal(store.totalUnread(), 0);
});

test('one’s own message counts as read if no message of others precedes it', () => {
  const { store } = storeWith({ last_seq: 5, read_seq: 5 });
  store.putSent(message(6, { sender: ada }));
  assert.equal(store.room('room').read_seq, 6);
  store.apply(created(11, message(6, { sender: ada })), 0);
  store.apply(created(12, message(7, { sender: ada })), 0);
  assert.deepEqual([store.room('room').read_seq, store.room('room').unread_count], [7, 0]);
  store.apply(created(13, message(8)), 0);
  store.apply(created(14, message(9, { sender: ada })), 0);
  assert.deepEqual([store.room('room').read_seq, store.room('room').unread_count], [7, 1]);
});

test('an outdated read pointer from the server does not make one’s own messages unread', { shows: ['S4'] }, () => {
  const { store, changes } = storeWith({ last_seq: 5, read_seq: 5 });
  for (const seq of [6, 7]) store.apply(created(5 + seq, message(seq, { sender: ada })), 0);
  const read = (id, seq) => store.apply(
    { id, event: 'receipt.updated', data: { room_id: 'room', user_id: 'ada', read_seq: seq } }, 0);
  read(20, 5);
  assert.deepEqual([store.room('room').read_seq, store.room('room').unread_count], [7, 0]);
  assert.ok(!changes.some((change) => change.type === 'inexact'));
  read(21, 3);
  assert.equal(store.room('room').read_seq, 3);
});

test('one’s own message that overtakes another marks nothing as read', { shows: ['S4'] }, () => {
  const { store } = storeWith({ last_seq: 5, read_seq: 5 });
  store.putSent(message(7, { sender: ada }));
  store.apply(created(11, message(6)), 0);
  store.apply(created(12, message(7, { sender: ada })), 0);
  assert.deepEqual([store.room('room').read_seq, store.room('room').unread_count], [5, 1]);
});

test('reading changes the count, and asks the server if only it knows', () => {
  const { store, changes } = storeWith({ last_seq: 10, read_seq: 4, unread_count: 6 });
  store.apply({ id: 11, event: 'receipt.updated', data: { room_id: 'room', user_id: 'ada', read_seq: 7 } }, 0);
  assert.equal(store.room('room').unread_count, 3);
  assert.ok(!changes.some((change) => change.type === 'inexact'));
  store.apply({ id: 12, event: 'receipt.updated', data: { room_id: 'room', user_id: 'ada', read_seq: 3 } }, 0);
  assert.ok(changes.some((change) => change.type === 'inexact'));
});

test('an unread count is right or marked as uncertain, for random rooms', () => {
  const random = seeded(5);
  for (let round = 0; round < 300; round += 1) {
    const others = Array.from({ length: 30 }, () => random() < 0.6);
    const after = (seq, upTo) => others.slice(seq, upTo).filter(Boolean).length;
    const read = Math.floor(random() * 20);
    const count = new UnreadCount({ last_seq: 20, read_seq: read, unread_count: after(read, 20) });
    for (let seq = 21; seq <= 30; seq += 1) count.add(seq, others[seq - 1]);
    for (let seq = 0; seq <= 30; seq += 1) {
      const said = count.after(seq);
      if (said.exact) assert.equal(said.count, after(seq, 30));
      if (seq === read || seq >= 20) assert.ok(said.exact);
    }
  }
});

test('a pointer moved here is not moved back by an earlier event', () => {
  const { store } = storeWith({ last_seq: 9, read_seq: 1, unread_count: 8 });
  store.readLocally('room', 9);
  assert.equal(store.totalUnread(), 0);
  store.apply({ id: 11, event: 'receipt.updated', data: { room_id: 'room', user_id: 'ada', read_seq: 5 } }, 0);
  assert.equal(store.room('room').read_seq, 9);
  store.putRoom(room({ last_seq: 9, read_seq: 5, unread_count: 4 }));
  assert.equal(store.room('room').unread_count, 0);
  store.settleRead('room');
  store.apply({ id: 12, event: 'receipt.updated', data: { room_id: 'room', user_id: 'ada', read_seq: 5 } }, 0);
  assert.equal(store.room('room').read_seq, 5);
});

test('ticks follow the most advanced of the others, and never go back', () => {
  const { store } = storeWith();
  store.putReceipts('room', [
    { user_id: 'ada', delivered_seq: 9, read_seq: 9 }, { user_id: 'bob', delivered_seq: 5, read_seq: 3 },
  ]);
  assert.deepEqual(store.ticks('room'), { delivered: 5, read: 3 });
  const receipt = { room_id: 'room', user_id: 'bob', delivered_seq: 4, read_seq: 6 };
  store.apply({ id: 11, event: 'receipt.updated', data: receipt }, 0);
  assert.deepEqual(store.ticks('room'), { delivered: 6, read: 6 });
  assert.deepEqual(store.ticks('other'), { delivered: 0, read: 0 });
});

test('typing ends after six seconds, with a message, or by an event', { shows: ['S6'] }, () => {
  const { store } = storeWith();
  const typing = (members) => ({ id: null, event: 'typing', data: { room_id: 'room', typing: true, ...members } });
  store.apply(typing({ user_id: 'bob' }), 1000);
  store.apply(typing({ user_id: 'ada' }), 1000);
  assert.deepEqual(store.typingIn('room', 6999).map((user) => user.id), ['bob']);
  assert.equal(store.expireTyping(2000), 7000);
  assert.equal(store.expireTyping(7000), null);
  assert.equal(store.typingIn('room', 7000).length, 0);
  store.apply(typing({ user_id: 'bob' }), 8000);
  store.apply(created(11, message(1)), 8001);
  assert.equal(store.typingIn('room', 8002).length, 0);
  store.apply(typing({ user_id: 'bob' }), 9000);
  store.apply(typing({ user_id: 'bob', typing: false }), 9001);
  assert.equal(store.typingIn('room', 9002).length, 0);
});

test('names change everywhere, and messages do not overwrite presence', { shows: ['L2'] }, () => {
  const { store, changes } = storeWith();
  const before = store.person(bob);
  assert.equal(store.person({ id: 'bob' }), before);
  store.apply({ id: 11, event: 'user.updated', data: { ...bob, name: 'Robert' } }, 0);
  assert.equal(store.person(bob).name, 'Robert');
  store.apply({ id: null, event: 'presence', data: { user_id: 'bob', online: false, last_seen_at: 'then' } }, 0);
  store.apply(created(12, message(1, { sender: { ...bob, name: 'Robert', online: true } })), 0);
  assert.equal(store.user('bob').online, false);
  assert.equal(store.user('bob').last_seen_at, 'then');
  store.meet({ ...bob, name: 'Old' }, { fresh: false });
  assert.equal(store.person(bob).name, 'Robert');
  store.apply({ id: null, event: 'presence', data: { user_id: 'nobody', online: true } }, 0);
  store.meet({ id: 'nobody', name: 'Nobody yet', online: false });
  assert.equal(store.user('nobody').online, true, 'the stream told it before the answer that is older');
  store.load([]);
  store.meet({ id: 'nobody', online: false });
  assert.equal(store.user('nobody').online, false, 'a reloaded state is newer than all earlier events');
  assert.equal(changes.filter((change) => change.type === 'user').length, 2);
  store.apply({ id: 13, event: 'user.updated', data: { ...ada, first_name: 'A.' } }, 0);
  assert.equal(store.me.first_name, 'A.');
  assert.equal(store.usersByGitHubId().get(2).name, 'Robert');
  assert.equal(store.person(null).name, 'Unknown person');
});

test('a room as of a later event already includes the events in between, which count no second time', () => {
  const { store } = storeWith();
  const me = { room_id: room().id, user_id: ada.id };
  const later = room({ name: 'New', last_seq: 5, read_seq: 2, unread_count: 2, event_id: 15 });
  store.apply({ id: 11, event: 'room.updated', data: { ...later, id: room().id } }, 0);
  store.apply(created(12, message(5)), 0);
  store.apply({ id: 13, event: 'message.deleted', data: { ...message(4), text: '', deleted_at: 'now' } }, 0);
  store.apply({ id: 14, event: 'receipt.updated', data: { ...me, delivered_seq: 5, read_seq: 1 } }, 0);
  const seen = () => [store.room(room().id).unread_count, store.room(room().id).read_seq];
  assert.deepEqual(seen(), [2, 2]);
  store.apply({ id: 16, event: 'message.deleted', data: { ...message(3), text: '', deleted_at: 'now' } }, 0);
  assert.deepEqual(seen(), [1, 2]);
});

test('rooms are added, changed and removed; a message for an unknown one is reported', () => {
  const { store, changes } = storeWith();
  store.apply({ id: 11, event: 'room.created', data: room({ id: 'two', peer: carl }) }, 0);
  assert.equal(store.rooms().length, 2);
  const muted = room({ id: 'two', peer: carl, muted: true, unread_count: 4 });
  store.apply({ id: 12, event: 'room.updated', data: muted }, 0);
  assert.equal(store.totalUnread(), 0);
  store.apply({ id: 13, event: 'room.removed', data: { id: 'two' } }, 0);
  assert.equal(store.room('two'), null);
  store.apply(created(14, message(1, { room_id: 'three' })), 0);
  assert.ok(changes.some((change) => change.type === 'unknown-room' && change.roomId === 'three'));
  store.apply({ id: 15, event: 'something.new', data: {} }, 0);
  assert.equal(store.lastEventId, 15);
});

test('an edit of the last message shows in the chat’s row', () => {
  const { store } = storeWith();
  store.apply(created(11, message(1)), 0);
  store.apply({ id: 12, event: 'message.updated', data: message(1, { text: 'new', edited_at: 'x' }) }, 0);
  assert.equal(store.room('room').last_message.text, 'new');
  store.apply({ id: 13, event: 'message.updated', data: message(9, { room_id: 'x' }) }, 0);
});
