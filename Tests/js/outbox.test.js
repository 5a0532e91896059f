import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outbox } from '../../Public/js/services/outbox.js';
import { MemoryStorage } from '../../Public/js/services/storage.js';
import { FakeClock, FakeLocks, ada, answer, deferred, failure, fakeApi, ids, message, seeded,
  settle } from './support/fakes.js';

function world({ send, storage = new MemoryStorage(), locks = null, newId = ids(), clock = new FakeClock() } = {}) {
  const connection = { state: 'online' };
  const api = fakeApi({ send });
  const outbox = new Outbox({
    api, storage, clock, random: seeded(1), locks, newId, connection: () => connection.state,
  });
  const changes = [];
  outbox.subscribe((change) => changes.push(change));
  const sent = () => api.calls.filter(([name]) => name === 'send').map(([, roomId, body]) => [roomId, body.text]);
  const states = (roomId = 'room') => outbox.entries(roomId).map((entry) => [entry.text, entry.state, entry.failure]);
  return { outbox, api, clock, connection, storage, changes, sent, states };
}

const stored = (roomId, { client_id: clientId, text }) =>
  answer(message(1, { room_id: roomId, client_id: clientId, text, sender: ada }), { status: 201 });

test('messages of a chat are sent in order, one at a time, each to its chat', { shows: ['S2', 'K3'] }, async () => {
  const gates = [];
  const { outbox, sent, changes } = world({
    send: async (roomId, body) => {
      const gate = deferred();
      gates.push(gate);
      await gate.promise;
      return stored(roomId, body);
    },
  });
  outbox.add({ roomId: 'room', text: 'a' });
  outbox.add({ roomId: 'room', text: 'b' });
  outbox.add({ roomId: 'other', text: 'c' });
  await settle();
  assert.deepEqual(sent(), [['room', 'a'], ['other', 'c']]);
  assert.equal(outbox.waiting, 3);
  gates[0].resolve();
  await settle();
  assert.deepEqual(sent().at(-1), ['room', 'b']);
  gates[1].resolve();
  gates[2].resolve();
  await settle();
  assert.equal(outbox.waiting, 0);
  assert.deepEqual(changes.filter(({ type }) => type === 'sent').map(({ entry }) => entry.text), ['a', 'c', 'b']);
});

test('a lost response is retried with the same client id; the 200 of the retry settles it', async () => {
  let tries = 0;
  const { outbox, api, clock, states } = world({
    send: async (roomId, body) => {
      tries += 1;
      if (tries < 3) throw failure('network');
      return { ...stored(roomId, body), status: 200 };
    },
  });
  outbox.add({ roomId: 'room', text: 'a', replyTo: 4 });
  await clock.advance(10_000);
  assert.equal(tries, 3);
  assert.equal(new Set(api.calls.map(([, , body]) => body.client_id)).size, 1);
  assert.equal(api.calls[0][2].reply_to, 4);
  assert.deepEqual(states(), []);
});

test('a message fails after a minute with a reason; Retry sends, Delete removes it', { shows: ['S3'] }, async () => {
  let fails = true;
  const { outbox, clock, states, storage } = world({
    send: async (roomId, body) => {
      if (fails) throw failure('internal', { status: 500 });
      return stored(roomId, body);
    },
  });
  const first = outbox.add({ roomId: 'room', text: 'a' });
  const second = outbox.add({ roomId: 'room', text: 'b' });
  await clock.advance(59_000);
  assert.deepEqual(states(), [['a', 'unsent', null], ['b', 'unsent', null]]);
  outbox.remove(first.clientId);
  assert.equal(outbox.entries('room').length, 2, 'what may be on its way is not deleted');
  await clock.advance(2_000);
  assert.deepEqual(states(), [['a', 'failed', 'server'], ['b', 'failed', 'server']]);
  assert.equal(outbox.waiting, 0);
  assert.equal(clock.pending, 0);
  fails = false;
  outbox.retry(first.clientId);
  outbox.remove(second.clientId);
  outbox.retry('unknown');
  await settle();
  assert.deepEqual(states(), []);
  assert.deepEqual(await storage.all('outbox'), []);
});

test('time offline does not count; reconnecting sends at once', async () => {
  let fails = true;
  const { outbox, clock, states, connection, sent } = world({
    send: async (roomId, body) => {
      if (fails) throw failure('network');
      return stored(roomId, body);
    },
  });
  outbox.add({ roomId: 'room', text: 'a' });
  await clock.advance(30_000);
  connection.state = 'connecting';
  await clock.advance(50_000);
  connection.state = 'offline';
  await clock.advance(600_000);
  const tries = sent().length;
  await clock.advance(600_000);
  assert.equal(sent().length, tries, 'offline, nothing is tried');
  assert.deepEqual(states(), [['a', 'unsent', null]]);
  fails = false;
  connection.state = 'online';
  outbox.poke();
  await settle();
  assert.deepEqual(states(), []);
});

for (const [name, error, reason] of [
  ['404: removed from the room', failure('not-found', { status: 404 }), 'removed'],
  ['401: signed out', failure('unauthenticated', { status: 401 }), 'signed-out'],
  ['403: forbidden', failure('forbidden', { status: 403 }), 'forbidden'],
  ['413: too large', failure('too-large', { status: 413 }), 'too-long'],
  ['422: too long', failure('invalid', { status: 422, errors: [{ field: 'text', code: 'too_long' }] }), 'too-long'],
  ['422: something else', failure('invalid', { status: 422 }), 'invalid'],
  ['409: conflict', failure('conflict', { status: 409 }), 'conflict'],
]) {
  test(`a clear refusal fails at once, and the next message is sent: ${name}`, { shows: ['S3'] }, async () => {
    const { outbox, states, sent } = world({
      send: async (roomId, body) => {
        if (body.text === 'a') throw error;
        return stored(roomId, body);
      },
    });
    outbox.add({ roomId: 'room', text: 'a' });
    outbox.add({ roomId: 'room', text: 'b' });
    await settle();
    assert.deepEqual(states(), [['a', 'failed', reason]]);
    assert.deepEqual(sent(), [['room', 'a'], ['room', 'b']]);
  });
}

test('after a conflict, Retry takes a new client id', async () => {
  const used = [];
  const { outbox, states } = world({
    send: async (roomId, body) => {
      used.push(body.client_id);
      if (used.length === 1) throw failure('conflict', { status: 409 });
      return stored(roomId, body);
    },
  });
  outbox.retry(outbox.add({ roomId: 'room', text: 'a' }).clientId);
  await settle();
  outbox.retry(used[0]);
  await settle();
  assert.equal(new Set(used).size, 2);
  assert.deepEqual(states(), []);
});

test('429 waits as long as it says, in all chats, and drops nothing', { shows: ['control 6'] }, async () => {
  let limited = true;
  const { outbox, clock, states, sent, changes } = world({
    send: async (roomId, body) => {
      if (limited) throw failure('rate-limited', { status: 429, retryAfter: 300_000 });
      return stored(roomId, body);
    },
  });
  outbox.add({ roomId: 'room', text: 'a' });
  await settle();
  assert.equal(outbox.pausedUntil, clock.now() + 300_000);
  assert.equal(changes.at(-1).type, 'paused');
  outbox.add({ roomId: 'room', text: 'b' });
  outbox.add({ roomId: 'other', text: 'c' });
  outbox.poke();
  await clock.advance(299_000);
  assert.deepEqual(sent(), [['room', 'a']], 'nothing is tried before its time');
  assert.deepEqual(states(), [['a', 'unsent', null], ['b', 'unsent', null]], 'the minute of trying does not count');
  limited = false;
  await clock.advance(1_000);
  assert.equal(outbox.pausedUntil, null);
  assert.deepEqual(sent().slice(1), [['room', 'a'], ['other', 'c'], ['room', 'b']]);
  assert.equal(outbox.waiting, 0);
});

test('a message that arrives on the stream is settled, even before its response or after a failure', async () => {
  const gate = deferred();
  const { outbox, states, changes } = world({ send: () => gate.promise });
  const entry = outbox.add({ roomId: 'room', text: 'a' });
  await settle();
  outbox.settle(message(1, { client_id: entry.clientId, room_id: 'elsewhere' }));
  assert.equal(states().length, 1);
  outbox.settle(message(1, { client_id: entry.clientId }));
  assert.deepEqual(states(), []);
  gate.reject(failure('network'));
  await settle();
  assert.deepEqual(states(), []);
  assert.equal(changes.filter(({ type }) => type === 'sent').length, 1);
});

test('a reload sends what was left, in order, with the same ids', { shows: ['S2'] }, async () => {
  const storage = new MemoryStorage();
  const newId = ids();
  const before = world({ storage, newId, send: async () => { throw failure('network'); } });
  before.connection.state = 'offline';
  before.outbox.add({ roomId: 'room', text: 'a' });
  before.outbox.add({ roomId: 'room', text: 'b' });
  const kept = before.outbox.entries('room').map((entry) => entry.clientId);
  await settle();
  const after = world({ storage, newId, send: async (roomId, body) => stored(roomId, body) });
  await after.outbox.start();
  after.outbox.add({ roomId: 'room', text: 'c' });
  await settle();
  assert.deepEqual(after.api.calls.map(([, , body]) => body.client_id).slice(0, 2), kept);
  assert.deepEqual(after.sent().map(([, text]) => text), ['a', 'b', 'c']);
  assert.deepEqual(await storage.all('outbox'), []);
  assert.equal(after.changes[0].type, 'loaded');
});

test('only one tab sends a message; another takes over when that tab closes', async () => {
  const storage = new MemoryStorage();
  const locks = new FakeLocks();
  const newId = ids();
  const clock = new FakeClock();
  const first = world({ storage, locks, newId, clock, send: () => new Promise(() => {}) });
  await first.outbox.start();
  first.connection.state = 'offline';
  first.outbox.add({ roomId: 'room', text: 'a' });
  const second = world({ storage, locks, newId, clock, send: async (roomId, body) => stored(roomId, body) });
  await second.outbox.start();
  await clock.advance(60_000);
  assert.deepEqual(second.sent(), []);
  locks.drop('hubbub-tab:id-1');
  await clock.advance(31_000);
  assert.deepEqual(second.sent(), [['room', 'a']]);
});

test('wiping removes everything, on disk too, and stops sending', { shows: ['A5'] }, async () => {
  const { outbox, storage, clock, sent } = world({ send: async () => { throw failure('network'); } });
  outbox.add({ roomId: 'room', text: 'a' });
  await settle();
  await outbox.wipe();
  await clock.advance(100_000);
  assert.equal(sent().length, 1);
  assert.deepEqual(await storage.all('outbox'), []);
  assert.equal(outbox.waiting, 0);
});
