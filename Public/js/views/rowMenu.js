/** A menu at a pointer or a row: arrow keys walk it, letters jump, Escape closes it and gives the focus back. */
import { Scope, element, setAttribute } from './dom.js';

/** How close to the window's edge a menu may come. */
const margin = 8;
let closeOpen = null;

/**
 * @typedef {{label: string, icon: SVGElement, danger: boolean, act: () => void}} MenuItem
 *
 * @param {object} options
 * @param {string} options.label what screen readers call the menu
 * @param {MenuItem[]} options.items the first dangerous one stands below a line
 * @param {HTMLElement} options.row what it belongs to
 * @param {{x: number, y: number}|null} options.at a point; else it opens at the row's end
 * @param {HTMLElement} options.giveBack gets the focus when nothing was chosen
 */
export function openRowMenu({ label, items, row, at, giveBack }) {
  // A long press may come twice: as such, and as the browser's own event for it.
  if (row.hasAttribute('data-menu')) return;
  closeOpen?.();
  const scope = new Scope();
  // Not `auto`: the finger that opened it by a long press would close it when it leaves the screen.
  const menu = element('div', { class: 'row-menu', popover: 'manual', role: 'menu', 'aria-label': label });
  const close = (returnsFocus) => {
    scope.end();
    closeOpen = null;
    setAttribute(row, 'data-menu', null);
    const hadFocus = menu.contains(document.activeElement);
    menu.remove();
    if (hadFocus && returnsFocus && giveBack.isConnected) giveBack.focus({ preventScroll: true });
  };
  closeOpen = () => close(false);
  const choose = (item) => {
    close(true);
    item.act();
  };
  const nodes = items.map((item) => makeItem(item, choose));
  for (const [index, node] of nodes.entries()) {
    if (items[index].danger && !items[index - 1]?.danger) menu.append(element('hr', { role: 'separator' }));
    menu.append(node);
  }
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      close(true);
    } else walk(event, nodes);
  });
  // The key that opened it sends its own event when it is let go.
  menu.addEventListener('contextmenu', (event) => event.preventDefault());
  scope.listen(document, 'pointerdown', (event) => !menu.contains(event.target) && close(true), true);
  scope.listen(window, 'blur', () => close(true));
  scope.listen(window, 'resize', () => close(true));
  scope.listen(document, 'scroll', () => close(true), true);
  scope.listen(window, 'popstate', () => close(false));
  // Within a landmark, as everything on a page.
  document.querySelector('main').append(menu);
  setAttribute(row, 'data-menu', true);
  menu.showPopover();
  place(menu, row, at);
  nodes[0]?.focus({ preventScroll: true });
}

function makeItem(item, choose) {
  const attributes = { type: 'button', class: item.danger ? 'item danger' : 'item', role: 'menuitem', tabindex: '-1' };
  const node = element('button', attributes, item.icon, element('span', {}, item.label));
  node.addEventListener('click', () => choose(item));
  node.addEventListener('pointerenter', (event) => event.pointerType === 'mouse' && node.focus({ preventScroll: true }));
  return node;
}

function walk(event, nodes) {
  const at = nodes.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const last = nodes.length - 1;
  const to = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    nodes[to].focus();
  } else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const letter = event.key.toLocaleLowerCase();
    const order = [...nodes.slice(at + 1), ...nodes.slice(0, at + 1)];
    order.find((node) => node.textContent.toLocaleLowerCase().startsWith(letter))?.focus();
  }
}

/** At the point, to its end side; at the row below its end; never over an edge. */
function place(menu, row, at) {
  const box = row.getBoundingClientRect();
  const rtl = getComputedStyle(row).direction === 'rtl';
  const { offsetWidth: width, offsetHeight: height } = menu;
  const end = rtl ? box.left + margin : box.right - margin - width;
  const wanted = at ? (rtl ? at.x - width : at.x) : end;
  const x = Math.max(margin, Math.min(wanted, innerWidth - width - margin));
  const below = at ? at.y : box.bottom - margin;
  const above = (at ? at.y : box.top + margin) - height;
  const y = below + height <= innerHeight - margin ? below : Math.max(margin, above);
  menu.style.left = `${x}px`;
  menu.style.top = `${y}px`;
}
