/** A note about an action or its error: at the bottom for a while, and announced to screen readers. */
import { element } from '../dom.js';
import { loadStyles } from '../laterStyles.js';
import { icon, iconButton } from '../parts.js';
import { sharedTexts } from '../../models/texts/shared.js';

const lasts = 5000;
const failureLasts = 9000;
/** The time screen readers need to notice a new live region, in milliseconds. */
const KNOWN_AFTER = 100;
let place = null;

/**
 * @param {string} text
 * @param {{failed?: boolean, link?: {href: string, label: string}|null}} options `link` leads to the result
 */
export async function notify(text, { failed = false, link = null } = {}) {
  await loadStyles('messageTools', 'messageLists').catch(() => {});
  if (!place?.isConnected) {
    place = element('div', { class: 'notices', role: 'status' });
    document.querySelector('#app > aside').append(place);
    // A live region inserted together with its text is not announced.
    await new Promise((known) => setTimeout(known, KNOWN_AFTER));
  }
  const look = failed ? 'said failed' : 'said';
  const node = element('div', { class: look }, failed && icon('warning'), element('p', {}, text));
  if (link) node.append(element('a', { class: 'link', href: link.href }, link.label));
  const timer = setTimeout(() => node.remove(), failed || link ? failureLasts : lasts);
  node.append(iconButton('close', sharedTexts.dismiss, () => {
    clearTimeout(timer);
    node.remove();
  }));
  // A newer note replaces the last one; errors stay until they were read.
  for (const other of place.querySelectorAll('.said:not(.failed)')) other.remove();
  place.append(node);
}
