import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { namedEntity } from '../../Public/js/models/markdown/namedEntities.js';
import { parseMarkdown } from '../../Public/js/models/markdown/parse.js';
import { escapeHTML, writeHTML } from '../tools/markdownHTML.mjs';
import { examplesOf } from './support/specifications.js';

const AUTOLINK = 'GFM’s extended autolinks make a link of an address that this example leaves as text';
const NESTED = 'CommonMark’s examples nest strong emphasis in strong emphasis, GFM’s flatten it';
/** The examples whose answers contradict the other specification, with the reason. */
const CONTRADICTIONS = {
  commonmark: new Map([602, 606, 608, 611, 612].map((number) => [number, AUTOLINK])),
  gfm: new Map([
    ...[398, 426, 434, 435, 436, 473, 474, 475, 477].map((number) => [number, NESTED]),
    ...[610, 614, 616, 619, 620].map((number) => [number, AUTOLINK]),
  ]),
};
/** The tags that GFM's tag filter escapes; here all raw HTML is escaped. */
const FILTERED = /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)\b)/giu;
const [RAW, END] = ['\u0001', '\u0002'];

/** The HTML of an example with marks around raw HTML. */
function markedHTML({ markdown, extension }) {
  const document = parseMarkdown(markdown, { strict: true, entity: namedEntity });
  return writeHTML(document, (html) => {
    const written = extension === 'tagfilter' ? html.replaceAll(FILTERED, '&lt;') : html;
    return `${RAW}${written}${END}`;
  });
}
const withoutMarks = (html) => html.replaceAll(/[\u0001\u0002]/gu, '');
/** The expected answer with its raw HTML escaped: the marks say where in the answer it is. */
const escaped = (marked) =>
  marked.replaceAll(/\u0001([^]*?)\u0002/gu, (_, html) => escapeHTML(html.replaceAll('&lt;', '<')));

/** Strong emphasis directly or deeper in strong emphasis is dropped. */
function flattened(html) {
  let depth = 0;
  return html.replaceAll(/<(\/?)strong>/gu, (tag, closes) => {
    depth += closes ? -1 : 1;
    return depth === (closes ? 0 : 1) ? tag : '';
  });
}

const tool = fileURLToPath(new URL('../tools/markdown.mjs', import.meta.url));
const start = (...options) => spawn(process.execPath, [tool, ...options], { stdio: ['pipe', 'pipe', 'inherit'] });

async function answersOfTool(examples) {
  const child = start('--strict', '--lines');
  const answered = text(child.stdout);
  child.stdin.end(examples.map(({ markdown }) => `${JSON.stringify(markdown)}\n`).join(''));
  return (await answered).trimEnd().split('\n').map((line) => JSON.parse(line));
}

for (const [name, title, count] of [['commonmark', 'CommonMark 0.31.2', 652], ['gfm', 'GFM 0.29', 672]]) {
  const contradictions = CONTRADICTIONS[name];

  test(`${title}: every example is answered as the specification says`, { shows: ['K5'] }, (t) => {
    const examples = examplesOf(name);
    assert.equal(examples.length, count);
    let passed = 0;
    for (const example of examples) {
      const { number, markdown, html } = example;
      const answer = withoutMarks(markedHTML(example));
      const reason = contradictions.get(number);
      if (!reason) {
        assert.equal(answer, html, `example ${number}: ${JSON.stringify(markdown)}`);
        passed += 1;
        continue;
      }
      // What contradicts is all that differs.
      assert.notEqual(answer, html, `example ${number} passes: ${reason}`);
      const undone = reason === NESTED ? flattened(answer) : answer.replaceAll(/<a [^>]*>|<\/a>/gu, '');
      assert.equal(undone, html, `example ${number}: ${reason}`);
      t.diagnostic(`${title}, example ${number} is not: ${reason}`);
    }
    t.diagnostic(`${title}: ${passed} of ${examples.length} examples passed, ${contradictions.size} contradict`);
    assert.equal(passed + contradictions.size, count);
  });

  test(`${title}: the tool answers every example, raw HTML escaped`, { shows: ['K5'] }, async () => {
    const examples = examplesOf(name);
    const answers = await answersOfTool(examples);
    assert.equal(answers.length, count);
    for (const [index, example] of examples.entries()) {
      const marked = markedHTML(example);
      if (!contradictions.has(example.number)) assert.equal(withoutMarks(marked), example.html);
      assert.equal(answers[index], escaped(marked), `example ${example.number}`);
    }
  });
}

test('the tool answers each line when it arrives, whatever characters it has', async () => {
  const child = start('--lines');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const [markdown, html] of [['a\nb', '<p>a<br />\nb</p>\n'], ['a\u2028b\u0085c', '<p>a\u2028b\u0085c</p>\n']]) {
    child.stdin.write(`${JSON.stringify(markdown)}\n`);
    assert.equal(JSON.parse((await answers.next()).value), html);
  }
  child.stdin.end('"without a newline"');
  assert.equal(JSON.parse((await answers.next()).value), '<p>without a newline</p>\n');
});

test('the tool reads a text as it is, too', async () => {
  const child = start('--repository', 'octo/repo');
  child.stdin.end('#1 :tada: &eacute;');
  assert.equal(await text(child.stdout),
    '<p><a class="issue-link" href="https://github.com/octo/repo/issues/1">#1</a> 🎉 é</p>\n');
});
