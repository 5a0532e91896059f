/** What stands around a place in a text that is being written: its line, list item, quote, and fence. */

/**
 * A text with its selection.
 * @typedef {{text: string, start: number, end: number}} Writing
 */
/**
 * The start of a line that is a list item or a quote.
 * @typedef {object} Item
 * @property {string} quote `> `, once for each level; or ''
 * @property {string} indent between the quote and the marker
 * @property {string} marker `- ` or `1. `; '' in a quote without a list
 * @property {number|null} number
 * @property {string} box `[ ] `, or ''
 * @property {number} length of it all
 */

/** Always matches, so that it never looks twice at a character. */
const CONTAINERS = /(?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*/y;
const QUOTE = /(?:[ \t]{0,3}>[ \t]?)*/y;
const MARKER = /[-*+][ \t]+|(\d{1,9})[.)][ \t]+/y;
const BOX = /\[[ xX]\](?:[ \t]+|$)/y;
const BLANKS = /[ \t]*/y;
const FENCE = /^(`{3,}(?!.*`)|~{3,})/;

function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? [''];
}

/** The line around a place. @param {string} text @param {number} at */
export function lineAt(text, at) {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return { start, line: text.slice(start, end === -1 ? text.length : end) };
}

/** The lines that a selection touches. @param {Writing} writing */
export function linesIn({ text, start, end }) {
  const from = lineAt(text, start).start;
  const last = lineAt(text, end);
  const to = last.start + last.line.length;
  return { from, to, lines: text.slice(from, to).split('\n') };
}

/** @param {string} line @returns {Item|null} null if it is neither in a list nor in a quote */
export function itemOf(line) {
  const [quote] = match(QUOTE, line, 0);
  const [indent] = match(BLANKS, line, quote.length);
  const [marker, digits] = match(MARKER, line, quote.length + indent.length);
  if (marker === '') {
    return quote === '' ? null : { quote, indent: '', marker, number: null, box: '', length: quote.length };
  }
  const length = quote.length + indent.length + marker.length;
  const [box] = match(BOX, line, length);
  const number = digits === undefined ? null : Number(digits);
  return { quote, indent, marker, number, box, length: length + box.length };
}

/**
 * An open fence.
 * @typedef {object} Fence
 * @property {number} from where its first line of code starts, or would
 * @property {string} lead what stands before the code in each line: blanks and quotes
 * @property {string} marks
 */

/** The fence that a place is in, behind its opening and before its end. @param {string} text @param {number} at */
export function fenceAt(text, at) {
  /** @type {Fence & {quotes: number}|null} */
  let fence = null;
  for (let start = 0; start <= at;) {
    const { line } = lineAt(text, start);
    const next = start + line.length + 1;
    const [containers] = match(CONTAINERS, line, 0);
    const quotes = containers.split('>').length - 1;
    const [, marks] = FENCE.exec(line.slice(containers.length)) ?? [];
    // A line outside of its quote ends the fence in it.
    if (fence && quotes < fence.quotes) fence = null;
    if (fence) {
      const isEnd = marks?.startsWith(fence.marks) && line.slice(containers.length + marks.length).trim() === '';
      if (isEnd) fence = null;
    } else if (marks && at >= start + containers.length + marks.length) {
      const lead = containers.replaceAll(/[-*+]|\d+[.)]/g, (marker) => ' '.repeat(marker.length));
      fence = { from: next, lead, marks, quotes };
    }
    start = next;
  }
  return /** @type {Fence|null} */ (fence);
}
