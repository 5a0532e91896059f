/** A text from GitHub, drawn as GitHub draws it. */
import { element } from '../dom.js';
import { drawMarkdown } from '../markdown.js';

/**
 * @param {string} text Markdown
 * @param {import('../markdown.js').Place} place
 * @returns {HTMLElement} drawn again when names that the text needs are loaded
 */
export function richText(text, place) {
  const node = element('div', { class: 'rich' });
  const draw = () => {
    const { isBlock, nodes, more } = drawMarkdown(text, '', place);
    node.replaceChildren(...(isBlock ? nodes : [element('p', { dir: 'auto' }, ...nodes)]));
    more?.then(draw).catch(() => {});
  };
  draw();
  return node;
}
