/** A dialog of the open chat; on narrow screens a sheet at the bottom. */
import { sharedTexts } from '../../models/texts/shared.js';
import { element } from '../dom.js';
import { iconButton } from '../parts.js';

/**
 * Opens a modal dialog. Escape and a press beside it close it and return the focus.
 * @param {object} options
 * @param {string} options.title
 * @param {Node[]} options.content
 * @param {string} [options.name] a further class
 * @param {() => void} [options.closed]
 * @returns {HTMLDialogElement}
 */
export function openDialog({ title, content, name = '', closed = () => {} }) {
  const heading = element('h2', { id: 'chat-dialog-title', dir: 'auto' }, title);
  const close = iconButton('close', sharedTexts.close, () => dialog.close());
  const head = element('div', { class: 'head' }, heading, close);
  const attributes = { class: `chat-dialog ${name}`, 'aria-labelledby': 'chat-dialog-title' };
  const dialog = /** @type {HTMLDialogElement} */ (element('dialog', attributes, head, ...content));
  const before = document.activeElement;
  // A press beside the dialog hits its backdrop, which belongs to it.
  dialog.addEventListener('pointerdown', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') event.stopPropagation();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    // This event comes late, so an element focused meanwhile keeps the focus.
    const lost = document.activeElement === document.body;
    if (lost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    closed();
  });
  document.querySelector('#app').append(dialog);
  dialog.showModal();
  return dialog;
}

/** Whether a dialog of this name is open, perhaps by the first of two presses. @param {string} name */
export const isOpen = (name) => document.querySelector(`dialog.${name}`) !== null;
