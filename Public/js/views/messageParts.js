/**
 * What a message's bubble is made of: its text as nodes (web addresses as links, names as mentions; text goes in as text,
 * never as markup), what it replies to, and reactions.
 */
import { element, setAttribute, setText } from './dom.js';
import { findMentions } from '../models/mentions.js';
import { chatTexts } from '../models/texts/conversation.js';

/** Web addresses, without the punctuation that ends the sentence around them. */
const addresses = /\bhttps?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]/g;
/** Emoji and nothing else, few enough to be shown large. */
const emojiOnly = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u200d\ufe0f\s])+$/u;
const largest = 24;

/** Whether a text is a handful of emoji. @param {string} text */
export const isEmojiOnly = (text) => text.length > 0 && text.length <= largest && emojiOnly.test(text);

/**
 * @param {string} text
 * @param {string} [mentioned] who is named in it (`mentionedIn`)
 * @returns {(string|HTMLElement)[]}
 */
export function richText(text, mentioned = '') {
  const parts = [];
  let end = 0;
  for (const { 0: href, index } of text.matchAll(addresses)) {
    parts.push(...withMentions(text.slice(end, index), mentioned), linkTo(href));
    end = index + href.length;
  }
  parts.push(...withMentions(text.slice(end), mentioned));
  return parts;
}

/** Links to places of this app stay in it. */
function linkTo(href) {
  if (href.startsWith(`${location.origin}/`)) return element('a', { class: 'link', href }, href);
  return element('a', { class: 'link', href, target: '_blank', rel: 'noopener noreferrer' }, href);
}

function withMentions(text, mentioned) {
  const parts = [];
  let end = 0;
  for (const { index, length, own } of findMentions(text, mentioned)) {
    const named = text.slice(index, index + length);
    parts.push(text.slice(end, index), element(own ? 'strong' : 'span', { class: own ? 'mention me' : 'mention' }, named));
    end = index + length;
  }
  parts.push(text.slice(end));
  return parts;
}

/** The quoted original of a reply; pressing it goes there. Its height is fixed, so that a late original moves nothing. */
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
