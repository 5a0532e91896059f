import assert from 'node:assert/strict';
import { test } from 'node:test';

/** A node that has attributes and listeners, and matches what a test says. */
class FakeNode extends EventTarget {
  attributes = new Map();
  hidden = false;
  textContent = '';

  constructor(name = 'div') {
    super();
    this.name = name;
  }

  append() {}
  focus() {}
  setAttribute(name, value) { this.attributes.set(name, value); }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  hasAttribute(name) { return this.attributes.has(name); }
  removeAttribute(name) { this.attributes.delete(name); }
  matches(selector) { return selector.split(', ').includes(this.name); }
}

const made = [];
const page = { open: [] };
globalThis.Element = FakeNode;
globalThis.matchMedia = () => ({ matches: false });
globalThis.document = {
  createElement(name) {
    made.push(new FakeNode(name));
    return made.at(-1);
  },
  querySelector: (selector) => page.open.find((part) => selector.includes(part)) ?? null,
};
const { mayBeShortcut } = await import('../../Public/js/views/dom.js');
const { AccountForm } = await import('../../Public/js/views/profile/accountForm.js');

const key = (name, more = {}) => ({
  key: name, altKey: false, ctrlKey: false, metaKey: false, isComposing: false, keyCode: 0, target: new FakeNode(), ...more,
});

test('H4 a key of an input method is no shortcut, also where only its number tells', () => {
  assert.equal(mayBeShortcut(key('Escape')), true);
  assert.equal(mayBeShortcut(key('Escape', { isComposing: true })), false);
  assert.equal(mayBeShortcut(key('Escape', { keyCode: 229 })), false);
});

test('H4 what covers the page has all keys to itself: dialogs, menus and popovers', () => {
  for (const cover of ['dialog[open]', '[role="menu"]', '[popover]:popover-open']) {
    page.open = [cover];
    for (const name of ['Escape', 'n']) assert.equal(mayBeShortcut(key(name)), false, `${name} over ${cover}`);
  }
  page.open = [];
  assert.equal(mayBeShortcut(key('n')), true);
});

test('H4 letters that are written into a field are none; with Control they may be', () => {
  for (const name of ['input', 'textarea']) {
    const target = new FakeNode(name);
    assert.equal(mayBeShortcut(key('n', { target })), false);
    assert.equal(mayBeShortcut(key('/', { target, ctrlKey: true })), true);
    assert.equal(mayBeShortcut(key('Escape', { target })), true);
  }
});

test('H4 Escape in a form of the settings closes it, and leads nowhere else', () => {
  const toggled = [];
  const state = { open: true, values: {}, fieldErrors: {}, formError: null, busy: false, note: '', first: false, again: false };
  FakeNode.prototype.querySelector = () => new FakeNode();
  new AccountForm({ state, subscribe: () => () => {}, toggle: (open) => toggled.push(open) }, {
    words: { heading: '', change: '', set: '', save: '', cancel: '' }, fields: [],
  });
  const form = made.find(({ name }) => name === 'form');
  const press = (name, more = {}) => {
    const event = Object.assign(new Event('keydown', { cancelable: true }), { key: name, keyCode: 0, ...more });
    form.dispatchEvent(event);
    return event.defaultPrevented;
  };
  assert.deepEqual([press('a'), press('Escape', { keyCode: 229 }), toggled], [false, false, []]);
  assert.deepEqual([press('Escape'), toggled], [true, [false]]);
});
