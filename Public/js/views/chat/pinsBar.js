/** The bar of pinned messages: pressing it goes through them one by one; a button lists all. */
import { Scope, element, setText } from '../dom.js';
import { icon, iconButton } from '../parts.js';
import { openDialog } from './dialog.js';
import { chatTexts } from '../../models/texts/conversation.js';

export class PinsBar {
  #scope = new Scope();
  #title = element('span', { class: 'title' });
  #text = element('span', { class: 'text', dir: 'auto' });
  #current = element('button', { type: 'button', class: 'current' }, icon('pinned'), this.#title, this.#text);
  #all = iconButton('list', chatTexts.pinnedList, () => this.#openList(), { title: chatTexts.pinnedList });
  #pins;
  #jumpTo;
  node = element('section', { class: 'pins', 'aria-label': chatTexts.pinnedBar }, this.#current, this.#all);

  /**
   * @param {import('../../viewmodels/pinsViewModel.js').PinsViewModel} pins
   * @param {(seq: number) => void} jumpTo
   */
  constructor(pins, jumpTo) {
    this.#pins = pins;
    this.#jumpTo = jumpTo;
    this.#current.addEventListener('click', () => {
      const seq = pins.next();
      if (seq !== null) jumpTo(seq);
    });
    this.#scope.bind(pins, (state) => this.#show(state));
  }

  end() {
    this.#scope.end();
  }

  #show({ items, index, current }) {
    this.node.hidden = current === null;
    if (!current) return;
    const { length } = items;
    setText(this.#title, length === 1 ? chatTexts.pinnedBar : chatTexts.pinnedOf(index + 1, length));
    setText(this.#text, `${current.name}: ${current.text}`);
    this.#all.hidden = length < 2;
  }

  #openList() {
    const list = element('ul', { class: 'pinned scroller', role: 'list' });
    const { items } = this.#pins.state;
    const dialog = openDialog({ title: chatTexts.pinnedCount(items.length), content: [list], name: 'pinned-list' });
    for (const { seq, name, text } of items) {
      const go = () => {
        dialog.close();
        this.#jumpTo(seq);
      };
      list.append(element('li', {}, element('button', { type: 'button', onclick: go },
        element('span', { class: 'name', dir: 'auto' }, name), element('span', { class: 'text', dir: 'auto' }, text))));
    }
  }
}
