/** The parts of a text that are read as a whole: code, tags, and addresses, in angle brackets or without. */
import { isPunctuation, isWhitespace } from './characters.js';
import { match, tagLength } from './syntax.js';

const ADDRESS = /<([A-Za-z][A-Za-z\d+.-]{1,31}:[^<>\u0000-\u0020\u007f]*)>/y;
const ANGLED_EMAIL = new RegExp('<([\\w.!#$%&\'*+/=?^`{|}~-]+@[A-Za-z\\d](?:[A-Za-z\\d-]{0,61}[A-Za-z\\d])?'
  + '(?:\\.[A-Za-z\\d](?:[A-Za-z\\d-]{0,61}[A-Za-z\\d])?)*)>', 'y');
const DECLARATION = /<![A-Za-z]/y;

export class Spans {
  #text;
  /**
   * The positions of the runs of backticks by length, those already passed aside.
   * @type {Map<number, number[]>|null}
   */
  #runs = null;
  /**
   * Ends of tags that do not come again.
   * @type {Set<string>}
   */
  #absent = new Set();

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @param {number} at @returns {{text: string, end: number}|null} null if nothing closes the run of backticks */
  code(at, length) {
    const places = this.#backticks.get(length);
    if (!places) return null;
    while (places.length > 0 && places[places.length - 1] <= at) places.pop();
    const close = places.at(-1);
    if (close === undefined) return null;
    const inner = this.#text.slice(at + length, close).replaceAll('\n', ' ');
    const isPadded = inner.length > 2 && inner.startsWith(' ') && inner.endsWith(' ') && /[^ ]/.test(inner);
    return { text: isPadded ? inner.slice(1, -1) : inner, end: close + length };
  }

  get #backticks() {
    if (this.#runs) return this.#runs;
    /** @type {Map<number, number[]>} */
    const runs = new Map();
    for (const { 0: run, index = 0 } of [...this.#text.matchAll(/`+/g)].reverse()) {
      const places = runs.get(run.length);
      if (places) places.push(index);
      else runs.set(run.length, [index]);
    }
    this.#runs = runs;
    return runs;
  }

  /** @param {number} at of a `<` @returns {{text: string, href: string, end: number}|null} */
  address(at) {
    const address = match(ADDRESS, this.#text, at)?.[1];
    if (address) return { text: address, href: address, end: at + address.length + 2 };
    const email = match(ANGLED_EMAIL, this.#text, at)?.[1];
    return email ? { text: email, href: `mailto:${email}`, end: at + email.length + 2 } : null;
  }

  /** The position behind the HTML at a `<`, or -1. @param {number} at */
  html(at) {
    const text = this.#text;
    const next = text[at + 1];
    if (next === '!') {
      if (text.startsWith('<!-->', at)) return at + 5;
      if (text.startsWith('<!--->', at)) return at + 6;
      if (text.startsWith('<!--', at)) return this.#through('-->', at + 4);
      if (text.startsWith('<![CDATA[', at)) return this.#through(']]>', at + 9);
      return match(DECLARATION, text, at) ? this.#through('>', at + 3) : -1;
    }
    if (next === '?') return this.#through('?>', at + 2);
    const length = tagLength(text, at);
    return length > 0 ? at + length : -1;
  }

  #through(mark, at) {
    if (this.#absent.has(mark)) return -1;
    const found = this.#text.indexOf(mark, at);
    if (found === -1) this.#absent.add(mark);
    return found === -1 ? -1 : found + mark.length;
  }
}

/** Letters before `://`, and where the address starts among them. */
const SCHEME = /(?:^|[^A-Za-z])(https?|ftp)$/i;
const LONGEST_SCHEME = 6;
const END = /[ \t\n\v\f\r<]|$/g;
const EMAIL = new RegExp(String.raw`(?<![\w.+-])(?:(mailto:|xmpp:))?([\w.+-]+)`
  + String.raw`@([A-Za-z\d_-]+(?:\.(?=[A-Za-z\d])[A-Za-z\d_-]*)+)(?![\w@-])(/[\w./@-]*)?`, 'gi');
/** So many labels make a domain one in spite of underscores. */
const MANY_LABELS = 10;

export class Autolinks {
  #text;
  /** Before this position no domain can be valid: its last labels have underscores. */
  #noDomainBefore = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** An address that starts with `www.`. @param {number} at of the `w` @returns {{end: number}|null} */
  www(at) {
    const text = this.#text;
    if (!text.startsWith('www.', at) || (at > 0 && !/[\s*_~(]/.test(text[at - 1]))) return null;
    return this.#address(at, false);
  }

  /** An address by the colon behind its scheme. @param {number} at @returns {{start: number, end: number}|null} */
  url(at) {
    const text = this.#text;
    if (!text.startsWith('://', at)) return null;
    const scheme = SCHEME.exec(text.slice(Math.max(0, at - LONGEST_SCHEME), at))?.[1];
    const first = text.codePointAt(at + 3);
    if (!scheme || isWhitespace(first) || isPunctuation(first)) return null;
    const start = at - scheme.length;
    const found = this.#address(at + 3, true);
    return found && { start, end: found.end };
  }

  #address(domain, isShort) {
    const text = this.#text;
    if (domain < this.#noDomainBefore) return null;
    let at = domain;
    let labels = 0;
    let underscores = [0, 0];
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 0x5f) underscores[1] += 1;
      else if (code === 0x2e) {
        underscores = [underscores[1], 0];
        labels += 1;
      } else if (code !== 0x2d && (isWhitespace(code) || isPunctuation(code))) break;
    }
    if (underscores[0] + underscores[1] > 0 && labels <= MANY_LABELS) {
      this.#noDomainBefore = at;
      return null;
    }
    if (labels === 0 && !isShort) return null;
    END.lastIndex = at;
    const end = withoutPunctuation(text, domain, END.exec(text)?.index ?? text.length);
    return end > domain ? { end } : null;
  }
}

/** Where an address ends, without the punctuation of the sentence around it. */
function withoutPunctuation(text, start, from) {
  let end = from;
  let closing = 0;
  for (let at = start; at < end; at += 1) {
    if (text[at] === '(') closing -= 1;
    else if (text[at] === ')') closing += 1;
  }
  while (end > start) {
    const last = text[end - 1];
    if (last === ')') {
      if (closing <= 0) break;
      closing -= 1;
      end -= 1;
    } else if (last === ';') {
      let name = end - 2;
      while (name > start && /[A-Za-z]/.test(text[name])) name -= 1;
      end = name < end - 2 && text[name] === '&' ? name : end - 1;
    } else if ('?!.,:*_~\'"'.includes(last)) end -= 1;
    else break;
  }
  return end;
}

/**
 * A text with its e-mail addresses as links.
 * @param {string} text
 * @returns {import('./tree.js').Inline[]}
 */
export function linkEmails(text) {
  if (!text.includes('@')) return [text];
  /** @type {import('./tree.js').Inline[]} */
  const parts = [];
  let end = 0;
  for (const { 0: all, 1: scheme = '', 2: name, 3: domain, 4: resource = '', index = 0 } of text.matchAll(EMAIL)) {
    if (!/[A-Za-z.]$/.test(domain)) continue;
    let address = `${scheme}${name}@${domain}`;
    if (/^xmpp:/i.test(scheme)) address += resource.replace(/^(\/[\w.@-]+).*$/, '$1');
    if (address.length > all.length) continue;
    parts.push(text.slice(end, index), {
      type: 'link', href: scheme ? address : `mailto:${address}`, title: '', bare: true, children: [address],
    });
    end = index + address.length;
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== '');
}
