process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { notificationTexts as words } from '../../Public/js/models/texts/notifications.js';
import { Push } from '../../Public/js/services/webPush.js';
import { NotificationsViewModel } from '../../Public/js/viewmodels/profile/notificationsViewModel.js';
import { FakeClock, ada, answer, failure, fakeApi } from './support/fakes.js';

const script = readFileSync(new URL('../../Public/worker/push.js', import.meta.url), 'utf8');

/** The worker in a scope that records its calls. */
function worker({ pages = [] } = {}) {
  const listeners = {};
  const it = { shown: [], opened: [], asked: [], subscribed: [] };
  const notification = (title, options) => {
    const one = { title, ...options, close: () => it.shown.splice(it.shown.indexOf(one), 1) };
    return one;
  };
  const registration = {
    async showNotification(title, options) {
      const same = it.shown.findIndex(({ tag }) => tag === options.tag);
      it.shown.splice(same < 0 ? it.shown.length : same, same < 0 ? 0 : 1, notification(title, options));
    },
    getNotifications: async ({ tag } = {}) => it.shown.filter((one) => tag === undefined || one.tag === tag),
    pushManager: {
      async subscribe(options) {
        it.subscribed.push(options);
        return { toJSON: () => ({ endpoint: 'new', keys: { p256dh: 'k', auth: 'a' } }) };
      },
    },
  };
  const self = {
    registration, hubbub: { base: '/assets/v/' },
    addEventListener: (type, listener) => { listeners[type] = listener; },
    clients: { matchAll: async () => pages, openWindow: async (path) => it.opened.push(path) },
    fetch: async (...input) => it.asked.push(input),
  };
  runInContext(script, createContext({ self }));
  it.tell = async (type, event) => {
    let work = null;
    listeners[type]({ ...event, waitUntil: (promise) => { work = promise; } });
    await work;
  };
  it.push = (content) => it.tell('push', { data: { json: () => content } });
  return it;
}

const told = {
  type: 'message', room_id: 'one', seq: 5, sender: 'Bob', room: null, text: 'Hello', icon: null,
  created_at: '2026-03-14T12:00:00.000Z', closed: [],
};

test('a push shows its sender and text, a group with its name; a newer one replaces it',
  { shows: ['T1'] }, async () => {
  const it = worker();
  await it.push(told);
  const [{ title, body, tag, icon, renotify, timestamp, data }] = it.shown;
  assert.deepEqual([title, body, tag, icon, renotify], ['Bob', 'Hello', 'one', '/assets/v/icons/icon-192.png', false]);
  assert.deepEqual([timestamp, data.seq, data.path], [Date.parse('2026-03-14T12:00:00Z'), 5, '/chats/one']);
  await it.push({ ...told, seq: 6, room: 'Engine', text: 'Again', icon: '/api/v1/avatars/picture-1' });
  assert.deepEqual(it.shown.map((one) => [one.title, one.body, one.icon]),
    [['Engine', 'Bob: Again', '/api/v1/avatars/picture-1']]);
});

test('an overtaken push does not replace the newer one; chats read elsewhere close',
  { shows: ['T1'] }, async () => {
  const it = worker();
  await it.push({ ...told, seq: 9, text: 'newer' });
  await it.push({ ...told, seq: 8, text: 'older' });
  assert.deepEqual(it.shown.map((one) => [one.body, one.data.seq]), [['newer', 9]]);
  await it.push({ ...told, room_id: 'two', closed: ['one', 'unknown'] });
  assert.deepEqual(it.shown.map(({ tag }) => tag), ['two']);
});

test('each push shows something, even one that cannot be read', { shows: ['T1'] }, async () => {
  const it = worker();
  await it.push({ type: 'test', text: 'It works.' });
  await it.tell('push', { data: { json: () => { throw new SyntaxError('no'); } } });
  await it.tell('push', { data: null });
  assert.deepEqual(it.shown.map((one) => [one.title, one.body]), [['Hubbub', 'It works.'], ['Hubbub', '']]);
});

test('clicking it focuses a page, a visible one first, and navigates there; otherwise opens one',
  { shows: ['T1'] }, async () => {
  const page = (name, members) => ({
    name, told: [], focused: false, visibilityState: 'hidden', came: 0,
    postMessage(data) { this.told.push(data); }, async focus() { this.came += 1; }, ...members,
  });
  const press = async (...pages) => {
    const it = worker({ pages });
    let closed = 0;
    await it.tell('notificationclick',
      { notification: { data: { path: '/chats/one' }, close: () => { closed += 1; } } });
    assert.equal(closed, 1);
    return [it.opened, pages.filter(({ came }) => came === 1).map(({ name }) => name)];
  };
  assert.deepEqual(await press(), [['/chats/one'], []]);
  assert.deepEqual(await press(page('a')), [[], ['a']]);
  assert.deepEqual(await press(page('a'), page('b', { visibilityState: 'visible' })), [[], ['b']]);
  const focused = page('c', { focused: true });
  assert.deepEqual(await press(page('b', { visibilityState: 'visible' }), focused), [[], ['c']]);
  assert.equal(focused.told[0].path, '/chats/one');
});

test('a subscription changed by the push service is sent to the server; signing out closes all',
  { shows: ['T1', 'A5'] }, async () => {
  const it = worker();
  await it.tell('pushsubscriptionchange',
    { oldSubscription: { options: { applicationServerKey: 'key' } }, newSubscription: null });
  assert.equal(it.subscribed[0].applicationServerKey, 'key');
  assert.equal(it.asked[0][0], '/api/v1/push/subscription');
  assert.deepEqual(JSON.parse(it.asked[0][1].body), { endpoint: 'new', keys: { p256dh: 'k', auth: 'a' } });
  await it.tell('pushsubscriptionchange', {});
  assert.equal(it.asked.length, 1);
  await it.push(told);
  await it.tell('message', { data: { type: 'keep' } });
  assert.equal(it.shown.length, 1);
  await it.tell('message', { data: { type: 'forget' } });
  assert.equal(it.shown.length, 0);
});

/** A browser's push manager, and a server. */
function browser({ key = null, subscribed = false, manager = true } = {}) {
  const it = { asked: [], current: null, made: 0, gone: 0 };
  const make = (bytes) => ({
    options: { applicationServerKey: bytes.buffer },
    toJSON: () => ({ endpoint: `endpoint-${it.made}`, expirationTime: null, keys: { p256dh: 'k', auth: 'a' } }),
    async unsubscribe() {
      it.gone += 1;
      it.current = null;
    },
  });
  if (key) it.current = make(Uint8Array.from(key));
  const pushManager = {
    getSubscription: async () => it.current,
    async subscribe({ userVisibleOnly, applicationServerKey }) {
      assert.equal(userVisibleOnly, true);
      it.made += 1;
      it.current = make(applicationServerKey);
      return it.current;
    },
  };
  const api = {
    async request(method, path, options) {
      it.asked.push([method, path, options?.body]);
      return answer(method === 'GET' ? { public_key: '-_8', subscribed } : null);
    },
  };
  const notifications = { registration: async () => (manager ? { pushManager } : null) };
  it.push = new Push({ api, notifications, locks: { request: (_name, act) => act() } });
  return it;
}

test('a browser subscribes with the server\'s key and tells it; what is right already is left alone',
  { shows: ['T1'] }, async () => {
  const fresh = browser();
  assert.equal(await fresh.push.subscribe(), true);
  assert.deepEqual(fresh.asked.map(([method]) => method), ['GET', 'PUT']);
  assert.deepEqual(fresh.asked[1][2], { endpoint: 'endpoint-1', keys: { p256dh: 'k', auth: 'a' } });
  const known = browser({ key: [0xfb, 0xff], subscribed: true });
  assert.equal(await known.push.subscribe(), true);
  assert.deepEqual([known.asked.length, known.made, known.gone], [1, 0, 0]);
  const untold = browser({ key: [0xfb, 0xff] });
  await untold.push.subscribe();
  assert.deepEqual([untold.asked.length, untold.made], [2, 0]);
  const other = browser({ key: [1, 2], subscribed: true });
  await other.push.subscribe();
  assert.deepEqual([other.asked.length, other.made, other.gone], [2, 1, 1]);
});

test('a browser needs a worker to subscribe; unsubscribing affects browser and server', { shows: ['T1'] }, async () => {
  const none = browser({ manager: false });
  assert.deepEqual([await none.push.subscribe(), await none.push.isPossible()], [false, false]);
  await none.push.unsubscribe();
  const it = browser({ key: [0xfb, 0xff] });
  assert.equal(await it.push.isPossible(), true);
  await it.push.unsubscribe();
  assert.deepEqual([it.gone, it.asked], [1, [['DELETE', '/push/subscription', undefined]]]);
  await it.push.test('hi');
  assert.deepEqual(it.asked.at(-1), ['POST', '/push/test', { text: 'hi' }]);
});

/** The view model of the settings' section, with its services. */
function section({ permission = 'default', answerTo = 'granted', kept = {}, push = {}, profile = {} } = {}) {
  const store = new ChatStore();
  store.setMe({ ...ada, settings: {} });
  const preferences = new Map(Object.entries(kept));
  const it = { store, preferences, shown: [], closed: 0, played: [], unsubscribed: 0, tests: [] };
  const notifications = {
    permission,
    async ask() {
      notifications.permission = answerTo;
      return answerTo;
    },
    show: async (notice) => it.shown.push(notice),
    close: async () => { it.closed += 1; },
  };
  it.profile = fakeApi(profile);
  it.model = new NotificationsViewModel({
    notifications, store, clock: new FakeClock(), profile: it.profile,
    push: {
      subscribe: async () => true, unsubscribe: async () => { it.unsubscribed += 1; },
      test: async (text) => it.tests.push(text), ...push,
    },
    sounds: { unlock() {}, play: (name) => it.played.push(name) },
    preferences: { get: (name) => preferences.get(name) ?? '', set: (name, text) => preferences.set(name, text) },
  });
  return it;
}

test('the switch requests permission, subscribes and is stored; switched off it unsubscribes',
  { shows: ['T1'] }, async () => {
  const it = section();
  assert.deepEqual([it.model.state.on, it.model.state.permission], [false, 'default']);
  await it.model.allow(true);
  assert.deepEqual([it.model.state.on, it.model.state.push, it.model.state.busy], [true, true, false]);
  assert.equal(it.preferences.get('notifications'), 'on');
  await it.model.test();
  assert.deepEqual([it.tests, it.model.state.told], [[words.testText], words.tested]);
  await it.model.allow(false);
  assert.deepEqual([it.model.state.on, it.unsubscribed, it.closed, it.preferences.get('notifications')],
    [false, 1, 1, '']);
  it.model.close();
});

test('without permission there is no switch; failures are explained, and pages notify without pushes',
  { shows: ['T1'] }, async () => {
  const denied = section({ answerTo: 'denied' });
  await denied.model.allow(true);
  assert.deepEqual([denied.model.state.on, denied.model.state.permission, denied.model.state.error],
    [false, 'denied', null]);
  const waved = section({ answerTo: 'default' });
  await waved.model.allow(true);
  assert.equal(waved.model.state.error, words.refused);
  const failing = section({ push: { subscribe: async () => { throw new Error('no push service'); } } });
  await failing.model.allow(true);
  assert.deepEqual([failing.model.state.on, failing.model.state.push], [true, false]);
  assert.match(failing.model.state.error, /no push service/);
  await failing.model.test();
  assert.deepEqual([failing.shown[0].tag, failing.shown[0].path, failing.model.state.error], ['test', null, null]);
  const unavailable = async () => { throw failure('unavailable', { status: 503 }); };
  const limited = section({ permission: 'granted', kept: { notifications: 'on' }, push: { test: unavailable } });
  await new Promise(setImmediate);
  assert.deepEqual([limited.model.state.on, limited.model.state.push], [true, true]);
  const refused = failure('invalid', { errors: [{ field: 'endpoint', code: 'invalid' }] });
  const foreign = section({ push: { subscribe: async () => { throw refused; } } });
  await foreign.model.allow(true);
  assert.match(foreign.model.state.error, /push service of your browser/);
  await limited.model.test();
  assert.notEqual(limited.model.state.error, null);
  assert.equal(limited.model.state.told, '');
});

test('a sound plays when switched on, and the choice is stored on this device', { shows: ['T2'] }, () => {
  const it = section({ kept: { 'sound-sending': 'off' } });
  assert.deepEqual(it.model.state.sounds, { sending: false, receiving: true });
  it.model.setSound('sending', true);
  it.model.setSound('receiving', false);
  assert.deepEqual(it.model.state.sounds, { sending: true, receiving: false });
  assert.deepEqual([it.played, it.preferences.get('sound-receiving')], [['sending'], 'off']);
});

test('the hours change at once, are stored with the local offset, and revert if the server refuses',
  { shows: ['T2'] }, async () => {
  const changes = [];
  const it = section({
    profile: {
      changeSettings: async (settings) => {
        changes.push(settings.do_not_disturb);
        if (settings.do_not_disturb.to === '08:00') throw failure('network');
        return answer({ settings });
      },
    },
  });
  assert.deepEqual(it.model.state.quiet, { known: true, on: false, from: '22:00', to: '07:00', error: null });
  const saving = it.model.setQuiet({ on: true });
  assert.equal(it.model.state.quiet.on, true);
  await saving;
  assert.deepEqual(changes, [{ on: true, from: '22:00', to: '07:00', utc_offset: 0 }]);
  await it.model.setQuiet({ from: '21:30' });
  assert.deepEqual([it.model.state.quiet.from, it.store.me.settings.do_not_disturb.from], ['21:30', '21:30']);
  await it.model.setQuiet({ to: '08:00' });
  assert.equal(it.model.state.quiet.to, '07:00');
  assert.match(it.model.state.quiet.error, /not saved/);
  await it.model.setQuiet({ to: 'noon' });
  assert.equal(changes.length, 3);
});
