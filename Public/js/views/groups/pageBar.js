/** The header of a page in the pane beside the chats: back where there is room for one pane, and the title. */
import { texts } from '../../models/texts.js';
import { element } from '../dom.js';
import { icon } from '../icons.js';

/**
 * @param {string} title
 * @param {string} backTo address, where nothing was gone through before
 * @param {...Node} more at the end
 * @returns {{heading: HTMLElement, bar: HTMLElement, back: HTMLElement}}
 */
export function pageBar(title, backTo, ...more) {
  const heading = element('h1', { tabindex: '-1' }, title);
  const back = element(
    'a',
    { class: 'icon-button back', href: backTo, 'aria-label': texts.views.back, 'data-back': true },
    icon('back'),
  );
  const bar = element('header', { class: 'bar' }, back, heading, element('span', { class: 'gap' }), ...more);
  return { heading, bar, back };
}
