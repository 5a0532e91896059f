/** The bar at the message under the pointer: reactions used last, reply, and the menu with the rest. */
import { element, isTouch, setAttribute } from '../dom.js';
import { icon } from '../parts.js';
import { chatTexts } from '../../models/texts/conversation.js';

/** Pixels between the bar's top and the bubble's, and the least between the bar and the log's edge. */
const above = 26;
const inside = 4;

export class MessageBar {
  #act;
  #emoji = [];
  #reply = this.#button('reply', { 'aria-label': chatTexts.reply, title: chatTexts.reply }, icon('reply'));
  /** Opens the menu. */
  more = this.#button('more', { 'aria-haspopup': 'menu', title: chatTexts.actions, tabindex: '0' }, icon('more'));
  node = element('div', { class: 'message-bar', role: 'group', 'aria-label': chatTexts.actions });

  /**
   * @param {{react: (emoji: string) => Promise<void>, reply: () => void, more: (byPointer: boolean) => void,
   *   frequent: () => string[]}} act
   */
  constructor(act) {
    this.#act = act;
    this.#reply.onclick = () => act.reply();
    this.more.onclick = (event) => act.more(event.detail > 0);
  }

  /**
   * Puts the bar at a message.
   * @param {import('../messageRow.js').MessageView} view
   * @param {{label: string, scroller: HTMLElement}} at `label` names the menu
   */
  show({ item, row }, { label, scroller }) {
    const bubble = /** @type {HTMLElement} */ (row.querySelector('.bubble'));
    const isStored = item.seq !== null && !item.deleted && !isTouch();
    this.#emoji = isStored ? this.#act.frequent().map((emoji) => this.#reaction(emoji)) : [];
    this.node.replaceChildren(...this.#emoji, ...(isStored ? [this.#reply] : []), this.more);
    setAttribute(this.more, 'aria-label', label);
    this.mark(item);
    // Of a tall message whose beginning is out of sight, it stands where the message is seen.
    const gone = scroller.getBoundingClientRect().top - bubble.getBoundingClientRect().top;
    this.node.style.insetBlockStart = `${Math.max(-above, gone + inside)}px`;
    bubble.append(this.node);
  }

  /** Shows which of the reactions are mine. */
  mark({ reactions }) {
    for (const node of this.#emoji) {
      const isMine = reactions.some(({ emoji, mine }) => mine && emoji === node.dataset.emoji);
      setAttribute(node, 'aria-pressed', String(isMine));
    }
  }

  #button(look, attributes, ...content) {
    return element('button', { type: 'button', class: look, tabindex: '-1', ...attributes }, ...content);
  }

  #reaction(emoji) {
    const label = chatTexts.reactWith(emoji);
    const attributes = { 'data-emoji': emoji, 'aria-label': label, title: label };
    const node = this.#button('react', attributes, element('span', { 'aria-hidden': 'true' }, emoji));
    node.onclick = () => this.#act.react(emoji);
    return node;
  }
}
