import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLetter, shortcutTable } from '../../Public/js/models/shortcutTable.js';
import { shortcutTexts } from '../../Public/js/models/texts/shortcuts.js';
import { Shortcuts } from '../../Public/js/viewmodels/shortcutKeys.js';

function make() {
  const kept = new Map();
  const preferences = { get: (name) => kept.get(name) ?? '', set: (name, value) => kept.set(name, value) };
  return new Shortcuts(preferences);
}

let time = 0;
const press = (key, more = {}) =>
  ({ key, control: false, alt: false, field: 'none', time: (time += 10_000), ...more });

test('keys do what their help says, and nothing else', { shows: ['H4'] }, () => {
  const shortcuts = make();
  const cases = [
    [press('?'), 'help'], [press('/', { control: true }), 'help'], [press('n'), 'compose'],
    [press('ArrowUp', { alt: true }), 'previous'], [press('ArrowDown', { alt: true }), 'next'],
    [press('Escape'), 'back'],
    [press('Escape', { field: 'message' }), 'back'], [press('ArrowDown', { alt: true, field: 'message' }), 'next'],
    // Keys of text fields, browsers and screen readers.
    [press('Escape', { field: 'other' }), null], [press('ArrowDown', { alt: true, field: 'other' }), null],
    [press('n', { control: true }), null], [press('n', { alt: true }), null],
    [press('/', { control: true, alt: true }), null],
    [press('ArrowDown'), null], [press('Enter'), null], [press('N'), null], [press('h'), null],
    [press('constructor'), null],
  ];
  for (const [key, expected] of cases) assert.equal(shortcuts.of(key), expected, JSON.stringify(key));
});

test('single keys do nothing in text fields, and can be disabled (WCAG 2.1.4)',
  { shows: ['H4'] }, () => {
  const shortcuts = make();
  for (const key of ['?', 'n']) {
    for (const field of ['message', 'other']) assert.equal(shortcuts.of(press(key, { field })), null);
  }
  assert.ok(shortcuts.letters);
  shortcuts.letters = false;
  for (const key of ['?', 'n']) assert.equal(shortcuts.of(press(key)), null);
  assert.equal(shortcuts.of(press('/', { control: true })), 'help', 'the way back stays');
  shortcuts.letters = true;
  assert.equal(shortcuts.of(press('?')), 'help');
});

test('g followed soon by a letter goes to a place', { shows: ['H4'] }, () => {
  const shortcuts = make();
  const go = (letter, pause) => {
    const began = (time += 10_000);
    assert.equal(shortcuts.of(press('g', { time: began })), null);
    return shortcuts.of(press(letter, { time: began + pause }));
  };
  assert.deepEqual(['c', 'p', 'n', 's', 'x'].map((letter) => go(letter, 300)),
    ['chats', 'people', 'news', 'settings', null]);
  assert.equal(go('n', 1600), 'compose');
  assert.equal(go('c', 1600), null);
  go('x', 100);
  assert.equal(shortcuts.of(press('c')), null, 'another key in between ends it');
});

test('the help describes each shortcut, and marks single keys', { shows: ['H4'] }, () => {
  const lines = Object.values(shortcutTable).flat();
  assert.deepEqual(Object.keys(shortcutTable), Object.keys(shortcutTexts.groups));
  assert.deepEqual(new Set(lines.map(([act]) => act)), new Set(Object.keys(shortcutTexts.acts)));
  for (const [, ways] of lines) {
    for (const part of ways.flatMap((way) => way.split(/[+,]/u)).filter((name) => name.length > 1 && name !== 'F10')) {
      assert.ok(Object.hasOwn(shortcutTexts.names, part), part);
    }
  }
  assert.deepEqual(['?', 'g,c', 'alt+up', 'enter', 'control+/'].map(isLetter), [true, true, false, false, false]);
});
