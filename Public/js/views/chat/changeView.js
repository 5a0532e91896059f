/** A line of a group's log that is not a message. The day heading stands before it, as before a message. */
import { element, set, setText } from '../dom.js';
import { dayHeading } from '../messageRow.js';

export class ChangeView {
  #actions;
  #heading = null;
  /** What is shown. @type {import('../../viewmodels/changeLines.js').ChangeRow} */
  item;
  /** It is no message, and never unread. */
  seq = null;
  hasNewLine = false;
  row = element('p', { class: 'change-line', dir: 'auto' });
  node = element('div', { class: 'entry' }, this.row);

  /**
   * @param {import('../../viewmodels/changeLines.js').ChangeRow} item
   * @param {{chooseDate: (button: HTMLElement) => void}} actions
   */
  constructor(item, actions) {
    this.#actions = actions;
    this.update(item);
  }

  get key() { return this.item.key; }

  /** @param {any} item */
  update(item) {
    this.item = item;
    set(this.row, { title: item.timeTitle });
    const link = this.row.firstElementChild;
    if (item.href && link?.getAttribute('href') === item.href) setText(link, item.text);
    else this.row.replaceChildren(item.href ? element('a', { class: 'link', href: item.href }, item.text) : item.text);
    if (item.firstOfDay && !this.#heading) {
      this.#heading = dayHeading((button) => this.#actions.chooseDate(button));
      this.node.prepend(this.#heading);
    } else if (!item.firstOfDay) {
      this.#heading?.remove();
      this.#heading = null;
    }
    if (this.#heading) setText(this.#heading.firstChild, item.dayLabel);
  }
}
