/**
 * The menu of a message: at the pointer or beside the message, as a sheet at the bottom where the screen is narrow.
 * Arrow keys walk it, letters jump, Escape closes it and gives the focus back.
 */
import { Scope, element } from '../dom.js';

const margin = 8;
const narrow = matchMedia('(width < 600px)');
let closeOpen = null;

/**
 * @typedef {{label: string, icon: SVGElement, danger?: boolean, act: () => void}} MenuItem
 *
 * @param {object} options
 * @param {string} options.label what screen readers call the menu
 * @param {HTMLElement[]} options.head buttons of one line above the items, menu items too
 * @param {MenuItem[]} options.items
 * @param {HTMLElement} options.row what it belongs to
 * @param {{x: number, y: number}|null} options.at a point; else it opens beside the row
 * @param {HTMLElement} options.giveBack gets the focus when it closes
 * @returns {() => void} closes it
 */
export function openMenu({ label, head, items, row, at, giveBack }) {
  closeOpen?.();
  const scope = new Scope();
  const menu = element('div', { class: 'message-menu', popover: 'manual', role: 'menu', 'aria-label': label });
  const shade = narrow.matches ? element('div', { class: 'sheet-shade', popover: 'manual', 'aria-hidden': 'true' }) : null;
  const close = () => {
    if (closeOpen !== close) return;
    closeOpen = null;
    scope.end();
    const hadFocus = menu.contains(document.activeElement) || document.activeElement === document.body;
    menu.remove();
    shade?.remove();
    row.removeAttribute('data-menu');
    if (hadFocus && giveBack.isConnected) giveBack.focus({ preventScroll: true });
  };
  closeOpen = close;
  if (head.length > 0) menu.append(element('div', { class: 'head', role: 'group' }, ...head));
  const nodes = items.map((item) => makeItem(item, close));
  // One stop for Tab, so that a menu that scrolls can be reached.
  nodes[0]?.setAttribute('tabindex', '0');
  menu.append(...nodes);
  for (const node of head) node.addEventListener('click', close);
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else walk(event, head, nodes);
  });
  menu.addEventListener('contextmenu', (event) => event.preventDefault());
  // The finger that opened it by a long press may leave the screen over an item, which it did not mean.
  let pressed = false;
  menu.addEventListener('pointerdown', () => (pressed = true));
  menu.addEventListener('click', (event) => {
    if (event.pointerType === 'touch' && !pressed) event.stopPropagation();
  }, true);
  // Not a popover that closes by itself: the finger that opened it by a long press would close it when it goes.
  scope.listen(document, 'pointerdown', (event) => {
    if (!menu.contains(event.target)) close();
  }, true);
  for (const type of ['blur', 'resize', 'popstate']) scope.listen(window, type, (event) => event.target === window && close());
  document.querySelector('#app > main').append(...(shade ? [shade, menu] : [menu]));
  row.setAttribute('data-menu', '');
  shade?.showPopover();
  menu.showPopover();
  if (shade) menu.classList.add('sheet');
  else place(menu, row, at);
  (nodes[0] ?? head[0])?.focus({ preventScroll: true });
  return close;
}

function makeItem({ label, icon, danger, act }, close) {
  const attributes = { type: 'button', class: danger ? 'item danger' : 'item', role: 'menuitem', tabindex: '-1' };
  const node = element('button', attributes, icon, element('span', {}, label));
  node.addEventListener('click', () => {
    close();
    act();
  });
  return node;
}

/** Up and down through the items, the line above them being one of them; along that line left and right. */
function walk(event, head, nodes) {
  const now = /** @type {HTMLElement} */ (document.activeElement);
  const inHead = head.indexOf(now);
  const stops = head.length > 0 ? [head[Math.max(0, inHead)], ...nodes] : nodes;
  const at = stops.indexOf(now);
  const last = stops.length - 1;
  const rtl = getComputedStyle(nodes[0]).direction === 'rtl' ? -1 : 1;
  const along = { ArrowLeft: -rtl, ArrowRight: rtl }[event.key];
  const to = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[event.key];
  if (inHead >= 0 && along) {
    event.preventDefault();
    head[(inHead + along + head.length) % head.length].focus();
  } else if (to !== undefined) {
    event.preventDefault();
    stops[to].focus();
  } else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const letter = event.key.toLocaleLowerCase();
    const order = [...nodes.slice(nodes.indexOf(now) + 1), ...nodes];
    order.find((node) => node.textContent.toLocaleLowerCase().startsWith(letter))?.focus();
  }
}

/** At the point, to its end side; else beside the bubble; never over an edge. */
function place(menu, row, at) {
  const bubble = (row.querySelector('.bubble') ?? row).getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const rtl = getComputedStyle(row).direction === 'rtl';
  const atEnd = row.classList.contains('own') !== rtl;
  const wanted = at ? (rtl ? at.x - width : at.x) : atEnd ? bubble.right - width : bubble.left;
  const below = at ? at.y : Math.min(bottomOf(bubble), innerHeight) + 4;
  const above = (at ? at.y : Math.max(bubble.top, 0) - 4) - height;
  const top = below + height <= innerHeight - margin ? below : above;
  menu.style.left = `${Math.max(margin, Math.min(wanted, innerWidth - width - margin))}px`;
  menu.style.top = `${Math.max(margin, Math.min(top, innerHeight - height - margin))}px`;
}

const bottomOf = (box) => box.bottom;
