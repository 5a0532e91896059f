/**
 * The first pass: lines into blocks, whose texts the second pass (`inlines.js`) reads. Every line is matched against
 * the open containers, then may open new ones, and what remains goes to a leaf. Each step costs no more than the
 * characters that it consumes; a blank line, which continues any number of list items, passes them in one step.
 */
import { Containers, Line, TAB } from './containers.js';
import {
  closesFence, isUnderline, readColumns, readFence, readFootnote, readHeading, readHTML, readMarker, readRule,
} from './syntax.js';

/**
 * An open block of lines.
 * @typedef {object} Leaf
 * @property {'paragraph'|'table'|'code'|'fence'|'html'} kind
 * @property {string[]} lines
 * @property {string} [mark] the fence
 * @property {string} [info]
 * @property {number} [indent] of the fence
 * @property {RegExp|null} [end] what ends the HTML
 * @property {any[]} [columns] of a table
 * @property {any[][]} [rows]
 */

export class Blocks {
  /** @type {Leaf|null} */
  #leaf = null;
  #line = new Line();
  #open;
  #closed;

  /** @param {import('./blockTexts.js').BlockTexts} closed takes the closed blocks */
  constructor(closed) {
    this.#closed = closed;
    this.#open = new Containers(closed);
  }

  /** @param {string} text @returns {import('./tree.js').Block[]} */
  parse(text) {
    const { length } = text;
    for (let start = 0, end = 0; start < length; start = end + 1) {
      end = text.indexOf('\n', start);
      if (end === -1) end = length;
      this.#line.start(text.slice(start, end));
      this.#read();
    }
    this.#closeTo(1);
    return this.#open.top.node.children;
  }

  #read() {
    const line = this.#line;
    const { depth, quotes } = this.#matchContainers();
    const isMatched = depth === this.#open.depth;
    const leaf = this.#leaf;
    if (isMatched && leaf && leaf.kind !== 'paragraph' && leaf.kind !== 'table' && this.#continues(leaf)) {
      this.#open.blankQuotes = line.isBlank && leaf.kind !== 'fence' ? quotes : -1;
      return;
    }
    if (line.isBlank) {
      if (isMatched) this.#closeLeaf();
      else this.#closeTo(depth);
      this.#open.blankQuotes = quotes;
      return;
    }
    if (!isMatched && this.#leaf?.kind !== 'paragraph') this.#closeTo(depth);
    this.#start(depth, isMatched);
    this.#open.blankQuotes = -1;
  }

  /** Consumes what continues the open containers. */
  #matchContainers() {
    const { frames, quoteDepths } = this.#open;
    const line = this.#line;
    let depth = 1;
    let quotes = 0;
    for (; depth < frames.length; depth += 1) {
      const { kind, indent } = frames[depth];
      if (kind === 'quote') {
        if (!this.#consumeQuote()) break;
        quotes += 1;
      } else if (line.isBlank) {
        const reached = frames[depth - 1].columns;
        depth = quoteDepths[quotes] ?? frames.length;
        line.advance(frames[depth - 1].columns - reached);
        // An item that starts with a blank line ends at a second one.
        if (depth === frames.length && !frames[depth - 1].isStarted) depth -= 1;
        break;
      } else if (line.indent >= indent) line.advance(indent);
      else break;
    }
    return { depth, quotes };
  }

  #consumeQuote() {
    const line = this.#line;
    if (line.indent >= TAB || line.text[line.textAt] !== '>') return false;
    line.toText(1);
    line.advance(1);
    return true;
  }

  /** Whether a line belongs to an open block of code or HTML. @param {Leaf} leaf */
  #continues(leaf) {
    const line = this.#line;
    if (leaf.kind === 'fence') {
      if (line.indent < TAB && closesFence(line.text, line.textAt, leaf.mark ?? '')) {
        this.#closeLeaf();
        return true;
      }
      line.advance(Math.min(leaf.indent ?? 0, line.indent));
    } else if (leaf.kind === 'html') {
      if (!leaf.end && line.isBlank) return false;
    } else if (line.indent >= TAB) line.advance(TAB);
    else if (line.isBlank) line.toText();
    else {
      this.#closeLeaf();
      return false;
    }
    leaf.lines.push(line.rest);
    if (leaf.end?.test(line.rest)) this.#closeLeaf();
    return true;
  }

  /** Opens the blocks that start in the rest of the line. */
  #start(depth, isMatched) {
    const line = this.#line;
    let isContinued = isMatched;
    for (let parent = depth; ; parent += 1) {
      if (line.isBlank) return;
      const isParagraph = this.#leaf?.kind === 'paragraph';
      if (line.indent >= TAB) {
        if (isParagraph) break;
        this.#closeTo(parent);
        line.advance(TAB);
        this.#openLeaf({ kind: 'code', lines: [line.rest] });
        return;
      }
      const isContainer = this.#openContainer(parent, isContinued && isParagraph);
      if (!isContainer) {
        if (this.#openBlock(parent, isContinued && isParagraph)) return;
        break;
      }
      isContinued = false;
    }
    this.#addText();
  }

  #addText() {
    const { trimmed } = this.#line;
    const leaf = this.#leaf;
    if (leaf?.kind === 'table' && !this.#closed.addRow(leaf, trimmed)) this.#closeLeaf();
    else if (leaf) {
      if (leaf.kind === 'paragraph') leaf.lines.push(trimmed);
      return;
    }
    this.#openLeaf({ kind: 'paragraph', lines: [trimmed] });
  }

  /** @returns {boolean} whether a container starts here */
  #openContainer(parent, interrupts) {
    const line = this.#line;
    const { text, textAt, indent } = line;
    const first = text[textAt];
    if (first === '>') {
      this.#closeTo(parent);
      this.#consumeQuote();
      this.#open.openQuote();
      return true;
    }
    if (first === '[' && !this.#closed.strict && text[textAt + 1] === '^') {
      const footnote = readFootnote(text, textAt);
      if (!footnote) return false;
      this.#closeTo(parent);
      line.toText(footnote.length);
      this.#open.openFootnote(footnote.label);
      return true;
    }
    const marker = readMarker(text, textAt);
    if (!marker || (interrupts && isUnderline(text, textAt)) || readRule(line)) return false;
    const isEmpty = isBlankFrom(text, textAt + marker.width);
    if (interrupts && (isEmpty || marker.start > 1 || marker.start === 0)) return false;
    this.#closeTo(parent);
    line.toText(marker.width);
    const gap = line.indent;
    const isWide = isEmpty || gap > TAB;
    line.advance(isWide ? 1 : gap);
    this.#open.openItem(marker, indent + marker.width + (isWide ? 1 : gap));
    return true;
  }

  /** @returns {boolean} whether a block other than a paragraph starts here, or a heading ends a paragraph */
  #openBlock(parent, isInParagraph) {
    const line = this.#line;
    const { text, textAt, indent } = line;
    const first = text[textAt];
    if (isInParagraph) {
      if ((first === '=' || first === '-') && isUnderline(text, textAt)) {
        const level = first === '=' ? 1 : 2;
        if (this.#closed.headParagraph(this.#open.top, /** @type {Leaf} */ (this.#leaf), level)) {
          this.#leaf = null;
          return true;
        }
      }
      if ((first === '|' || first === '-' || first === ':') && this.#openTable(text, textAt)) return true;
    }
    if (first === '#') {
      const heading = readHeading(text, textAt);
      if (!heading) return false;
      this.#closeTo(parent);
      this.#open.begin();
      this.#closed.addHeading(this.#open.top, heading.level, heading.text);
      return true;
    }
    if (first === '`' || first === '~') {
      const fence = readFence(text, textAt);
      if (!fence) return false;
      this.#closeTo(parent);
      this.#openLeaf({ kind: 'fence', lines: [], ...fence, indent });
      return true;
    }
    if (first === '<') {
      const html = readHTML(text, textAt, this.#leaf?.kind === 'paragraph');
      if (!html) return false;
      this.#closeTo(parent);
      const { rest } = line;
      this.#openLeaf({ kind: 'html', lines: [rest], end: html.end });
      if (html.end?.test(rest)) this.#closeLeaf();
      return true;
    }
    if (!readRule(line)) return false;
    this.#closeTo(parent);
    this.#open.begin();
    this.#open.top.node.children.push({ type: 'rule' });
    return true;
  }

  /** Makes the last line of the open paragraph the head of a table. */
  #openTable(text, textAt) {
    const columns = readColumns(text, textAt);
    const paragraph = this.#leaf;
    if (!columns || !paragraph?.lines.length) return false;
    const table = this.#closed.openTable(columns, paragraph.lines.at(-1) ?? '');
    if (!table) return false;
    paragraph.lines.pop();
    this.#closeLeaf();
    this.#leaf = table;
    return true;
  }

  /** @param {Leaf} leaf */
  #openLeaf(leaf) {
    this.#open.begin();
    this.#leaf = leaf;
  }

  #closeLeaf() {
    const leaf = this.#leaf;
    this.#leaf = null;
    if (leaf) this.#closed.addLeaf(this.#open.top, leaf);
  }

  /** Closes the leaf and all containers from a depth on. */
  #closeTo(depth) {
    this.#closeLeaf();
    this.#open.closeTo(depth);
  }
}

function isBlankFrom(text, at) {
  let end = at;
  while (text.charCodeAt(end) === 0x20 || text.charCodeAt(end) === 0x09) end += 1;
  return end === text.length;
}
