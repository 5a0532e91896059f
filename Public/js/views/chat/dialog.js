/** A dialog of the open chat: in the middle, or a sheet at the bottom where the screen is narrow. */
import { element } from '../dom.js';
import { icon } from '../icons.js';
import { chatTexts } from '../../models/texts/conversation.js';

/**
 * Opens a modal dialog; Escape and a press beside it close it, and the focus goes back to where it was.
 * @param {object} options
 * @param {string} options.title
 * @param {Node[]} options.content
 * @param {string} [options.name] a further class
 * @param {() => void} [options.closed]
 * @returns {HTMLDialogElement}
 */
export function openDialog({ title, content, name = '', closed = () => {} }) {
  const heading = element('h2', { id: 'chat-dialog-title', dir: 'auto' }, title);
  const close = element('button', { type: 'button', class: 'icon-button', 'aria-label': chatTexts.close }, icon('close'));
  const head = element('div', { class: 'head' }, heading, close);
  const attributes = { class: `chat-dialog ${name}`, 'aria-labelledby': 'chat-dialog-title' };
  const dialog = /** @type {HTMLDialogElement} */ (element('dialog', attributes, head, ...content));
  const before = document.activeElement;
  close.addEventListener('click', () => dialog.close());
  // Beside the dialog is the dialog's own backdrop.
  dialog.addEventListener('pointerdown', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') event.stopPropagation();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    // This event comes late: what got the focus meanwhile keeps it.
    const lost = document.activeElement === document.body;
    if (lost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    closed();
  });
  document.querySelector('#app').append(dialog);
  dialog.showModal();
  return dialog;
}
