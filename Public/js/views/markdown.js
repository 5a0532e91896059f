/**
 * Draws a text as Markdown: elements from the parser's tree. Text is inserted as text; pictures from elsewhere are
 * links.
 */
import { element } from './dom.js';
import { codeBlock } from './codeBlock.js';
import { namesIn } from '../models/mentions.js';
import { parseMarkdown } from '../models/markdown/parse.js';
import { chatTexts } from '../models/texts/conversation.js';

/** @typedef {import('../models/markdown/tree.js').Document} Document */

/** Deeper than this, a tree's text is drawn without its structure. */
const DEEPEST = 40;
const SPANS = { emphasis: 'em', strong: 'strong', strike: 'del' };

/** The tables of names that few texts need. They are loaded when the first does. */
const tables = { entities: null, emoji: null };
const loads = {
  entities: async () => (await import('../models/markdown/namedEntities.js')).namedEntity,
  emoji: async () => (await import('../models/emojiNames.js')).shortcode,
};

/**
 * Where a text stands. `below`: the level of the heading above it; `base`: what its addresses are relative to.
 * @typedef {{repository?: import('../models/markdown/addresses.js').Repository|null, below?: number, base?: string}}
 *   Place
 */

/**
 * @param {string} text
 * @param {string} mentioned the result of `mentionedIn`
 * @param {Place} [place]
 * @returns {{isBlock: boolean, nodes: (string|Node)[], more: Promise<void>|null}} `isBlock` unless it is one paragraph;
 *   after `more` there are more names than now: draw again
 */
export function drawMarkdown(text, mentioned, place = {}) {
  const { repository = null, below = 2, base = `${location.origin}/` } = place;
  const names = namesIn(mentioned);
  const document = parseMarkdown(text, {
    mentions: (name) => names(name) !== null, entity: tables.entities ?? undefined, emoji: tables.emoji ?? undefined,
    repository,
  });
  const { children, footnotes, missing } = document;
  const wanted = Object.keys(tables).filter((table) => missing[table] && !tables[table]);
  const more = wanted.length > 0 ? loadTables(wanted) : null;
  // A text of definitions only has nothing to show but itself.
  if (children.length === 0) return { isBlock: false, nodes: [text], more };
  const drawing = new Drawing(names, below, base);
  const [first] = children;
  if (children.length === 1 && first.type === 'paragraph' && footnotes.length === 0) {
    return { isBlock: false, nodes: drawing.inlines(first.children, 0), more };
  }
  const nodes = drawing.blocks(children, 0);
  if (footnotes.length > 0) nodes.push(drawing.footnotes(footnotes));
  return { isBlock: true, nodes, more };
}

async function loadTables(names) {
  await Promise.all(names.map(async (name) => { tables[name] = await loads[name](); }));
}

/** The text of a tree, however deep. */
function textOf(nodes) {
  const left = [...nodes].reverse();
  let text = '';
  while (left.length > 0) {
    const node = left.pop();
    if (typeof node === 'string') text += node;
    else if (node.type === 'break') text += '\n';
    else {
      text += node.text ?? (node.name ? `@${node.name}` : '');
      const inner = node.children ?? node.rows?.flat(2) ?? [];
      for (let index = inner.length - 1; index >= 0; index -= 1) left.push(inner[index]);
    }
  }
  return text;
}

/** A link; within the app it opens in the same tab. @param {string} href @param {string} base */
function linkTo(href, base, attributes, content) {
  let address;
  try {
    address = new URL(href, base).href;
  } catch {
    return element('span', {}, ...content);
  }
  const isOutside = !address.startsWith(`${location.origin}/`);
  const outside = isOutside ? { target: '_blank', rel: 'noopener noreferrer' } : {};
  return element('a', { class: 'link', href: address, ...outside, ...attributes }, ...content);
}

class Drawing {
  #names;
  #below;
  #base;
  #isInLink = false;

  /** @param {(name: string) => 'own'|'other'|null} names @param {number} below @param {string} base */
  constructor(names, below, base) {
    this.#names = names;
    this.#below = below;
    this.#base = base;
  }

  blocks(nodes, depth) {
    if (depth > DEEPEST) return [element('p', {}, textOf(nodes))];
    return nodes.map((node) => this.#block(node, depth + 1));
  }

  #block(node, depth) {
    const { type, children } = node;
    switch (type) {
      case 'paragraph': return this.#text('p', children, depth);
      case 'heading': {
        return this.#text(/** @type {'h3'} */ (`h${Math.min(6, node.level + this.#below)}`), children, depth);
      }
      case 'rule': return element('hr');
      case 'codeBlock': return codeBlock(node.text, node.info);
      case 'htmlBlock': return element('p', { dir: 'auto' }, node.text);
      case 'quote': return element('blockquote', {}, ...this.blocks(children, depth));
      case 'alert': return this.#alert(node, depth);
      case 'list': return this.#list(node, depth);
      default: return this.#table(node, depth);
    }
  }

  #text(name, children, depth) {
    return element(name, { dir: 'auto' }, ...this.inlines(children, depth));
  }

  #alert({ kind, children }, depth) {
    const title = element('p', { class: 'title' }, chatTexts.alerts[kind]);
    const attributes = { class: 'alert-text', 'data-kind': kind, role: 'note' };
    return element('div', attributes, title, ...this.blocks(children, depth));
  }

  #list({ ordered, start, tight, children }, depth) {
    const items = children.map((item) => {
      const content = item.children.flatMap((child) => {
        if (tight && child.type === 'paragraph') return this.inlines(child.children, depth);
        return this.blocks([child], depth);
      });
      if (item.checked === null) return element('li', { dir: 'auto' }, ...content);
      const label = item.checked ? chatTexts.done : chatTexts.notDone;
      const box = element('input', { type: 'checkbox', disabled: true, checked: item.checked, 'aria-label': label });
      const [first] = content;
      if (first instanceof HTMLParagraphElement) first.prepend(box);
      else content.unshift(box);
      return element('li', { class: 'task', dir: 'auto' }, ...content);
    });
    return ordered ? element('ol', { start: start === 1 ? null : start }, ...items) : element('ul', {}, ...items);
  }

  #table({ columns, rows: [head, ...body] }, depth) {
    const row = (name, cells) => {
      const made = cells.map((cell, index) => {
        const attributes = { dir: 'auto', 'data-align': columns[index] };
        const scope = name === 'th' ? 'col' : null;
        return element(name, { ...attributes, scope }, ...this.inlines(cell, depth));
      });
      const lacking = columns.length - cells.length;
      if (lacking > 0) made.push(element(name, { colspan: lacking }));
      return element('tr', {}, ...made);
    };
    const table = element('table', {}, element('thead', {}, row('th', head)));
    if (body.length > 0) table.append(element('tbody', {}, ...body.map((cells) => row('td', cells))));
    return element('div', { class: 'table', tabindex: '0', role: 'group', 'aria-label': chatTexts.table }, table);
  }

  footnotes(footnotes) {
    const items = footnotes.map(({ children }) => element('li', {}, ...this.blocks(children, 1)));
    const attributes = { class: 'footnotes', role: 'group', 'aria-label': chatTexts.footnotes };
    return element('div', attributes, element('ol', {}, ...items));
  }

  /** @returns {(string|Node)[]} */
  inlines(nodes, depth) {
    if (depth > DEEPEST) return [textOf(nodes)];
    return nodes.map((node) => (typeof node === 'string' ? node : this.#inline(node, depth + 1)));
  }

  #inline(node, depth) {
    switch (node.type) {
      case 'break': return '\n';
      case 'code': return element('code', { dir: 'ltr' }, node.text);
      case 'html': return node.text;
      case 'link': {
        return this.#link(node.href, { title: node.title || null }, () => this.inlines(node.children, depth));
      }
      case 'image': {
        const text = textOf(node.children) || node.href;
        return this.#link(node.href, { title: node.title || null, 'data-picture': true }, () => [text]);
      }
      case 'reference': return this.#link(node.href, { 'data-reference': node.kind }, () => [node.text]);
      case 'mention': return this.#mention(node.name);
      case 'footnote': return element('sup', {}, String(node.number));
      default: return element(SPANS[node.type], {}, ...this.inlines(node.children, depth));
    }
  }

  /** A link, but the content alone within another one. */
  #link(href, attributes, draw) {
    if (this.#isInLink) return element('span', {}, ...draw());
    this.#isInLink = true;
    const content = draw();
    this.#isInLink = false;
    return linkTo(href, this.#base, attributes, content);
  }

  #mention(name) {
    const isOwn = this.#names(name) === 'own';
    // No button by its element: that one cannot be selected with the words around it.
    const attributes = {
      class: isOwn ? 'mention me' : 'mention', role: 'button', tabindex: '-1', 'aria-haspopup': 'dialog',
    };
    return element(isOwn ? 'strong' : 'span', attributes, `@${name}`);
  }
}
