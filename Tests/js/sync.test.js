import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { Keeping } from '../../Public/js/services/keeping.js';
// Fetched when it is first wanted; here it shall be there at once.
import '../../Public/js/services/presence.js';
import { Receipts } from '../../Public/js/services/receipts.js';
import { LocalTexts, MemoryStorage } from '../../Public/js/services/storage.js';
import { forgetShown } from '../../Public/js/services/kept.js';
import { ChatSync } from '../../Public/js/services/sync.js';
import {
  FakeClock, FakeLocalStorage, ada, answer, bob, deferred, failure, fakeApi, message, room, settle,
} from './support/fakes.js';

function world({ methods = {}, storage = new MemoryStorage() } = {}) {
  const clock = new FakeClock();
  const store = new ChatStore();
  const api = fakeApi({
    session: async () => answer({ ...ada, email: 'ada@example.org' }),
    rooms: async () => answer([room({ last_seq: 3, read_seq: 1, unread_count: 2 })], { eventId: 40 }),
    putReceipt: async () => answer(null),
    ...methods,
  });
  const stream = {
    state: 'connecting', opened: [], closed: 0, woken: 0,
    open: (id) => stream.opened.push(id),
    close: () => { stream.closed += 1; },
    wake: () => { stream.woken += 1; },
  };
  const outbox = {
    started: 0, pokes: 0, wiped: 0, settled: [], listeners: [],
    subscribe: (listener) => outbox.listeners.push(listener),
    start: () => { outbox.started += 1; },
    poke: () => { outbox.pokes += 1; },
    wipe: async () => {
      outbox.wiped += 1;
      await storage.wipe('outbox');
    },
    settle: (one) => outbox.settled.push(one.seq),
  };
  const drafts = new LocalTexts(new FakeLocalStorage(), 'draft');
  const preferences = new LocalTexts(new FakeLocalStorage(), 'preference');
  const receipts = new Receipts({ api, store, clock });
  const sync = new ChatSync({ api, store, storage, drafts, preferences, stream, outbox, receipts, clock });
  const ended = { count: 0 };
  sync.onSessionEnded = () => { ended.count += 1; };
  /** What is fetched later in a page. */
  const attach = (most = 50) => {
    const keeper = new Keeping({ store, storage, clock, settled: () => sync.settled, most: () => most });
    sync.attach(keeper);
    return keeper;
  };
  return { clock, store, api, stream, outbox, drafts, preferences, receipts, sync, storage, ended, attach };
}

/** What the last visit left. */
async function visited(rooms, eventId, messages = {}) {
  const storage = new MemoryStorage();
  await storage.put('meta', 'me', ada);
  await storage.put('meta', 'owner', 'ada');
  await storage.put('meta', 'rooms', { eventId, rooms });
  for (const [id, kept] of Object.entries(messages)) {
    await storage.put('messages', id, { upTo: eventId, whole: true, messages: kept });
  }
  return storage;
}

test('the stream opens from the event up to which the state is true; what waits is received', async () => {
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

test('without the server, what is stored shows at once, and the server is asked again (C1, S5)', async () => {
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

test('events reach the store; own ones settle the outbox, others’ are received', async () => {
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

test('a chat that is not known is asked for; an older answer does not undo events', async () => {
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

test('one’s own stored message is its chat’s last before its event comes, and counts once', async () => {
  const { sync, stream, store, outbox } = world();
  await sync.start();
  for (const listener of outbox.listeners) listener({ type: 'sent', message: message(5, { sender: ada, text: 'mine' }) });
  for (const listener of outbox.listeners) listener({ type: 'added' });
  assert.equal(store.room('room').last_message.text, 'mine');
  stream.onEvent({ id: 41, event: 'message.created', data: message(4) });
  assert.deepEqual([store.room('room').unread_count, store.room('room').last_message.text], [3, 'mine']);
  stream.onEvent({ id: 42, event: 'message.created', data: message(5, { sender: ada, text: 'mine' }) });
  assert.deepEqual([store.room('room').unread_count, store.room('room').last_seq], [3, 5]);
  store.putSent(message(1, { room_id: 'nowhere' }));
});

test('a reset reads the state anew and tells who holds a part of it (S5)', async () => {
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

test('the end of the session wipes what was read, keeps what was written, and is told once', async () => {
  const { sync, stream, storage, drafts, ended, clock } = world();
  await sync.start();
  await clock.advance(2000);
  await storage.put('outbox', 'x', { clientId: 'x' });
  await storage.put('messages', 'room', [message(1)]);
  drafts.set('room', 'draft');
  stream.onSessionEnded();
  stream.onSessionEnded();
  await settle();
  assert.equal(ended.count, 1);
  assert.equal(await storage.get('meta', 'rooms'), undefined);
  assert.deepEqual(await storage.all('messages'), []);
  assert.equal((await storage.all('outbox')).length, 1);
  assert.equal(drafts.get('room'), 'draft');
  await sync.retry();
  assert.equal(stream.opened.length, 1);
});

test('somebody else who signs in finds nothing of the last one (A5)', async () => {
  const storage = new MemoryStorage();
  await storage.put('meta', 'owner', 'somebody');
  await storage.put('messages', 'room', [message(1)]);
  await storage.put('outbox', 'x', { clientId: 'x', roomId: 'room' });
  const { sync, drafts, preferences, outbox } = world({ storage });
  drafts.set('room', 'secret');
  preferences.set('notifications', 'on');
  await sync.start();
  assert.equal(preferences.get('notifications'), '', 'nor does it notify by somebody else’s wish');
  assert.deepEqual(await storage.all('messages'), []);
  assert.deepEqual(await storage.all('outbox'), []);
  assert.equal(outbox.wiped, 1);
  assert.equal(drafts.get('room'), '');
  assert.equal(await storage.get('meta', 'owner'), 'ada');
});

test('at the door nothing of the last session is shown, and what was not sent waits for its writer (A5)', async () => {
  const storage = await visited([room()], 40, { room: [message(1)] });
  await storage.put('outbox', 'x', { clientId: 'x', roomId: 'room' });
  await forgetShown(storage);
  assert.deepEqual([await storage.all('messages'), await storage.get('meta', 'me'), await storage.get('meta', 'rooms')], [[], undefined, undefined]);
  assert.equal((await storage.all('outbox')).length, 1);
  assert.equal(await storage.get('meta', 'owner'), 'ada');
  // Whoever comes next is asked for before anything of it is sent.
  const { sync, outbox, api } = world({ storage });
  api.session = () => new Promise(() => {});
  sync.start();
  await settle();
  assert.equal(outbox.started, 0);
});

test('wiping leaves nothing, and nothing is stored afterwards (A5)', async () => {
  const { sync, stream, storage, drafts, clock } = world();
  await sync.start();
  drafts.set('room', 'draft');
  sync.keep('room', [message(1)]);
  stream.onEvent({ id: 41, event: 'message.created', data: message(4) });
  await sync.wipe();
  await clock.advance(10_000);
  for (const store of ['outbox', 'messages', 'meta']) assert.deepEqual(await storage.all(store), []);
  assert.equal(drafts.get('room'), '');
  assert.equal(clock.pending, 0);
});

test('the stream’s end at signing out does not end the page before everything is wiped (A5)', async () => {
  const { sync, stream, storage, ended } = world();
  await sync.start();
  await storage.put('outbox', 'x', { clientId: 'x' });
  await assert.rejects(sync.leave(async () => { throw failure('network'); }));
  assert.equal((await storage.all('outbox')).length, 1);
  await sync.leave(async () => stream.onSessionEnded());
  assert.equal(ended.count, 0);
  assert.deepEqual(await storage.all('outbox'), []);
});

test('the newest messages of a chat are kept, and follow events, also those before anybody wrote them down', async () => {
  const { sync, stream, storage, clock, attach } = world();
  await sync.start();
  assert.deepEqual(await sync.kept('room'), []);
  sync.keep('room', Array.from({ length: 80 }, (_, index) => message(index + 1)));
  stream.onEvent({ id: 41, event: 'message.created', data: message(81) });
  assert.deepEqual(await sync.kept('room'), [], 'not what is only half known');
  attach();
  stream.onEvent({ id: 42, event: 'message.updated', data: message(80, { text: 'new', edited_at: '2026-03-14T12:00:00Z' }) });
  stream.onEvent({ id: 43, event: 'message.updated', data: message(2, { text: 'old' }) });
  assert.equal((await sync.kept('room')).at(-1).seq, 81, 'before it is on disk, too');
  await clock.advance(1000);
  const { messages: kept, upTo } = await storage.get('messages', 'room');
  assert.deepEqual([kept.length, kept.at(-2).text, kept.at(-1).seq, upTo], [50, 'new', 81, 43]);
  stream.onEvent({ id: 44, event: 'room.removed', data: { id: 'room' } });
  assert.deepEqual(await sync.kept('room'), []);
  await clock.advance(1000);
  assert.deepEqual(await storage.keys('messages'), []);
});

test('the return of the connection pokes what waits', async () => {
  const { sync, stream, outbox } = world();
  await sync.start();
  stream.onState('offline');
  assert.equal(sync.state.connection, 'offline');
  stream.onState('online');
  assert.equal(outbox.pokes, 1);
  sync.wake();
  assert.equal(stream.woken, 1);
});

test('receipts: only the farthest pointer goes, one request a chat at a time, again after a failure', async () => {
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

test('presence that changed while the stream was away is asked for when it is back (S5, S6)', async () => {
  const seen = { user_id: 'bob', online: false, last_seen_at: '2026-11-20T18:03:07.412Z' };
  const { sync, stream, store, api } = world({ methods: { presence: async () => answer([seen]) } });
  await sync.start();
  stream.onState('online');
  await settle();
  const asked = () => api.calls.filter(([name]) => name === 'presence').map(([, ids]) => ids);
  assert.deepEqual(asked(), [], 'not at the first time');
  assert.equal(store.user('bob').online, true);
  stream.onState('connecting');
  stream.onState('online');
  await settle(20);
  assert.deepEqual(asked(), [['bob']]);
  assert.deepEqual([store.user('bob').online, store.user('bob').last_seen_at], [false, '2026-11-20T18:03:07.412Z']);
  stream.onState('online');
  await settle();
  assert.equal(asked().length, 1);
});

test('a long list of chats comes page by page; what the stream told meanwhile is newer (L1)', async () => {
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
  assert.ok(api.calls.some(([name, roomId]) => name === 'putReceipt' && roomId === 'c'), 'what waits there is received');
});

test('further pages of a list that was loaded anew meanwhile are left', async () => {
  const late = deferred();
  let eventId = 40;
  const { sync, store, stream } = world({ methods: {
    rooms: async (next) => (next ? late.promise : answer([room({ id: `first-${eventId}` })], { eventId, next: eventId === 40 ? 'x' : null })),
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

test('what was cleared or hidden is not kept, here or while this browser was away (L4)', async () => {
  const { sync, store, stream, storage, clock, attach } = world();
  attach();
  await sync.start();
  await clock.advance(1000);
  const seqs = async () => (await sync.kept('room')).map(({ seq }) => seq);
  sync.keep('room', [message(1), message(2), message(3), message(4)]);
  await clock.advance(1000);
  stream.onEvent({ id: 41, event: 'room.updated', data: room({ last_seq: 4, read_seq: 4, cleared_seq: 2 }) });
  stream.onEvent({ id: 42, event: 'message.hidden', data: { room_id: 'room', seq: 4 } });
  assert.deepEqual(await seqs(), [3]);
  await clock.advance(1000);
  assert.deepEqual((await storage.get('messages', 'room')).messages.map(({ seq }) => seq), [3]);
  await storage.put('messages', 'other', { upTo: 42, whole: true, messages: [message(1), message(5)] });
  store.putRoom(room({ id: 'other', cleared_seq: 4 }));
  assert.deepEqual((await sync.kept('other')).map(({ seq }) => seq), [5]);
  await storage.put('messages', 'left', { upTo: 42, whole: true, messages: [message(1)] });
  assert.deepEqual(await sync.kept('left'), [], 'of a chat that is not mine any more, nothing');
});

test('on return only what changed is asked for, and what is kept follows it (O2, S5)', async () => {
  const events = [
    { id: 41, event: 'message.created', data: message(4) },
    { id: 42, event: 'message.deleted', data: message(2, { text: '', deleted_at: '2026-03-14T12:00:00Z' }) },
    { id: null, event: 'typing', data: {} },
  ];
  const storage = await visited(
    [room({ last_seq: 3, read_seq: 3, peer: { ...bob, online: true } })], 40, { room: [message(1), message(2), message(3)] });
  const { sync, store, stream, api, clock, attach } = world({ storage, methods: {
    sync: async () => answer({ events, last_event_id: 42, reset: false }),
    presence: async () => answer([{ user_id: 'bob', online: true }]),
  } });
  const started = sync.start();
  assert.deepEqual((await sync.kept('room')).map(({ seq }) => seq), [1, 2, 3], 'at once');
  assert.equal(store.user('bob').online, false, 'nobody knows who is here');
  await started;
  assert.deepEqual(api.calls.map(([name, ...input]) => [name, ...input]).slice(0, 3),
    [['sync', 40, 0], ['session'], ['presence', ['bob']]]);
  assert.ok(!api.calls.some(([name]) => name === 'rooms' || name === 'messages'));
  assert.deepEqual([stream.opened, store.room('room').unread_count, store.user('bob').online], [[42], 1, true]);
  attach();
  await clock.advance(1000);
  const kept = await storage.get('messages', 'room');
  assert.deepEqual([kept.messages.map(({ seq }) => seq), kept.messages[1].text, kept.upTo], [[1, 2, 3, 4], '', 42]);
  assert.equal((await storage.get('meta', 'rooms')).eventId, 42);
});

test('where the log does not reach back, all is asked for anew and nothing old is shown (O2)', async () => {
  const storage = await visited([room({ id: 'gone' })], 7, { gone: [message(1)], room: [message(1)] });
  const { sync, store, stream, api, clock, attach } = world({ storage, methods: {
    sync: async () => answer({ events: [], last_event_id: 99, reset: true }),
  } });
  attach();
  await sync.start();
  assert.deepEqual(api.calls.map(([name]) => name).filter((name) => name !== 'putReceipt'), ['sync', 'session', 'rooms', 'session']);
  assert.deepEqual([stream.opened, store.rooms().map(({ id }) => id)], [[40], ['room']]);
  await clock.advance(1000);
  assert.deepEqual(await storage.keys('messages'), []);
  assert.deepEqual(await sync.kept('room'), []);
});

test('while something is shown that the server has not, the list is not kept as its word (O2)', async () => {
  const late = deferred();
  const { sync, store, stream, storage, clock, attach } = world({ methods: { room: () => late.promise } });
  attach();
  await sync.start();
  await clock.advance(1000);
  const eventId = async () => (await storage.get('meta', 'rooms'))?.eventId;
  assert.equal(await eventId(), 40);
  store.readLocally('room', 3);
  stream.onEvent({ id: 41, event: 'draft.updated', data: { room_id: 'room', draft: 'x' } });
  await clock.advance(1000);
  assert.equal(await eventId(), 40, 'read here, not told yet');
  store.settleRead('room');
  const asked = store.ask('room', { muted: true });
  await clock.advance(1000);
  assert.equal(await eventId(), 40, 'muted here, not told yet');
  asked.failed();
  await clock.advance(1000);
  assert.equal(await eventId(), 41, 'taken back');
  stream.onEvent({ id: 42, event: 'message.hidden', data: { room_id: 'room', seq: 2 } });
  await clock.advance(1000);
  assert.equal(await eventId(), 41, 'only the server knows what is unread');
  late.resolve(answer(room({ last_seq: 3, read_seq: 1, unread_count: 1 }), { eventId: 42 }));
  await clock.advance(2000);
  assert.equal(await eventId(), 42);
});

test('an answer about a chat that was deleted meanwhile does not bring it back (L4)', async () => {
  const late = deferred();
  const { sync, store, stream } = world({ methods: { room: () => late.promise } });
  await sync.start();
  stream.onEvent({ id: 41, event: 'receipt.updated', data: { room_id: 'room', user_id: 'ada', read_seq: 0 } });
  stream.onEvent({ id: 42, event: 'room.removed', data: { id: 'room' } });
  late.resolve(answer(room(), { eventId: 41 }));
  await settle();
  assert.equal(store.room('room'), null);
});

test('what changed of oneself is stored for the next start (A4)', async () => {
  const { sync, stream, storage } = world();
  await sync.start();
  stream.onEvent({ id: 41, event: 'me.updated', data: { ...ada, name: 'Augusta' } });
  assert.equal((await storage.get('meta', 'me')).name, 'Augusta');
});

test('whoever shows or hides when he was here learns anew what he may see of others (S6)', async () => {
  let online = true;
  const { sync, store, stream, api } = world({ methods: {
    session: async () => answer({ ...ada, settings: { read_receipts: true, last_seen: true } }),
    presence: async () => answer([{ user_id: 'bob', online }]),
  } });
  await sync.start();
  assert.equal(store.user('bob').online, true);
  const asked = () => api.calls.filter(([name]) => name === 'presence').length;
  const before = asked();
  stream.onEvent({ id: 41, event: 'me.updated', data: { ...ada, settings: { read_receipts: false, last_seen: true } } });
  await settle();
  assert.equal(asked(), before, 'receipts are another matter');
  online = false;
  stream.onEvent({ id: 42, event: 'me.updated', data: { ...ada, settings: { read_receipts: false, last_seen: false } } });
  await settle(20);
  assert.deepEqual([asked(), store.user('bob').online], [before + 1, false]);
});
