import { element } from './dom.js';

/**
 * Copies a text; where the clipboard is missing (insecure origins), by way of a selected field.
 * @param {string} text @returns {Promise<boolean>} whether it worked
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement;
    const attributes = { class: 'visually-hidden', readonly: true, value: text };
    const field = /** @type {HTMLTextAreaElement} */ (element('textarea', attributes));
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return copied;
  }
}
