/** A switch with a label beside it and a hint below. */
import { clone, fill } from './dom.js';

export class SwitchField {
  #parts = clone('switch-field');
  input = /** @type {HTMLInputElement} */ (this.#parts.input);
  node = this.#parts.node;

  /**
   * @param {object} options
   * @param {string} options.id unique in the page
   * @param {string} options.label
   * @param {string} options.hint
   * @param {(on: boolean) => void} options.change
   */
  constructor({ id, label, hint, change }) {
    fill(this.#parts, {
      caption: { text: label, for: id },
      input: { id, 'aria-describedby': `${id}-hint` },
      hint: { text: hint, id: `${id}-hint` },
    });
    this.input.addEventListener('change', () => change(this.input.checked));
  }

  show(on) {
    if (this.input.checked !== on) this.input.checked = on;
  }
}
