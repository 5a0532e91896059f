import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const scripts = new URL('../../Public/js/', import.meta.url);
const sheets = new URL('../../Public/css/', import.meta.url);

/** All files below a folder, by name, without their comments. */
function read(folder, ending, below = '') {
  const names = readdirSync(new URL(below, folder), { recursive: true }).filter((name) => name.endsWith(ending));
  return names.map((name) => [`${below}${name}`, readFileSync(new URL(`${below}${name}`, folder), 'utf8')
    .replaceAll(/\/\*[^]*?\*\//gu, (comment) => comment.replaceAll(/[^\n]/gu, ' ')).replaceAll(/^\s*\/\/.*$/gmu, '')]);
}

test('view models, models and languages know no document, no network, no clock, no chance and no storage', () => {
  // The one clock and the one source of chance come in by the constructor.
  const globals = [
    'document', 'window', 'globalThis', 'self', 'navigator', 'location', 'history', 'fetch', 'XMLHttpRequest', 'EventSource',
    'WebSocket', 'BroadcastChannel', 'localStorage', 'sessionStorage', 'indexedDB', 'caches', 'crypto', 'performance',
    'setTimeout', 'setInterval', 'requestAnimationFrame', 'matchMedia', 'alert', 'addEventListener', 'Notification',
  ];
  const pattern = new RegExp(String.raw`(?<![\w.#'"\x60-])(?:${globals.join('|')})(?=\s*[.(\[])|Date\.now|Math\.random|new Date\(\)|performance\.now`, 'gu');
  const files = ['viewmodels/', 'models/', 'languages/'].flatMap((folder) => read(scripts, '.js', folder));
  assert.ok(files.length > 80, String(files.length));
  assert.match('x = fetch(1)', pattern);
  for (const [name, code] of files) {
    // A method or a name of one's own is no global, nor is a parameter.
    const isOwn = (word) => new RegExp(String.raw`[(,]\s*${word}\s*[,)]|^\s+(?:async )?\*?${word}\([^)]*\) \{$|(?:const|let|function|import)\b[^;\n=]*\b${word}\b`, 'mu').test(code);
    const found = [...code.matchAll(pattern)].map(([word]) => word).filter((word) => !isOwn(word));
    assert.deepEqual(found, [], name);
  }
});

test('H4 what people read is in the catalogues, not in views, view models or services', () => {
  const said = [
    // What is given to an element as its text or its name.
    /(?:setText\([^,()]+,|aria-label': |'aria-label', |title: |placeholder: |announce\(|alt: |label: |\.textContent = )\s*(['"`])([^'"`]*\p{L}{2}[^'"`]*)\1/gu,
    // A text of two words, the first with a capital, anywhere.
    /()(?<=['"`])(\p{Lu}\p{Ll}+(?:’s)? \p{Ll}{2,}[^'"`$]*)(?=['"`])/gu,
    // The last thing that an element is made of.
    /element\('(?:p|span|h[1-6]|a|button|label|th|td|li|option|summary)',\s*\{[^{}]*\},\s*(['"`])([^'"`]*\p{L}{2}[^'"`]*)\1\)/gu,
  ];
  // Told to developers, by errors that nobody sees.
  const forDevelopers = /(?:new (?:Type|Range)?Error|ApiError|throw|reject)\([^\n]*$/u;
  let seen = 0;
  const files = [...read(scripts, '.js').filter(([name]) => !/^(?:models\/texts|languages\/)/u.test(name))];
  for (const [name, code] of files) {
    seen += 1;
    for (const pattern of said) {
      for (const match of code.matchAll(pattern)) {
        const line = code.slice(code.lastIndexOf('\n', match.index) + 1, match.index);
        const words = match[2].replaceAll(/\$\{[^]*/gu, '');
        if (forDevelopers.test(line) || !/\p{L}{2}/u.test(words)) continue;
        assert.fail(`${name} says “${match[2]}”: texts belong into models/texts`);
      }
    }
  }
  assert.ok(seen > 100);
  assert.ok(said[2].test("element('p', { class: 'x' }, 'Nothing here')"));
});

test('H4 sheets know no left and right, so that each works from right to left as well', () => {
  const physical = /(?<![\w-])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?:-\w+)?|left|right|(?:text-align|float|clear|justify-\w+):\s*(?:left|right))(?=\s*[:;]|$)/gmu;
  const fourSides = /(?:margin|padding|inset|border-(?:width|color|style)):\s*([^;]+);/gu;
  const corners = /border-radius:\s*([^;]+);/gu;
  /** Where a side is meant and not an end: a drawing's, or both sides are the same in truth. */
  const meant = new Set(['later/quota.css background-position: right']);
  /** An arrow drawn as a corner, and then turned; and the sides of the device itself. */
  const sidesMeant = new Set([
    'later/sections.css border-width: 0 2px 2px 0;',
    'frame.css padding: env(safe-area-inset-top, 0px) env(safe-area-inset-right, 0px) 0 env(safe-area-inset-left, 0px);',
  ]);
  const files = read(sheets, '.css');
  assert.ok(files.length > 30);
  const whole = (value) => {
    const parts = [];
    let depth = 0;
    let part = '';
    for (const character of value.trim()) {
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
      if (/\s/u.test(character) && depth === 0) {
        if (part) parts.push(part);
        part = '';
      } else part += character;
    }
    return [...parts, part];
  };
  for (const [name, css] of files) {
    const rules = css.replaceAll(/[.#][\w-]+|background-position:[^;]*/gu, (word) => ' '.repeat(word.length));
    for (const match of rules.matchAll(physical)) assert.fail(`${name}: ${css.slice(match.index, match.index + 40)}`);
    for (const [all, value] of css.matchAll(fourSides)) {
      const sides = whole(value);
      if (sidesMeant.has(`${name} ${all}`)) continue;
      if (sides.length === 4) assert.equal(sides[1], sides[3], `${name}: ${all} tells left from right`);
    }
    for (const [all, value] of css.matchAll(corners)) {
      const sides = whole(value.split('/')[0]);
      const [first, second, third, fourth] = [sides[0], sides[1] ?? sides[0], sides[2] ?? sides[0], sides[3] ?? sides[1] ?? sides[0]];
      assert.ok(first === second && third === fourth, `${name}: ${all} tells left from right`);
    }
    for (const [all] of css.matchAll(/(?:background-position|object-position|transform-origin):[^;]*\b(?:left|right)\b[^;]*/gu)) {
      assert.ok(meant.has(`${name} ${all}`), `${name}: ${all}`);
    }
  }
});

test('H4 what moves along a line is turned round from right to left', () => {
  for (const [name, css] of read(sheets, '.css')) {
    for (const [all, amount] of css.matchAll(/(?:translate:\s*|translateX\(|translate\()([^;)]*)/gu)) {
      const across = amount.trim().split(/[\s,]/u)[0];
      if (/^-?0/u.test(across) || across === 'none') continue;
      const turned = /--to-end|--towards|dir\(rtl\)/u.test(css);
      assert.ok(turned, `${name}: ${all}`);
    }
  }
});

test('H4 motion ends where people ask for less of it: every time is a token that is then nought', () => {
  const tokens = readFileSync(new URL('tokens.css', sheets), 'utf8');
  const reduced = /prefers-reduced-motion: reduce\) \{([^]*)\}/u.exec(tokens)[1];
  for (const token of ['--quick', '--slide', '--pane']) assert.match(reduced, new RegExp(`${token}: 0ms`, 'u'));
  for (const [name, css] of read(sheets, '.css')) {
    const guarded = css.includes('prefers-reduced-motion');
    for (const [all, value] of css.matchAll(/(?:transition|animation)(?:-duration)?:([^;]+);/gu)) {
      // The first time is how long it takes; a second one only how long it waits.
      const fixed = value.split(',').some((part) => /^[^(]*?(?<![\w-])(?!0m?s)\d*\.?\d+m?s\b/u.test(part.replace(/var\([^)]*\)[^]*/u, '')));
      assert.ok(!fixed || guarded, `${name}: ${all}`);
    }
    assert.ok(!/scroll-behavior:\s*smooth/u.test(css) || guarded, name);
  }
  for (const [name, code] of read(scripts, '.js')) {
    if (/behavior: 'smooth'|\.animate\(|startViewTransition\(/u.test(code)) assert.match(code, /motionAllowed/u, name);
  }
});
