import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const base = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, base), 'utf8');
const list = (folder, end) => readdirSync(new URL(folder, base), { recursive: true })
  .filter((name) => name.endsWith(end)).map((name) => folder + name);

/** Each selector of a sheet in full: nested rules are resolved against the rules around them. */
function selectorsOf(css) {
  const selectors = [];
  const stack = [['']];
  let text = '';
  for (const character of css.replaceAll(/\/\*[^]*?\*\//g, '')) {
    if (character === '{') {
      const own = text.trim();
      const [outer] = stack.slice(-1);
      const full = own.startsWith('@') ? outer : outer.flatMap((parent) => split(own).map((one) => (
        parent === '' ? one : one.includes('&') ? one.replaceAll('&', parent) : `${parent} ${one}`)));
      if (!own.startsWith('@')) selectors.push(...full);
      stack.push(own.startsWith('@') && !/^@(media|layer|supports)/.test(own) ? [] : full);
      text = '';
    } else if (character === '}' || character === ';') {
      if (character === '}') stack.pop();
      text = '';
    } else text += character;
  }
  return selectors;
}

/** The selectors of a list, whose commas may stand in brackets. */
function split(selector) {
  const parts = [''];
  let depth = 0;
  for (const character of selector) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

const classesIn = (selector) => [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name);

/**
 * A sheet: the classes it styles wherever they stand (its own), all it mentions, and those of which it says that it
 * borrows them. Sheets of the first paint are in force on every page: whatever they style may be mentioned anywhere.
 */
const sheets = list('Public/css/', '.css').map((path) => {
  const css = read(path);
  const selectors = selectorsOf(css);
  const borrows = new Set([...css.matchAll(/\/\* Borrows ([^*]*)\*\//g)].flatMap(([, names]) => classesIn(names)));
  const alone = selectors.filter((one) => /^\.[\w-]+(?::[\w-]+)*$/.test(one)).map((one) => classesIn(one)[0]);
  const own = new Set(alone.filter((name) => !borrows.has(name)));
  return { path, own, borrows, isFirst: !/later|chat/.test(path), mentions: new Set(selectors.flatMap(classesIn)) };
});
/** Which sheets style a class on its own. @type {Map<string, object[]>} */
const owners = new Map();
for (const sheet of sheets) for (const name of sheet.own) owners.set(name, [...(owners.get(name) ?? []), sheet]);

/** The class attributes of views, pages and templates; `${…}` in them counts as nothing. */
const sources = [...list('Public/js/views/', '.js'), ...list('Public/js/pages/', '.js'), 'Public/js/app.js',
  'Public/js/signedOut.js', 'Templates/app.mustache', 'Sources/Web/Pages/ErrorPage.swift'];
const attributes = sources.flatMap((path) => (
  [...read(path).matchAll(/\bclass(?:=|Name\s*=|: )\s*["'`]([^"'`]*)["'`]/g)].map(([, text]) => (
    { path, classes: text.replaceAll(/\$\{[^}]*\}/g, ' ').split(/\s+/).filter(Boolean) }))));

test('only one sheet styles a class by itself', () => {
  assert.ok(owners.size > 100);
  for (const [name, of] of owners) {
    assert.equal(of.length, 1, `.${name} is styled by ${of.map(({ path }) => path).join(' and ')}`);
  }
});

test('a sheet that uses a class of another sheet, which not every page has, declares it', () => {
  for (const { path, own, borrows, mentions } of sheets) {
    for (const name of mentions) {
      const [owner] = owners.get(name) ?? [];
      if (!owner || own.has(name) || owner.isFirst || borrows.has(name)) continue;
      assert.fail(`${path} mentions .${name} of ${owner.path} without saying so`);
    }
    for (const name of borrows) assert.ok(mentions.has(name) && owners.has(name), `${path} does not borrow .${name}`);
  }
});

test('a part of a component has no second class that a sheet, which does not know the part, styles on its own', () => {
  let checked = 0;
  for (const { path, classes: [first, ...others] } of attributes) {
    for (const name of others) {
      const [owner] = owners.get(name) ?? [];
      if (!owner || owner.isFirst || owners.has(first) || name.includes('-')) continue;
      checked += 1;
      assert.ok(owner.mentions.has(first), `${path}: "${first} ${name}" looks as ${owner.path} says of .${name}`);
    }
  }
  assert.ok(checked > 0);
});

test('every styled class is used by a view, a page or a template', () => {
  const strings = sources.flatMap((path) => [...read(path).matchAll(/(["'`])([^"'`\n]*)\1/g)]
    .map(([, , text]) => text));
  const words = new Set(strings.flatMap((text) => text.match(/[\w-]+/g) ?? []));
  for (const { path, mentions } of sheets) {
    for (const name of mentions) assert.ok(words.has(name), `${path} styles .${name}, which nothing has`);
  }
});
