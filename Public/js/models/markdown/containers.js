/** What a line is matched against: the line itself, consumed in columns, and the open containers, outermost first. */
import { isBlank } from './characters.js';

export const TAB = 4;

export class Line {
  #at = 0;
  #column = 0;
  /** Whether the tab at `#at` is consumed in part. */
  #isInTab = false;
  #textAt = -1;
  #textColumn = 0;
  text = '';
  /** Where a search for a thematic break ended in vain. */
  noRuleBefore = 0;

  /** @param {string} text */
  start(text) {
    this.text = text;
    this.#at = this.#column = this.noRuleBefore = 0;
    this.#textAt = -1;
    this.#isInTab = false;
  }

  /** The position of the first character that is no space or tab. It is kept, so that deep indents are read once. */
  get textAt() {
    if (this.#textAt >= this.#at) return this.#textAt;
    const { text } = this;
    let at = this.#at;
    let column = this.#column;
    for (let code = text.charCodeAt(at); isBlank(code); code = text.charCodeAt(at)) {
      column += code === 0x09 ? TAB - (column % TAB) : 1;
      at += 1;
    }
    this.#textColumn = column;
    this.#textAt = at;
    return at;
  }

  /** The columns before the text. */
  get indent() {
    return this.textAt < 0 ? 0 : this.#textColumn - this.#column;
  }

  get isBlank() {
    return this.textAt === this.text.length;
  }

  /** Consumes the indent and a number of characters. @param {number} length */
  toText(length = 0) {
    const at = this.textAt;
    this.#column = this.#textColumn + length;
    this.#at = at + length;
    this.#isInTab = false;
  }

  /** Consumes columns of the indent, as many as there are. @param {number} columns */
  advance(columns) {
    const { text } = this;
    for (let left = columns; left > 0 && isBlank(text.charCodeAt(this.#at));) {
      const isTab = text.charCodeAt(this.#at) === 0x09;
      const width = isTab ? TAB - (this.#column % TAB) : 1;
      const step = Math.min(left, width);
      this.#column += step;
      this.#isInTab = isTab && step < width;
      if (!this.#isInTab) this.#at += 1;
      left -= step;
    }
  }

  /** What is not consumed; the rest of a tab becomes spaces. */
  get rest() {
    if (!this.#isInTab) return this.text.slice(this.#at);
    return ' '.repeat(TAB - (this.#column % TAB)) + this.text.slice(this.#at + 1);
  }

  /** The text without its indent. */
  get trimmed() {
    return this.text.slice(this.textAt);
  }
}

/**
 * @typedef {object} Frame
 * @property {'document'|'quote'|'item'|'footnote'} kind
 * @property {any} node
 * @property {number} indent the columns that continue an item or a footnote
 * @property {number} columns the sum of all indents down to here
 * @property {number} quotes the number of quotes down to here
 * @property {import('./blockTexts.js').Texts} texts where its texts go
 * @property {boolean} isStarted whether it has blocks, open ones too
 * @property {any} list the list that an item is in
 * @property {{type: string, node: any}|null} openList the list that another item continues
 */

/**
 * @param {Frame['kind']} kind @param {any} node @param {number} indent
 * @param {{columns: number, quotes: number, texts: import('./blockTexts.js').Texts}} parent
 * @returns {Frame}
 */
const frame = (kind, node, indent, { columns, quotes, texts }) => ({
  kind, node, indent, columns: columns + indent, quotes: kind === 'quote' ? quotes + 1 : quotes, texts,
  isStarted: false, list: null, openList: null,
});

export class Containers {
  #closed;
  /** @type {Frame[]} */
  frames;
  /**
   * The depths of the open quotes.
   * @type {number[]}
   */
  quoteDepths = [];
  /** How many quotes the last line matched if it was blank, else -1. */
  blankQuotes = -1;

  /** @param {import('./blockTexts.js').BlockTexts} closed */
  constructor(closed) {
    this.#closed = closed;
    this.frames = [frame('document', { children: [] }, 0, { columns: 0, quotes: 0, texts: closed.texts })];
  }

  get depth() {
    return this.frames.length;
  }

  get top() {
    return this.frames[this.frames.length - 1];
  }

  openQuote() {
    this.begin();
    const { top } = this;
    const node = { type: 'quote', children: [] };
    top.node.children.push(node);
    this.quoteDepths.push(this.depth);
    this.frames.push(frame('quote', node, 0, top));
  }

  /** @param {string} label */
  openFootnote(label) {
    const { node, texts } = this.#closed.addFootnote(label);
    this.frames.push(frame('footnote', node, TAB, { ...this.top, texts }));
  }

  /** @param {{type: string, start: number}} marker @param {number} indent */
  openItem(marker, indent) {
    const parent = this.top;
    let { openList } = parent;
    if (openList?.type === marker.type) {
      if (this.#isBehindBlank(parent)) openList.node.tight = false;
    } else {
      const isOrdered = marker.start >= 0;
      const node = { type: 'list', ordered: isOrdered, start: isOrdered ? marker.start : 1, tight: true, children: [] };
      openList = { type: marker.type, node };
      this.begin();
      parent.node.children.push(node);
      parent.openList = openList;
    }
    const item = { type: 'item', checked: null, children: [] };
    openList.node.children.push(item);
    this.frames.push({ ...frame('item', item, indent, parent), list: openList.node });
  }

  /** Before a block starts in the innermost container: blank lines between blocks make a list loose. */
  begin() {
    const { top } = this;
    if (top.isStarted && top.list && this.#isBehindBlank(top)) top.list.tight = false;
    top.isStarted = true;
    top.openList = null;
  }

  /** Whether the line before was blank in a container, and not only in quotes within it. @param {Frame} container */
  #isBehindBlank(container) {
    return this.blankQuotes >= 0 && this.blankQuotes <= container.quotes;
  }

  /** Closes the containers from a depth on. @param {number} depth */
  closeTo(depth) {
    while (this.depth > depth) {
      const { kind, node } = /** @type {Frame} */ (this.frames.pop());
      if (kind !== 'quote') continue;
      this.quoteDepths.pop();
      if (this.depth === 1) this.#closed.closeQuote(node);
    }
  }
}
