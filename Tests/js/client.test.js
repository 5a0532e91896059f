import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { createClient, eventually, fetchAhead, onMissingPart } from '../../Public/js/services/client.js';
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

test('the parts of a client work together: state, stream, wiping sign-out', { shows: ['A5'] }, async () => {
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

test('browsers that refuse storage, or have locks, work too', async () => {
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

test('deferrable work runs after the paint, once, even in a hidden page', () => {
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

test('background loads are retried after 5, 15 and then 60 seconds, and when the network is back',
  { shows: ['O1', 'T1'] }, async () => {
  const [clock, window] = [new FakeClock(), new EventTarget()];
  let [asked, works] = [0, false];
  const loading = eventually(async () => {
    asked += 1;
    if (!works) throw new TypeError('Failed to fetch dynamically imported module');
    return asked;
  }, clock, window);
  for (const [pause, count] of [[4999, 1], [1, 2], [14_999, 2], [1, 3], [59_999, 3], [1, 4], [60_000, 5]]) {
    await clock.advance(pause);
    assert.equal(asked, count);
  }
  works = true;
  window.dispatchEvent(new Event('online'));
  assert.equal(await loading, 6);
  window.dispatchEvent(new Event('online'));
  await clock.advance(60_000);
  assert.deepEqual([asked, clock.pending], [6, 0]);
});

/** A window whose server serves the app's files, except those of `missing`. */
function windowOfFiles(missing = []) {
  const asked = [];
  const fetch = async (address) => {
    asked.push(new URL(address).pathname.split('/Public/js/')[1]);
    const ok = existsSync(new URL(address)) && !missing.includes(asked.at(-1));
    return { ok, text: async () => readFileSync(new URL(address), 'utf8') };
  };
  return { asked, fetch };
}

const fileOf = (name) => new URL(`../../Public/js/${name}`, import.meta.url).href;

test('imports are fetched before their module, each file once, and again if one failed',
  { shows: ['O1'] }, async () => {
  const window = windowOfFiles();
  await fetchAhead(window, fileOf('pages/later.js'));
  assert.deepEqual([...new Set(window.asked)], window.asked, 'each once');
  for (const name of [
    'pages/later.js', 'pages/startOffline.js', 'services/keeping.js', 'services/mirror.js',
    'pages/startNotifications.js',
  ]) {
    assert.ok(window.asked.includes(name), name);
  }
  assert.ok(!window.asked.includes('pages/chatPage.js'), 'nothing that nobody wants yet');
  const broken = windowOfFiles(['services/mirror.js']);
  await assert.rejects(fetchAhead(broken, fileOf('pages/later.js')), TypeError);
  assert.equal(broken.asked.at(-1), 'services/mirror.js');
  const deep = windowOfFiles();
  await fetchAhead(deep, fileOf('app.js'), { isDeep: true });
  for (const name of ['views/chat/emojiPicker.js', 'models/emoji.js', 'pages/settingsPage.js', 'pages/later.js']) {
    assert.ok(deep.asked.includes(name), name);
  }
});

test('a failed load after a click is reported, for each engine’s error; other errors are not',
  { shows: ['S3'] }, () => {
  const window = new EventTarget();
  let told = 0;
  onMissingPart(window, () => { told += 1; });
  const reject = (reason) => {
    const event = Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const words = ['Failed to fetch dynamically imported module: https://x/a.js',
    'error loading dynamically imported module: https://x/a.js',
    'Importing a module script failed.', 'The style sheet menus did not arrive.'];
  for (const text of words) assert.equal(reject(new TypeError(text)), true, text);
  assert.equal(told, words.length);
  assert.equal(reject(new TypeError('x is not a function')), false);
  assert.equal(reject(new Error('no')), false);
  assert.equal(reject(undefined), false);
  assert.equal(told, words.length);
});
