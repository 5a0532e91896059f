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

test('view models, models and languages use no document, network, clock, randomness or storage', () => {
  // Clock and randomness are injected.
  const globals = [
    'document', 'window', 'globalThis', 'self', 'navigator', 'location', 'history', 'fetch', 'XMLHttpRequest',
    'EventSource',
    'WebSocket', 'BroadcastChannel', 'localStorage', 'sessionStorage', 'indexedDB', 'caches', 'crypto', 'performance',
    'setTimeout', 'setInterval', 'requestAnimationFrame', 'matchMedia', 'alert', 'addEventListener', 'Notification',
  ];
  const pattern = new RegExp(String.raw`(?<![\w.#'"\x60-])(?:${globals.join('|')})(?=\s*[.(\[])`
    + String.raw`|Date\.now|Math\.random|new Date\(\)|performance\.now`, 'gu');
  const files = ['viewmodels/', 'models/', 'languages/'].flatMap((folder) => read(scripts, '.js', folder));
  assert.ok(files.length > 80, String(files.length));
  assert.match('x = fetch(1)', pattern);
  for (const [name, code] of files) {
    // Methods, local names and parameters are no globals.
    const isOwn = (word) => new RegExp([
      String.raw`[(,]\s*${word}\s*[,)]`, String.raw`^\s+(?:async )?\*?${word}\([^)]*\) \{$`,
      String.raw`(?:const|let|function|import)\b[^;\n=]*\b${word}\b`,
    ].join('|'), 'mu').test(code);
    const found = [...code.matchAll(pattern)].map(([word]) => word).filter((word) => !isOwn(word));
    assert.deepEqual(found, [], name);
  }
});

test('texts are in the catalogues, not in views, view models or services', { shows: ['H4'] }, () => {
  const said = [
    // The text or name of an element.
    new RegExp(String.raw`(?:setText\([^,()]+,|(?:aria-label'|title|placeholder|alt|label): |'aria-label', |announce\(|`
      + String.raw`\.textContent = )\s*(['"\x60])([^'"\x60]*\p{L}{2}[^'"\x60]*)\1`, 'gu'),
    // A text of two words, the first with a capital, anywhere.
    /()(?<=['"`])(\p{Lu}\p{Ll}+(?:’s)? \p{Ll}{2,}[^'"`$]*)(?=['"`])/gu,
    // The last child of an element.
    new RegExp(String.raw`element\('(?:p|span|h[1-6]|a|button|label|th|td|li|option|summary)',\s*\{[^{}]*\},`
      + String.raw`\s*(['"\x60])([^'"\x60]*\p{L}{2}[^'"\x60]*)\1\)`, 'gu'),
  ];
  // Errors for developers only.
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

test('style sheets use no left and right, so that they work from right to left as well', { shows: ['H4'] }, () => {
  const physical = new RegExp([
    String.raw`(?<![\w-])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?:-\w+)?|left|right|`,
    String.raw`(?:text-align|float|clear|justify-\w+):\s*(?:left|right))(?=\s*[:;]|$)`,
  ].join(''), 'gmu');
  const fourSides = /(?:margin|padding|inset|border-(?:width|color|style)):\s*([^;]+);/gu;
  const corners = /border-radius:\s*([^;]+);/gu;
  /** Physical sides that are right: of a drawing, or equal on both sides. */
  const meant = new Set(['later/quota.css background-position: right']);
  /** A rotated corner as an arrow, and the safe areas of the device. */
  const sidesMeant = new Set([
    'later/sections.css border-width: 0 2px 2px 0;',
    'frame.css padding: '
      + 'env(safe-area-inset-top, 0px) env(safe-area-inset-right, 0px) 0 env(safe-area-inset-left, 0px);',
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
      const [first, second = first, third = first, fourth = second] = sides;
      assert.ok(first === second && third === fourth, `${name}: ${all} tells left from right`);
    }
    const positions = /(?:background-position|object-position|transform-origin):[^;]*\b(?:left|right)\b[^;]*/gu;
    for (const [all] of css.matchAll(positions)) {
      assert.ok(meant.has(`${name} ${all}`), `${name}: ${all}`);
    }
  }
});

test('movements along a line are mirrored from right to left', { shows: ['H4'] }, () => {
  for (const [name, css] of read(sheets, '.css')) {
    for (const [all, amount] of css.matchAll(/(?:translate:\s*|translateX\(|translate\()([^;)]*)/gu)) {
      const across = amount.trim().split(/[\s,]/u)[0];
      if (/^-?0/u.test(across) || across === 'none') continue;
      const turned = /--to-end|--towards|dir\(rtl\)/u.test(css);
      assert.ok(turned, `${name}: ${all}`);
    }
  }
});

test('reduced motion ends all motion: every duration is a token that is then zero',
  { shows: ['H4'] }, () => {
  const tokens = readFileSync(new URL('tokens.css', sheets), 'utf8');
  const reduced = /prefers-reduced-motion: reduce\) \{([^]*)\}/u.exec(tokens)[1];
  for (const token of ['--quick', '--slide', '--pane']) assert.match(reduced, new RegExp(`${token}: 0ms`, 'u'));
  for (const [name, css] of read(sheets, '.css')) {
    const guarded = css.includes('prefers-reduced-motion');
    for (const [all, value] of css.matchAll(/(?:transition|animation)(?:-duration)?:([^;]+);/gu)) {
      // The first time is the duration, the second the delay.
      const duration = /^[^(]*?(?<![\w-])(?!0m?s)\d*\.?\d+m?s\b/u;
      const fixed = value.split(',').some((part) => duration.test(part.replace(/var\([^)]*\)[^]*/u, '')));
      assert.ok(!fixed || guarded, `${name}: ${all}`);
    }
    assert.ok(!/scroll-behavior:\s*smooth/u.test(css) || guarded, name);
  }
  for (const [name, code] of read(scripts, '.js')) {
    if (/behavior: 'smooth'|\.animate\(|startViewTransition\(/u.test(code)) assert.match(code, /motionAllowed/u, name);
  }
});
