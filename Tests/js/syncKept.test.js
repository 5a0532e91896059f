import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStorage } from '../../Public/js/services/storage.js';
import { forgetShown } from '../../Public/js/services/kept.js';
import { ada, answer, bob, deferred, failure, message, room, settle } from './support/fakes.js';
import { syncWorld as world, visited } from './support/syncWorld.js';

test('the end of the session wipes received data, keeps unsent messages, and is reported once', async () => {
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

test('somebody else who signs in finds nothing of the former person', { shows: ['A5'] }, async () => {
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

test('signed out, nothing of the last session is shown, and unsent messages wait for their author',
  { shows: ['A5'] }, async () => {
  const storage = await visited([room()], 40, { room: [message(1)] });
  await storage.put('outbox', 'x', { clientId: 'x', roomId: 'room' });
  await forgetShown(storage);
  assert.deepEqual([await storage.all('messages'), await storage.get('meta', 'me'), await storage.get('meta', 'rooms')],
    [[], undefined, undefined]);
  assert.equal((await storage.all('outbox')).length, 1);
  assert.equal(await storage.get('meta', 'owner'), 'ada');
  // The next person has to be known before any of it is sent.
  const { sync, outbox, api } = world({ storage });
  api.session = () => new Promise(() => {});
  sync.start();
  await settle();
  assert.equal(outbox.started, 0);
});

test('wiping leaves nothing, and nothing is stored afterwards', { shows: ['A5'] }, async () => {
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

test('the stream’s end on signing out does not end the page before everything is wiped',
  { shows: ['A5'] }, async () => {
  const { sync, stream, storage, ended } = world();
  await sync.start();
  await storage.put('outbox', 'x', { clientId: 'x' });
  await assert.rejects(sync.leave(async () => { throw failure('network'); }));
  assert.equal((await storage.all('outbox')).length, 1);
  await sync.leave(async () => stream.onSessionEnded());
  assert.equal(ended.count, 0);
  assert.deepEqual(await storage.all('outbox'), []);
});

test('a chat’s newest messages are stored and follow events, even those before they were stored', async () => {
  const { sync, stream, storage, clock, attach } = world();
  await sync.start();
  assert.deepEqual(await sync.kept('room'), []);
  sync.keep('room', Array.from({ length: 80 }, (_, index) => message(index + 1)));
  stream.onEvent({ id: 41, event: 'message.created', data: message(81) });
  assert.deepEqual(await sync.kept('room'), [], 'not what is only half known');
  attach();
  stream.onEvent({
    id: 42, event: 'message.updated', data: message(80, { text: 'new', edited_at: '2026-03-14T12:00:00Z' }),
  });
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

test('cleared and hidden messages are not stored, even if that happened while offline', { shows: ['L4'] }, async () => {
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

test('back online only changes are requested, and storage follows them', { shows: ['O2', 'S5'] }, async () => {
  const events = [
    { id: 41, event: 'message.created', data: message(4) },
    { id: 42, event: 'message.deleted', data: message(2, { text: '', deleted_at: '2026-03-14T12:00:00Z' }) },
    { id: null, event: 'typing', data: {} },
  ];
  const storage = await visited(
    [room({ last_seq: 3, read_seq: 3, peer: { ...bob, online: undefined } })], 40, {
      room: [message(1), message(2), message(3)],
    });
  const { sync, store, stream, api, clock, attach } = world({ storage, methods: {
    sync: async () => answer({ events, last_event_id: 42, reset: false }),
    presence: async () => answer([{ user_id: 'bob', online: true }]),
  } });
  const started = sync.start();
  assert.deepEqual((await sync.kept('room')).map(({ seq }) => seq), [1, 2, 3], 'at once');
  assert.ok(!store.user('bob').online, 'nobody knows who is here');
  await started;
  stream.onState('online');
  await settle();
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

test('if the log does not reach back, everything is loaded again and nothing old is shown',
  { shows: ['O2'] }, async () => {
  const storage = await visited([room({ id: 'gone' })], 7, { gone: [message(1)], room: [message(1)] });
  const { sync, store, stream, api, clock, attach } = world({ storage, methods: {
    sync: async () => answer({ events: [], last_event_id: 99, reset: true }),
  } });
  attach();
  await sync.start();
  assert.deepEqual(api.calls.map(([name]) => name).filter((name) => name !== 'putReceipt'), 
    ['sync', 'session', 'rooms', 'session']);
  assert.deepEqual([stream.opened, store.rooms().map(({ id }) => id)], [[40], ['room']]);
  await clock.advance(1000);
  assert.deepEqual(await storage.keys('messages'), []);
  assert.deepEqual(await sync.kept('room'), []);
});

test('while unconfirmed changes are shown, the list is not stored as confirmed',
  { shows: ['O2'] }, async () => {
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

test('changes of one’s profile are stored for the next start', { shows: ['A4'] }, async () => {
  const { sync, stream, storage } = world();
  await sync.start();
  stream.onEvent({ id: 41, event: 'me.updated', data: { ...ada, name: 'Augusta' } });
  assert.equal((await storage.get('meta', 'me')).name, 'Augusta');
});

test('a completely loaded list is stored, even if nothing happens afterwards', { shows: ['O1'] }, async () => {
  const { sync, storage, clock, attach } = world();
  await sync.start();
  await settle();
  attach();
  await clock.advance(1000);
  await settle();
  const list = await storage.get('meta', 'rooms');
  assert.deepEqual([list?.eventId, list?.rooms.length], [40, 1]);
});

test('a page opened offline loads when the network is back, not seconds later',
  { shows: ['S5', 'O1'] }, async () => {
  let fails = true;
  const storage = await visited([room()], 40);
  const { sync, stream, clock } = world({ storage, methods: {
    sync: async () => {
      if (fails) throw failure('network', { status: 0 });
      return answer({ reset: false, last_event_id: 40, events: [] });
    },
    presence: async () => answer([]),
  } });
  await sync.start();
  for (let round = 0; round < 6; round += 1) await clock.advance(10_000);
  assert.deepEqual(stream.opened, []);
  fails = false;
  sync.wake();
  await settle();
  assert.deepEqual(stream.opened, [40]);
  sync.wake();
  assert.equal(stream.woken, 2, 'both, each time');
});

test('presence is requested for all peers, even those without an account here',
  { shows: ['X2', 'S6'] }, async () => {
  const peer = { ...bob, member: false };
  delete peer.online;
  const { sync, store, stream, api } = world({ methods: {
    rooms: async () => answer([room({ peer })], { eventId: 40 }),
    presence: async () => answer([{ user_id: 'bob', online: true }]),
  } });
  await sync.start();
  stream.onState('online');
  await settle();
  assert.equal(store.user('bob').online, true);
  assert.deepEqual(api.calls.find(([name]) => name === 'presence')[1], ['bob']);
});
