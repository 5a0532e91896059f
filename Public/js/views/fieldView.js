/** A labelled field with its error beneath, for the forms of sign-in and settings. */
import { clone, element, fill } from './dom.js';

export class FieldView {
  #parts = clone('field');
  #hint;
  input;
  node = this.#parts.node;

  /**
   * @param {object} options
   * @param {string} options.name of the member of the view model's values
   * @param {string} options.label
   * @param {Record<string, unknown>} [options.attributes] further attributes of the input
   * @param {string} [options.hint] a rule, shown while there is no error
   * @param {HTMLElement} [options.button] stands inside the field at its end
   * @param {'input'|'textarea'} [options.tag] a field of one line, or of several
   */
  constructor({ name, label, attributes = {}, hint = '', button = null, tag = 'input' }) {
    const id = `field-${name}`;
    this.#hint = hint;
    this.input = /** @type {HTMLInputElement} */ (element(tag, { class: 'input', id, name, ...attributes }));
    fill(this.#parts, {
      caption: { text: label, for: id },
      hint: { text: hint, id: `${id}-hint` },
      error: { id: `${id}-error` },
    });
    this.#parts.caption.after(button ? element('div', { class: 'with-button' }, this.input, button) : this.input);
    this.show(this.input.value, undefined);
  }

  /** @param {string} value @param {string|undefined} error */
  show(value, error) {
    const { hint: hintNode, error: errorNode } = this.#parts;
    const described = error ? errorNode.id : this.#hint ? hintNode.id : null;
    fill({ ...this.#parts, input: this.input }, {
      input: { value, 'aria-invalid': error ? 'true' : null, 'aria-describedby': described },
      hint: { hidden: !this.#hint || Boolean(error) },
      error: { hidden: !error },
      message: error ?? '',
    });
  }
}
