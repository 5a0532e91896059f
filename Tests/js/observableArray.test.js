import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Observable, ObservableArray, shallowEqual } from '../../Public/js/models/observableArray.js';
import { mirror, seeded, shuffled } from './support/fakes.js';

test('a list patched by its steps equals a new list, for random changes', () => {
  const random = seeded(7);
  for (let round = 0; round < 400; round += 1) {
    const array = new ObservableArray();
    const copy = mirror(array);
    let current = [];
    for (let step = 0; step < 8; step += 1) {
      const pool = Array.from({ length: Math.floor(random() * 14) },
        (_, key) => ({ key, value: Math.floor(random() * 3) }));
      current = shuffled(pool, random).filter(() => random() < 0.8);
      array.replaceAll(current);
      assert.deepEqual([...copy], current);
      assert.deepEqual([...array.items], current);
    }
  }
});

test('single changes are reported as they are made', () => {
  const array = new ObservableArray();
  const copy = mirror(array);
  array.insert(0, { key: 1, value: 'a' });
  array.insert(1, { key: 2, value: 'b' });
  array.move(0, 1);
  array.move(1, 1);
  array.update(0, { key: 2, value: 'c' });
  array.update(0, { key: 2, value: 'c' });
  assert.equal(array.indexOfKey(1), 1);
  assert.equal(array.removeAt(1).key, 1);
  assert.deepEqual([...copy], [{ key: 2, value: 'c' }]);
  assert.deepEqual(copy.steps, ['insert', 'insert', 'move', 'update', 'remove']);
  assert.equal(array.length, 1);
});

test('moving one item to the top is one move', () => {
  const array = new ObservableArray();
  const items = Array.from({ length: 50 }, (_, key) => ({ key }));
  array.replaceAll(items);
  const changes = array.replaceAll([items[30], ...items.filter((_, key) => key !== 30)]);
  assert.deepEqual(changes.map(({ type, from, to }) => [type, from, to]), [['move', 30, 0]]);
});

test('the number of moves is the least possible', () => {
  const random = seeded(3);
  for (let round = 0; round < 100; round += 1) {
    const items = Array.from({ length: 9 }, (_, key) => ({ key }));
    const array = new ObservableArray();
    array.replaceAll(items);
    const target = shuffled(items, random);
    const moves = array.replaceAll(target).length;
    assert.ok(moves <= 9 - longestRun(target.map((item) => item.key)), `${moves} moves`);
  }
});

function longestRun(numbers) {
  const best = numbers.map((number, index) => 1
    + Math.max(0, ...numbers.slice(0, index).map((other, at) => (other < number ? longest(numbers, at) : 0))));
  return Math.max(...best);
}

function longest(numbers, index) {
  return 1 + Math.max(0, ...numbers.slice(0, index)
    .map((other, at) => (other < numbers[index] ? longest(numbers, at) : 0)));
}

test('appending and prepending change nothing else', () => {
  const array = new ObservableArray();
  array.replaceAll([{ key: 'b' }]);
  const changes = array.replaceAll([{ key: 'a' }, { key: 'b' }, { key: 'c' }]);
  assert.deepEqual(changes.map((change) => change.type), ['insert', 'insert']);
  assert.equal(array.replaceAll([{ key: 'a' }, { key: 'b' }, { key: 'c' }]).length, 0);
});

test('two items with one key are refused', () => {
  assert.throws(() => new ObservableArray().replaceAll([{ key: 1 }, { key: 1 }]), RangeError);
  const array = new ObservableArray();
  array.replaceAll([1, 2, 3].map((key) => ({ key })));
  // Even if the second one is in the unchanged part.
  for (const keys of [[1, 2, 3, 1], [1, 3, 2, 3], [2, 1, 2, 3]]) {
    assert.throws(() => array.replaceAll(keys.map((key) => ({ key }))), RangeError);
    assert.deepEqual(array.items.map(({ key }) => key), [1, 2, 3], 'nothing was changed');
  }
});

test('a subscription ends', () => {
  const array = new ObservableArray();
  let calls = 0;
  const end = array.subscribe(() => { calls += 1; });
  array.insert(0, { key: 1 });
  end();
  array.removeAt(0);
  assert.equal(calls, 1);
});

test('an observable notifies once per microtask, and only about changes', async () => {
  const observable = new Observable({ a: 1, b: 2 });
  const seen = [];
  const end = observable.subscribe((state) => seen.push(state));
  observable.update({ a: 1 });
  observable.update({ a: 2 });
  observable.update({ b: 3 });
  assert.deepEqual(observable.state, { a: 2, b: 3 });
  assert.ok(Object.isFrozen(observable.state));
  await Promise.resolve();
  assert.deepEqual(seen, [{ a: 2, b: 3 }]);
  end();
  observable.update({ a: 9 });
  await Promise.resolve();
  assert.equal(seen.length, 1);
});

test('shallow equality compares members by identity', () => {
  const inner = {};
  assert.ok(shallowEqual({ a: inner }, { a: inner }));
  assert.ok(!shallowEqual({ a: {} }, { a: {} }));
  assert.ok(!shallowEqual({ a: 1 }, { b: 1 }));
  assert.ok(!shallowEqual({ a: 1 }, { a: 1, b: 2 }));
  assert.ok(!shallowEqual(null, {}));
  assert.ok(shallowEqual(null, null));
});

test('appending a page to fifty thousand items processes only the new ones', () => {
  let asked = 0;
  const array = new ObservableArray({ equals: () => { asked += 1; return true; } });
  const items = Array.from({ length: 50_000 }, (_, key) => ({ key }));
  array.replaceAll(items.slice(0, 49_900));
  asked = 0;
  const changes = array.replaceAll(items);
  assert.deepEqual([changes.length, changes[0].index, asked], [100, 49_900, 0]);
  assert.equal(array.indexOfKey(49_999), 49_999);
  assert.equal(array.indexOfKey('nobody'), -1);
  array.removeAt(49_999);
  assert.equal(array.indexOfKey(49_999), -1);
});
