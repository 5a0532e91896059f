/** Classes of characters, escapes and entities. */

/**
 * The named entities that people write; `namedEntities.js` has all.
 * @type {Record<string, string>}
 */
const COMMON = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®', trade: '™', hellip: '…',
  mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', bull: '•',
  middot: '·', times: '×', divide: '÷', plusmn: '±', deg: '°', euro: '€', pound: '£', sect: '§', para: '¶', larr: '←',
  uarr: '↑', rarr: '→', darr: '↓', harr: '↔', infin: '∞', ne: '≠', le: '≤', ge: '≥', micro: 'µ', check: '✓',
  colon: ':', sol: '/', num: '#', commat: '@', lpar: '(', rpar: ')', lsqb: '[', rsqb: ']', ast: '*', lowbar: '_',
  vert: '|', grave: '`', Tab: '\t', NewLine: '\n', ensp: '\u2002', emsp: '\u2003', thinsp: '\u2009', shy: '\u00ad',
  zwj: '\u200d', zwnj: '\u200c', szlig: 'ß', auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü',
};

const ENTITY = /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/y;
const ESCAPED = /\\[!-/:-@[-`{-~]|&#?[A-Za-z\d]{1,32};/g;

/** @param {number} code */
export const isBlank = (code) => code === 0x20 || code === 0x09;

/** ASCII punctuation, which a backslash escapes. @param {number} code */
export const isEscapable = (code) => (code > 0x20 && code < 0x30) || (code > 0x39 && code < 0x41)
  || (code > 0x5a && code < 0x61) || (code > 0x7a && code < 0x7f);

/** Whitespace as the flanking rules mean it; also the two ends of a text. @param {number|undefined} code */
export function isWhitespace(code) {
  if (code === undefined || Number.isNaN(code)) return true;
  if (code < 0x80) return code === 0x20 || (code > 0x08 && code < 0x0e && code !== 0x0b);
  return code === 0xa0 || (code > 0x167f && /^\p{Zs}$/u.test(String.fromCodePoint(code)));
}

/** @param {number|undefined} code */
export function isPunctuation(code) {
  if (code === undefined || Number.isNaN(code)) return false;
  return code < 0x80 ? isEscapable(code) : /^[\p{P}\p{S}]$/u.test(String.fromCodePoint(code));
}

/** A text without the spaces and tabs at its end. A pattern would take quadratic time. @param {string} text */
export function trimEnd(text) {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return end === text.length ? text : text.slice(0, end);
}

/** @param {string} text */
export function trim(text) {
  let start = 0;
  while (start < text.length && isBlank(text.charCodeAt(start))) start += 1;
  return trimEnd(start === 0 ? text : text.slice(start));
}

/** Decodes entities, and knows which names it did not find. */
export class Entities {
  #named;
  /** A name that could be an entity of the whole table was met. */
  missing = false;

  /** @param {((name: string) => string|null|undefined)|undefined} named */
  constructor(named) {
    this.#named = named;
  }

  /**
   * @param {string} text @param {number} at where an `&` is
   * @returns {{text: string, length: number}|null}
   */
  read(text, at) {
    ENTITY.lastIndex = at;
    const match = ENTITY.exec(text);
    if (!match) return null;
    const [{ length }, decimal, hexadecimal, name] = match;
    if (name) {
      const found = Object.hasOwn(COMMON, name) ? COMMON[name] : this.#named?.(name);
      if (found === undefined || found === null) this.missing = true;
      return found ? { text: found, length } : null;
    }
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    const isCharacter = code > 0 && code < 0x110000 && (code < 0xd800 || code > 0xdfff);
    return { text: isCharacter ? String.fromCodePoint(code) : '\ufffd', length };
  }

  /** A text without backslash escapes and entities: an address, a title, the language of a code block. */
  unescape(text) {
    if (!text.includes('\\') && !text.includes('&')) return text;
    return text.replaceAll(ESCAPED, (part) => (part[0] === '\\' ? part[1] : this.read(part, 0)?.text ?? part));
  }
}
