import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import { WorkerLocks, workerLocks } from '../../Public/js/services/workerLocks.js';
import { deferred, settle } from './support/fakes.js';

const script = readFileSync(new URL('../../Public/worker/locks.js', import.meta.url), 'utf8');

/** The shared worker, and its clock. */
function sharedWorker() {
  const scope = {
    onconnect: null,
    listeners: new Map(),
    addEventListener: (name, act) => scope.listeners.set(name, act),
    setInterval: (act, time) => { scope.check = act; scope.every = time; },
  };
  vm.runInNewContext(script, scope);
  /** A tab's port; a frozen tab receives nothing until it wakes. */
  const connect = () => {
    const missed = [];
    const tab = { asleep: false, postMessage: (data) => far.onmessage({ data: structuredClone(data) }) };
    const far = {
      postMessage: (data) => (tab.asleep
        ? missed.push(data) : queueMicrotask(() => tab.onmessage({ data: structuredClone(data) }))),
    };
    tab.wake = () => {
      tab.asleep = false;
      for (const data of missed.splice(0)) tab.onmessage({ data });
    };
    scope.listeners.get('connect')({ ports: [far] });
    return tab;
  };
  const pass = async (time) => {
    for (let passed = 0; passed < time; passed += scope.every) {
      scope.check();
      await settle();
    }
  };
  return { connect, pass, scope };
}

/** Holds a lock until it is released. */
function holder(locks, name, options) {
  const gate = deferred();
  const state = { held: false, gate };
  const act = () => {
    state.held = true;
    return gate.promise;
  };
  state.result = (options ? locks.request(name, options, act) : locks.request(name, act)).then(
    (value) => { state.value = value; }, (error) => { state.lost = error.message; });
  return state;
}

test('one tab at a time holds a lock, in the order of requests; others may hold others', async () => {
  const { connect } = sharedWorker();
  const [one, other] = [new WorkerLocks(connect()), new WorkerLocks(connect())];
  const first = holder(one, 'stream');
  const second = holder(other, 'stream');
  const elsewhere = holder(other, 'outbox', {});
  await settle();
  assert.deepEqual([first.held, second.held, elsewhere.held], [true, false, true]);
  assert.deepEqual((await one.query()).held.map(({ name }) => name).sort(), ['outbox', 'stream']);
  first.gate.resolve('done');
  await settle();
  assert.deepEqual([first.value, second.held], ['done', true]);
  second.gate.reject(new Error('failed'));
  elsewhere.gate.resolve();
  await settle();
  assert.equal(second.lost, 'failed');
  assert.deepEqual((await other.query()).held, []);
});

test('a lock can be stolen; the former holder is notified, and its later actions have no effect', async () => {
  const { connect } = sharedWorker();
  const [one, other] = [new WorkerLocks(connect()), new WorkerLocks(connect())];
  const first = holder(one, 'stream');
  const waits = holder(one, 'stream');
  await settle();
  const thief = holder(other, 'stream', { steal: true });
  await settle();
  assert.ok(first.lost && thief.held && !waits.held);
  first.gate.resolve();
  await settle();
  assert.equal(waits.held, false);
  thief.gate.resolve();
  await settle();
  assert.equal(waits.held, true);
  const free = holder(other, 'nobody has it', { steal: true });
  await settle();
  assert.equal(free.held, true);
});

test('a tab’s locks pass on when it closes, and when it stops responding', async () => {
  const { connect, pass, scope } = sharedWorker();
  const tabs = [connect(), connect(), connect()];
  const [one, two, three] = tabs.map((port) => new WorkerLocks(port));
  const first = holder(one, 'stream');
  const second = holder(two, 'stream');
  const third = holder(three, 'stream');
  await settle();
  assert.equal(scope.every, 5000);
  await pass(60_000);
  assert.equal(second.held, false, 'a tab that answers keeps it');
  one.leave();
  await settle();
  assert.ok(second.held);
  tabs[1].asleep = true;
  await pass(15_000);
  assert.equal(third.held, false);
  await pass(15_000);
  assert.equal(third.held, true);
  tabs[1].wake();
  await settle();
  assert.equal(second.lost, 'another tab took the lock');
});

test('a closed tab holds nothing, even without waiters; one that slept regains free locks',
  { shows: ['O2'] }, async () => {
  const { connect, pass } = sharedWorker();
  const tabs = [connect(), connect(), connect()];
  const [one, two, three] = tabs.map((port) => new WorkerLocks(port));
  const names = async () => (await three.query()).held.map(({ name }) => name).sort();
  const alone = holder(one, 'tab of one');
  const stream = holder(one, 'stream');
  const asleep = holder(two, 'tab of two');
  const next = holder(two, 'stream');
  const waits = holder(three, 'stream');
  await settle();
  tabs[0].asleep = tabs[1].asleep = true;
  await pass(30_000);
  assert.deepEqual([await names(), waits.held], [['stream'], true], 'also the dead that only wait are passed over');
  tabs[1].wake();
  await settle();
  assert.deepEqual([await names(), asleep.lost], [['stream', 'tab of two'], undefined]);
  waits.gate.resolve();
  await settle();
  assert.equal(next.held, true, 'it waits again');
  tabs[0].wake();
  await settle();
  assert.deepEqual([alone.lost, stream.lost], [undefined, 'another tab took the lock']);
  asleep.gate.resolve('done');
  await settle();
  assert.deepEqual([await names(), asleep.value], [['stream', 'tab of one'], 'done']);
});

test('a restored page requests its held and awaited locks again', { shows: ['O2'] }, async () => {
  const { connect } = sharedWorker();
  const [one, other] = [new WorkerLocks(connect()), new WorkerLocks(connect())];
  const own = holder(one, 'tab of one');
  const stream = holder(one, 'stream');
  const outbox = holder(other, 'outbox');
  const waits = holder(one, 'outbox');
  const taken = holder(other, 'stream');
  await settle();
  one.leave();
  await settle();
  assert.equal(taken.held, true);
  outbox.gate.resolve();
  await settle();
  assert.equal(waits.held, false, 'nobody is there to have it');
  one.comeBack();
  // Twice does no harm.
  one.comeBack();
  await settle();
  assert.deepEqual([own.lost, stream.lost, waits.held], [undefined, 'another tab took the lock', true]);
  waits.gate.resolve();
  await settle();
  assert.deepEqual((await other.query()).held.map(({ name }) => name).sort(), ['stream', 'tab of one']);
});

test('the page starts the worker by its hashed address and leaves it when it goes', async () => {
  const { connect } = sharedWorker();
  const listeners = new Map();
  let port;
  const window = {
    // The module's own address is no `/assets/…` here.
    trustedTypes: { createPolicy: () => ({ createScriptURL: (path) => path }) },
    SharedWorker: class {
      constructor(address, { name }) { this.port = port = connect(); Object.assign(port, { address, name }); }
    },
    addEventListener: (name, act) => listeners.set(name, act),
    setTimeout: () => {},
  };
  const locks = await workerLocks(window);
  assert.match(port.address, /\/worker\/locks\.js$/);
  const held = holder(locks, 'stream');
  await settle();
  listeners.get('pagehide')();
  await settle();
  assert.deepEqual((await new WorkerLocks(connect()).query()).held, []);
  listeners.get('pageshow')({ persisted: false });
  await settle();
  assert.deepEqual((await new WorkerLocks(connect()).query()).held, []);
  listeners.get('pageshow')({ persisted: true });
  assert.deepEqual([(await locks.query()).held, held.lost], [[{ name: 'stream' }], undefined]);
  const silent = { ...window, SharedWorker: class { port = { postMessage() {} }; }, setTimeout: (act) => act() };
  await assert.rejects(workerLocks(silent));
});
