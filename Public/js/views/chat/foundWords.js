/** The words that a search found, marked in their message. */
import { element } from '../dom.js';

/**
 * @param {Element} row of a message @param {string[]} words as they are written in it
 * @returns {() => void} takes the marks away
 */
export function markWords(row, words) {
  const marks = [];
  const text = row.querySelector('.body > :first-child');
  if (!text) return () => {};
  const nodes = document.createNodeIterator(text, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) found.push(/** @type {Text} */ (node));
  const longestFirst = [...words].sort((one, other) => other.length - one.length);
  for (const node of found) {
    for (let rest = node; rest;) {
      const next = firstOf(rest.data, longestFirst);
      if (!next) break;
      const hit = rest.splitText(next.at);
      rest = hit.splitText(next.word.length);
      const mark = element('mark');
      hit.replaceWith(mark);
      mark.append(hit);
      marks.push(mark);
    }
  }
  return () => {
    for (const mark of marks) mark.replaceWith(...mark.childNodes);
    text.normalize();
  };
}

function firstOf(text, words) {
  let first = null;
  for (const word of words) {
    const at = word === '' ? -1 : text.indexOf(word);
    if (at >= 0 && (first === null || at < first.at)) first = { at, word };
  }
  return first;
}
