/** A menu that opens at a button: arrow keys walk it, letters jump, Escape closes it and gives the focus back. */
import { element, setAttribute } from './dom.js';

/**
 * @typedef {object} MenuItem
 * @property {string} label
 * @property {SVGElement} [icon]
 * @property {string} [href] a place to go to
 * @property {() => void} [act] or something to do
 * @property {boolean} [danger]
 */

/**
 * @param {HTMLElement} button it opens at, and which gets the focus back
 * @param {string} label what screen readers call the menu
 * @param {MenuItem[]} items
 */
export function openMenu(button, label, items) {
  const menu = element('div', { class: 'popup-menu', popover: 'auto', role: 'menu', 'aria-label': label });
  const nodes = items.map((item) => makeItem(item, menu));
  menu.append(...nodes);
  menu.addEventListener('keydown', (event) => walk(event, nodes, menu));
  menu.addEventListener('toggle', (event) => {
    if (/** @type {ToggleEvent} */ (event).newState !== 'closed') return;
    setAttribute(button, 'aria-expanded', 'false');
    const lost = document.activeElement === document.body || menu.contains(document.activeElement);
    menu.remove();
    if (lost && button.isConnected) button.focus({ preventScroll: true });
  });
  // Within the page's landmark, where all that is read out belongs.
  (button.closest('main') ?? document.querySelector('#app')).append(menu);
  setAttribute(button, 'aria-haspopup', 'menu');
  setAttribute(button, 'aria-expanded', 'true');
  menu.showPopover();
  place(menu, button);
  nodes[0]?.focus();
}

function makeItem({ label, icon, href, act, danger }, menu) {
  const attributes = { class: danger ? 'item danger' : 'item', role: 'menuitem', tabindex: '-1' };
  const node = href
    ? element('a', { ...attributes, href }, icon, label)
    : element('button', { ...attributes, type: 'button' }, icon, label);
  node.addEventListener('click', () => {
    menu.hidePopover();
    act?.();
  });
  return node;
}

function walk(event, nodes, menu) {
  const at = nodes.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const to = {
    ArrowDown: (at + 1) % nodes.length, ArrowUp: (at - 1 + nodes.length) % nodes.length, Home: 0, End: nodes.length - 1,
  }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    nodes[to].focus();
  } else if (event.key === 'Tab') {
    menu.hidePopover();
  } else if (event.key === ' ' && nodes[at]?.localName === 'a') {
    event.preventDefault();
    nodes[at].click();
  } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const letter = event.key.toLocaleLowerCase();
    const order = [...nodes.slice(at + 1), ...nodes.slice(0, at + 1)];
    order.find((node) => node.textContent.toLocaleLowerCase().startsWith(letter))?.focus();
  }
}

/** Below the button, or above where there is no room; never over the edge. */
function place(menu, button) {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const rtl = getComputedStyle(button).direction === 'rtl';
  const wanted = rtl ? left : right - menu.offsetWidth;
  const x = Math.max(8, Math.min(wanted, innerWidth - menu.offsetWidth - 8));
  const below = bottom + 4;
  const y = below + menu.offsetHeight > innerHeight - 8 ? Math.max(8, top - menu.offsetHeight - 4) : below;
  menu.style.left = `${x}px`;
  menu.style.top = `${y}px`;
}
