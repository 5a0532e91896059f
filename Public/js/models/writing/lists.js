/** Return, Tab and Shift+Tab in lists, quotes and fences: a text with its selection in, the next one out. */
import { fenceAt, itemOf, lineAt, linesIn } from './structure.js';

/** @typedef {import('./structure.js').Writing} Writing */

/** Further in, the first item of a list would be code. */
const FURTHEST = 3;
const UNIT = '  ';

/** @param {Writing} writing @param {string} added @returns {Writing} */
function insert({ text, start, end }, added) {
  const caret = start + added.length;
  return { text: text.slice(0, start) + added + text.slice(end), start: caret, end: caret };
}

/**
 * Breaks the line: a list or quote goes on, and ends at an empty item; code keeps its indentation.
 * @param {Writing} writing
 * @returns {Writing|null} null if there is nothing to go on with
 */
export function breakLine(writing) {
  const { text, start, end } = writing;
  const { start: from, line } = lineAt(text, start);
  const fence = fenceAt(text, start);
  if (fence) {
    const before = line.slice(0, start - from);
    const pattern = fence.lead.includes('>') ? /^[ \t>]*/ : /^[ \t]*/;
    const [lead] = from < fence.from ? [fence.lead] : pattern.exec(before) ?? [''];
    return insert(writing, `\n${lead}`);
  }
  const item = itemOf(line);
  if (!item || start - from < item.length) return null;
  const { quote, indent, marker, number, box } = item;
  if (start === end && line.slice(item.length).trim() === '') return endItem(writing, from, line, item);
  const next = number === null ? marker : marker.replace(/\d+/, String(number + 1));
  return insert(writing, `\n${quote}${indent}${next}${box && '[ ] '}`);
}

/** An empty item moves one level out, or becomes an empty line. */
function endItem(writing, from, line, { quote, indent }) {
  const out = indent === '' ? null : indentLines(writing, true);
  if (out) return out;
  const { text } = writing;
  const kept = itemOf(line)?.marker ? quote : '';
  const caret = from + kept.length;
  return { text: text.slice(0, from) + kept + text.slice(from + line.length), start: caret, end: caret };
}

/**
 * Moves the lines of a selection in or out, in a list and in an open fence.
 * @param {Writing} writing @param {boolean} isOut
 * @returns {Writing|null} null outside of both, and if there is nothing to move out
 */
export function indentLines(writing, isOut) {
  const { text, start } = writing;
  const fence = fenceAt(text, start);
  if (!fence) return indentItems(writing, isOut);
  if (lineAt(text, start).start < fence.from) return null;
  const unit = unitOf(text.slice(fence.from));
  if (!isOut && start === writing.end) return insert(writing, unit);
  const { length } = fence.lead;
  const own = new RegExp(`^(.{0,${length}}?)(?:\t| {1,${unit === '\t' ? 4 : unit.length}})`);
  return moveLines(writing, (line) => {
    if (isOut) return line.replace(own, '$1');
    return line.trim() === '' ? line : line.slice(0, length) + unit + line.slice(length);
  });
}

/** What code is indented by: a tab, or the fewest spaces that a line of it starts with. @param {string} code */
function unitOf(code) {
  const [, tab] = /^[>\s]*?(\t)/m.exec(code) ?? [];
  if (tab) return tab;
  const widths = code.split('\n').map((line) => /^(?:> ?)*( {2,8})\S/.exec(line)?.[1].length ?? Infinity);
  const least = Math.min(...widths);
  return least === Infinity ? UNIT : ' '.repeat(least);
}

function indentItems(writing, isOut) {
  const { text, start } = writing;
  const { from, lines } = linesIn(writing);
  const first = itemOf(lines[0]);
  if (!first?.marker) return null;
  const width = first.indent.length;
  const above = text.slice(0, from).split('\n').slice(0, -1).map(itemOf).reverse()
    .filter((item) => item?.marker && item.quote === first.quote);
  const outer = above.find((item) => (isOut ? item.indent.length < width : item.indent.length <= width));
  if (isOut && width === 0) return null;
  const furthest = Math.min(first.marker.length, FURTHEST);
  const to = isOut ? outer?.indent.length ?? 0
    : Math.max(width, outer ? outer.indent.length + outer.marker.length : furthest);
  const by = to - width;
  const number = first.number === null ? null : numberAt(above, to);
  return moveLines({ ...writing, start }, (line, index) => {
    const { quote, length } = itemOf(line) ?? { quote: '', length: 0 };
    const inner = line.slice(quote.length);
    if (inner.trim() === '' && length === 0) return line;
    const moved = by >= 0 ? ' '.repeat(by) + inner : inner.replace(new RegExp(`^[ \t]{1,${-by}}`), '');
    return quote + (index === 0 && number !== null && by !== 0 ? moved.replace(/\d+/, String(number)) : moved);
  });
}

/** The number of an item that comes to this indentation. @param {(import('./structure.js').Item|null)[]} above */
function numberAt(above, indent) {
  for (const item of above) {
    if (!item || item.indent.length < indent) return 1;
    if (item.indent.length === indent) return (item.number ?? 0) + 1;
  }
  return 1;
}

/**
 * Changes each line of a selection, which stays on the same characters.
 * @param {Writing} writing @param {(line: string, index: number) => string} change
 */
function moveLines(writing, change) {
  const { text, start, end } = writing;
  const { from, to, lines } = linesIn(writing);
  const changed = lines.map(change);
  const firstBy = changed[0].length - lines[0].length;
  const block = changed.join('\n');
  const lastStart = block.length - /** @type {string} */ (changed.at(-1)).length + from;
  return {
    text: text.slice(0, from) + block + text.slice(to),
    start: Math.max(from, start + firstBy),
    end: Math.max(lastStart, end + block.length - (to - from)),
  };
}
