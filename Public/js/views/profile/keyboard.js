/** The keyboard, on this device: single keys as shortcuts, and the help of all of them (H4). */
import { shortcutTexts as words } from '../../models/texts/shortcuts.js';
import { element } from '../dom.js';
import { letterSwitch, openShortcutHelp } from '../shortcutHelp.js';

export class KeyboardSection {
  node;

  /** @param {{letters: boolean}} shortcuts */
  constructor(shortcuts) {
    const field = letterSwitch(shortcuts, 'settings-letters');
    const show = element('button', { type: 'button', class: 'button' }, words.show);
    show.addEventListener('click', () => openShortcutHelp(shortcuts, () => field.show(shortcuts.letters)));
    this.node = element('section', { class: 'section' }, element('h2', {}, words.inSettings), field.node,
      element('div', { class: 'actions' }, show));
  }
}
