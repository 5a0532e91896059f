import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import { forgetFiles, keepFiles, scriptAddress } from '../../Public/js/services/serviceWorker.js';
import { deferred, settle } from './support/fakes.js';

const script = readFileSync(new URL('../../Public/worker/offline.js', import.meta.url), 'utf8');
const origin = 'https://chat.example.org';
const page = (version) => `<meta data-signed-in="yes"><link href="/assets/${version}/app.css">`;

/** Caches of a browser. */
class FakeCaches {
  stores = new Map();

  async keys() { return [...this.stores.keys()]; }

  async delete(name) { return this.stores.delete(name); }

  async open(name) {
    if (!this.stores.has(name)) this.stores.set(name, new Map());
    const store = this.stores.get(name);
    const path = (key) => new URL(key.url ?? key, origin).pathname;
    return {
      keys: async () => [...store.keys()].map((key) => ({ url: origin + key })),
      match: async (key) => store.get(path(key))?.clone(),
      put: async (key, response) => { store.set(path(key), response); },
    };
  }

  list(name) { return [...this.stores.get(name)?.keys() ?? []].sort(); }
}

/** A worker of one version over a network that the test answers. */
function worker({ version = 'aaaa', files = ['js/app.js', 'app.css'], caches = new FakeCaches(), held = [] } = {}) {
  const listeners = new Map();
  const timers = [];
  const asked = [];
  const network = { version, signedIn: true, down: false, answers: new Map() };
  const scope = {
    caches,
    URL,
    location: new URL(`${origin}/sw.js`),
    hubbub: { version, base: `/assets/${version}/`, files },
    registration: { installing: null, waiting: null },
    clients: { claim: async () => { scope.claimed = true; } },
    navigator: { locks: { query: async () => ({ held: held.map((name) => ({ name })) }) } },
    skipWaiting: () => { scope.skipped = true; },
    setTimeout: (act, time) => timers.push({ act, time }),
    addEventListener: (name, act) => listeners.set(name, act),
    fetch: async (request) => {
      const path = new URL(request.url ?? request, origin).pathname;
      asked.push(path);
      if (network.down) throw new TypeError('no network');
      const given = network.answers.get(path);
      if (given) return given(path);
      if (path.startsWith('/assets/')) {
        const present = path.startsWith(`/assets/${network.version}/`);
        return new Response(`content of ${path}`,
          { headers: { 'Cache-Control': present ? 'public, immutable' : 'no-cache' } });
      }
      if (!network.signedIn && path === '/sign-in') return new Response('door');
      if (!network.signedIn) return { type: 'opaqueredirect', status: 0, clone() { return this; } };
      return new Response(page(network.version));
    },
  };
  scope.self = scope;
  vm.runInNewContext(script, scope);
  /** The response of the worker to an event. */
  const tell = async (name, members = {}) => {
    const waiting = [];
    let response;
    listeners.get(name)({
      ...members, waitUntil: (promise) => waiting.push(promise), respondWith: (promise) => { response = promise; },
    });
    return { response, done: () => Promise.all(waiting) };
  };
  const get = (path, mode = 'navigate', more = {}) => tell('fetch',
    { request: { method: 'GET', mode, url: origin + path, ...more } });
  const install = async () => (await tell('install')).done();
  return { scope, network, asked, timers, caches, tell, get, install };
}

const text = async (response) => (await response)?.text();

test('all files and both kinds of pages are stored, each requested once; updates take effect at once',
  { shows: ['O1'] }, async () => {
  const { scope, caches, install, asked, tell, timers } = worker();
  await install();
  assert.deepEqual(caches.list('hubbub-aaaa'),
    ['/assets/aaaa/app.css', '/assets/aaaa/js/app.js', '/chats', '/chats/-']);
  assert.equal(asked.length, 4);
  await (await tell('message', { data: { type: 'keep' } })).done();
  assert.equal(asked.length, 4, 'what is kept is not asked for again');
  await (await tell('message', { data: null })).done();
  await (await tell('activate')).done();
  assert.deepEqual([scope.skipped, scope.claimed, timers.length], [true, true, 0]);
  scope.skipped = false;
  await tell('message', { data: { type: 'take over' } });
  assert.ok(scope.skipped, 'a page may ask for it again');
});

test('API requests bypass the worker where supported; it never answers them', async () => {
  const { tell, get } = worker();
  const routes = [];
  await (await tell('install', { addRoutes: async (route) => routes.push(route) })).done();
  assert.equal(JSON.stringify(routes), '[{"condition":{"urlPattern":"/api/*"},"source":"network"}]');
  await (await tell('install', { addRoutes: () => Promise.reject(new Error('unknown source')) })).done();
  for (const [path, mode, more] of [
    ['/api/v1/rooms', 'cors'], ['/api/openapi.json', 'navigate'], ['/invite/x', 'navigate'], ['/chats', 'cors'],
    ['/sw.js', 'cors'], ['/chats', 'navigate', { method: 'POST' }], ['/assets', 'cors'],
    ['/chats', 'navigate', { url: 'https://elsewhere.example/chats' }],
  ]) assert.equal((await get(path, mode, more)).response, undefined, path);
});

test('stored files come from the cache, others from the network', { shows: ['O1'] }, async () => {
  const { get, install, network } = worker();
  await install();
  network.down = true;
  assert.equal(await text((await get('/assets/aaaa/js/app.js', 'cors')).response), 'content of /assets/aaaa/js/app.js');
  await assert.rejects((await get('/assets/aaaa/js/new.js', 'cors')).response);
});

test('a page comes from the network, otherwise, or if the server fails, from the cache',
  { shows: ['O1'] }, async () => {
  const { get, install, network, asked } = worker();
  await install();
  network.answers.set('/news', () => new Response('fresh'));
  assert.equal(await text((await get('/news')).response), 'fresh');
  network.answers.set('/news', () => new Response('bad gateway', { status: 502 }));
  assert.equal(await text((await get('/news')).response), page('aaaa'));
  network.down = true;
  const paths = ['/', '/chats', '/chats/x', '/chats/x/info', '/people/tom/followers', '/settings', '/search?q=a'];
  for (const path of paths) {
    assert.equal(await text((await get(path)).response), page('aaaa'), path);
  }
  await assert.rejects((await get('/sign-in')).response, 'the door needs the network');
  assert.ok(asked.includes('/settings'), 'the network is asked first');
});

test('after two seconds a stored page shows; without one it waits for the network', { shows: ['O1'] }, async () => {
  const { get, install, network, timers } = worker();
  const late = deferred();
  network.answers.set('/news', () => late.promise);
  const waiting = await get('/news');
  await settle();
  assert.equal(timers[0].time, 2000);
  timers[0].act();
  await settle();
  late.resolve(new Response('late'));
  assert.equal(await text(waiting.response), 'late');
  network.answers.delete('/news');
  await install();
  const never = deferred();
  network.answers.set('/chats', () => never.promise);
  const { response } = await get('/chats');
  await settle();
  timers.at(-1).act();
  assert.equal(await text(response), page('aaaa'));
});

test('a signed-in page never shows without a session: each sign of that clears everything',
  { shows: ['A5'] }, async () => {
  for (const sign of ['/chats', '/sign-in', '/sign-up']) {
    const { get, install, network, caches } = worker();
    await install();
    network.signedIn = false;
    network.answers.set('/sign-up', () => new Response('door'));
    const { response, done } = await get(sign);
    await response;
    await done();
    assert.deepEqual(await caches.keys(), [], sign);
    network.down = true;
    await assert.rejects((await get('/chats')).response);
  }
});

test('signed-out pages are not stored; a refused sign-in page is not a sign', async () => {
  const { get, install, network, caches, tell } = worker();
  network.signedIn = false;
  await install();
  assert.deepEqual(caches.list('hubbub-aaaa'), ['/assets/aaaa/app.css', '/assets/aaaa/js/app.js']);
  network.signedIn = true;
  await (await tell('message', { data: { type: 'keep' } })).done();
  assert.ok(caches.list('hubbub-aaaa').includes('/chats'), 'they are once somebody has signed in');
  network.answers.set('/sign-in', () => new Response('', { status: 503 }));
  const { response, done } = await get('/sign-in');
  await response;
  await done();
  assert.ok(caches.list('hubbub-aaaa').includes('/chats'));
  network.answers.set('/', () => ({ type: 'opaqueredirect', status: 0, clone() { return this; } }));
  const root = await get('/');
  await root.response;
  await root.done();
  assert.ok(caches.list('hubbub-aaaa').includes('/chats'), 'the root sends everybody somewhere');
});

test('requests in flight during a wipe store nothing afterwards', { shows: ['A5'] }, async () => {
  const { install, network, caches, tell } = worker();
  const gate = deferred();
  network.answers.set('/chats', () => gate.promise);
  const installing = install();
  await settle();
  await (await tell('message', { data: { type: 'forget' } })).done();
  gate.resolve(new Response(page('aaaa')));
  await installing;
  const kept = (await Promise.all((await caches.keys()).map((name) => caches.list(name)))).flat();
  assert.ok(!kept.includes('/chats'));
});

test('an update is stored completely before the old version is removed; its pages keep their modules', async () => {
  const caches = new FakeCaches();
  await worker({ caches }).install();
  const held = ['hubbub-assets:aaaa', 'other'];
  const next = worker({ version: 'bbbb', caches, held });
  next.network.answers.set('/assets/bbbb/app.css', () => { throw new TypeError('cut'); });
  await next.install();
  next.network.down = true;
  assert.equal(await text((await next.get('/chats')).response), page('aaaa'),
    'the old one is whole, the new one is not');
  next.network.down = false;
  next.network.answers.clear();
  await (await next.tell('message', { data: { type: 'keep' } })).done();
  next.network.down = true;
  assert.equal(await text((await next.get('/chats')).response), page('bbbb'));
  assert.equal(await text((await next.get('/assets/aaaa/js/app.js', 'cors')).response),
    'content of /assets/aaaa/js/app.js');
  next.network.down = false;
  held.length = 0;
  await (await next.tell('message', { data: { type: 'keep' } })).done();
  assert.deepEqual(await caches.keys(), ['hubbub-bbbb'], 'nobody runs the old one any more');
});

test('a worker being replaced removes nothing of its successor', async () => {
  const caches = new FakeCaches();
  const old = worker({ caches });
  await old.install();
  await worker({ version: 'bbbb', caches }).install();
  old.scope.registration.waiting = {};
  await (await old.tell('message', { data: { type: 'keep' } })).done();
  assert.deepEqual(await caches.keys(), ['hubbub-aaaa', 'hubbub-bbbb']);
});

test('a page asks a waiting worker to take over, now and later', async () => {
  const asked = [];
  const registration = new EventTarget();
  registration.waiting = { postMessage: ({ type }) => asked.push(type) };
  const window = {
    navigator: { serviceWorker: { register: async () => registration, ready: Promise.resolve({ active: null }) } },
  };
  await keepFiles(window, 'aaaa');
  assert.deepEqual(asked, ['take over']);
  registration.installing = new EventTarget();
  registration.dispatchEvent(new Event('updatefound'));
  registration.installing.dispatchEvent(new Event('statechange'));
  assert.deepEqual(asked, ['take over', 'take over']);
});

test('an updated server’s responses are not stored under the old version', async () => {
  const { install, network, caches, get } = worker();
  network.version = 'bbbb';
  await install();
  assert.deepEqual(caches.list('hubbub-aaaa'), []);
  network.version = 'aaaa';
  await install();
  network.version = 'bbbb';
  const { response, done } = await get('/chats');
  assert.equal(await text(response), page('bbbb'), 'shown');
  await done();
  network.down = true;
  assert.equal(await text((await get('/chats')).response), page('aaaa'), 'not kept');
});

test('a browser without locks, or a worker without a version, works too', async () => {
  const { scope, install, caches } = worker();
  delete scope.navigator.locks;
  caches.stores.set('another program’s', new Map());
  await install();
  assert.deepEqual(await caches.keys(), ['another program’s', 'hubbub-aaaa']);
  const listened = [];
  const bare = { addEventListener: (name) => listened.push(name) };
  bare.self = bare;
  vm.runInNewContext(script, bare);
  assert.deepEqual(listened, []);
});

/** The page's side. */
function windowWith(serviceWorker, more = {}) {
  return { ...more, navigator: { serviceWorker, ...more.navigator } };
}

test('the page registers the worker through the one policy, which allows only own scripts',
  { shows: ['control 10'] }, async () => {
  const registered = [];
  const posted = [];
  const made = [];
  const locks = [];
  const serviceWorker = {
    register: async (...input) => { registered.push(input); return {}; },
    ready: Promise.resolve({ active: { postMessage: (message) => posted.push(message) } }),
  };
  const window = windowWith(serviceWorker, {
    navigator: { locks: { request: async (name, options) => locks.push([name, options.mode]) } },
    trustedTypes: { createPolicy: (name, rules) => { made.push(name); return rules; } },
  });
  assert.ok(await keepFiles(window, 'aaaa'));
  await keepFiles(window, 'aaaa');
  assert.deepEqual(registered[0], ['/sw.js', { updateViaCache: 'none' }]);
  assert.deepEqual([posted[0], made, locks[0]], [{ type: 'keep' }, ['hubbub'], ['hubbub-assets:aaaa', 'shared']]);
  for (const wrong of ['https://evil.example/sw.js', '/api/v1/avatars/x', '/assets/aaaa/js/app.js']) {
    assert.throws(() => scriptAddress(window, wrong), TypeError);
    assert.throws(() => scriptAddress({}, wrong), TypeError);
  }
  assert.equal(scriptAddress({}, '/assets/aaaa/worker/locks.js'), '/assets/aaaa/worker/locks.js');
});

test('without service workers, or permission for them, nothing happens', async () => {
  assert.equal(await keepFiles(windowWith(undefined), 'a'), null);
  assert.equal(await keepFiles(windowWith({ register: async () => undefined }), 'a'), null);
  assert.equal(await keepFiles(windowWith({ register: async () => { throw new Error('denied'); } }), 'a'), null);
  await forgetFiles(windowWith(undefined));
  await forgetFiles(windowWith(undefined, { caches: { keys: async () => { throw new Error('denied'); } } }));
});

test('signing out removes pages, files and the worker', { shows: ['A5'] }, async () => {
  const caches = new FakeCaches();
  await worker({ caches }).install();
  const done = [];
  await forgetFiles(windowWith({
    controller: { postMessage: ({ type }) => done.push(type) },
    getRegistration: async () => ({ unregister: async () => done.push('unregistered') }),
  }, { caches }));
  assert.deepEqual([await caches.keys(), done], [[], ['forget', 'unregistered']]);
});
