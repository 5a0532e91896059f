/** The header of a page beside the chat list: the title, and the back link if there is room for one pane only. */
import { sharedTexts } from '../../models/texts/shared.js';
import { element } from '../dom.js';
import { backLink, gap, pageHeading } from '../parts.js';

/**
 * @param {string} title
 * @param {string} backTo the address if there is no page before
 * @param {...Node} more at the end
 * @returns {{heading: HTMLElement, bar: HTMLElement}}
 */
export function pageBar(title, backTo, ...more) {
  const heading = pageHeading(title);
  const back = backLink(backTo, sharedTexts.back);
  return { heading, bar: element('header', { class: 'bar' }, back, heading, gap(), ...more) };
}
