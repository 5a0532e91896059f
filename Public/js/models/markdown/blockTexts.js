/** What closed blocks become: nodes of the tree, and texts that the second pass reads. */
import { trim, trimEnd } from './characters.js';
import { normalLabel, readCells, readDefinition } from './syntax.js';

/** @typedef {import('./blocks.js').Leaf} Leaf */
/**
 * A text to read, and the member of a node that it fills.
 * @typedef {{node: any, key: string|number, text: string}} Reading
 */
/** @typedef {Reading[]} Texts in the order of the document */

const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;
const TASK = /^\[([ xX])\][ \t]+/;
/** The cells that a message's rows may lack beside its head; a row that lacks more ends its table. */
const LACKING_CELLS = 10_000;

export class BlockTexts {
  #entities;
  #lacking = 0;
  /**
   * First paragraphs that may make their quote an alert.
   * @type {Map<object, Reading>}
   */
  #alerts = new Map();
  /** @type {Texts} */
  texts = [];
  /**
   * Link reference definitions by normal label.
   * @type {Map<string, {href: string, title: string}>}
   */
  definitions = new Map();
  /**
   * By normal label; numbered when a reference is met.
   * @type {Map<string, import('./parse.js').Numbered>}
   */
  footnotes = new Map();

  /** @param {import('./characters.js').Entities} entities @param {boolean} strict */
  constructor(entities, strict) {
    this.#entities = entities;
    this.strict = strict;
  }

  /** @param {import('./containers.js').Frame} parent @param {Leaf} leaf */
  addLeaf({ kind, node: { children }, node, texts }, leaf) {
    const { lines } = leaf;
    if (leaf.kind === 'paragraph') {
      const task = kind === 'item' && children.length === 0 && lines.length > 0 ? TASK.exec(lines[0]) : null;
      if (task) {
        node.checked = task[1] !== ' ';
        lines[0] = lines[0].slice(task[0].length);
        if (lines[0] === '') lines.shift();
      }
      const text = this.#withoutDefinitions(trimEnd(lines.join('\n')));
      if (text === '' && !task) return;
      const paragraph = { type: 'paragraph', children: [] };
      children.push(paragraph);
      const added = { node: paragraph, key: 'children', text };
      texts.push(added);
      if (text.startsWith('[!')) this.#alerts.set(paragraph, added);
    } else if (leaf.kind === 'table') this.#addTable(children, texts, leaf);
    else if (leaf.kind === 'html') {
      let end = lines.length;
      while (end > 0 && trim(lines[end - 1]) === '') end -= 1;
      children.push({ type: 'htmlBlock', text: lines.slice(0, end).join('\n') });
    } else {
      let end = lines.length;
      if (leaf.kind === 'code') while (end > 0 && trim(lines[end - 1]) === '') end -= 1;
      const text = end === 0 ? '' : `${lines.slice(0, end).join('\n')}\n`;
      children.push({ type: 'codeBlock', info: this.#entities.unescape(leaf.info ?? ''), text });
    }
  }

  /** @param {import('./containers.js').Frame} parent @param {number} level @param {string} text */
  addHeading({ node: { children }, texts }, level, text) {
    const node = { type: 'heading', level, children: [] };
    children.push(node);
    texts.push({ node, key: 'children', text });
  }

  /** Makes an open paragraph a heading. Not if it has nothing but definitions: then they are taken out of it. */
  headParagraph(parent, leaf, level) {
    const text = this.#withoutDefinitions(trimEnd(leaf.lines.join('\n')));
    leaf.lines = text === '' ? [] : [text];
    if (text !== '') this.addHeading(parent, level, text);
    return text !== '';
  }

  /** The text of a paragraph behind the definitions that it starts with. */
  #withoutDefinitions(text) {
    let at = 0;
    while (text[at] === '[') {
      const found = readDefinition(text, at);
      if (!found) break;
      const label = normalLabel(found.label);
      const { href, title } = found;
      if (!this.definitions.has(label)) {
        const unescape = (part) => this.#entities.unescape(part);
        this.definitions.set(label, { href: unescape(href), title: unescape(title) });
      }
      at = found.end;
    }
    return at === 0 ? text : text.slice(at);
  }

  /**
   * @param {(string|null)[]} columns @param {string} head
   * @returns {Leaf|null} null if the head has another number of cells
   */
  openTable(columns, head) {
    const cells = readCells(head);
    return cells.length === columns.length ? { kind: 'table', lines: [], columns, rows: [cells] } : null;
  }

  /** @param {Leaf} table @param {string} line @returns {boolean} whether the table goes on */
  addRow(table, line) {
    const { columns = [], rows = [] } = table;
    const cells = readCells(line);
    this.#lacking += Math.max(0, columns.length - cells.length);
    if (this.#lacking > LACKING_CELLS) return false;
    cells.length = Math.min(cells.length, columns.length);
    rows.push(cells);
    return true;
  }

  #addTable(children, texts, { columns = [], rows = [] }) {
    children.push({ type: 'table', columns, rows });
    for (const row of rows) {
      for (const [key, text] of row.entries()) texts.push({ node: row, key, text });
    }
  }

  /** @param {string} label @returns {{node: {children: any[]}, texts: Texts}} */
  addFootnote(label) {
    const key = normalLabel(label);
    const node = { label, children: [], texts: [], number: 0, occurrences: 0 };
    if (!this.footnotes.has(key)) this.footnotes.set(key, node);
    return { node, texts: node.texts };
  }

  /** A quote that starts with a line like `[!NOTE]` and goes on is an alert. */
  closeQuote(quote) {
    const first = this.strict ? undefined : this.#alerts.get(quote.children[0]);
    const mark = first && ALERT.exec(first.text);
    if (!mark || !first) return;
    const text = first.text.slice(mark[0].length);
    if (text === '' && quote.children.length === 1) return;
    first.text = text;
    if (text === '') quote.children.shift();
    quote.type = 'alert';
    quote.kind = mark[1].toLowerCase();
  }
}
