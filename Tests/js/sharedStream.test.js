import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { EventStream } from '../../Public/js/services/eventStream.js';
import { SharedStream } from '../../Public/js/services/sharedStream.js';
import {
  FakeClock, FakeEventSource, FakeLocks, answer, failure, fakeApi, message, seeded, settle, shuffled,
} from './support/fakes.js';

beforeEach(() => { FakeEventSource.made = []; });

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
          for (const other of channels) {
            if (other !== channel && !other.tab.deaf) other.onmessage({ data: structuredClone(data) });
          }
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

test('eight tabs share one stream, and each gets each event once', async () => {
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

test('a follower that missed something asks the server, and takes over from a closed leader', async () => {
  const log = (after) => [6, 7, 8, 9, 10].filter((id) => id > after)
    .map((id) => ({ id, event: 'room.updated', data: {} }));
  const { openTab } = browserOf({
    sync: async (after) => answer({ reset: false, events: log(after), last_event_id: 10 }),
  });
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

test('messages that reach a follower in any order, or not at all, are each delivered once and in order', async () => {
  const random = seeded(99);
  for (let round = 0; round < 30; round += 1) {
    const log = [];
    const { openTab, clock } = browserOf({
      sync: async (after) =>
        answer({ reset: false, events: log.filter((one) => one.id > after), last_event_id: log.at(-1)?.id ?? 0 }),
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
