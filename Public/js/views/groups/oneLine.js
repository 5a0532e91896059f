import { isComposing } from '../dom.js';

/**
 * Makes a textarea that wraps a single line: Return submits its form, as in an input.
 * @param {HTMLElement} field @param {HTMLFormElement} form
 */
export function sendsByReturn(field, form) {
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || isComposing(event)) return;
    event.preventDefault();
    form.requestSubmit();
  });
}
