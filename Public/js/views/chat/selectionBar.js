/** The bar in place of the composer while messages are selected: their number, and actions on all of them. */
import { sharedTexts } from '../../models/texts/shared.js';
import { element, setAttribute, setText } from '../dom.js';
import { button, icon, iconButton } from '../parts.js';
import { chatTexts } from '../../models/texts/conversation.js';

export class SelectionBar {
  #count = element('p', { class: 'count-of', role: 'status' });
  #buttons;
  node;

  /** @param {{copy: () => void, forward: () => void, remove: () => void, end: () => void}} actions */
  constructor(actions) {
    const offer = (name, label, sign) => {
      const act = ({ currentTarget }) => currentTarget.getAttribute('aria-disabled') !== 'true' && actions[name]();
      return button([icon(sign), element('span', {}, label)], act, '', { 'data-action': name });
    };
    this.#buttons = [
      offer('copy', sharedTexts.copy, 'copyText'),
      offer('forward', chatTexts.forwardSelected, 'forward'),
      offer('remove', chatTexts.deleteSelected, 'remove'),
    ];
    const close = iconButton('close', chatTexts.endSelection, () => actions.end());
    this.node = element('div', { class: 'selection', role: 'group', 'aria-label': chatTexts.selection },
      element('div', { class: 'line' }, close, this.#count, ...this.#buttons));
    this.node.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      actions.end();
    });
  }

  /** @param {number} count of selected messages */
  show(count) {
    setText(this.#count, chatTexts.selected(count));
    for (const button of this.#buttons) setAttribute(button, 'aria-disabled', count === 0 ? 'true' : null);
  }

  focus() {
    this.#buttons[0].focus({ preventScroll: true });
  }
}
