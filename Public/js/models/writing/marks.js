/** Bold, italic, code and links around a selection: set, or taken away. */
import { fenceAt, itemOf, lineAt } from './structure.js';

/** @typedef {import('./structure.js').Writing} Writing */
/** @typedef {'bold'|'italic'|'code'|'link'} Mark */

const SIGNS = { bold: '**', italic: '_', code: '`' };
const CHARACTERS = { bold: ['*', '_'], italic: ['_', '*'], code: ['`'] };
const WORD_BEFORE = /[\p{L}\p{N}\p{M}_'’-]*$/u;
const WORD_BEHIND = /^[\p{L}\p{N}\p{M}_'’-]*/u;
const LINK = /\[([^[\]\n]*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)/g;
const ADDRESS = /^(?:https?:\/\/|mailto:)[^\s<>]+$/i;
/** To be typed over. */
const PLACE = 'url';

/** @param {Writing} writing @param {Mark} mark @returns {Writing} */
export function toggleMark(writing, mark) {
  const { text, start, end } = writing;
  if (mark === 'code' && text.slice(start, end).includes('\n')) return toggleFence(writing);
  // Code has no marks.
  if (fenceAt(text, start)) return writing;
  if (mark === 'link') return toggleLink(writing);
  const range = wordIn(writing);
  return range.start === range.end ? toggleEmpty(writing, SIGNS[mark]) : toggleParts(text, range, mark);
}

/** The selection without the blanks at its ends; for a caret the word that it is in. */
function wordIn({ text, start, end }) {
  if (start === end) {
    const { start: from, line } = lineAt(text, start);
    const [before] = WORD_BEFORE.exec(line.slice(Math.max(0, start - from - 100), start - from)) ?? [''];
    const [behind] = WORD_BEHIND.exec(line.slice(start - from, start - from + 100)) ?? [''];
    return before === '' || behind === '' ? { start, end } : { start: start - before.length, end: end + behind.length };
  }
  const selected = text.slice(start, end);
  const trimmed = selected.trim();
  if (trimmed === '') return { start: end, end };
  const from = start + selected.indexOf(trimmed);
  return { start: from, end: from + trimmed.length };
}

function toggleEmpty({ text, end: caret }, sign) {
  const [before, behind] = [text.slice(0, caret), text.slice(caret)];
  const isBetween = before.endsWith(sign) && behind.startsWith(sign);
  const by = isBetween ? -sign.length : sign.length;
  const next = isBetween ? before.slice(0, by) + behind.slice(sign.length) : before + sign + sign + behind;
  return { text: next, start: caret + by, end: caret + by };
}

/** Marks each line by itself, since no mark goes beyond a paragraph. */
function toggleParts(text, range, mark) {
  const parts = [];
  for (let at = range.start; at <= range.end;) {
    const { start, line } = lineAt(text, at);
    const from = Math.max(at, start + Math.max(itemOf(line)?.length ?? 0, /^#{1,6} /.exec(line)?.[0].length ?? 0));
    const to = Math.min(range.end, start + line.length);
    if (text.slice(from, to).trim() !== '') parts.push({ from, to });
    at = start + line.length + 1;
  }
  const found = parts.map(({ from, to }) => markedIn(text, from, to, mark));
  const isSet = parts.length > 0 && found.every((one) => one !== null);
  let changed = '';
  let copied = 0;
  let [first, last] = [range.start, range.end];
  parts.forEach((one, index) => {
    const part = isSet ? without(text, /** @type {any} */ (found[index]))
      : found[index] ? { ...one, by: text.slice(one.from, one.to), at: 0, length: one.to - one.from }
        : withSigns(text, one, mark);
    changed += text.slice(copied, part.from) + part.by;
    copied = part.to;
    const at = changed.length - part.by.length + part.at;
    if (index === 0) first = at;
    last = at + part.length;
  });
  return { text: changed + text.slice(copied), start: first, end: Math.max(first, last) };
}

/** The length of the run of a character that ends before, or starts at, a place. */
function run(text, at, character, step) {
  let length = 0;
  while (text[step > 0 ? at + length : at - 1 - length] === character) length += 1;
  return length;
}

/** How many characters of runs of this length belong to the mark. @param {number} length @param {Mark} mark */
function share(length, mark) {
  if (mark === 'bold') return length >= 2 ? 2 : 0;
  if (mark === 'italic') return length === 1 || length >= 3 ? 1 : 0;
  return length;
}

/** The signs at the ends of a range, inside or outside of it. */
function markedIn(text, from, to, mark) {
  for (const character of CHARACTERS[mark]) {
    const before = run(text, from, character, 1);
    const behind = run(text, to, character, -1);
    const length = share(Math.min(
      run(text, from, character, -1) + before, run(text, to, character, 1) + behind), mark);
    const [start, end] = [from + before, to - behind];
    if (length === 0 || start >= end) continue;
    // Signs of two parts with others between them are no pair.
    if (before > 0 && behind > 0 && withoutInner(text.slice(start, end), mark) !== text.slice(start, end)) continue;
    return { from: start - length, to: end + length, length };
  }
  return null;
}

/** A text without marks of its own. @param {string} text @param {Mark} mark */
function withoutInner(text, mark) {
  if (mark === 'bold') return text.replaceAll(/\*\*|__/g, '');
  return mark === 'italic' ? text.replaceAll(/(?<![\p{L}\p{N}_])_(?!_)|(?<!_)_(?![\p{L}\p{N}_])/gu, '') : text;
}

function without(text, { from, to, length }) {
  const by = text.slice(from + length, to - length);
  return { from, to, by, at: 0, length: by.length };
}

function withSigns(text, { from, to }, mark) {
  const content = withoutInner(text.slice(from, to), mark);
  const runs = mark === 'code' ? content.match(/`+/g) ?? [] : [];
  const sign = runs.length === 0 ? SIGNS[mark] : '`'.repeat(Math.max(...runs.map(({ length }) => length)) + 1);
  const gap = runs.length === 0 ? '' : ' ';
  const lead = sign + gap;
  return { from, to, by: lead + content + gap + sign, at: lead.length, length: content.length };
}

function toggleLink({ text, start, end }) {
  const { start: from, line } = lineAt(text, start);
  for (const { 0: all, 1: label, index } of line.matchAll(LINK)) {
    const at = from + index;
    if (at > start || at + all.length < end) continue;
    return { text: text.slice(0, at) + label + text.slice(at + all.length), start: at, end: at + label.length };
  }
  const selected = text.slice(start, end);
  if (selected.includes('\n')) return { text, start, end };
  if (isAddress(selected)) return link({ text, start, end }, '', selected, ({ at }) => [at + 1, at + 1]);
  return link({ text, start, end }, selected, PLACE, ({ address }) => [address, address + PLACE.length]);
}

function link({ text, start, end }, label, address, select) {
  const shown = label.replaceAll(/\\[^]|[[\]]/g, (part) => (part.length > 1 ? part : `\\${part}`));
  const target = /[()]/.test(address) ? `<${address}>` : address;
  const all = `[${shown}](${target})`;
  const [first, last] = select({ at: start, address: start + shown.length + 3, behind: start + all.length });
  return { text: text.slice(0, start) + all + text.slice(end), start: first, end: last };
}

/** Whether a text is one address of the web or of mail. @param {string} text */
const isAddress = (text) => ADDRESS.test(text.trim());

/**
 * An address that is pasted on selected words makes a link of them.
 * @param {Writing} writing @param {string} pasted @returns {Writing|null} null if it is to be pasted as it is
 */
export function linkTo(writing, pasted) {
  const { text, start, end } = writing;
  const selected = text.slice(start, end);
  const isPlain = selected.trim() === '' || /\n|\]\(/.test(selected) || isAddress(selected);
  if (isPlain || !isAddress(pasted) || fenceAt(text, start) || isInCode(text, start)) return null;
  return link(writing, selected, pasted.trim(), ({ behind }) => [behind, behind]);
}

/** Whether an odd number of code signs stands before a place in its line. */
function isInCode(text, at) {
  const { start } = lineAt(text, at);
  return (text.slice(start, at).match(/`+/g)?.length ?? 0) % 2 === 1;
}

/** Sets whole lines as a block of code, or takes its fences away. @param {Writing} writing @returns {Writing} */
function toggleFence(writing) {
  const { text, start, end } = writing;
  const block = /^(`{3,}|~{3,})[^\n`]*\n([^]*?)\n?\1[ \t]*\n?$/.exec(text.slice(start, end));
  if (block) return replaceWith(writing, block[2]);
  const before = /(?:^|\n)(?:`{3,}|~{3,})[^\n`]*\n$/.exec(text.slice(0, start))?.[0] ?? '';
  const behind = /^\n?(?:`{3,}|~{3,})[ \t]*(?=\n|$)/.exec(text.slice(end))?.[0] ?? '';
  if (before !== '' && behind !== '') {
    const from = start - before.replace(/^\n/, '').length;
    return replaceWith({ text, start: from, end: end + behind.length }, text.slice(start, end));
  }
  return asCodeBlock(writing);
}

function replaceWith({ text, start, end }, by) {
  return { text: text.slice(0, start) + by + text.slice(end), start, end: start + by.length };
}

/**
 * A fence around what is selected, on lines of its own; the caret comes behind it.
 * @param {Writing} writing @returns {Writing}
 */
export function asCodeBlock({ text, start, end }) {
  const code = text.slice(start, end).replace(/^\n+|\s+$/g, '');
  const runs = code.match(/`{3,}/g) ?? [];
  const marks = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  const before = text.slice(0, start);
  const behind = text.slice(end).replace(/^\n/, '');
  const lead = before === '' || before.endsWith('\n') ? '' : '\n';
  const block = `${before}${lead}${marks}\n${code}\n${marks}\n`;
  return { text: block + behind, start: block.length, end: block.length };
}
