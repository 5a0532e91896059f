/** A question before something that is hard to undo. */
import { element } from './dom.js';
import { groupTexts } from '../models/texts/groups.js';

/**
 * @param {object} question
 * @param {string} question.title
 * @param {string[]} question.hints what will happen, a sentence or two each
 * @param {string} question.action the word on the button that does it
 * @returns {Promise<boolean>} false when it was thought better of
 */
export function confirm({ title, hints, action }) {
  return new Promise((resolve) => {
    const cancel = element('button', { type: 'button', class: 'button' }, groupTexts.confirm.cancel);
    const act = element('button', { type: 'button', class: 'button danger' }, action);
    const dialog = /** @type {HTMLDialogElement} */ (element(
      'dialog',
      { class: 'confirm', 'aria-labelledby': 'confirm-title', 'aria-describedby': 'confirm-hints' },
      element('h2', { id: 'confirm-title', dir: 'auto' }, title),
      element('div', { id: 'confirm-hints', class: 'hints' }, ...hints.map((hint) => element('p', {}, hint))),
      element('div', { class: 'actions' }, cancel, act),
    ));
    let answer = false;
    act.addEventListener('click', () => {
      answer = true;
      dialog.close();
    });
    cancel.addEventListener('click', () => dialog.close());
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
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
