/** A message's text as nodes: web addresses as links, names as mentions. Text goes in as text, never as markup. */
import { element } from './dom.js';
import { findMentions } from '../models/mentions.js';

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
