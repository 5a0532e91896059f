process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { isQuiet, isTold, minuteOf, noticeOf, utcOffset } from '../../Public/js/models/notificationRules.js';
import { Attention } from '../../Public/js/services/attention.js';
import { Sounds } from '../../Public/js/services/sounds.js';
import { SystemNotifications } from '../../Public/js/services/systemNotifications.js';
import { Alerts } from '../../Public/js/viewmodels/alerts.js';
import { ShellViewModel } from '../../Public/js/viewmodels/shellViewModel.js';
import { FakeClock, ada, bob, message, room, settle } from './support/fakes.js';

const at = (time) => Date.parse(`2026-03-14T${time}:00Z`);

test('do-not-disturb hours apply across midnight, from their first minute to their end',
  { shows: ['T2'] }, () => {
  const night = { on: true, from: '22:00', to: '07:00' };
  for (const [time, quiet] of [['22:00', true], ['21:59', false], ['00:00', true], ['06:59', true], ['07:00', false]]) {
    assert.equal(isQuiet(night, at(time)), quiet, time);
  }
  const work = { on: true, from: '09:00', to: '17:00' };
  for (const [time, quiet] of [['09:00', true], ['16:59', true], ['17:00', false], ['08:59', false]]) {
    assert.equal(isQuiet(work, at(time)), quiet, time);
  }
  assert.equal(isQuiet({ on: true, from: '10:00', to: '10:00' }, at('03:00')), true);
  assert.equal(isQuiet({ ...night, on: false }, at('23:00')), false);
  assert.equal(isQuiet(undefined, at('23:00')), false);
});

test('a time of day is parsed, and an invalid one is NaN', { shows: ['T2'] }, () => {
  assert.deepEqual(['00:00', '07:30', '23:59'].map(minuteOf), [0, 450, 1439]);
  for (const text of ['24:00', '7:30', '12:60', '', 'noon', '12:00:00']) assert.ok(Number.isNaN(minuteOf(text)), text);
  assert.ok(Object.is(utcOffset(at('12:00')), 0));
});

/** Ada's app with a chat with Bob, and the services of a browser. */
function world({
  looks = false, elsewhere = false, leads = true, on = true, permission = 'granted', members = {}, hours,
} = {}) {
  const clock = new FakeClock();
  const store = new ChatStore();
  store.setMe({ ...ada, settings: { do_not_disturb: hours } });
  store.load([room(members)], 1);
  let eventId = 1;
  const shown = [];
  const preferences = new Map(on ? [['notifications', 'on']] : []);
  const it = {
    clock, store, shown, closed: [], played: [], looks, elsewhere, leads, preferences, outbox: () => {},
    tell(event, data) {
      eventId += 1;
      store.apply({ id: eventId, event, data }, clock.now());
      return settle();
    },
    say: (seq, more) => it.tell('message.created', message(seq, more)),
  };
  const notifications = {
    permission,
    async show(notice) {
      shown.push(notice);
    },
    async close(done) {
      for (const one of [...shown]) if (done(one)) it.closed.push(...shown.splice(shown.indexOf(one), 1));
    },
  };
  it.alerts = new Alerts({
    store, clock, notifications,
    outbox: { subscribe: (listener) => { it.outbox = listener; return () => {}; } },
    preferences: { get: (name) => preferences.get(name) ?? '' },
    attention: { get here() { return it.looks; }, anywhere: async () => it.looks || it.elsewhere },
    sounds: { play: (name) => it.played.push(name) },
    leads: () => it.leads,
  });
  return it;
}

test('an unseen message is notified with its sender, once per chat, and closed when read anywhere',
  { shows: ['T1'] }, async () => {
  const it = world();
  await it.say(1, { text: 'Hello\n  there' });
  assert.deepEqual(it.shown,
    [{ tag: 'room', seq: 1, path: '/chats/room', icon: null, title: 'Bob', body: 'Hello there' }]);
  await it.say(2);
  assert.equal(it.shown.at(-1).seq, 2);
  await it.tell('receipt.updated', { room_id: 'room', user_id: 'ada', delivered_seq: 2, read_seq: 1 });
  assert.deepEqual(it.closed.map(({ seq }) => seq), [1]);
  await it.tell('receipt.updated', { room_id: 'room', user_id: 'ada', delivered_seq: 2, read_seq: 2 });
  assert.deepEqual(it.shown, []);
});

test('only the leading tab notifies, if enabled and permitted, and while no tab is visible',
  { shows: ['T1'] }, async () => {
  for (const options of [{ looks: true }, { elsewhere: true }, { leads: false }, { on: false }]) {
    const it = world(options);
    await it.say(1);
    assert.deepEqual(it.shown, [], JSON.stringify(options));
  }
  const it = world({ permission: 'denied' });
  await it.say(1);
  assert.deepEqual(it.closed, []);
});

test('own messages, muted chats, excluded levels and quiet hours are silent; a mention is not',
  { shows: ['T1', 'T2', 'R3'] }, async () => {
  const silent = async (options, more) => {
    const it = world(options);
    await it.say(1, more);
    assert.deepEqual([it.shown, it.played], [[], []], JSON.stringify(options));
  };
  await silent({}, { sender: ada });
  await silent({ members: { muted: true } });
  await silent({ members: { mention_level: 'mentions' } });
  await silent({ members: { mention_level: 'nothing' } }, { mentions: ['ada'] });
  await silent({ members: { read_seq: 5, last_seq: 5 } });
  await silent({ hours: { on: true, from: '11:00', to: '13:00' } });
  const it = world({ members: { mention_level: 'mentions', kind: 'group', peer: null, name: 'Engine' } });
  await it.say(1, { mentions: ['ada'] });
  assert.deepEqual([it.shown[0].title, it.shown[0].body], ['Engine', 'Bob: text 1']);
});

test('reading, deleting, muting or hiding closes the notification', { shows: ['T1'] }, async () => {
  const ends = {
    deleted: (it) => it.tell('message.deleted', message(1, { text: '', deleted_at: '2026-03-14T12:00:01.000Z' })),
    muted: (it) => it.tell('room.updated',
      room({ muted: true, last_seq: 1, unread_count: 1, last_message: message(1) })),
    removed: (it) => it.tell('room.removed', room()),
    loaded: async (it) => {
      it.store.load([room({ last_seq: 1, read_seq: 1, last_message: message(1) })], 9);
      await settle();
    },
  };
  for (const [name, end] of Object.entries(ends)) {
    const it = world();
    await it.say(1);
    assert.equal(it.shown.length, 1, name);
    await end(it);
    assert.deepEqual(it.shown, [], name);
  }
});

test('sounds come from the visible tab, otherwise the leading one, unless they are disabled',
  { shows: ['T2'] }, async () => {
  const receiving = async (options, off) => {
    const it = world(options);
    if (off) it.preferences.set(`sound-${off}`, 'off');
    await it.say(1);
    it.outbox({ type: 'added' });
    it.outbox({ type: 'sent' });
    return it.played;
  };
  assert.deepEqual(await receiving({ looks: true, leads: false }), ['receiving', 'sending']);
  assert.deepEqual(await receiving({ elsewhere: true }), ['sending']);
  assert.deepEqual(await receiving({ leads: false }), ['sending']);
  assert.deepEqual(await receiving({ looks: true }, 'receiving'), ['sending']);
  assert.deepEqual(await receiving({ looks: true }, 'sending'), ['receiving']);
  assert.deepEqual(await receiving({ looks: true, hours: { on: true, from: '12:00', to: '12:01' } }), []);
});

test('stopping stops everything', async () => {
  const it = world();
  it.alerts.end();
  await it.say(1);
  assert.deepEqual(it.shown, []);
});

test('toasts are silent in quiet hours', { shows: ['T2', 'L5'] }, () => {
  const { store, clock } = world();
  const shell = new ShellViewModel({ store, clock, sync: {} });
  shell.isQuiet = () => true;
  store.apply({ id: 2, event: 'message.created', data: message(1) }, 0);
  assert.equal(shell.toasts.length, 0);
  shell.isQuiet = () => false;
  store.apply({ id: 3, event: 'message.created', data: message(2) }, 0);
  assert.equal(shell.toasts.length, 1);
});

test('an unknown chat is not notified, and its notice names only the sender', () => {
  const { store } = world();
  assert.equal(isTold(message(1, { room_id: 'other' }), store), false);
  const sender = { ...bob, avatar_url: '/api/v1/avatars/github-2' };
  assert.equal(noticeOf(message(1, { room_id: 'other', sender }), store).title, 'Bob');
});

test('notices and toasts show a plain line', { shows: ['T1', 'L5', 'K5'] }, () => {
  const { store, clock } = world();
  const text = '# Plan\n- [x] **one** and `two`';
  assert.equal(noticeOf(message(1, { text }), store).body, 'Plan one and two');
  const shell = new ShellViewModel({ store, clock, sync: {} });
  store.apply({ id: 2, event: 'message.created', data: message(1, { text }) }, 0);
  assert.equal(shell.toasts.items[0].text, 'Plan one and two');
});

test('two tones sound at most once a second, and only after a user gesture',
  { shows: ['T2'] }, async () => {
  const clock = new FakeClock();
  const started = [];
  const node = (more) => ({ connect: (next) => next, ...more });
  const gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  const context = {
    state: 'suspended', currentTime: 5, destination: node(),
    resume() { this.state = 'running'; },
    createGain: () => node({ gain }),
    createOscillator: () => node({ frequency: {}, start: (time) => started.push(time), stop() {} }),
  };
  let made = 0;
  const sounds = new Sounds({ clock, makeContext: () => { made += 1; return context; } });
  assert.equal(sounds.play('sending'), false);
  sounds.unlock();
  sounds.unlock();
  assert.equal(made, 1);
  assert.equal(sounds.play('sending'), true);
  assert.equal(context.state, 'running');
  assert.equal(started.length, 2);
  assert.equal(sounds.play('receiving'), false);
  await clock.advance(1000);
  assert.equal(sounds.play('receiving'), true);
  const silent = new Sounds({ clock, makeContext: null });
  silent.unlock();
  assert.equal(silent.play('sending'), false);
});

test('a visible tab holds a lock that the others see', { shows: ['T1'] }, async () => {
  const held = new Set();
  const locks = {
    request: async (name, _options, act) => {
      held.add(name);
      await act();
      held.delete(name);
    },
    query: async () => ({ held: [...held].map((name) => ({ name })) }),
  };
  let looks = false;
  const [one, other] = [new Attention({ locks, isHere: () => looks }), new Attention({ locks, isHere: () => false })];
  one.changed();
  assert.equal(await other.anywhere(), false);
  looks = true;
  one.changed();
  one.changed();
  assert.deepEqual([one.here, await one.anywhere(), await other.anywhere()], [true, true, true]);
  looks = false;
  one.changed();
  await settle();
  assert.equal(await other.anywhere(), false);
  const alone = new Attention({ locks: null, isHere: () => false });
  alone.changed();
  assert.equal(await alone.anywhere(), false);
});

/** A window with the parts that notifications use. */
function fakeWindow({ permission = 'granted', worker = false, refuses = false } = {}) {
  const made = [];
  const list = [];
  class Notification {
    static permission = permission;
    static async requestPermission() { Notification.permission = 'granted'; }
    constructor(title, options) {
      if (refuses) throw new TypeError('Illegal constructor');
      Object.assign(this, options, { title, closed: false });
      made.push(this);
    }
    close() {
      this.closed = true;
      this.onclose?.();
    }
  }
  const registration = {
    active: {},
    showNotification: async (title, options) =>
      list.push({ title, ...options, closed: false, close() { this.closed = true; } }),
    getNotifications: async () => list,
  };
  const window = {
    isSecureContext: true, Notification, focused: 0, focus() { this.focused += 1; },
    navigator: { serviceWorker: worker ? { getRegistration: async () => registration } : undefined },
  };
  return { window, made, list, Notification };
}

const notice = { tag: 'room', title: 'Bob', body: 'Hello', icon: null, seq: 3, path: '/chats/room' };

test('without a worker the page shows notifications; clicking one brings it to the front',
  { shows: ['T1'] }, async () => {
  const { window, made } = fakeWindow();
  const notifications = new SystemNotifications(window);
  const pressed = [];
  notifications.onPressed = (path) => pressed.push(path);
  await notifications.show(notice);
  assert.deepEqual([made[0].title, made[0].tag, made[0].renotify, made[0].data],
    ['Bob', 'room', false, { seq: 3, path: '/chats/room' }]);
  await notifications.close(({ seq }) => seq > 3);
  assert.equal(made[0].closed, false);
  made[0].onclick();
  assert.deepEqual([pressed, window.focused, made[0].closed], [['/chats/room'], 1, true]);
  await notifications.show(notice);
  await notifications.close(({ tag, seq }) => tag === 'room' && seq === 3);
  assert.equal(made[1].closed, true);
  // A test comes from no chat.
  await notifications.show({ ...notice, tag: 'test', path: null });
  made[2].onclick();
  assert.deepEqual([made[2].data.path, pressed.length, window.focused, made[2].closed], [null, 1, 2, true]);
});

test('with a worker it shows them, so those of pushes close too; without permission nothing is shown',
  { shows: ['T1'] }, async () => {
  const { window, list } = fakeWindow({ worker: true });
  const notifications = new SystemNotifications(window);
  await notifications.show({ ...notice, icon: '/picture' });
  assert.deepEqual([list[0].tag, list[0].icon], ['room', '/picture']);
  await notifications.close(({ tag }) => tag === 'room');
  assert.equal(list[0].closed, true);
  const denied = fakeWindow({ permission: 'denied' });
  await new SystemNotifications(denied.window).show(notice);
  assert.equal(denied.made.length, 0);
  const refused = fakeWindow({ refuses: true });
  await new SystemNotifications(refused.window).show(notice);
  assert.equal(refused.made.length, 0);
});

test('permission is requested once, and the reasons for its absence are distinguished', { shows: ['T1'] }, async () => {
  const { window } = fakeWindow({ permission: 'default' });
  const notifications = new SystemNotifications(window);
  assert.equal(notifications.permission, 'default');
  assert.equal(await notifications.ask(), 'granted');
  assert.equal(await notifications.ask(), 'granted');
  assert.equal(new SystemNotifications({ ...window, isSecureContext: false }).permission, 'insecure');
  assert.equal(new SystemNotifications({ ...window, Notification: undefined }).permission, 'unsupported');
});
