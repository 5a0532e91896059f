/** A switch with its words beside it and a sentence below them. */
import { element } from './dom.js';

export class SwitchField {
  input;
  node;

  /**
   * @param {object} options
   * @param {string} options.id unique in the page
   * @param {string} options.label
   * @param {string} options.hint
   * @param {(on: boolean) => void} options.change
   */
  constructor({ id, label, hint, change }) {
    this.input = /** @type {HTMLInputElement} */ (
      element('input', { type: 'checkbox', role: 'switch', class: 'switch', id, 'aria-describedby': `${id}-hint` })
    );
    this.input.addEventListener('change', () => change(this.input.checked));
    this.node = element(
      'div',
      { class: 'switch-field' },
      element('label', { for: id }, label),
      this.input,
      element('p', { class: 'field-hint', id: `${id}-hint` }, hint),
    );
  }

  show(on) {
    if (this.input.checked !== on) this.input.checked = on;
  }
}
