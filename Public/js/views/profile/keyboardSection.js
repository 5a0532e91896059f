/** The keyboard settings of this device: character keys as shortcuts, and the help. */
import { shortcutTexts as words } from '../../models/texts/shortcuts.js';
import { actions, section } from '../formParts.js';
import { button } from '../parts.js';
import { letterSwitch, openShortcutHelp } from '../shortcutHelp.js';

export class KeyboardSection {
  node;

  /** @param {{letters: boolean}} shortcuts */
  constructor(shortcuts) {
    const field = letterSwitch(shortcuts, 'settings-letters');
    const show = () => openShortcutHelp(shortcuts, () => field.show(shortcuts.letters));
    this.node = section(words.inSettings, field.node, actions(button(words.show, show)));
  }
}
