/**
 * The parts of a message's bubble beside its text: the quote of a reply, the state's sign, and reactions.
 */
import { element, setAttribute, setText } from './dom.js';
import { symbol } from './parts.js';
import { chatTexts } from '../models/texts/conversation.js';

/** Only emoji, which show large if they are few. */
const emojiOnly = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u200d\ufe0f\s])+$/u;
const largest = 24;

/** Whether a text is a handful of emoji. @param {string} text */
export const isEmojiOnly = (text) => text.length > 0 && text.length <= largest && emojiOnly.test(text);

/**
 * The quoted original of a reply; pressing it goes there. Its height is fixed, so that nothing shifts when it loads.
 */
export class QuoteView {
  #name = element('span', { class: 'name', dir: 'auto' });
  #text = element('span', { class: 'text', dir: 'auto' });
  #quote = null;
  node = element('button', { type: 'button', class: 'quote', tabindex: '-1' }, this.#name, this.#text);

  /** @param {(seq: number) => void} go */
  constructor(go) {
    this.node.addEventListener('click', () => {
      if (!this.#quote.missing) go(this.#quote.seq);
    });
  }

  /** @param {{seq: number, name: string, text: string, missing: boolean}} quote */
  show(quote) {
    this.#quote = quote;
    setText(this.#name, quote.name);
    setText(this.#text, quote.text);
    setAttribute(this.node, 'data-missing', quote.missing);
    setAttribute(this.node, 'aria-disabled', quote.missing ? 'true' : null);
    setAttribute(this.node, 'title', quote.missing ? null : chatTexts.goToOriginal(quote.name));
  }
}

/** The sign of an own message's state; `show` redraws it in place. */
export class StateSign {
  node = symbol('state', null);

  constructor() {
    this.node.setAttribute('role', 'img');
  }

  /** @param {'unsent'|'sent'|'delivered'|'read'|'failed'} state @param {string} label for screen readers */
  show(state, label) {
    setAttribute(this.node.firstElementChild, 'href', `#state-${state === 'read' ? 'delivered' : state}`);
    setAttribute(this.node, 'aria-label', label);
  }
}

/** Reactions under a bubble, changed pill by pill. */
export class ReactionsView {
  #pills = new Map();
  #toggle;
  node = element('div', { class: 'reactions', role: 'group', 'aria-label': chatTexts.reactionsOf });

  /** @param {(emoji: string) => void} toggle */
  constructor(toggle) {
    this.#toggle = toggle;
  }

  /** @param {readonly import('../models/reactions.js').Reaction[]} reactions */
  show(reactions) {
    const wanted = new Set(reactions.map(({ emoji }) => emoji));
    for (const [emoji, { node }] of this.#pills) {
      if (wanted.has(emoji)) continue;
      node.remove();
      this.#pills.delete(emoji);
    }
    reactions.forEach(({ emoji, count, mine }, index) => {
      const pill = this.#pills.get(emoji) ?? this.#make(emoji);
      setText(pill.count, String(count));
      setAttribute(pill.node, 'aria-pressed', String(mine));
      setAttribute(pill.node, 'aria-label', chatTexts.reactedWith(emoji, count, mine));
      if (this.node.children[index] !== pill.node) this.node.insertBefore(pill.node, this.node.children[index] ?? null);
    });
  }

  #make(emoji) {
    const count = element('span', { class: 'number' });
    const node = element('button', { type: 'button', class: 'pill', tabindex: '-1', 'data-emoji': emoji },
      element('span', {}, emoji), count);
    node.addEventListener('click', () => this.#toggle(emoji));
    this.#pills.set(emoji, { node, count });
    return { node, count };
  }
}
