import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createClient, eventually } from '../../Public/js/services/client.js';
import {
  FakeClock, FakeEventSource, FakeIndexedDB, FakeLocalStorage, ada, bob, message, room, settle,
} from './support/fakes.js';

beforeEach(() => { FakeEventSource.made = []; });

/** A browser window over a server that answers by path. */
function windowOf(answers, more = {}) {
  const listeners = new Map();
  const requests = [];
  return {
    requests,
    listeners,
    setTimeout: () => 0,
    clearTimeout: () => {},
    crypto: globalThis.crypto,
    navigator: { onLine: true },
    localStorage: new FakeLocalStorage(),
    indexedDB: new FakeIndexedDB(),
    EventSource: FakeEventSource,
    addEventListener: (name, act) => listeners.set(name, act),
    document: { visibilityState: 'visible', addEventListener: (name, act) => listeners.set(name, act) },
    fetch: async (address, { method }) => {
      requests.push(`${method} ${address}`);
      const [status, body, headers] = answers[`${method} ${address}`] ?? [404, {}];
      return new Response(status === 204 ? null : JSON.stringify(body), { status, headers });
    },
    ...more,
  };
}

test('the parts of a client are joined: state, stream, and signing out, which wipes (A5)', async () => {
  const window = windowOf({
    'GET /api/v1/session': [200, ada],
    'GET /api/v1/rooms?limit=200': [200, [room({ last_message: message(1) })], { 'Hubbub-Event-Id': '12' }],
    'DELETE /api/v1/session': [204, null],
  });
  const client = createClient(window);
  await client.sync.start();
  assert.equal(FakeEventSource.last.url, '/api/v1/events?after=12');
  assert.equal(client.store.room('room').peer.id, bob.id);
  for (const name of ['online', 'offline', 'visibilitychange']) window.listeners.get(name)();
  window.document.visibilityState = 'hidden';
  window.listeners.get('visibilitychange')();
  client.drafts.set('room', 'draft');
  client.preferences.set('theme', 'dark');
  client.outbox.add({ roomId: 'room', text: 'x' });
  await settle();
  await client.signOut();
  assert.ok(window.requests.includes('DELETE /api/v1/session'));
  for (const values of window.indexedDB.stores.values()) assert.equal(values.size, 0);
  assert.equal(window.localStorage.length, 0);
  assert.ok(FakeEventSource.last.closed);
});

test('signing out without a session still wipes; without the server it does not', async () => {
  const gone = windowOf({ 'DELETE /api/v1/session': [401, {}] });
  const client = createClient(gone);
  client.drafts.set('room', 'draft');
  await client.signOut();
  assert.equal(gone.localStorage.length, 0);
  const away = windowOf({}, { fetch: async () => { throw new TypeError('no'); } });
  const other = createClient(away);
  other.drafts.set('room', 'draft');
  await assert.rejects(other.signOut(), { kind: 'network' });
  assert.equal(away.localStorage.length, 1);
});

test('a browser that refuses storage, or has locks, works as well', async () => {
  const channels = [];
  class Channel {
    constructor(name) { channels.push(name); }
    postMessage() {}
    close() {}
  }
  const window = windowOf({}, { BroadcastChannel: Channel });
  Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } });
  window.navigator.locks = { request: async () => {}, query: async () => ({ held: [] }) };
  const client = createClient(window);
  client.drafts.set('a', 'x');
  assert.equal(client.drafts.get('a'), 'x');
  assert.deepEqual(channels, ['hubbub-stream']);
  assert.ok(client.clock.now() > 0);
});

test('what may wait for the paint is done after it, once, and in a hidden page all the same', () => {
  const frames = [];
  const timers = [];
  const { clock } = createClient(windowOf({}, {
    requestAnimationFrame: (act) => frames.push(act), setTimeout: (act) => timers.push(act),
  }));
  timers.length = 0;
  let done = 0;
  clock.afterPaint(() => { done += 1; });
  frames[0]();
  assert.equal(done, 0, 'the frame is yet to be painted');
  for (const act of timers) act();
  assert.equal(done, 1);
});

test('what nobody waits for is asked for again after 5, 15 and then 60 seconds, each time by another address (O1, T1)', async () => {
  const [clock, window, asked] = [new FakeClock(), new EventTarget(), []];
  let works = false;
  const loading = eventually(async (suffix) => {
    asked.push(suffix);
    if (!works) throw new TypeError('Failed to fetch dynamically imported module');
    return { suffix };
  }, clock, window);
  for (const [pause, count] of [[4999, 1], [1, 2], [14_999, 2], [1, 3], [59_999, 3], [1, 4], [60_000, 5]]) {
    await clock.advance(pause);
    assert.equal(asked.length, count);
  }
  assert.deepEqual(asked, ['', '?1', '?2', '?3', '?4']);
  works = true;
  window.dispatchEvent(new Event('online'));
  assert.deepEqual(await loading, { suffix: '?5' });
  window.dispatchEvent(new Event('online'));
  await clock.advance(60_000);
  assert.deepEqual([asked.length, clock.pending], [6, 0]);
});
