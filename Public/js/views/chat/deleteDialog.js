/** Asks whether to delete messages for everyone or for oneself. */
import { sharedTexts } from '../../models/texts/shared.js';
import { element } from '../dom.js';
import { button } from '../parts.js';
import { openDialog } from './dialog.js';
import { chatTexts } from '../../models/texts/conversation.js';

/**
 * @param {number} count
 * @param {boolean} mayForAll
 * @returns {Promise<'all'|'me'|null>} null: cancelled
 */
export function askForWhom(count, mayForAll) {
  return new Promise((resolve) => {
    let answer = null;
    const hint = element('p', { class: 'hint' }, mayForAll ? chatTexts.deleteHint : chatTexts.deleteHintMine);
    const actions = element('div', { class: 'actions' });
    const offer = (label, value, look) => {
      const node = button(label, () => {
        answer = value;
        dialog.close();
      }, look);
      actions.append(node);
      return node;
    };
    const title = chatTexts.deleteTitle(count);
    const dialog = openDialog({ title, content: [hint, actions], name: 'delete', closed: () => resolve(answer) });
    if (mayForAll) offer(chatTexts.deleteForAll, 'all', 'danger');
    offer(chatTexts.deleteForMe, 'me', 'danger');
    // Return must not do what cannot be undone.
    offer(sharedTexts.cancel, null, '').focus();
  });
}
