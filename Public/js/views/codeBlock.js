/** A block of code: its language, buttons to copy it and to wrap its lines, and the rest of a long one on demand. */
import { element, setAttribute } from './dom.js';
import { button } from './parts.js';
import { labelOf } from '../models/highlight/languages.js';
import { chatTexts } from '../models/texts/conversation.js';

/** Longer blocks are folded to so many lines. */
const SHOWN_LINES = 30;
const SAID_FOR = 2000;

/** Where line `SHOWN_LINES` ends, and how many lines follow. @param {string} text */
function foldOf(text) {
  let end = 0;
  for (let line = 0; line < SHOWN_LINES; line += 1) {
    const next = text.indexOf('\n', end);
    if (next === -1) return { end: text.length, rest: 0 };
    end = next + 1;
  }
  const rest = text.slice(end).split('\n').length;
  return end === text.length ? { end, rest: 0 } : { end, rest };
}

/** @param {string} source @param {string} info behind the fence @returns {HTMLElement} */
export function codeBlock(source, info) {
  const text = source.replace(/\n$/, '');
  const label = labelOf(info);
  const { end, rest } = foldOf(text);
  const code = element('code', {}, text.slice(0, end));
  const name = chatTexts.codeOf(label);
  const pre = element('pre', { dir: 'ltr', tabindex: '0', role: 'group', 'aria-label': name }, code);
  const press = (name, act) => button(name, act, 'small', { tabindex: '-1' });
  const wrap = press(chatTexts.wrapLines, () => {
    const isWrapped = pre.hasAttribute('data-wrap');
    setAttribute(pre, 'data-wrap', !isWrapped);
    setAttribute(wrap, 'aria-pressed', String(!isWrapped));
  });
  setAttribute(wrap, 'aria-pressed', 'false');
  const copy = press(chatTexts.copyCode, async () => {
    const isCopied = await import('./clipboard.js').then(({ copyText }) => copyText(text), () => false);
    copy.textContent = isCopied ? chatTexts.codeCopied : chatTexts.copyCode;
    setTimeout(() => { copy.textContent = chatTexts.copyCode; }, SAID_FOR);
  });
  const said = element('span', { class: 'language', dir: 'ltr' }, label);
  const block = element('figure', { class: 'code-block' },
    element('div', { class: 'code-bar' }, said, wrap, copy), pre);
  if (rest > 0) {
    const folded = element('span', { hidden: true }, text.slice(end));
    code.append(folded);
    const more = press(chatTexts.showLines(rest), () => {
      folded.hidden = false;
      more.remove();
      pre.focus({ preventScroll: true });
    });
    block.append(more);
  }
  if (label !== '') colourLater(code, info);
  return block;
}

/** @type {Promise<typeof import('./codeColours.js')>|null} */
let colours = null;

/** Colours come after the paint, from a module of their own; without them the code is plain. */
function colourLater(code, info) {
  if (!globalThis.CSS?.highlights) return;
  requestAnimationFrame(() => {
    colours ??= import('./codeColours.js');
    colours.then((module) => module.colourInView(code, info)).catch(() => { colours = null; });
  });
}
