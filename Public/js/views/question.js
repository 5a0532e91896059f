/** A question before something goes away: what happens to whom, and a button that is named for what it does. */
import { element } from './dom.js';
import { listTexts } from '../models/texts/list.js';

/**
 * @param {{title: string, hints: string[], action: string}} question
 * @returns {Promise<boolean>} whether it is to be done
 */
export function ask({ title, hints, action }) {
  return new Promise((resolve) => {
    const cancel = element('button', { type: 'button', class: 'button' }, listTexts.cancel);
    const act = element('button', { type: 'button', class: 'button danger' }, action);
    const heading = element('h2', { id: 'question-title', dir: 'auto' }, title);
    const body = element('div', { id: 'question-hints', class: 'hints' });
    body.append(...hints.map((hint) => element('p', { dir: 'auto' }, hint)));
    const attributes = { class: 'question', 'aria-labelledby': heading.id, 'aria-describedby': body.id };
    const actions = element('div', { class: 'actions' }, cancel, act);
    const dialog = /** @type {HTMLDialogElement} */ (element('dialog', attributes, heading, body, actions));
    let answer = false;
    act.addEventListener('click', () => {
      answer = true;
      dialog.close();
    });
    cancel.addEventListener('click', () => dialog.close());
    // Beside the dialog is the dialog's own backdrop.
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
    dialog.addEventListener('keydown', (event) => event.key === 'Escape' && event.stopPropagation());
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(answer);
    });
    document.querySelector('#app').append(dialog);
    dialog.showModal();
    // What cannot be undone is not what Return does by itself.
    cancel.focus();
  });
}
