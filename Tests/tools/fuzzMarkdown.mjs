// Parses random and mutated Markdown and checks what must hold for every text: no crash, a well-formed tree, no
// forbidden address, no lost word. Prints the number of inputs and the worst time.
//   node Tests/tools/fuzzMarkdown.mjs [--seed N] [--seconds N]
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { isLinkable } from '../../Public/js/models/markdown/addresses.js';
import { namedEntity } from '../../Public/js/models/markdown/namedEntities.js';
import { parseMarkdown } from '../../Public/js/models/markdown/parse.js';
import { HARD } from './markdownHard.mjs';
import { writeHTML } from './markdownHTML.mjs';

const PARTS = [
  ...'*_`~[]()<>!|#-+=:.,"\'\\&@/ \n\t', '**', '***', '__', '``', '```', '~~', '~~~', '![', '](', '](/u)', '](<u>)',
  '[a]', '[a]: /u\n', '[^1]', '[^1]: ', '\n\n', '\n', '\n', '  \n', '\\\n', '    ', '- ', '+ ', '* ', '1. ', '2) ',
  '> ', '# ', '###### ', '---', '===', '***\n', '- [ ] ', '- [x] ', '<b>', '</b>', '<div>', '<!--', '-->',
  '<a href="', '&amp;', '&#35;', '&nbsp;', 'a | b\n', '-|-\n', '| - |\n', ':-:', '\\|', 'http://a.b/c',
  'https://github.com/o/r/issues/1', 'www.a.b', 'x@y.z', '@ada', 'o/r#1', '#2', 'GH-3', 'a5c3785ed8', ':tada:',
  '> [!NOTE]\n', 'javascript:', 'data:', 'é', '“', '😀', '\ud83d', '\0', '\r\n', '\u00a0', '\u202e', 'ﬀ',
];
const TYPES = new Set([
  'paragraph', 'heading', 'rule', 'codeBlock', 'htmlBlock', 'quote', 'alert', 'list', 'item', 'table',
  'emphasis', 'strong', 'strike', 'code', 'html', 'break', 'link', 'image', 'mention', 'footnote', 'reference',
]);

/** A tag that the writer of HTML does not make. */
const OTHER_TAG = new RegExp('<(?!/?(?:p|h[1-6]|pre|code|blockquote|div|ul|ol|li|table|thead|tbody|tr|th|td|em|strong|'
  + 'del|a|sup|section|hr|br|img|input)[ >])');

/** Random numbers below 1 that a seed decides (a linear congruence). */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Endless texts of a seed: random ones, and others with random changes. @param {number} seed */
export function* markdownTexts(seed) {
  const random = randomNumbers(seed);
  const below = (bound) => Math.floor(random() * bound);
  const one = (list) => list[below(list.length)];
  const hard = Object.values(HARD);
  let number = 0;
  const part = () => {
    number += 1;
    return random() < 0.25 ? `word${number}x ` : one(PARTS);
  };
  const compose = () => Array.from({ length: 1 + below(40) }, part).join('');
  const mutate = (text) => {
    let changed = text;
    for (let left = 1 + below(6); left > 0; left -= 1) {
      const at = below(changed.length + 1);
      const end = at + below(20);
      const inserted = [part(), changed.slice(at, end).repeat(1 + below(3)), '', compose()][below(4)];
      changed = changed.slice(0, at) + inserted + changed.slice(random() < 0.5 ? at : end);
    }
    return changed.slice(0, 20_000);
  };
  let text = compose();
  for (;;) {
    yield text;
    const kind = below(10);
    if (kind === 0) text = mutate(one(hard)(200 + below(2000)));
    else text = kind < 5 ? mutate(text) : compose();
    if (text.length > 4000) text = text.slice(below(2000), 4000);
  }
}

/** What a tree says, in one string: texts, addresses, titles, labels. */
function checkedText(document, strict) {
  const said = [];
  const left = [...document.children, ...document.footnotes.flatMap(({ label, children }) => [label, ...children])]
    .map((node) => ({ node, isInLink: false }));
  const fail = (what, node) => { throw new Error(`${what}: ${JSON.stringify(node).slice(0, 200)}`); };
  while (left.length > 0) {
    const { node, isInLink } = left.pop();
    if (typeof node === 'string') {
      if (node === '') fail('an empty text', node);
      said.push(node);
      continue;
    }
    if (!TYPES.has(node.type)) fail('an unknown node', node);
    if (node.type === 'heading' && !(node.level >= 1 && node.level <= 6)) fail('no such level', node);
    if (node.type === 'footnote' && !document.footnotes[node.number - 1]) fail('no such footnote', node);
    if ('href' in node && !isLinkable(node.href, strict)) fail('a forbidden address', node);
    const isLink = ['link', 'reference', 'mention'].includes(node.type);
    if (isLink && isInLink) fail('a link in a link', node);
    for (const key of ['text', 'href', 'title', 'info', 'label', 'name', 'path']) if (node[key]) said.push(node[key]);
    const isTooWide = node.type === 'table' && node.rows.some((row) => row.length > node.columns.length);
    if (isTooWide) fail('too many cells', node);
    const children = node.children ?? (node.type === 'table' ? node.rows.flat(2) : []);
    for (const child of children) left.push({ node: child, isInLink: isInLink || isLink });
  }
  return said.join('\n');
}

/** Throws an error if something does not hold for a text. */
export function checkMarkdown(markdown) {
  for (const strict of [false, true]) {
    const options = {
      strict, entity: namedEntity, emoji: (name) => (name === 'tada' ? '🎉' : null),
      repository: { owner: 'o', repo: 'r' }, mentions: (name) => name === 'ada',
    };
    const document = parseMarkdown(markdown, options);
    const said = checkedText(document, strict);
    // Definitions and the surplus cells of tables are the only words that a reader does not see.
    if (!markdown.includes(']:') && !markdown.includes('|')) {
      for (const [word] of markdown.matchAll(/word\d+x/g)) {
        if (!said.includes(word)) throw new Error(`${word} is lost`);
      }
    }
    const html = writeHTML(document);
    // Raw HTML is text: every tag is one that the writer makes.
    if (OTHER_TAG.test(html)) throw new Error(`raw HTML: ${html.slice(html.search(OTHER_TAG)).slice(0, 80)}`);
  }
}

/**
 * @param {number} seed @param {(count: number) => boolean} goesOn
 * @returns {{count: number, characters: number, worst: number, worstText: string}} `worst` in milliseconds for 10,000
 *   characters, of texts that have at least 1,000
 */
export function fuzz(seed, goesOn) {
  const found = { count: 0, characters: 0, worst: 0, worstText: '' };
  for (const markdown of markdownTexts(seed)) {
    if (!goesOn(found.count)) return found;
    const before = performance.now();
    try {
      parseMarkdown(markdown);
      const time = (performance.now() - before) / (Math.max(1000, markdown.length) / 10_000);
      checkMarkdown(markdown);
      if (time > found.worst) Object.assign(found, { worst: time, worstText: markdown });
    } catch (error) {
      throw new Error(`seed ${seed}, input ${found.count}: ${JSON.stringify(markdown)}`, { cause: error });
    }
    found.count += 1;
    found.characters += markdown.length;
  }
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, seconds: { type: 'string', default: '20' } } });
  const seed = Number(values.seed ?? Date.now() % 2 ** 32);
  const end = performance.now() + Number(values.seconds) * 1000;
  const { count, characters, worst, worstText } = fuzz(seed, () => performance.now() < end);
  console.log(`seed ${seed}: ${count} inputs, ${characters} characters, nothing found`);
  console.log(`worst: ${worst.toFixed(2)} ms for 10,000 characters like ${JSON.stringify(worstText.slice(0, 80))}`);
}
