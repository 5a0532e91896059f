// Reports what the type checker does not (types.mjs): unused exports, `==`, `var`, leftovers of debugging, and lines of
// more than 120 columns.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const filesBelow = (folder, ending = /\.js$/u) => readdirSync(join(root, folder), { recursive: true })
  .filter((name) => ending.test(name)).map((name) => join(folder, name)).sort();

/** The code without its comments and, with `texts`, the contents of its literals; all lines stay where they are. */
function codeOf(source, { texts = false } = {}) {
  const token = /\/\*[^]*?\*\/|(?<=^|[\s;,(){}])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/gu;
  return source.replaceAll(token, (part) => {
    if (part.startsWith('/')) return part.replaceAll(/[^\n]/gu, ' ');
    return texts ? `${part[0]}${part[0]}` : part;
  });
}

/** The names that a module exports. */
function exportsOf(code) {
  const declared = [...code.matchAll(/^export (?:async )?(?:function\*?|class|const|let) (\w+)/gmu)]
    .map(([, name]) => name);
  const lists = [...code.matchAll(/^export \{([^}]*)\}/gmu)].flatMap(([, list]) => list.split(','));
  return [...declared, ...lists.map((item) => item.trim().split(/\s+as\s+/u).at(-1)).filter(Boolean)];
}

/** What a module takes of others: `[path, name]`, with the name `*` for all. */
function importsOf(path, code) {
  const target = (specifier) => normalize(join(dirname(path), specifier.split('?')[0]));
  const namesIn = (list) => list.split(',').map((item) => item.trim().split(/\s+as\s+|\s*:\s*/u)[0]).filter(Boolean);
  const found = [];
  for (const [, list, specifier] of code.matchAll(/^(?:import|export)\s+\{([^}]*)\}\s+from '(\.[^']+)'/gmu)) {
    for (const name of namesIn(list)) found.push([target(specifier), name]);
  }
  for (const [, specifier] of code.matchAll(/^import \* as \w+ from '(\.[^']+)'/gmu)) {
    found.push([target(specifier), '*']);
  }
  // `import()` is followed through its destructuring, or the member that is read of it; else the name decides.
  for (const [, specifier] of code.matchAll(/\bimport\(\s*[`'](\.[^'`]+)[`']/gu)) found.push([target(specifier), '?']);
  return found;
}

const findings = [];
const report = (path, line, text) => findings.push(`${path}:${line}: ${text}`);
const lineOf = (source, index) => source.slice(0, index).split('\n').length;

const own = [...filesBelow('Public/js'), ...filesBelow('Public/worker')];
const tests = filesBelow('Tests/js');
const sources = new Map([...own, ...tests].map((path) => [path, readFileSync(join(root, path), 'utf8')]));
const code = new Map([...sources].map(([path, source]) => [path, codeOf(source)]));

for (const [path, source] of sources) {
  const bare = codeOf(source, { texts: true });
  for (const match of bare.matchAll(/[^=!<>]([=!]=)(?!=)|\b(var)\s|\b(debugger)\b|\b(console)\./gu)) {
    report(path, lineOf(bare, match.index), `uses ${match.slice(1).find(Boolean)}`);
  }
}

/** Swift and JavaScript keep the same line length (`.swift-format`), counted in characters. */
const COLUMNS = 120;
const others = ['Tests/fuzz', 'Tests/tools'].flatMap((folder) => filesBelow(folder, /\.m?js$/u));
for (const path of [...sources.keys(), ...others]) {
  for (const [index, line] of readFileSync(join(root, path), 'utf8').split('\n').entries()) {
    if ([...line].length > COLUMNS) report(path, index + 1, `has ${[...line].length} columns, more than ${COLUMNS}`);
  }
}

/** An export is used by another file of the app, or by a test. */
const used = new Map();
const loaded = new Map();
for (const path of own) {
  for (const [target, name] of importsOf(path, code.get(path))) {
    if (name === '?') loaded.set(target, [...(loaded.get(target) ?? []), path]);
    else used.set(`${target} ${name}`, path);
  }
}
for (const path of own) {
  // A translation exports what it translates.
  const twin = path.replace(/languages\/\w+\//u, 'models/');
  for (const name of exportsOf(code.get(path))) {
    if (used.has(`${twin} ${name}`) || used.has(`${twin} *`)) continue;
    const word = new RegExp(`\\b${name}\\b`, 'u');
    if ((loaded.get(twin) ?? []).some((other) => word.test(code.get(other)))) continue;
    const isTested = tests.some((test) => importsOf(test, code.get(test)).some(([target, what]) => target === twin
      && (what === name || what === '*' || what === '?')) && word.test(code.get(test)));
    if (isTested) continue;
    const declared = new RegExp(`^export .*\\b${name}\\b`, 'mu');
    report(path, lineOf(code.get(path), code.get(path).search(declared)), `nobody uses ${name}`);
  }
}

for (const finding of findings) console.log(finding);
console.log(findings.length === 0 ? `${sources.size} files, nothing found` : `${findings.length} findings`);
process.exitCode = findings.length === 0 ? 0 : 1;
