/** A word about what was done, or why it was not: at the bottom for a while, said to screen readers as well. */
import { element } from '../dom.js';
import { icon } from '../icons.js';
import { loadStyles } from '../laterStyles.js';
import { texts } from '../../models/texts.js';

const lasts = 5000;
const failureLasts = 9000;
/** Milliseconds after which screen readers know of a region. */
const KNOWN_AFTER = 100;
let place = null;

/**
 * @param {string} text
 * @param {{failed?: boolean, link?: {href: string, label: string}}} [options] `link` leads to what was done
 */
export async function notify(text, { failed = false, link = null } = {}) {
  await loadStyles('messageTools', 'messageLists').catch(() => {});
  if (!place?.isConnected) {
    place = element('div', { class: 'notices', role: 'status' });
    document.querySelector('#app > aside').append(place);
    // What comes into the page along with its words is not read out.
    await new Promise((known) => setTimeout(known, KNOWN_AFTER));
  }
  const close = element('button', { type: 'button', class: 'icon-button', 'aria-label': texts.shell.dismiss }, icon('close'));
  const node = element('div', { class: failed ? 'said failed' : 'said' }, failed && icon('warning'), element('p', {}, text));
  if (link) node.append(element('a', { class: 'link', href: link.href }, link.label));
  node.append(close);
  const timer = setTimeout(() => node.remove(), failed || link ? failureLasts : lasts);
  close.addEventListener('click', () => {
    clearTimeout(timer);
    node.remove();
  });
  // One thing was done last; failures stay until they were read.
  for (const other of place.querySelectorAll('.said:not(.failed)')) other.remove();
  place.append(node);
}
