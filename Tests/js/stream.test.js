import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { EventStream } from '../../Public/js/services/eventStream.js';
import { SharedStream } from '../../Public/js/services/sharedStream.js';
import { FakeClock, FakeEventSource, FakeLocks, answer, deferred, failure, fakeApi, message, seeded, settle, shuffled } from './support/fakes.js';

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

test('events are handed on in order, each once, from where the state ends', () => {
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

test('a dropped stream comes back within a second, from the last event (S5)', async () => {
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

test('a server that stays away is offline, tried with growing pauses, at least every 20 s', async () => {
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

test('a stream of which nothing comes is replaced by polling, and tried again later', async () => {
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

test('a stream that is refused asks why: signed out', async () => {
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

test('waking does not wait, and does not trust a silent stream', async () => {
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

/** Tabs of one browser: a channel that reaches the others, and one set of locks. */
function browserOf({ sync, clock = new FakeClock() }) {
  const locks = new FakeLocks();
  const channels = new Set();
  const openTab = () => {
    const tab = { events: [], states: [], resets: 0, ended: 0, deaf: false };
    const api = fakeApi({ sync });
    const own = new EventStream({
      EventSource: FakeEventSource, api, clock, random: seeded(2), isOnLine: () => true,
    });
    const openChannel = () => {
      const channel = {
        postMessage: (data) => {
          for (const other of channels) if (other !== channel && !other.tab.deaf) other.onmessage({ data: structuredClone(data) });
        },
        close: () => channels.delete(channel),
        tab,
      };
      channels.add(channel);
      return channel;
    };
    tab.stream = new SharedStream({ stream: own, api, locks, openChannel, clock });
    tab.stream.onEvent = (event) => tab.events.push(event.id);
    tab.stream.onState = (state) => tab.states.push(state);
    tab.stream.onReset = () => { tab.resets += 1; };
    tab.stream.onSessionEnded = () => { tab.ended += 1; };
    return tab;
  };
  return { openTab, locks, clock };
}

test('eight tabs hold one stream, and each sees each event once', async () => {
  const { openTab } = browserOf({ sync: async () => answer({ reset: false, events: [], last_event_id: 5 }) });
  const tabs = Array.from({ length: 8 }, openTab);
  for (const tab of tabs) tab.stream.open(5);
  await settle();
  assert.equal(FakeEventSource.made.length, 1);
  FakeEventSource.last.emit('open');
  for (const id of [6, 7, 9]) FakeEventSource.last.emit('message.created', message(id), id);
  FakeEventSource.last.emit('typing', {}, 9);
  for (const tab of tabs) {
    assert.deepEqual(tab.events, [6, 7, 9, null]);
    assert.equal(tab.states.at(-1), 'online');
    assert.equal(tab.stream.lastEventId, 9);
  }
});

test('a follower that missed something asks the server, and a follower takes over a closed leader', async () => {
  const log = (after) => [6, 7, 8, 9, 10].filter((id) => id > after).map((id) => ({ id, event: 'room.updated', data: {} }));
  const { openTab } = browserOf({ sync: async (after) => answer({ reset: false, events: log(after), last_event_id: 10 }) });
  const leader = openTab();
  const follower = openTab();
  leader.stream.open(5);
  follower.stream.open(5);
  await settle();
  const emit = (id) => FakeEventSource.last.emit('room.updated', {}, id);
  emit(6);
  follower.deaf = true;
  emit(7);
  follower.deaf = false;
  emit(8);
  await settle();
  assert.deepEqual(follower.events, [6, 7, 8, 9, 10]);
  emit(9);
  emit(10);
  await settle();
  assert.deepEqual(follower.events, [6, 7, 8, 9, 10]);
  leader.stream.close();
  await settle();
  assert.equal(FakeEventSource.made.length, 2);
  assert.equal(FakeEventSource.last.url, '/api/v1/events?after=10');
  FakeEventSource.last.emit('room.updated', {}, 11);
  assert.equal(follower.events.at(-1), 11);
  follower.stream.wake();
});

test('messages that reach a follower in any order, or not at all, are each seen once and in order', async () => {
  const random = seeded(99);
  for (let round = 0; round < 30; round += 1) {
    const log = [];
    const { openTab, clock } = browserOf({
      sync: async (after) => answer({ reset: false, events: log.filter((one) => one.id > after), last_event_id: log.at(-1)?.id ?? 0 }),
    });
    const leader = openTab();
    const follower = openTab();
    leader.stream.open(0);
    follower.stream.open(0);
    await settle();
    for (let id = 1; id <= 20; id += 1) {
      log.push({ id, event: 'room.updated', data: {} });
      follower.deaf = random() < 0.4;
      FakeEventSource.last.emit('room.updated', {}, id);
      if (random() < 0.5) await settle();
    }
    follower.deaf = false;
    FakeEventSource.last.emit('ping');
    await clock.advance(10);
    assert.deepEqual(follower.events, Array.from({ length: 20 }, (_, index) => index + 1));
    assert.deepEqual(leader.events, follower.events);
  }
});

test('a frozen leader loses the stream after forty seconds of silence, and follows when it wakes', async () => {
  const { openTab, clock } = browserOf({ sync: async () => answer({ reset: false, events: [], last_event_id: 5 }) });
  const leader = openTab();
  const follower = openTab();
  leader.stream.open(5);
  follower.stream.open(5);
  await settle();
  const frozen = FakeEventSource.last;
  assert.equal(FakeEventSource.made.length, 1);
  follower.deaf = true;
  for (let waited = 0; waited < 3; waited += 1) {
    await clock.advance(14_000);
    frozen.emit('ping');
  }
  follower.deaf = false;
  await settle();
  assert.ok(frozen.closed, 'the one that lost it lets go');
  assert.equal(FakeEventSource.made.length, 2);
  FakeEventSource.last.emit('room.updated', {}, 6);
  assert.deepEqual([leader.events, follower.events], [[6], [6]]);
  follower.stream.close();
  await settle();
  FakeEventSource.last.emit('room.updated', {}, 7);
  assert.deepEqual([leader.events, follower.events], [[6, 7], [6]]);
});

test('reset and the end of the session reach every tab', async () => {
  const { openTab } = browserOf({ sync: async () => { throw failure('unauthenticated', { status: 401 }); } });
  const tabs = shuffled([openTab(), openTab()], seeded(1));
  for (const tab of tabs) tab.stream.open(5);
  await settle();
  FakeEventSource.last.emit('reset', {});
  assert.deepEqual(tabs.map((tab) => tab.resets), [1, 1]);
  for (const tab of tabs) tab.stream.open(9);
  tabs[0].stream.wake();
  FakeEventSource.last.emit('session.ended', {});
  assert.deepEqual(tabs.map((tab) => tab.ended), [1, 1]);
});
