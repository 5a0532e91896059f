// Reads Markdown from standard input and writes the HTML in which the specifications' examples are given. Raw HTML
// comes out as text.
//   node Tests/tools/markdown.mjs [--strict] [--lines] [--repository OWNER/REPO] <text.md
//   --strict      without what GitHub adds: line breaks, alerts, footnotes, shortcodes, references
//   --lines       each line in is a JSON string of Markdown, each line out a JSON string of HTML
//   --repository  what #12 and commit ids belong to
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { shortcode } from '../../Public/js/models/emojiNames.js';
import { namedEntity } from '../../Public/js/models/markdown/namedEntities.js';
import { parseMarkdown } from '../../Public/js/models/markdown/parse.js';
import { writeHTML } from './markdownHTML.mjs';

const { values: { strict, lines, repository: named } } = parseArgs({
  options: {
    strict: { type: 'boolean', default: false },
    lines: { type: 'boolean', default: false },
    repository: { type: 'string' },
  },
});
const [owner, repo] = named?.split('/') ?? [];
const options = { strict, entity: namedEntity, emoji: shortcode, repository: repo ? { owner, repo } : null };
const htmlOf = (markdown) => writeHTML(parseMarkdown(markdown, options));

/** The lines of the input as they arrive. Only newlines end one: JSON may contain the separators of Unicode. */
async function* inputLines() {
  let rest = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    const complete = chunk.split('\n');
    complete[0] = rest + complete[0];
    rest = complete.pop();
    yield* complete;
  }
  yield rest;
}

if (lines) {
  for await (const line of inputLines()) {
    if (line.trim() === '') continue;
    if (!process.stdout.write(`${JSON.stringify(htmlOf(JSON.parse(line)))}\n`)) await once(process.stdout, 'drain');
  }
} else process.stdout.write(htmlOf(await text(process.stdin)));
