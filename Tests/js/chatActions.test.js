import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { Receipts } from '../../Public/js/services/receipts.js';
import { LocalTexts } from '../../Public/js/services/storage.js';
import { ChatActions } from '../../Public/js/viewmodels/chatActions.js';
import {
  FakeClock, FakeLocalStorage, ada, answer, bob, deferred, failure, fakeApi, message, room, settle,
} from './support/fakes.js';

function world({ members = {}, ...methods } = {}) {
  const clock = new FakeClock();
  const store = new ChatStore();
  store.setMe(ada);
  store.load([room({ last_seq: 3, read_seq: 3, last_message: message(3), cleared_seq: 0, ...members })], 10);
  const api = fakeApi(methods);
  const receipts = new Receipts({ api, store, clock });
  const drafts = new LocalTexts(new FakeLocalStorage(), 'draft');
  const told = [];
  const actions = new ChatActions({ store, api, receipts, drafts, tell: (text) => told.push(text) });
  let id = 10;
  const event = (name, data) => { id += 1; store.apply({ id, event: name, data }, clock.now()); };
  const names = () => actions.items('room').map((item) => item.name);
  return { clock, store, api, receipts, drafts, told, actions, event, names };
}

const requests = (api) => api.calls.filter(([name]) => name === 'request').map(([, method, path, options]) =>
  [method, path, options?.body].filter((part) => part !== undefined));

test('a menu offers what makes sense for the chat', { shows: ['L3'] }, () => {
  assert.deepEqual(world().names(), ['unread', 'mute', 'pin', 'clear', 'delete']);
  assert.deepEqual(world({ members: { unread_count: 2, muted: true, pinned: true } }).names(),
    ['read', 'unmute', 'unpin', 'clear', 'delete']);
  assert.deepEqual(world({ members: { last_message: null } }).names(), ['mute', 'pin', 'delete']);
  const { actions, names } = world({ members: { kind: 'group', name: 'Team', peer: null } });
  assert.deepEqual(names(), ['unread', 'mute', 'pin', 'clear', 'leave']);
  assert.deepEqual(actions.items('room').filter((item) => item.asks).map((item) => item.label),
    ['Clear history…', 'Leave group…']);
  assert.deepEqual(actions.items('unknown'), []);
});

test('a confirmation says what happens to whom', { shows: ['L4'] }, () => {
  const { actions } = world();
  assert.equal(actions.question('room', 'mute'), null);
  const clear = actions.question('room', 'clear');
  assert.equal(clear.title, 'Clear the history with Bob?');
  assert.match(clear.hints.join(' '), /go away for you, on all your devices.*Bob keeps everything/);
  assert.equal(clear.action, 'Clear history');
  assert.match(actions.question('room', 'delete').hints.join(' '), /comes back, without what was there before/);
  const team = { kind: 'group', name: 'Team', peer: null, members_count: 5, role: 'member', public: true };
  const asked = (members) => {
    const { actions } = world({ members: { ...team, ...members } });
    return actions.question('room', 'leave').hints.join(' ');
  };
  assert.match(asked({}), /you can join again at any time/);
  assert.match(asked({ public: false }), /invited again/);
  assert.match(asked({ role: 'owner' }), /admin who has been in it longest takes over/);
  assert.match(asked({ members_count: 1, role: 'owner' }), /You are its last member/);
  const clearTeam = world({ members: team }).actions.question('room', 'clear');
  assert.deepEqual([clearTeam.title, clearTeam.hints[1]],
    ['Clear the history of Team?', 'The other members keep everything.']);
});

test('muting shows at once, and other changes meanwhile do not undo it', async () => {
  const reply = deferred();
  const { store, api, actions, event } = world({ request: () => reply.promise });
  const done = actions.run('room', 'mute');
  assert.equal(store.room('room').muted, true);
  event('room.updated', room({ last_seq: 3, muted: false, topic: 'new' }));
  assert.deepEqual([store.room('room').muted, store.room('room').topic], [true, 'new']);
  reply.resolve(answer(room({ muted: true })));
  assert.equal(await done, true);
  assert.equal(store.room('room').muted, true);
  event('room.updated', room({ last_seq: 3, muted: true }));
  event('room.updated', room({ last_seq: 3, muted: false }));
  assert.equal(store.room('room').muted, false, 'another device has the last word');
  assert.deepEqual(requests(api), [['PATCH', '/rooms/room', { muted: true }]]);
});

test('a failed change is reverted, and only that', async () => {
  const replies = [];
  const request = () => { replies.push(deferred()); return replies.at(-1).promise; };
  const { store, told, actions } = world({ request });
  const muted = actions.run('room', 'mute');
  const pinned = actions.run('room', 'pin');
  assert.deepEqual([store.room('room').muted, store.room('room').pinned], [true, true]);
  await settle();
  assert.equal(replies.length, 1, 'one request of a chat at a time, in their order');
  replies[0].reject(failure('network'));
  assert.equal(await muted, false);
  assert.deepEqual([store.room('room').muted, store.room('room').pinned], [false, true]);
  assert.match(told[0], /^Bob could not be muted\. Hubbub cannot be reached/);
  await settle();
  replies[1].resolve(answer(room()));
  assert.equal(await pinned, true);
});

test('of two changes of one kind the later one stays if the earlier fails', async () => {
  const replies = [];
  const { store, actions } = world({ request: () => { replies.push(deferred()); return replies.at(-1).promise; } });
  const first = actions.run('room', 'mute');
  const second = actions.run('room', 'unmute');
  await settle();
  replies[0].reject(failure('network'));
  await first;
  assert.equal(store.room('room').muted, false);
  await settle();
  replies[1].reject(failure('network'));
  await second;
  assert.equal(store.room('room').muted, false);
});

test('a deleted chat leaves the list at once, and returns if that fails or somebody writes',
  { shows: ['L4'] }, async () => {
  const { store, drafts, told, actions, event } = world({ request: async () => answer(null) });
  drafts.set('room', 'unsent thoughts');
  const done = actions.run('room', 'delete');
  assert.equal(store.rooms().length, 0);
  assert.equal(await done, true);
  assert.equal(drafts.get('room'), '');
  event('room.removed', { id: 'room' });
  assert.equal(store.room('room'), null);
  event('room.created', room({ last_seq: 4, cleared_seq: 3, unread_count: 1, last_message: message(4) }));
  event('message.created', message(4));
  assert.deepEqual([store.rooms().length, store.totalUnread()], [1, 1]);

  const other = world({ request: async () => { throw failure('internal'); } });
  assert.equal(await other.actions.run('room', 'delete'), false);
  assert.equal(other.store.rooms().length, 1);
  assert.match(other.told[0], /The chat with Bob was not deleted\. Something went wrong/);
  assert.equal(told.length, 0);
});

test('clearing empties the row at once, and the chat when the server has confirmed it', { shows: ['L4'] }, async () => {
  const members = { unread_count: 2, mention_count: 1 };
  const { store, api, actions, event } = world({ members, request: async () => answer(null) });
  const changes = [];
  store.subscribe((change) => changes.push(change));
  const done = actions.run('room', 'clear');
  assert.deepEqual([store.room('room').last_message, store.totalUnread()], [null, 0]);
  assert.ok(!changes.some(({ type }) => type === 'cleared'));
  await done;
  event('room.updated', room({ last_seq: 3, read_seq: 3, cleared_seq: 3 }));
  assert.deepEqual(changes.filter(({ type }) => type === 'cleared'), [{ type: 'cleared', roomId: 'room', seq: 3 }]);
  assert.deepEqual(requests(api), [['POST', '/rooms/room/clearing']]);
});

test('leaving a group is a separate request', async () => {
  const members = { kind: 'group', name: 'Team', peer: null };
  const { store, api, actions } = world({ members, request: async () => answer(null) });
  assert.equal(await actions.run('room', 'leave'), true);
  assert.equal(store.rooms().length, 0);
  assert.deepEqual(requests(api), [['DELETE', '/rooms/room/membership']]);
  assert.equal(actions.doneText('room', 'leave'), 'Team: left');
});

test('marking as read sends a receipt, as unread starts at the newest of others', { shows: ['S4'] }, async () => {
  const here = world({ members: { unread_count: 2, read_seq: 1 }, putReceipt: async () => answer(null) });
  assert.equal(await here.actions.run('room', 'read'), true);
  assert.deepEqual([here.store.room('room').read_seq, here.store.totalUnread()], [3, 0]);

  const request = async () => answer(null);
  const last = world({ request });
  assert.equal(await last.actions.run('room', 'unread'), true);
  assert.deepEqual(requests(last.api), [['PUT', '/rooms/room/receipt', { unread_from: 3 }]]);
  assert.equal(last.store.totalUnread(), 1);
  last.store.readLocally('room', 3);
  assert.equal(last.store.totalUnread(), 0, 'reading it ends that');

  const page = [message(1), message(2, { deleted_at: 'x' }), message(3, { sender: ada })];
  const mine = { last_message: message(3, { sender: ada }) };
  const own = world({ members: mine, request, messages: async () => answer(page) });
  assert.equal(await own.actions.run('room', 'unread'), true);
  assert.deepEqual(requests(own.api).at(-1), ['PUT', '/rooms/room/receipt', { unread_from: 1 }]);

  const alone = world({ members: mine, request, messages: async () => answer([message(3, { sender: ada })]) });
  assert.equal(await alone.actions.run('room', 'unread'), false);
  assert.match(alone.told[0], /nobody else has written yet/);
  const cut = world({ members: mine });
  assert.equal(await cut.actions.run('room', 'unread'), false);
  assert.match(cut.told[0], /could not be marked as unread/);
});

test('names without an action do nothing', async () => {
  const { actions } = world();
  assert.equal(await actions.run('room', 'nothing'), false);
  assert.equal(await actions.run('unknown', 'mute'), false);
});
