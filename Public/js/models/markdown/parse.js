/**
 * Markdown as GitHub renders a comment, from text to a tree of plain values: CommonMark 0.31.2; GFM's tables, task
 * lists, strikethrough and autolinks; and unless `strict`, line breaks, alerts, footnotes, emoji and references. Time
 * grows with the length of the text alone.
 */
import { shorten } from './addresses.js';
import { BlockTexts } from './blockTexts.js';
import { Blocks } from './blocks.js';
import { Entities } from './characters.js';
import { Inlines } from './inlines.js';
import { References } from './references.js';
import { normalLabel } from './syntax.js';

/** @typedef {import('./tree.js').Footnote & {number: number, texts: import('./blockTexts.js').Texts}} Numbered */

/** @param {string} text @param {import('./tree.js').Options} [options] @returns {import('./tree.js').Document} */
export function parseMarkdown(text, options = {}) {
  const { strict = false, repository = null } = options;
  const entities = new Entities(options.entity);
  const references = new References(options);
  const closed = new BlockTexts(entities, strict);
  const children = new Blocks(closed).parse(text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd'));
  /** @type {Numbered[]} */
  const footnotes = [];
  /** @returns {import('./tree.js').FootnoteReference|null} */
  const footnote = (label) => {
    const found = closed.footnotes.get(normalLabel(label));
    if (!found) return null;
    if (found.number === 0) found.number = footnotes.push(found);
    found.occurrences += 1;
    return { type: 'footnote', number: found.number, occurrence: found.occurrences, label: found.label };
  };
  const context = {
    strict, entities, definitions: closed.definitions, footnote,
    readText: (part, isInLink) => references.read(part, isInLink),
    shorten: (href, part) => (strict || href !== part ? null : shorten(href, repository)),
  };
  const read = (texts) => {
    for (const { node, key, text: part } of texts) node[key] = part === '' ? [] : new Inlines(part, context).read();
  };
  read(closed.texts);
  // Footnotes may refer to further ones, which join the list.
  for (const { texts } of footnotes) read(texts);
  return {
    children,
    footnotes: footnotes.map(({ label, occurrences, children: blocks }) => ({ label, occurrences, children: blocks })),
    missing: { entities: entities.missing, emoji: references.missing },
  };
}
