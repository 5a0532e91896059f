/** Asks for whom messages are deleted. */
import { element } from '../dom.js';
import { openDialog } from './dialog.js';
import { chatTexts } from '../../models/texts/conversation.js';

/**
 * @param {number} count
 * @param {boolean} mayForAll
 * @returns {Promise<'all'|'me'|null>} null: thought better of it
 */
export function askForWhom(count, mayForAll) {
  return new Promise((resolve) => {
    let answer = null;
    const hint = element('p', { class: 'hint' }, mayForAll ? chatTexts.deleteHint : chatTexts.deleteHintMine);
    const actions = element('div', { class: 'actions' });
    const button = (label, value, look) => {
      const node = element('button', { type: 'button', class: `button ${look}` }, label);
      node.addEventListener('click', () => {
        answer = value;
        dialog.close();
      });
      actions.append(node);
      return node;
    };
    const title = chatTexts.deleteTitle(count);
    const dialog = openDialog({ title, content: [hint, actions], name: 'delete', closed: () => resolve(answer) });
    if (mayForAll) button(chatTexts.deleteForAll, 'all', 'danger');
    button(chatTexts.deleteForMe, 'me', 'danger');
    // What cannot be undone is not what Return does by itself.
    button(chatTexts.cancel, null, '').focus();
  });
}
