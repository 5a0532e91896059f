/** Parts of form pages: sections, notes and errors. */
import { element } from './dom.js';

/** A button that sends its form. @param {string} [label] */
export const submitButton = (label = '') => element('button', { class: 'button primary' }, label);

/** Always in the document: a live region inserted together with its text is not announced. */
export const formError = () => element('p', { class: 'form-error', role: 'alert' });
export const savedNote = (/** @type {'p'|'span'} */ name = 'p') => element(name, { class: 'saved', role: 'status' });

/** @param {string} [text] @param {Record<string, unknown>} [attributes] */
export const hint = (text = '', attributes = {}) => element('p', { class: 'field-hint', ...attributes }, text);

/** Buttons in a row. @param {...Node} buttons */
export const actions = (...buttons) => element('div', { class: 'actions' }, ...buttons);

/** @param {string|HTMLElement} heading @param {...(Node|null|undefined|false)} content */
export function section(heading, ...content) {
  const head = typeof heading === 'string' ? element('h2', {}, heading) : heading;
  return element('section', { class: 'section' }, head, ...content);
}

/** A section that opens when its heading is pressed. @param {string} heading @param {HTMLElement} body */
export function foldingSection(heading, body) {
  body.classList.add('folded');
  return /** @type {HTMLDetailsElement} */ (
    element('details', { class: 'section folding' }, element('summary', {}, element('h2', {}, heading)), body)
  );
}

/**
 * Radio buttons that look like one segmented control.
 * @template V
 * @param {{name: string, options: [V, ...(Node|string)[]][], change: (value: V) => void, look?: string}} options
 *   each option: its value and its label
 */
export function radioChoices({ name, options, change, look = 'segments' }) {
  const inputs = new Map();
  const node = element('div', { class: look });
  for (const [value, ...label] of options) {
    const attributes = { type: 'radio', name, value: String(value), onchange: () => change(value) };
    const input = /** @type {HTMLInputElement} */ (element('input', attributes));
    inputs.set(value, input);
    node.append(element('label', {}, input, ...label));
  }
  return {
    node,
    show(chosen) {
      for (const [value, input] of inputs) if (input.checked !== (value === chosen)) input.checked = value === chosen;
    },
  };
}
