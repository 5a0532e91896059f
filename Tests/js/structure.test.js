import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { limits } from '../../Public/js/models/limits.js';

const root = fileURLToPath(new URL('../../Public/js', import.meta.url));
const files = readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.js'))
  .map((name) => normalize(name));
const source = new Map(files.map((name) => [name, readFileSync(join(root, name), 'utf8')]));

const MAY_IMPORT = {
  models: ['models'],
  languages: ['languages'],
  services: ['models', 'services'],
  viewmodels: ['models', 'viewmodels'],
  views: ['models', 'views'],
  pages: ['models', 'services', 'viewmodels', 'views', 'pages'],
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

test('imports follow the layers of MVVM', () => {
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

test('no two files of different layers share a name', () => {
  const places = new Map();
  for (const name of files) {
    // A translation has the same name as its catalogue.
    if (name.startsWith('languages/')) continue;
    const before = places.get(basename(name)) ?? name;
    assert.equal(before.split('/')[0], name.split('/')[0], `${before} and ${name} share a name`);
    places.set(basename(name), name);
  }
});

test('no file writes HTML or evaluates text', { shows: ['control 3', 'control 10'] }, () => {
  const forbidden = [
    'innerHTML', 'outerHTML', 'insertAdjacentHTML', 'document.write', 'createContextualFragment', 'DOMParser',
    'setHTML', 'parseHTMLUnsafe', 'srcdoc', 'new Function', 'eval(', "setAttribute('style'", 'setAttribute("style"',
  ];
  for (const [name, text] of source) {
    for (const word of forbidden) assert.ok(!text.includes(word), `${name} uses ${word}`);
  }
});

test('the crypto API of secure origins is not required (works on insecure origins)', () => {
  for (const [name, text] of source) {
    const code = text.replaceAll(/\/\*[^]*?\*\//g, '');
    assert.ok(!/crypto\.(randomUUID|subtle)/.test(code), name);
  }
});

test('there are no circular imports', () => {
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

test('the first page’s logic has at most twenty modules', () => {
  const seen = new Set();
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    // `import()` loads later.
    importsOf(name, /\b(?:from|import)\s*(['"`])([^'"`]+)\1/g).forEach(visit);
  };
  const first = ['services/client.js', 'viewmodels/chatListViewModel.js', 'viewmodels/connectionViewModel.js',
    'viewmodels/shellViewModel.js'];
  first.forEach(visit);
  assert.ok(seen.size <= 20, [...seen].join(' '));
});

test('files stay under 300 lines', () => {
  for (const [name, text] of source) assert.ok(text.split('\n').length <= 301, `${name} is too long`);
});

test('the page contains each limit that the code checks', () => {
  const shell = readFileSync(new URL('../../Sources/Web/Pages/Shell.swift', import.meta.url), 'utf8');
  const stated = [...shell.matchAll(/\("(\w+)", \w+(?:Rules|Parser)\.\w+\)/gu)];
  assert.deepEqual(stated.map(([, name]) => name), Object.keys(limits));
});
