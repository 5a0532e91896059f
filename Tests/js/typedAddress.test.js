import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TypedAddress } from '../../Public/js/services/typedAddress.js';

function windowWith(sessionStorage) {
  const listeners = {};
  return {
    sessionStorage, addEventListener: (type, listener) => { listeners[type] = listener; },
    tell: (type, event = {}) => listeners[type](event),
  };
}

function storage() {
  const kept = new Map();
  return {
    kept, getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
  };
}

test('an address is passed to the next page once, and stored nowhere', () => {
  const kept = storage();
  const before = windowWith(kept);
  new TypedAddress(before).goAlong(() => ' ada@example.com ', () => {});
  before.tell('pagehide');
  const after = new TypedAddress(windowWith(kept));
  assert.equal(after.take(), 'ada@example.com');
  assert.equal(after.take(), '');
  assert.equal(kept.kept.size, 0);
});

test('an empty field passes nothing on, and neither does signing in', () => {
  const kept = storage();
  const window = windowWith(kept);
  let email = '';
  const typed = new TypedAddress(window);
  typed.goAlong(() => email, () => {});
  window.tell('pagehide');
  email = 'ada@example.com';
  typed.end();
  window.tell('pagehide');
  assert.equal(kept.kept.size, 0);
});

test('a page from the back/forward cache takes what was typed meanwhile', () => {
  const kept = storage();
  const window = windowWith(kept);
  const shown = [];
  new TypedAddress(window).goAlong(() => 'old@example.com', (email) => shown.push(email));
  kept.setItem([...kept.kept.keys()][0] ?? 'hubbub-typed-address', 'new@example.com');
  window.tell('pageshow', { persisted: true });
  assert.deepEqual(shown, ['new@example.com']);
});

test('a browser without storage loses only the convenience', () => {
  const window = { addEventListener: () => {}, get sessionStorage() { throw new Error('SecurityError'); } };
  assert.equal(new TypedAddress(window).take(), '');
});
