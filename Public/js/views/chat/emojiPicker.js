/** The emoji picker: a search field, and a grid with arrow keys. */
import { element, isComposing, set } from '../dom.js';
import { openDialog } from './dialog.js';
import { ALL_EMOJI, searchEmoji } from '../../models/emoji.js';
import { chatTexts } from '../../models/texts/conversation.js';

const columns = 8;

/** @param {string[]} frequent shown first @param {(emoji: string) => void} choose called once, after it has closed */
export function openEmojiPicker(frequent, choose) {
  let chosen = null;
  const field = /** @type {HTMLInputElement} */ (element('input', {
    type: 'search', class: 'input', 'aria-label': chatTexts.searchEmoji, placeholder: chatTexts.searchEmoji,
    autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
  }));
  const grid = element('div', { class: 'emoji-grid scroller', role: 'group', 'aria-label': chatTexts.emoji });
  const nothing = element('p', { class: 'hint', role: 'status' });
  const dialog = openDialog({
    title: chatTexts.emojiTitle, content: [field, nothing, grid], name: 'emoji', closed: () => chosen && choose(chosen),
  });
  const pick = (emoji) => {
    chosen = emoji;
    dialog.close();
  };
  const names = new Map(ALL_EMOJI.map(({ emoji, names: [name] }) => [emoji, name]));
  const button = (emoji, name) => {
    const label = (name ?? names.get(emoji) ?? emoji).replaceAll('_', ' ');
    const attributes = {
      type: 'button', tabindex: '-1', title: label, 'aria-label': label, onclick: () => pick(emoji),
    };
    return element('button', attributes, emoji);
  };
  const show = () => {
    const query = field.value.trim();
    const others = ALL_EMOJI.map(({ emoji }) => emoji).filter((one) => !frequent.includes(one));
    const all = query === '' ? [...frequent, ...others].map((emoji) => button(emoji))
      : searchEmoji(query, 80).map(({ emoji, name }) => button(emoji, name));
    grid.replaceChildren(...all);
    grid.firstElementChild?.setAttribute('tabindex', '0');
    set(nothing, { text: all.length === 0 ? chatTexts.noEmoji : '', hidden: all.length > 0 });
  };
  field.addEventListener('input', show);
  field.addEventListener('keydown', (event) => {
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown') event.preventDefault(), grid.firstElementChild?.focus();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (field.value.trim() !== '') grid.firstElementChild?.click();
  });
  grid.addEventListener('keydown', (event) => walk(event, grid, field));
  show();
  field.focus();
}

function walk(event, grid, field) {
  const nodes = [...grid.children];
  const at = nodes.indexOf(/** @type {HTMLElement} */ (event.target));
  const rtl = getComputedStyle(grid).direction === 'rtl' ? -1 : 1;
  const by = { ArrowLeft: -rtl, ArrowRight: rtl, ArrowUp: -columns, ArrowDown: columns }[event.key];
  const to = event.key === 'Home' ? 0 : event.key === 'End' ? nodes.length - 1 : at + by;
  if (Number.isNaN(to)) return;
  event.preventDefault();
  if (to < 0) return field.focus();
  const next = nodes[Math.min(to, nodes.length - 1)];
  nodes[at]?.setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
}
