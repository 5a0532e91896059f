/** A labelled field with its error beneath, for the forms of sign-in and settings. */
import { element, setAttribute, setText } from './dom.js';
import { icon } from './icons.js';

export class FieldView {
  #message = element('span');
  #error;
  #hint;
  input;
  node;

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
    this.#error = element('p', { class: 'field-error', id: `${id}-error` }, icon('warning'), this.#message);
    this.#hint = hint ? element('p', { class: 'field-hint', id: `${id}-hint` }, hint) : null;
    this.input = /** @type {HTMLInputElement} */ (element(tag, { class: 'input', id, name, ...attributes }));
    const control = button ? element('div', { class: 'with-button' }, this.input, button) : this.input;
    const caption = element('label', { for: id }, label);
    this.node = element('div', { class: 'field' }, caption, control, this.#hint, this.#error);
    this.show(this.input.value, undefined);
  }

  /** @param {string} value @param {string|undefined} error */
  show(value, error) {
    if (this.input.value !== value) this.input.value = value;
    this.#error.hidden = !error;
    setText(this.#message, error ?? '');
    if (this.#hint) this.#hint.hidden = Boolean(error);
    setAttribute(this.input, 'aria-invalid', error ? 'true' : null);
    const described = error ? this.#error.id : this.#hint?.id;
    setAttribute(this.input, 'aria-describedby', described ?? null);
  }
}
