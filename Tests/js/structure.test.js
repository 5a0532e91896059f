import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../Public/js', import.meta.url));
const files = readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.js')).map((name) => normalize(name));
const source = new Map(files.map((name) => [name, readFileSync(join(root, name), 'utf8')]));

const MAY_IMPORT = {
  models: ['models'],
  languages: ['languages'],
  services: ['models', 'services'],
  viewmodels: ['models', 'viewmodels'],
  views: ['models', 'views'],
};

/** The modules that a file imports, `import()` in JSDoc comments aside. */
function importsOf(name, form = /\b(?:from|import)\s*\(?\s*(['"`])([^'"`]+)\1/g) {
  const code = source.get(name).replaceAll(/\/\*[^]*?\*\//g, '');
  const found = [...code.matchAll(form)].map(([, , target]) => target);
  return found.map((target) => {
    assert.match(target, /^\.\.?\//, `${name} imports ${target}: only relative imports work without a build`);
    return relative(root, join(root, dirname(name), target));
  });
}

test('imports follow the order of MVVM', () => {
  assert.ok(files.length > 10);
  let checked = 0;
  for (const name of files) {
    const [folder, ...rest] = name.split('/');
    if (rest.length === 0) continue;
    assert.ok(MAY_IMPORT[folder], `${folder} is no room of Public/js`);
    for (const target of importsOf(name)) {
      checked += 1;
      assert.ok(MAY_IMPORT[folder].includes(target.split('/')[0]), `${name} must not import ${target}`);
      assert.ok(source.has(target), `${name} imports ${target}, which is not there`);
    }
  }
  assert.ok(checked > 10);
});

test('no file writes HTML or evaluates text (SECURITY 3, 10)', () => {
  const forbidden = [
    'innerHTML', 'outerHTML', 'insertAdjacentHTML', 'document.write', 'createContextualFragment', 'DOMParser',
    'setHTML', 'parseHTMLUnsafe', 'srcdoc', 'new Function', 'eval(', "setAttribute('style'", 'setAttribute("style"',
  ];
  for (const [name, text] of source) {
    for (const word of forbidden) assert.ok(!text.includes(word), `${name} uses ${word}`);
  }
});

test('the crypto of secure origins is not needed (works on insecure origins)', () => {
  for (const [name, text] of source) {
    const code = text.replaceAll(/\/\*[^]*?\*\//g, '');
    assert.ok(!/crypto\.(randomUUID|subtle)/.test(code), name);
  }
});

test('no import goes round in a circle', () => {
  const visiting = new Set();
  const done = new Set();
  const visit = (name) => {
    if (done.has(name)) return;
    assert.ok(!visiting.has(name), `${name} imports itself by a detour`);
    visiting.add(name);
    for (const target of importsOf(name)) visit(target);
    visiting.delete(name);
    done.add(name);
  };
  for (const name of files) if (name.includes('/')) visit(name);
});

test('the logic of the first page is at most eighteen modules', () => {
  const seen = new Set();
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    // What is imported with `import()` comes later.
    importsOf(name, /\b(?:from|import)\s*(['"`])([^'"`]+)\1/g).forEach(visit);
  };
  const first = ['services/client.js', 'viewmodels/chatListViewModel.js', 'viewmodels/connectionViewModel.js',
    'viewmodels/shellViewModel.js'];
  first.forEach(visit);
  assert.ok(seen.size <= 18, [...seen].join(' '));
});

test('files stay under 300 lines', () => {
  for (const [name, text] of source) assert.ok(text.split('\n').length <= 301, `${name} is too long`);
});
