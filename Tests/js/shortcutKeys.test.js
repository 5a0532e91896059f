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
  closest(selector) { return this.matches(selector) ? this : null; }
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
const { isUnclaimedText, mayBeShortcut } = await import('../../Public/js/views/dom.js');
const { AccountForm } = await import('../../Public/js/views/profile/accountForm.js');

const key = (name, more = {}) => ({
  key: name, altKey: false, ctrlKey: false, metaKey: false, isComposing: false, keyCode: 0, target: new FakeNode(),
  ...more,
});

test('an input method’s key is not a shortcut, even if only its key code shows it', { shows: ['H4'] }, () => {
  assert.equal(mayBeShortcut(key('Escape')), true);
  assert.equal(mayBeShortcut(key('Escape', { isComposing: true })), false);
  assert.equal(mayBeShortcut(key('Escape', { keyCode: 229 })), false);
});

test('dialogs, menus and popovers get all keys', { shows: ['H4'] }, () => {
  for (const cover of ['dialog[open]', '[role="menu"]', '[popover]:popover-open']) {
    page.open = [cover];
    for (const name of ['Escape', 'n']) assert.equal(mayBeShortcut(key(name)), false, `${name} over ${cover}`);
  }
  page.open = [];
  assert.equal(mayBeShortcut(key('n')), true);
});

test('letters typed into a field are not shortcuts; with Control they may be', { shows: ['H4'] }, () => {
  for (const name of ['input', 'textarea']) {
    const target = new FakeNode(name);
    document.activeElement = target;
    assert.equal(mayBeShortcut(key('n', { target })), false);
    assert.equal(mayBeShortcut(key('/', { target, ctrlKey: true })), true);
    assert.equal(mayBeShortcut(key('Escape', { target })), true);
  }
  document.activeElement = null;
});

test('a character goes to an open chat’s field unless a field, an overlay or a shortcut uses it',
  { shows: ['H4', 'K1'] }, () => {
  const text = (name, more = {}) => isUnclaimedText(key(name, { getModifierState: () => false, ...more }));
  for (const name of ['g', '?', '/', 'ß', '1']) assert.equal(text(name), true, name);
  for (const name of [' ', 'Enter', 'ArrowUp', 'Dead']) assert.equal(text(name), false, name);
  assert.equal(text('c', { ctrlKey: true }), false);
  assert.equal(text('@', { ctrlKey: true, altKey: true, getModifierState: () => true }), true);
  assert.equal(text('g', { target: new FakeNode('input') }), false);
  assert.equal(text('g', { defaultPrevented: true }), false);
  page.open = ['[role="menu"]'];
  assert.equal(text('g'), false);
  page.open = [];
});

test('Escape in a form of the settings closes only that form', { shows: ['H4'] }, () => {
  const toggled = [];
  const state = {
    open: true, values: {}, fieldErrors: {}, formError: null, busy: false, note: '', first: false, again: false,
  };
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
