/** The words that a search found, marked in their message, across its formatting. */
import { foundIn } from '../../models/foundText.js';
import { element } from '../dom.js';

/** Beside the text, or for its readers only. */
const ASIDE = '.code-bar, .title, sup, .visually-hidden';
const BLOCKS = 'p, h1, h2, h3, h4, h5, h6, li, td, th, pre, blockquote, div';

/**
 * @param {Element} row of a message @param {string[]} words as its plain line has them
 * @returns {() => void} takes the marks away
 */
export function markWords(row, words) {
  const marks = [];
  const root = row.querySelector('.body > :first-child');
  if (!root) return () => {};
  const { text, places } = textOf(root);
  // From the end, so that the places before keep their offsets.
  for (const { start, end } of foundIn(text, words).reverse()) {
    for (let last = end; last > start;) {
      const place = places[last - 1];
      let first = last - 1;
      while (place && first > start && places[first - 1]?.node === place.node) first -= 1;
      if (place) marks.push(marked(place.node, places[first].offset, place.offset + 1));
      last = first;
    }
  }
  return () => {
    for (const mark of marks) mark.replaceWith(...mark.childNodes);
    root.normalize();
  };
}

function marked(node, start, end) {
  const hit = node.splitText(start);
  hit.splitText(end - start);
  const mark = element('mark');
  hit.replaceWith(mark);
  mark.append(hit);
  return mark;
}

/**
 * The text of a message on one line, as its plain line is, and where each of its characters stands.
 * @param {Element} root
 */
function textOf(root) {
  let text = '';
  /** @type {({node: Text, offset: number}|null)[]} */
  const places = [];
  const add = (character, place) => {
    const isSpace = /\s/.test(character);
    if (isSpace && text.endsWith(' ')) return;
    text += isSpace ? ' ' : character;
    places.push(place);
  };
  const read = (parent) => {
    for (const child of parent.childNodes) {
      if (child instanceof Text) {
        for (let offset = 0; offset < child.length; offset += 1) add(child.data[offset], { node: child, offset });
      } else if (child instanceof Element) {
        const isApart = child.matches(`${BLOCKS}, ${ASIDE}`);
        if (isApart) add(' ', null);
        if (!child.matches(ASIDE)) read(child);
        if (isApart) add(' ', null);
      }
    }
  };
  read(root);
  return { text, places };
}
