import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { EventStream } from '../../Public/js/services/eventStream.js';
import { FakeClock, FakeEventSource, answer, deferred, failure, fakeApi, message, settle } from './support/fakes.js';

beforeEach(() => { FakeEventSource.made = []; });

function world({ sync, onLine = true, clock = new FakeClock() } = {}) {
  const browser = { onLine };
  const api = fakeApi({ sync });
  const stream = new EventStream({
    EventSource: FakeEventSource, api, clock, random: () => 0.5, isOnLine: () => browser.onLine,
  });
  const seen = { events: [], states: [], resets: 0, ended: 0 };
  stream.onEvent = (event) => seen.events.push(event);
  stream.onState = (state) => seen.states.push(state);
  stream.onReset = () => { seen.resets += 1; };
  stream.onSessionEnded = () => { seen.ended += 1; };
  return { stream, clock, api, seen, browser };
}

test('events are delivered in order, each once, from where the state ends', () => {
  const { stream, seen } = world();
  stream.open(5);
  const source = FakeEventSource.last;
  assert.equal(source.url, '/api/v1/events?after=5');
  source.emit('open');
  source.emit('message.created', message(1), 6);
  source.emit('message.created', message(1), 6);
  source.emit('message.created', message(9), 4);
  source.emit('typing', { user_id: 'bob' }, 6);
  source.emit('ping', {}, 6);
  source.emit('hello', {}, 6);
  assert.deepEqual(seen.events.map((event) => event.id), [6, null]);
  assert.deepEqual(seen.states, ['online']);
  assert.equal(stream.lastEventId, 6);
});

test('a dropped stream reconnects within a second, from the last event', { shows: ['S5'] }, async () => {
  const { stream, clock, seen } = world();
  stream.open(5);
  FakeEventSource.last.emit('open');
  FakeEventSource.last.emit('message.created', message(1), 8);
  FakeEventSource.last.emit('error');
  assert.ok(FakeEventSource.last.closed);
  assert.deepEqual(seen.states, ['online', 'connecting']);
  await clock.advance(400);
  assert.equal(FakeEventSource.made.length, 2);
  assert.equal(FakeEventSource.last.url, '/api/v1/events?after=8');
  FakeEventSource.made[0].emit('message.created', message(2), 9);
  assert.equal(seen.events.length, 1, 'a closed stream says nothing any more');
  FakeEventSource.last.emit('open');
  assert.equal(seen.states.at(-1), 'online');
});

test('an unreachable server is offline, and retried with growing pauses, at least every 20 s', async () => {
  const { stream, clock, seen } = world();
  stream.open(5);
  const times = [];
  for (let round = 0; round < 30; round += 1) {
    const before = FakeEventSource.made.length;
    FakeEventSource.last.emit('error');
    for (let waited = 0; FakeEventSource.made.length === before && waited < 60; waited += 1) await clock.advance(1000);
    times.push(clock.now());
  }
  assert.deepEqual(seen.states, ['offline']);
  const pauses = times.slice(1).map((time, index) => time - times[index]);
  assert.ok(Math.max(...pauses) <= 45_000, String(pauses));
});

test('forty seconds of silence is a dead stream; a ping is not silence', async () => {
  const { stream, clock } = world();
  stream.open(5);
  FakeEventSource.last.emit('open');
  FakeEventSource.last.emit('ping');
  await clock.advance(30_000);
  FakeEventSource.last.emit('ping');
  await clock.advance(39_000);
  assert.equal(FakeEventSource.made.length, 1);
  await clock.advance(2_000);
  assert.equal(FakeEventSource.made.length, 2);
});

test('a stream without any data is replaced by polling, and retried later', async () => {
  const answers = [];
  const { stream, clock, api, seen } = world({
    sync: async () => {
      const gate = deferred();
      answers.push(gate);
      return gate.promise;
    },
  });
  stream.open(5);
  FakeEventSource.last.emit('open');
  await clock.advance(20_001);
  assert.ok(FakeEventSource.last.closed);
  assert.deepEqual(api.calls[0].slice(0, 3), ['sync', 5, 0]);
  answers[0].resolve(answer({
    last_event_id: 7, reset: false,
    events: [{ id: 6, event: 'message.created', data: {} }, { id: null, event: 'typing', data: {} }],
  }));
  await settle();
  assert.deepEqual(seen.events.map((event) => event.id), [6, null]);
  assert.deepEqual(api.calls[1].slice(0, 3), ['sync', 7, 25]);
  await clock.advance(300_001);
  answers[1].resolve(answer({ last_event_id: 7, reset: false, events: [] }));
  await settle();
  assert.equal(FakeEventSource.made.length, 2);
  assert.equal(FakeEventSource.last.url, '/api/v1/events?after=7');
});

test('reset and the end of the session close the stream, over stream and poll', async () => {
  const { stream, clock, seen } = world({ sync: async () => answer({ reset: true, events: [], last_event_id: 9 }) });
  stream.open(5);
  FakeEventSource.last.emit('reset', { reason: 'old' });
  assert.equal(seen.resets, 1);
  assert.equal(clock.pending, 0);
  stream.open(7);
  FakeEventSource.last.emit('session.ended');
  assert.equal(seen.ended, 1);
  assert.equal(clock.pending, 0);
  stream.open(7);
  await clock.advance(20_001);
  assert.equal(seen.resets, 2);
});

test('a refused stream finds out why: signed out', async () => {
  const { stream, clock, seen } = world({ sync: async () => { throw failure('unauthenticated', { status: 401 }); } });
  stream.open(5);
  FakeEventSource.last.emit('error');
  await clock.advance(1000);
  FakeEventSource.last.emit('error');
  await clock.advance(1000);
  assert.equal(seen.ended, 1);
});

test('a poll can end the session too, and failing polls go back to the stream', async () => {
  let events = [{ event: 'session.ended', data: {} }];
  const first = world({ sync: async () => answer({ reset: false, events, last_event_id: 5 }) });
  first.stream.open(5);
  await first.clock.advance(20_001);
  assert.equal(first.seen.ended, 1);
  events = [];
  const second = world({ sync: async () => { throw failure('network'); } });
  second.stream.open(5);
  await second.clock.advance(21_000);
  assert.deepEqual(second.seen.states, []);
  await second.clock.advance(2_000);
  assert.ok(FakeEventSource.made.length >= 2 || second.api.calls.length >= 2);
});

test('when the network is back it connects at once, and after a first failure within a second',
  { shows: ['S5'] }, async () => {
  const { stream, clock, seen } = world();
  stream.open(5);
  for (let failure = 0; failure < 9; failure += 1) {
    FakeEventSource.last.emit('error');
    await clock.advance(8000);
  }
  FakeEventSource.last.emit('error');
  const before = FakeEventSource.made.length;
  stream.wake();
  assert.equal(FakeEventSource.made.length, before + 1);
  FakeEventSource.last.emit('error');
  await clock.advance(1000);
  assert.equal(FakeEventSource.made.length, before + 2);
  FakeEventSource.last.emit('open');
  assert.equal(seen.states.at(-1), 'online');
  stream.close();
});

test('after sleep it reconnects at once and does not trust a silent stream', async () => {
  const { stream, clock, browser, seen } = world();
  stream.wake();
  stream.open(5);
  FakeEventSource.last.emit('open');
  FakeEventSource.last.emit('ping');
  stream.wake();
  assert.equal(FakeEventSource.made.length, 1);
  await clock.advance(25_000);
  stream.wake();
  assert.equal(FakeEventSource.made.length, 2);
  FakeEventSource.last.emit('error');
  stream.wake();
  assert.equal(FakeEventSource.made.length, 3);
  FakeEventSource.last.emit('open');
  browser.onLine = false;
  stream.wake();
  FakeEventSource.last.emit('error');
  assert.equal(seen.states.at(-1), 'offline');
  stream.close();
  assert.equal(clock.pending, 0);
});
