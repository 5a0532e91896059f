// Measures the Markdown parser and the colours of code, and prints milliseconds. Nothing is judged: on a busy machine
// the figures are larger.
//   node Tests/tools/markdownTimes.mjs [--all]   --all prints each family of hard inputs, else the ten slowest
import { namedEntity } from '../../Public/js/models/markdown/namedEntities.js';
import { highlight } from '../../Public/js/models/highlight/highlight.js';
import { parseMarkdown } from '../../Public/js/models/markdown/parse.js';
import { HARD } from './markdownHard.mjs';

const options = { entity: namedEntity, emoji: () => null, repository: { owner: 'o', repo: 'r' } };
const LENGTHS = [5000, 10_000, 20_000, 40_000];
const ORDINARY = `Ordinary people write *ordinary* words, with a \`code\` span now and then, an address such as
https://example.org/page or [a name](https://example.org), and mention @ada or octo/repo#12.

- one thing
- another, with **weight**

> They quote, too.

\`\`\`js
const answer = 42;
\`\`\`

`;

/** The best of some runs. */
function time(text, runs = 7) {
  let best = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const before = performance.now();
    parseMarkdown(text, options);
    best = Math.min(best, performance.now() - before);
  }
  return best;
}

const column = (value) => value.toFixed(2).padStart(8);
const ordinary = ORDINARY.repeat(Math.ceil(10_000 / ORDINARY.length)).slice(0, 10_000);
const first = time(ordinary, 1);
console.log(`10,000 characters of ordinary text: ${column(time(ordinary, 30))} ms, the first time ${column(first)} ms`);
console.log(`a short message: ${(time('See you at eight, then.', 2000) * 1000).toFixed(1)} µs`);
console.log(`characters:${LENGTHS.map((length) => String(length).padStart(8)).join(' ')}`);
const rows = Object.entries(HARD).map(([name, make]) => [name, LENGTHS.map((length) => time(make(length)))]);
rows.sort(([, one], [, other]) => other[1] - one[1]);
for (const [name, times] of process.argv.includes('--all') ? rows : rows.slice(0, 10)) {
  console.log(`${times.map(column).join(' ')}  ${name}`);
}

const PARTS = [
  '"', "'", '`', '/*', '*/', '//a', '#', '"""', '\\', 'a', 'A(', '0', '$', '@', '<', '<!--', ':', '- a', 'a:', ' ', '{',
  'r#"', '\n', '\t', '=', '/', '[', 'a"', '#{', '--', '(*', '%', '>', '0x', '1e', 'a b', '"\\', '/=', '.a',
  'a: b;', ' a', '](',
];
const languages = 'swift js ts python go rust c cpp csharp java kotlin ruby php shell sql html css json yaml toml '

   + 'dockerfile makefile diff console powershell objc scala dart groovy zig proto graphql cmake lua perl r '
  + 'julia elixir erlang '
  + 'haskell ocaml fsharp clojure nix vim scss ini hcl nginx http markdown latex git log';
let worst = { time: 0, name: '' };
for (const info of languages.split(' ')) {
  await highlight('a', info);
  for (const part of PARTS) {
    const text = part.repeat(10_000 / part.length);
    let took = Infinity;
    for (let run = 0; run < 3; run += 1) {
      const before = performance.now();
      await highlight(text, info);
      took = Math.min(took, performance.now() - before);
    }
    if (took > worst.time) worst = { time: took, name: `${info}, ${JSON.stringify(part)}` };
  }
}
console.log(`colours: worst of 10,000 characters ${worst.time.toFixed(2)} ms (${worst.name})`);
