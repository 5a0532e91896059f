/**
 * How blocks start, and what links are written with. Each function looks at one position of a line or text, and takes
 * time in the length that it reads.
 */
import { isBlank, trim, trimEnd } from './characters.js';

const HEADING = /#{1,6}(?=[ \t]|$)/y;
const FENCE = /`{3,}(?=[^`]*$)|~{3,}/y;
const MARKER = /(?:[-+*]|(\d{1,9})([.)]))(?=[ \t]|$)/y;
const UNDERLINE = /(?:=+|-+)[ \t]*$/y;
const FOOTNOTE = /\[\^([^\] \t]+)\]:[ \t]*/y;
const DELIMITERS = /\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/y;

const NAMES = 'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|'
  + 'div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|'
  + 'main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|'
  + 'title|tr|track|ul';
/** The starts of HTML blocks with their ends, in the specification's order; the last two end at a blank line. */
const HTML = [
  [/<(?:script|pre|style|textarea)(?=[ \t>]|$)/iy, /<\/(?:script|pre|style|textarea)>/i],
  [/<!--/y, /-->/],
  [/<\?/y, /\?>/],
  [/<![A-Za-z]/y, />/],
  [/<!\[CDATA\[/y, /\]\]>/],
  [new RegExp(`</?(?:${NAMES})(?=[ \\t]|/?>|$)`, 'iy'), null],
];
const OPENING = /<[A-Za-z][A-Za-z\d-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>/y;
const CLOSING = /<\/[A-Za-z][A-Za-z\d-]*\s*>/y;

/** @param {RegExp} pattern sticky @param {string} text @param {number} at */
export function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The length of the HTML tag at a position, or 0. @param {string} text @param {number} at */
export function tagLength(text, at) {
  return (match(text[at + 1] === '/' ? CLOSING : OPENING, text, at)?.[0].length) ?? 0;
}

/** @param {string} line @param {number} at @returns {{level: number, text: string}|null} */
export function readHeading(line, at) {
  const level = match(HEADING, line, at)?.[0].length;
  if (!level) return null;
  const text = trim(line.slice(at + level));
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  if (end === text.length) return { level, text };
  // The closing hashes stand behind a space or alone.
  return { level, text: end === 0 || isBlank(text.charCodeAt(end - 1)) ? trimEnd(text.slice(0, end)) : text };
}

/** @param {string} line @param {number} at @returns {{mark: string, info: string}|null} */
export function readFence(line, at) {
  const mark = match(FENCE, line, at)?.[0];
  return mark ? { mark, info: trim(line.slice(at + mark.length)) } : null;
}

/** Whether a line closes a fenced block. @param {string} line @param {number} at @param {string} mark */
export function closesFence(line, at, mark) {
  let end = at;
  while (line[end] === mark[0]) end += 1;
  return end - at >= mark.length && trimEnd(line).length <= end;
}

/**
 * @param {string} line @param {number} at @param {boolean} interrupts a paragraph
 * @returns {{end: RegExp|null}|null} what ends the HTML block, null for a blank line
 */
export function readHTML(line, at, interrupts) {
  for (const [start, end] of HTML) if (match(/** @type {RegExp} */ (start), line, at)) return { end };
  const length = interrupts ? 0 : tagLength(line, at);
  return length > 0 && trimEnd(line).length <= at + length ? { end: null } : null;
}

/** @param {string} line @param {number} at @returns {{width: number, type: string, start: number}|null} */
export function readMarker(line, at) {
  const found = match(MARKER, line, at);
  if (!found) return null;
  return { width: found[0].length, type: found[2] ?? found[0], start: Number(found[1] ?? -1) };
}

/** @param {string} line @param {number} at */
export const isUnderline = (line, at) => match(UNDERLINE, line, at) !== null;

/** @param {string} line @param {number} at @returns {{label: string, length: number}|null} */
export function readFootnote(line, at) {
  const found = match(FOOTNOTE, line, at);
  return found && { label: found[1], length: found[0].length };
}

/** The cells of a table's row; a pipe is escaped with a backslash, even in code. @param {string} line */
export function readCells(line) {
  const text = trim(line);
  const cells = [];
  let cell = '';
  let start = text[0] === '|' ? 1 : 0;
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c && text[at + 1] === '|') {
      cell += text.slice(start, at);
      start = at + 1;
      at += 1;
    } else if (code === 0x5c) at += 1;
    else if (code === 0x7c) {
      cells.push(trim(cell + text.slice(start, at)));
      cell = '';
      start = at + 1;
    }
  }
  const rest = cell + text.slice(start);
  if (rest !== '' || cells.length === 0) cells.push(trim(rest));
  return cells;
}

/** The columns that a delimiter row states. @param {string} line @param {number} at */
export function readColumns(line, at) {
  if (!match(DELIMITERS, line, at)) return null;
  return readCells(line.slice(at)).map((cell) => {
    const right = cell.endsWith(':');
    if (cell.startsWith(':')) return right ? 'center' : 'left';
    return right ? 'right' : null;
  });
}

/**
 * Whether a line's text is a thematic break. A failed search is remembered: `* * * a` starts three items.
 * @param {import('./containers.js').Line} line
 */
export function readRule(line) {
  const { text, textAt } = line;
  const mark = text[textAt];
  if ((mark !== '*' && mark !== '-' && mark !== '_') || textAt < line.noRuleBefore) return false;
  let count = 0;
  let at = textAt;
  for (; at < text.length; at += 1) {
    if (text[at] === mark) count += 1;
    else if (!isBlank(text.charCodeAt(at))) break;
  }
  if (at < text.length) line.noRuleBefore = at;
  return at === text.length && count > 2;
}

const LABEL = /\[([^\\[\]]*(?:\\[^][^\\[\]]*)*)\]/y;
const ANGLED = /<([^\\<>\n]*(?:\\.[^\\<>\n]*)*)>/y;
const TITLES = {
  '"': /"([^"\\]*(?:\\[^][^"\\]*)*)"/y,
  "'": /'([^'\\]*(?:\\[^][^'\\]*)*)'/y,
  '(': /\(([^()\\]*(?:\\[^][^()\\]*)*)\)/y,
};
const GAP = /[ \t]*\n?[ \t]*/y;
const LONGEST_LABEL = 999;
/** cmark's limit; without one, text like `[a](b(c` would take quadratic time. */
const DEEPEST_PARENTHESES = 32;

/** @typedef {{text: string, end: number}} Part `end` is the position behind it */

/** @param {RegExp} pattern sticky @param {string} text @param {number} at @returns {Part|null} */
function part(pattern, text, at) {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match && { text: match[1], end: pattern.lastIndex };
}

/** The position behind spaces, tabs and up to one newline. @param {string} text @param {number} at */
export function skipGap(text, at) {
  GAP.lastIndex = at;
  GAP.exec(text);
  return GAP.lastIndex;
}

/** A label in brackets; it may be empty. @param {string} text @param {number} at @returns {Part|null} */
export function readLabel(text, at) {
  const label = part(LABEL, text, at);
  return label && label.text.length <= LONGEST_LABEL ? label : null;
}

/** Labels match without regard to case and to the amount of whitespace. @param {string} label */
export const normalLabel = (label) => label.trim().replaceAll(/\s+/g, ' ').toLowerCase().toUpperCase();

/** @param {string} text @param {number} at @returns {Part|null} with escapes */
export function readDestination(text, at) {
  if (text[at] === '<') return part(ANGLED, text, at);
  let depth = 0;
  let end = at;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code <= 0x20 || code === 0x7f) break;
    if (code === 0x5c) {
      if (text.charCodeAt(end + 1) > 0x20) end += 1;
    } else if (code === 0x28) {
      depth += 1;
      if (depth > DEEPEST_PARENTHESES) return null;
    } else if (code === 0x29) {
      if (depth === 0) break;
      depth -= 1;
    }
  }
  return depth === 0 ? { text: text.slice(at, end), end } : null;
}

/** @param {string} text @param {number} at @returns {Part|null} with escapes */
export function readTitle(text, at) {
  const pattern = TITLES[text[at]];
  return pattern ? part(pattern, text, at) : null;
}

/** The position behind the newline or end that follows, or -1 if something else does. */
function lineEnd(text, at) {
  let end = at;
  while (isBlank(text.charCodeAt(end))) end += 1;
  if (end === text.length) return end;
  return text[end] === '\n' ? end + 1 : -1;
}

/**
 * A definition `[label]: address "title"` at the start of a line of a paragraph.
 * @param {string} text @param {number} at
 * @returns {{label: string, href: string, title: string, end: number}|null} with escapes
 */
export function readDefinition(text, at) {
  const label = readLabel(text, at);
  if (!label || text[label.end] !== ':' || label.text.trim() === '') return null;
  const start = skipGap(text, label.end + 1);
  const destination = start < text.length ? readDestination(text, start) : null;
  if (!destination || destination.end === start) return null;
  const plain = { label: label.text, href: destination.text, title: '', end: lineEnd(text, destination.end) };
  const gap = skipGap(text, destination.end);
  const title = gap > destination.end ? readTitle(text, gap) : null;
  if (title) {
    const end = lineEnd(text, title.end);
    if (end !== -1) return { ...plain, title: title.text, end };
  }
  return plain.end === -1 ? null : plain;
}
