/** A confirmation dialog: what happens to whom, and a button named after the action. */
import { sharedTexts } from '../models/texts/shared.js';
import { element } from './dom.js';
import { button } from './parts.js';

/**
 * @param {{title: string, hints: string[], action: string}} question
 * @returns {Promise<boolean>} whether the user confirmed
 */
export function ask({ title, hints, action }) {
  return new Promise((resolve) => {
    const actions = element('div', { class: 'actions' });
    const dialog = /** @type {HTMLDialogElement} */ (element('dialog',
      { class: 'question', 'aria-labelledby': 'question-title', 'aria-describedby': 'question-hints' },
      element('h2', { id: 'question-title', dir: 'auto' }, title),
      element('div', { id: 'question-hints', class: 'hints' },
        ...hints.map((hint) => element('p', { dir: 'auto' }, hint))),
      actions));
    let answer = false;
    const cancel = button(sharedTexts.cancel, () => dialog.close());
    const act = button(action, () => {
      answer = true;
      dialog.close();
    }, 'danger');
    actions.append(cancel, act);
    // A press beside the dialog hits its backdrop, which belongs to it.
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
    dialog.addEventListener('keydown', (event) => event.key === 'Escape' && event.stopPropagation());
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(answer);
    });
    document.querySelector('#app').append(dialog);
    dialog.showModal();
    // Return must not do what cannot be undone.
    cancel.focus();
  });
}
