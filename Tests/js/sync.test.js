import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStorage } from '../../Public/js/services/storage.js';
import { ada, answer, bob, deferred, failure, message, room, settle } from './support/fakes.js';
import { syncWorld as world } from './support/syncWorld.js';

test('the stream opens from the event that the state reflects; pending events are received', async () => {
  const { sync, store, stream, outbox, api, clock, storage, attach } = world();
  attach();
  await sync.start();
  assert.deepEqual(stream.opened, [40]);
  assert.equal(store.lastEventId, 40);
  assert.equal(store.me.email, 'ada@example.org');
  assert.equal(sync.state.loading, false);
  assert.equal(outbox.started, 1);
  await clock.advance(2000);
  const sent = api.calls.filter(([name]) => name === 'putReceipt').map((call) => call.slice(1));
  assert.deepEqual(sent, [['room', { delivered_seq: 3 }]]);
  const kept = await storage.get('meta', 'rooms');
  assert.deepEqual([kept.eventId, kept.rooms.length], [40, 1]);
});

test('without the server stored data shows at once, and the request is retried',
  { shows: ['C1', 'S5'] }, async () => {
  const storage = new MemoryStorage();
  await storage.put('meta', 'me', ada);
  await storage.put('meta', 'rooms', { eventId: null, rooms: [room()] });
  let fails = true;
  const { sync, store, clock, stream, outbox } = world({
    storage,
    methods: { rooms: async () => { if (fails) throw failure('network'); return answer([], { eventId: 7 }); } },
  });
  await sync.start();
  assert.equal(store.rooms().length, 1);
  assert.equal(outbox.started, 1);
  assert.deepEqual([sync.state.connection, sync.state.error.kind], ['offline', 'network']);
  fails = false;
  await clock.advance(1000);
  assert.equal(store.rooms().length, 0);
  assert.equal(sync.state.error, null);
  assert.deepEqual(stream.opened, [7]);
});

test('events reach the store; own ones settle the outbox, others’ are marked as delivered', async () => {
  const { sync, stream, store, outbox, api, clock } = world();
  await sync.start();
  await clock.advance(1000);
  stream.onEvent({ id: 41, event: 'message.created', data: message(4, { sender: ada }) });
  stream.onEvent({ id: 42, event: 'message.created', data: message(5) });
  stream.onEvent({ id: 43, event: 'message.created', data: message(6) });
  await clock.advance(1000);
  assert.deepEqual(outbox.settled, [4]);
  assert.equal(store.room('room').last_seq, 6);
  assert.deepEqual(api.calls.filter(([name]) => name === 'putReceipt').at(-1).slice(1), ['room', { delivered_seq: 6 }]);
  stream.onEvent({ id: null, event: 'typing', data: { room_id: 'room', user_id: 'bob', typing: true } });
  assert.equal(store.typingIn('room', clock.now()).length, 1);
  const changes = [];
  store.subscribe((change) => changes.push(change.type));
  await clock.advance(6000);
  assert.deepEqual(changes, ['typing']);
});

test('an unknown chat is requested; an older response does not undo events', async () => {
  const gate = deferred();
  const { sync, stream, store } = world({
    methods: {
      room: async (id) => {
        if (id === 'room') return gate.promise;
        return answer(room({ id, last_seq: 1 }), { eventId: 41 });
      },
    },
  });
  await sync.start();
  stream.onEvent({ id: 41, event: 'message.created', data: message(1, { room_id: 'new' }) });
  await settle();
  assert.equal(store.room('new').last_seq, 1);
  stream.onEvent({ id: 42, event: 'receipt.updated', data: { room_id: 'room', user_id: 'ada', read_seq: 0 } });
  stream.onEvent({ id: 43, event: 'message.created', data: message(4) });
  gate.resolve(answer(room({ last_seq: 3, read_seq: 0, unread_count: 3 }), { eventId: 42 }));
  await settle();
  assert.equal(store.room('room').last_seq, 4);
});

test('one’s own stored message is its chat’s last before its event arrives, and counts once', async () => {
  const { sync, stream, store, outbox } = world();
  await sync.start();
  const sent = { type: 'sent', message: message(5, { sender: ada, text: 'mine' }) };
  for (const listener of outbox.listeners) listener(sent);
  for (const listener of outbox.listeners) listener({ type: 'added' });
  assert.equal(store.room('room').last_message.text, 'mine');
  stream.onEvent({ id: 41, event: 'message.created', data: message(4) });
  assert.deepEqual([store.room('room').unread_count, store.room('room').last_message.text], [3, 'mine']);
  stream.onEvent({ id: 42, event: 'message.created', data: message(5, { sender: ada, text: 'mine' }) });
  assert.deepEqual([store.room('room').unread_count, store.room('room').last_seq], [3, 5]);
  store.putSent(message(1, { room_id: 'nowhere' }));
});

test('a reset reloads the state and notifies those who hold a part of it', { shows: ['S5'] }, async () => {
  const { sync, stream, store, api } = world();
  await sync.start();
  const changes = [];
  store.subscribe((change) => changes.push(change.type));
  stream.onReset();
  await settle();
  assert.equal(api.calls.filter(([name]) => name === 'rooms').length, 2);
  assert.deepEqual(stream.opened, [40, 40]);
  assert.ok(changes.includes('reset'));
});

test('reconnecting wakes what is waiting', async () => {
  const { sync, stream, outbox } = world();
  await sync.start();
  stream.onState('offline');
  assert.equal(sync.state.connection, 'offline');
  stream.onState('online');
  assert.equal(outbox.pokes, 1);
  sync.wake();
  assert.equal(stream.woken, 1);
});

test('when the network is back, load and stream are woken together, and at once', { shows: ['S5', 'O2'] }, async () => {
  let gate = deferred();
  const { sync, clock, stream, api } = world({ methods: { session: () => gate.promise } });
  const asked = () => api.calls.filter(([name]) => name === 'session').length;
  const fail = async () => {
    const failed = gate;
    gate = deferred();
    failed.reject(failure('network', { status: 0 }));
    await settle();
  };
  sync.start();
  await settle();
  for (let tries = 1; tries < 5; tries += 1) {
    await fail();
    await clock.advance(10_000);
  }
  await fail();
  assert.equal(sync.state.connection, 'offline');
  // Nobody waits for the pause of what failed before.
  const before = asked();
  sync.wake();
  await settle();
  assert.deepEqual([asked(), stream.woken], [before + 1, 1]);
  // What was asked over the network that is gone fails late: it is asked again without a pause.
  sync.wake();
  await fail();
  await clock.advance(0);
  assert.deepEqual([asked(), stream.woken], [before + 2, 2]);
  gate.resolve(answer({ ...ada, email: 'ada@example.org' }));
  await settle();
  assert.deepEqual([stream.opened, sync.state.error], [[40], null]);
});

test('receipts: only the highest pointer is sent, one request per chat at a time, again after a failure', async () => {
  const gates = [];
  const { receipts, api, clock, store } = world({
    methods: { putReceipt: () => { gates.push(deferred()); return gates.at(-1).promise; } },
  });
  store.setMe(ada);
  store.load([room({ last_seq: 9, read_seq: 0, unread_count: 9 })], 1);
  const sent = () => api.calls.filter(([name]) => name === 'putReceipt').map(([, , pointers]) => pointers);
  receipts.delivered('room', 3);
  receipts.delivered('room', 5);
  receipts.delivered('room', 4);
  receipts.read('room', 2);
  await clock.advance(200);
  assert.deepEqual(sent(), [{ delivered_seq: 5, read_seq: 2 }]);
  receipts.read('room', 6);
  await clock.advance(10_000);
  assert.equal(sent().length, 1);
  gates[0].reject(failure('network'));
  await clock.advance(4999);
  assert.equal(sent().length, 1);
  receipts.poke();
  await clock.advance(0);
  assert.deepEqual(sent()[1], { delivered_seq: 5, read_seq: 6 });
  gates[1].resolve(answer(null));
  await settle();
  assert.deepEqual(store.toKeep(10).receipts, [{ room_id: 'room', user_id: ada.id, delivered_seq: 5, read_seq: 0 }],
    'the next visit knows too');
  receipts.delivered('room', 5);
  receipts.read('room', 6);
  await clock.advance(1000);
  assert.equal(sent().length, 2);
  receipts.read('room', 8);
  await clock.advance(200);
  gates[2].reject(failure('not-found', { status: 404 }));
  await clock.advance(60_000);
  assert.equal(sent().length, 3, 'a refusal is not repeated');
});

test('presence of peers is requested once the stream is open, and again when it is back',
  { shows: ['S5', 'S6'] }, async () => {
  const seen = { user_id: 'bob', online: false, last_seen_at: '2026-11-20T18:03:07.412Z' };
  const { sync, stream, store, api } = world({ methods: { presence: async () => answer([seen]) } });
  await sync.start();
  assert.ok(!api.calls.some(([name]) => name === 'presence'), 'who comes before the stream is open would be missed');
  stream.onState('online');
  await settle();
  const asked = () => api.calls.filter(([name]) => name === 'presence').map(([, ids]) => ids);
  assert.deepEqual(asked(), [['bob']], 'rooms do not say it');
  stream.onState('connecting');
  stream.onState('online');
  await settle(20);
  assert.deepEqual(asked(), [['bob'], ['bob']]);
  assert.deepEqual([store.user('bob').online, store.user('bob').last_seen_at], [false, '2026-11-20T18:03:07.412Z']);
  stream.onState('online');
  await settle();
  assert.equal(asked().length, 2);
  stream.onEvent({ id: 41, event: 'room.created', data: room({ id: 'new', peer: { ...bob, id: 'carl' } }) });
  await settle(20);
  assert.deepEqual(asked().at(-1), ['carl'], 'of a new chat too');
});

test('presence that came by answers is requested with that of peers, and after a reset once more',
  { shows: ['S5', 'S6'] }, async () => {
  const { sync, stream, store, api } = world({ methods: {
    presence: async (ids) => answer(ids.map((id) => ({ user_id: id, online: true }))),
  } });
  const asked = () => api.calls.filter(([name]) => name === 'presence').map(([, ids]) => ids);
  await sync.start();
  store.meet({ ...bob, id: 'zoe', online: false });
  store.meet({ ...bob, id: 'carl', online: undefined }, { presence: false });
  stream.onState('online');
  await settle();
  assert.deepEqual(asked(), [['bob', 'zoe']], 'of carl nothing shows, and one’s own is known');
  assert.equal(store.user('zoe').online, true);
  // A follower of another tab’s stream loads again while that tab is online already.
  stream.state = 'online';
  stream.onReset();
  await settle(20);
  assert.deepEqual(asked(), [['bob', 'zoe'], ['bob', 'zoe']]);
});

test('an answer about presence does not undo what the stream told after the request',
  { shows: ['S6'] }, async () => {
  const late = deferred();
  const { sync, stream, store } = world({ methods: { presence: () => late.promise } });
  await sync.start();
  stream.onState('online');
  await settle();
  stream.onEvent({ id: null, event: 'presence', data: { user_id: 'bob', online: true } });
  late.resolve(answer([{ user_id: 'bob', online: false }, { user_id: 'carl', online: true }]));
  await settle();
  store.meet({ ...bob, id: 'carl' });
  assert.deepEqual([store.user('bob').online, store.user('carl').online], [true, true]);
});

test('a long list of chats is loaded page by page; events received meanwhile are newer',
  { shows: ['L1'] }, async () => {
  const second = deferred();
  const { sync, store, stream, clock, api } = world({ methods: {
    rooms: async (next) => {
      if (!next) return answer([room({ id: 'a' })], { eventId: 40, next: '/api/v1/rooms?cursor=2' });
      if (next.endsWith('2')) return second.promise;
      return answer([room({ id: 'c', last_seq: 2, unread_count: 1 })], { eventId: 42 });
    },
  } });
  const started = sync.start();
  await settle();
  assert.deepEqual([stream.opened, store.rooms().map((one) => one.id)], [[40], ['a']], 'the first page shows at once');
  stream.onEvent({ id: 41, event: 'room.created', data: room({ id: 'b', topic: 'new' }) });
  second.resolve(answer([room({ id: 'b', topic: 'old' })], { eventId: 40, next: '/api/v1/rooms?cursor=3' }));
  await started;
  assert.deepEqual(store.rooms().map((one) => [one.id, one.topic]), [['a', ''], ['b', 'new'], ['c', '']]);
  await clock.advance(1000);
  assert.ok(api.calls.some(([name, roomId]) => name === 'putReceipt' && roomId === 'c'),
    'what waits there is received');
});

test('further pages of a list reloaded meanwhile are ignored', async () => {
  const late = deferred();
  let eventId = 40;
  const { sync, store, stream } = world({ methods: {
    rooms: async (next) => (next
      ? late.promise : answer([room({ id: `first-${eventId}` })], { eventId, next: eventId === 40 ? 'x' : null })),
  } });
  sync.start();
  await settle();
  eventId = 50;
  stream.onReset();
  await settle();
  late.resolve(answer([room({ id: 'late' })], { eventId: 40 }));
  await settle();
  assert.deepEqual(store.rooms().map((one) => one.id), ['first-50']);
});

test('a response about a chat deleted meanwhile does not bring it back', { shows: ['L4'] }, async () => {
  const late = deferred();
  const { sync, store, stream } = world({ methods: { room: () => late.promise } });
  await sync.start();
  stream.onEvent({ id: 41, event: 'receipt.updated', data: { room_id: 'room', user_id: 'ada', read_seq: 0 } });
  stream.onEvent({ id: 42, event: 'room.removed', data: { id: 'room' } });
  late.resolve(answer(room(), { eventId: 41 }));
  await settle();
  assert.equal(store.room('room'), null);
});

test('changing one’s last-seen setting reloads what one may see of others', { shows: ['S6'] }, async () => {
  let online = true;
  const { sync, store, stream, api } = world({ methods: {
    session: async () => answer({ ...ada, settings: { read_receipts: true, last_seen: true } }),
    presence: async () => answer([{ user_id: 'bob', online }]),
  } });
  await sync.start();
  stream.onState('online');
  await settle();
  assert.equal(store.user('bob').online, true);
  const asked = () => api.calls.filter(([name]) => name === 'presence').length;
  const before = asked();
  stream.onEvent({
    id: 41, event: 'me.updated', data: { ...ada, settings: { read_receipts: false, last_seen: true } },
  });
  await settle();
  assert.equal(asked(), before, 'receipts are another matter');
  online = false;
  stream.onEvent({
    id: 42, event: 'me.updated', data: { ...ada, settings: { read_receipts: false, last_seen: false } },
  });
  await settle(20);
  assert.deepEqual([asked(), store.user('bob').online], [before + 1, false]);
});
