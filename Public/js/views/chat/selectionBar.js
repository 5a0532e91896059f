/** In the place of the composer while messages are selected: how many, and what can be done with all of them. */
import { element, setAttribute, setText } from '../dom.js';
import { icon } from '../icons.js';
import { chatIcon } from './chatIcons.js';
import { chatTexts } from '../../models/texts/conversation.js';

export class SelectionBar {
  #count = element('p', { class: 'count-of', role: 'status' });
  #buttons;
  node;

  /** @param {{copy: () => void, forward: () => void, remove: () => void, end: () => void}} actions */
  constructor(actions) {
    const button = (name, label, drawing) => {
      const attributes = { type: 'button', class: 'button', 'data-action': name };
      const node = element('button', attributes, chatIcon(drawing), element('span', {}, label));
      node.addEventListener('click', () => node.getAttribute('aria-disabled') !== 'true' && actions[name]());
      return node;
    };
    this.#buttons = [
      button('copy', chatTexts.copySelected, 'copyText'),
      button('forward', chatTexts.forwardSelected, 'forward'),
      button('remove', chatTexts.deleteSelected, 'remove'),
    ];
    const close = element(
      'button', { type: 'button', class: 'icon-button', 'aria-label': chatTexts.endSelection }, icon('close'));
    close.addEventListener('click', () => actions.end());
    this.node = element('div', { class: 'selection', role: 'group', 'aria-label': chatTexts.selection },
      element('div', { class: 'line' }, close, this.#count, ...this.#buttons));
    this.node.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      actions.end();
    });
  }

  /** @param {number} count how many are selected */
  show(count) {
    setText(this.#count, chatTexts.selected(count));
    for (const button of this.#buttons) setAttribute(button, 'aria-disabled', count === 0 ? 'true' : null);
  }

  focus() {
    this.#buttons[0].focus({ preventScroll: true });
  }
}
