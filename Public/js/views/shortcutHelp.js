/** The keyboard help: a dialog with all shortcuts, and the switch for character keys. */
import { isLetter, shortcutTable } from '../models/shortcutTable.js';
import { shortcutTexts as words } from '../models/texts/shortcuts.js';
import { element } from './dom.js';
import { openDialog } from './chat/dialog.js';
import { loadStyles } from './laterStyles.js';
import { SwitchField } from './switchField.js';

/** @param {{letters: boolean}} shortcuts @param {() => void} [closed] */
export async function openShortcutHelp(shortcuts, closed = () => {}) {
  await loadStyles('messageTools', 'choices', 'shortcuts');
  if (document.querySelector('.shortcuts')) return;
  const table = element('table', {},
    element('thead', { class: 'visually-hidden' },
      element('tr', {}, element('th', { scope: 'col' }, words.keys), element('th', { scope: 'col' }, words.does))),
    ...Object.entries(shortcutTable).map(([group, lines]) => section(group, lines)));
  const letters = letterSwitch(shortcuts, 'shortcut-letters', (on) => table.toggleAttribute('data-letters-off', !on));
  table.toggleAttribute('data-letters-off', !shortcuts.letters);
  const body = element('div', { class: 'scroller', tabindex: '0', role: 'region', 'aria-label': words.title },
    table, letters.node);
  openDialog({ title: words.title, content: [body], name: 'shortcuts', closed });
}

/**
 * The switch for character keys.
 * @param {{letters: boolean}} shortcuts
 * @param {string} id
 * @param {(on: boolean) => void} [changed]
 */
export function letterSwitch(shortcuts, id, changed = (/** @type {boolean} */ _on) => {}) {
  const field = new SwitchField({
    id, label: words.letters, hint: words.lettersHint,
    change: (on) => {
      shortcuts.letters = on;
      changed(on);
    },
  });
  field.show(shortcuts.letters);
  return field;
}

function section(group, lines) {
  return element('tbody', {},
    element('tr', {}, element('th', { colspan: '2', scope: 'rowgroup' }, words.groups[group])),
    ...lines.map(([act, ways]) => element('tr', {},
      element('td', { class: 'keys' }, ...ways.flatMap((way, index) => wayNodes(way, index > 0))),
      element('td', {}, words.acts[act]))));
}

/** A combination: keys pressed together, or one after another. */
function wayNodes(way, isAnother) {
  const parts = way.split(/([+,])/u).filter(Boolean);
  const nodes = parts.map((part) => {
    if (parts.length > 1 && part === '+') return ' + ';
    if (parts.length > 1 && part === ',') return element('span', { class: 'between' }, ` ${words.then} `);
    return element('kbd', {}, Object.hasOwn(words.names, part) ? words.names[part] : part);
  });
  const between = isAnother ? [element('span', { class: 'between' }, ` ${words.or} `)] : [];
  return [...between, element('span', { class: isLetter(way) ? 'way letter' : 'way' }, ...nodes)];
}
