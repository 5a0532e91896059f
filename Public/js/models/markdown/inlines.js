/**
 * The second pass: the text of a block into spans, links and the like. Linear: whatever is looked for in vain is not
 * looked for again.
 */
import { isLinkable } from './addresses.js';
import { isBlank, isEscapable } from './characters.js';
import { Delimiters } from './delimiters.js';
import { Autolinks, Spans } from './spans.js';
import { normalLabel, readDestination, readLabel, readTitle, skipGap } from './syntax.js';

/** @typedef {import('./tree.js').Inline} Inline */
/** @typedef {Inline|import('./delimiters.js').Run} Part */
/**
 * What the texts of a document share.
 * @typedef {object} Context
 * @property {boolean} strict
 * @property {import('./characters.js').Entities} entities
 * @property {Map<string, {href: string, title: string}>} definitions
 * @property {(label: string) => Inline|null} footnote
 * @property {(text: string, isInLink: boolean) => Inline[]} readText finds references, mentions and emoji
 * @property {(href: string, text: string) => Inline|null} shorten
 */
/**
 * An open bracket.
 * @typedef {{isImage: boolean, part: number, at: number, run: any, hasInner: boolean}} Bracket
 */

const SPECIAL = new Uint8Array(128);
for (const character of '\n!&*:<[\\]_`w~') SPECIAL[character.charCodeAt(0)] = 1;

export class Inlines {
  #context;
  #text;
  #at = 0;
  /** Where the plain text starts that is not yet among the parts. */
  #plain = 0;
  /** @type {Part[]} */
  #parts = [];
  /** @type {Bracket[]} */
  #brackets = [];
  /** Links cannot contain links: the brackets below this number start images only. */
  #links = 0;
  #images = 0;
  #delimiters = new Delimiters();
  #spans;
  #autolinks;

  /** @param {string} text @param {Context} context */
  constructor(text, context) {
    this.#context = context;
    this.#text = text;
    this.#spans = new Spans(text);
    this.#autolinks = new Autolinks(text);
  }

  /** @returns {Inline[]} */
  read() {
    const text = this.#text;
    const { length } = text;
    while (this.#at < length) {
      const code = text.charCodeAt(this.#at);
      if (code > 127 || SPECIAL[code] === 0 || !this.#readSpecial(text[this.#at])) this.#at += 1;
    }
    if (this.#parts.length === 0) return this.#readText(this.#text, false);
    this.#addPlain(length);
    this.#delimiters.process(null);
    return this.#build(this.#parts, false);
  }

  /** @returns {boolean} whether something was consumed; else the character is text */
  #readSpecial(character) {
    switch (character) {
      case '\n': return this.#readNewline();
      case '\\': return this.#readEscape();
      case '`': return this.#readCode();
      case '*': case '_': case '~': return this.#readRun(character);
      case '!': return this.#text[this.#at + 1] === '[' && this.#openBracket(2);
      case '[': return this.#openBracket(1);
      case ']': return this.#closeBracket();
      case '<': return this.#readAngle();
      case '&': return this.#readEntity();
      default: return this.#readAddress(character);
    }
  }

  /** @param {number} end of the plain text before a part */
  #addPlain(end) {
    if (end > this.#plain) this.#parts.push(this.#text.slice(this.#plain, end));
  }

  /** Adds a part for the text from one position to another. @param {Part} part */
  #add(part, end, start = this.#at) {
    this.#addPlain(start);
    this.#parts.push(part);
    this.#at = this.#plain = end;
    return true;
  }

  #readNewline() {
    const text = this.#text;
    let start = this.#at;
    while (start > this.#plain && isBlank(text.charCodeAt(start - 1))) start -= 1;
    const isHard = this.#at - start > 1 && text.slice(start, this.#at).endsWith('  ');
    return this.#add(isHard || !this.#context.strict ? { type: 'break' } : '\n', this.#at + 1, start);
  }

  #readEscape() {
    const next = this.#text.charCodeAt(this.#at + 1);
    if (next === 0x0a) return this.#add({ type: 'break' }, this.#at + 2);
    if (!isEscapable(next)) return false;
    return this.#add(this.#text[this.#at + 1], this.#at + 2);
  }

  #runEnd(character) {
    let end = this.#at + 1;
    while (this.#text[end] === character) end += 1;
    return end;
  }

  #readCode() {
    const end = this.#runEnd('`');
    const code = this.#spans.code(this.#at, end - this.#at);
    if (code) return this.#add({ type: 'code', text: code.text }, code.end);
    this.#at = end;
    return true;
  }

  #readRun(character) {
    const end = this.#runEnd(character);
    if (character !== '~' || end - this.#at < 3) {
      return this.#add(this.#delimiters.push(this.#text, this.#at, end), end);
    }
    this.#at = end;
    return true;
  }

  #readEntity() {
    const entity = this.#context.entities.read(this.#text, this.#at);
    return entity !== null && this.#add(entity.text, this.#at + entity.length);
  }

  #readAngle() {
    const address = this.#spans.address(this.#at);
    if (address) {
      const { href, text, end } = address;
      if (isLinkable(href, this.#context.strict)) return this.#add(this.#link(href, text), end);
      return this.#add(this.#text.slice(this.#at, end), end);
    }
    const end = this.#spans.html(this.#at);
    return end !== -1 && this.#add({ type: 'html', text: this.#text.slice(this.#at, end) }, end);
  }

  #readAddress(character) {
    // As in the reference implementation, none within brackets, which may become a link.
    if (this.#images > 0 || this.#brackets.length > this.#links) return false;
    const isWord = character === 'w';
    const found = isWord ? this.#autolinks.www(this.#at) : this.#autolinks.url(this.#at);
    if (!found) return false;
    const { start = this.#at, end } = /** @type {{start?: number, end: number}} */ (found);
    if (start < this.#plain) return false;
    const address = this.#text.slice(start, end);
    const href = isWord ? `http://${address}` : address;
    if (isLinkable(href, this.#context.strict)) return this.#add(this.#link(href, address), end, start);
    // Text as a whole, so that it is read once.
    this.#at = end;
    return true;
  }

  /** A link whose text is its address, shortened if it is one of GitHub's. @returns {Inline} */
  #link(href, text) {
    return this.#context.shorten(href, text) ?? { type: 'link', href, title: '', bare: true, children: [text] };
  }

  #openBracket(length) {
    const { last } = this.#delimiters;
    const isImage = length === 2;
    const outer = this.#brackets.at(-1);
    if (outer) outer.hasInner = true;
    const end = this.#at + length;
    this.#add(this.#text.slice(this.#at, end), end);
    this.#brackets.push({ isImage, part: this.#parts.length, at: end, run: last, hasInner: false });
    if (isImage) this.#images += 1;
    return true;
  }

  #closeBracket() {
    const bracket = this.#brackets.pop();
    if (!bracket) return false;
    const { isImage, part, run } = bracket;
    if (isImage) this.#images -= 1;
    const depth = this.#brackets.length;
    const isDead = !isImage && depth < this.#links;
    this.#links = Math.min(this.#links, depth);
    if (isDead) return false;
    const target = this.#readTarget(bracket);
    const footnote = target ? null : this.#readFootnote(bracket);
    if (!target && !footnote) return false;
    this.#addPlain(this.#at);
    this.#delimiters.process(run);
    const parts = this.#parts.splice(part);
    this.#parts.pop();
    if (target) {
      const { href, title } = target;
      const children = this.#build(parts, true);
      this.#parts.push(isImage ? { type: 'image', href, title, children }
        : { type: 'link', href, title, bare: false, children });
      if (!isImage) this.#links = depth;
    } else if (footnote) {
      if (isImage) this.#parts.push('!');
      this.#parts.push(footnote);
      this.#links = depth;
    }
    this.#at = this.#plain = target?.end ?? this.#at + 1;
    return true;
  }

  /** What a closed bracket links to. @param {Bracket} bracket */
  #readTarget({ at, hasInner }) {
    const text = this.#text;
    const next = this.#at + 1;
    const target = text[next] === '(' ? this.#readInlineTarget(next + 1) : null;
    if (target) return this.#allowed(target);
    const second = text[next] === '[' ? readLabel(text, next) : null;
    const first = () => (hasInner || this.#at - at > 999 ? '' : text.slice(at, this.#at));
    const label = normalLabel(second?.text || first());
    const found = label === '' ? undefined : this.#context.definitions.get(label);
    return found ? this.#allowed({ ...found, end: second?.end ?? next }) : null;
  }

  #allowed(target) {
    return isLinkable(target.href, this.#context.strict) ? target : null;
  }

  /** `address "title")` @param {number} from */
  #readInlineTarget(from) {
    const text = this.#text;
    const destination = readDestination(text, skipGap(text, from));
    if (!destination) return null;
    const gap = skipGap(text, destination.end);
    const title = gap > destination.end ? readTitle(text, gap) : null;
    const end = skipGap(text, title?.end ?? gap);
    if (text[end] !== ')') return null;
    const { entities } = this.#context;
    const href = destination.text;
    return { href: entities.unescape(href), title: entities.unescape(title?.text ?? ''), end: end + 1 };
  }

  /** @param {Bracket} bracket */
  #readFootnote({ at }) {
    const isMarked = this.#text[at] === '^' && this.#at - at < 1000;
    return isMarked ? this.#context.footnote(this.#text.slice(at + 1, this.#at)) : null;
  }

  #readText(text, isInLink) {
    return this.#context.readText(text, isInLink);
  }

  /**
   * The tree of a list of parts; an address within a link is text.
   * @param {Part[]} parts @param {boolean} isInLink @returns {Inline[]}
   */
  #build(parts, isInLink) {
    /** @type {Inline[]} */
    let children = [];
    const outer = [];
    let text = '';
    const add = (inline) => {
      if (text !== '') for (const part of this.#readText(text, isInLink)) children.push(part);
      text = '';
      if (inline) children.push(inline);
    };
    for (const part of parts) {
      if (typeof part === 'string') text += part;
      else if (part.type === 'run') {
        for (let ended = part.ends.length; ended > 0; ended -= 1) {
          add(null);
          children = outer.pop() ?? [];
        }
        text += part.mark.repeat(part.left);
        for (const type of part.starts.reverse()) {
          /** @type {any} */
          const span = { type, children: [] };
          add(span);
          outer.push(children);
          ({ children } = span);
        }
      } else if (isInLink && part.type === 'reference') text += part.href;
      else if (isInLink && part.type === 'link' && part.bare) text += part.children[0];
      else add(part);
    }
    add(null);
    return children;
  }
}
