/**
 * The menu of a row, a message or a button: at the pointer or beside what it belongs to, a sheet at the bottom where the
 * screen is narrow. Arrow keys walk it, letters jump, Escape closes it and gives the focus back.
 */
import { Scope, element, setAttribute } from './dom.js';

/** How close to the window's edge a menu may come, and to what it belongs to. */
const margin = 8;
const gap = 4;
const narrow = matchMedia('(width < 600px)');
/** The open menu: there is one at a time. */
let open = null;

/**
 * @typedef {object} MenuItem
 * @property {string} label
 * @property {SVGElement} icon
 * @property {() => void} [act] something to do
 * @property {string} [href] or a place to go to
 * @property {boolean} [danger] the first such one stands below a line
 */

/**
 * @param {object} options
 * @param {string} options.label what screen readers call the menu
 * @param {MenuItem[]} options.items
 * @param {HTMLElement[]} [options.head] buttons of one line above the items, menu items too
 * @param {HTMLElement} options.owner what it belongs to: marked as long as it is open
 * @param {{x: number, y: number}|null} [options.at] a point; else it opens beside the owner
 * @param {HTMLElement} [options.beside] the part of the owner that it opens beside
 * @param {boolean} [options.fromStart] whether it begins where that part does, rather than end with it
 * @param {HTMLElement} [options.giveBack] gets the focus when it closes; else the owner
 */
export function openMenu({ label, items, head = [], owner, at = null, beside = owner, fromStart = false, giveBack = owner }) {
  // The button that opened it closes it; and a long press may come twice: as such, and as the browser's event for it.
  if (open?.owner === owner) {
    if (owner.localName === 'button') open.close();
    return;
  }
  open?.close(false);
  const menu = new Menu(label, items, head, owner, giveBack);
  open = menu;
  menu.show(() => place(menu.node, beside.getBoundingClientRect(), at, fromStart));
}

class Menu {
  owner;
  node;
  #giveBack;
  #head;
  #items;
  #scope = new Scope();
  #shade = narrow.matches ? element('div', { class: 'sheet-shade', popover: 'manual', 'aria-hidden': 'true' }) : null;

  constructor(label, items, head, owner, giveBack) {
    this.owner = owner;
    this.#giveBack = giveBack;
    this.#head = head;
    // Not a popover that closes by itself: the finger that opened it by a long press would close it when it goes.
    this.node = element('div', { class: 'menu', popover: 'manual', role: 'menu', 'aria-label': label });
    this.#items = items.map((item) => this.#makeItem(item));
    if (head.length > 0) this.node.append(element('div', { class: 'head', role: 'group' }, ...head));
    for (const [index, item] of this.#items.entries()) {
      if (items[index].danger && index > 0 && !items[index - 1].danger) this.node.append(element('hr', { role: 'separator' }));
      this.node.append(item);
    }
    // One stop for Tab, so that a menu that scrolls can be reached.
    this.#items[0]?.setAttribute('tabindex', '0');
    for (const button of head) button.addEventListener('click', () => this.close());
    this.#listen();
  }

  /** @param {() => void} place puts it where it belongs */
  show(place) {
    const { owner, node } = this;
    setAttribute(owner, 'data-menu', true);
    if (owner.localName === 'button') {
      setAttribute(owner, 'aria-haspopup', 'menu');
      setAttribute(owner, 'aria-expanded', 'true');
    }
    // Within a landmark, as everything on a page.
    document.querySelector('#app > main').append(...(this.#shade ? [this.#shade, node] : [node]));
    this.#shade?.showPopover();
    node.showPopover();
    if (this.#shade) node.classList.add('sheet');
    else place();
    (this.#items[0] ?? this.#head[0])?.focus({ preventScroll: true });
  }

  close(returnsFocus = true) {
    if (open !== this) return;
    open = null;
    this.#scope.end();
    setAttribute(this.owner, 'data-menu', null);
    if (this.owner.localName === 'button') setAttribute(this.owner, 'aria-expanded', 'false');
    const hadFocus = this.node.contains(document.activeElement) || document.activeElement === document.body;
    this.node.remove();
    this.#shade?.remove();
    if (hadFocus && returnsFocus && this.#giveBack.isConnected) this.#giveBack.focus({ preventScroll: true });
  }

  #makeItem({ label, icon, href, act, danger }) {
    const attributes = { class: danger ? 'item danger' : 'item', role: 'menuitem', tabindex: '-1' };
    const kind = href ? { href } : { type: 'button' };
    const node = element(href ? 'a' : 'button', { ...attributes, ...kind }, icon, element('span', {}, label));
    node.addEventListener('click', () => {
      this.close();
      act?.();
    });
    // The one item that would be chosen is marked, whether a key led to it or a pointer that moved.
    node.addEventListener('pointermove', (event) => {
      if (event.pointerType === 'mouse' && document.activeElement !== node) node.focus({ preventScroll: true });
    });
    return node;
  }

  #listen() {
    const { node } = this;
    node.addEventListener('keydown', (event) => this.#pressed(event));
    // The key that opened it sends its own event when it is let go.
    node.addEventListener('contextmenu', (event) => event.preventDefault());
    // The finger that opened it by a long press may leave the screen over an item, which it did not mean.
    let pressed = false;
    node.addEventListener('pointerdown', () => (pressed = true));
    node.addEventListener('click', (event) => {
      if (event.pointerType !== 'touch' || pressed) return;
      event.preventDefault();
      event.stopPropagation();
    }, true);
    // The shade takes a whole tap: closed at its beginning, the sheet would leave the rest to what lies beneath. What
    // began before, the long press, is none.
    this.#shade?.addEventListener('pointerdown', ({ currentTarget }) => {
      currentTarget.addEventListener('click', () => this.close(), { once: true });
    });
    const isOutside = ({ target }) => target !== this.#shade && !node.contains(target)
      && !(this.owner.localName === 'button' && this.owner.contains(target));
    for (const type of ['pointerdown', 'wheel']) {
      this.#scope.listen(document, type, (event) => isOutside(event) && this.close(), { capture: true, passive: true });
    }
    for (const type of ['blur', 'resize']) this.#scope.listen(window, type, (event) => event.target === window && this.close());
    this.#scope.listen(window, 'popstate', () => this.close(false));
  }

  #pressed(event) {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      this.close();
      return;
    }
    const now = /** @type {HTMLElement} */ (document.activeElement);
    const to = this.#along(event.key, now) ?? this.#step(event.key, now) ?? this.#letter(event, now);
    if (to) {
      event.preventDefault();
      to.focus();
    } else if (event.key === ' ' && now.localName === 'a') {
      event.preventDefault();
      now.click();
    }
  }

  /** Left and right within the line above the items. */
  #along(key, now) {
    const at = this.#head.indexOf(now);
    const rtl = getComputedStyle(this.node).direction === 'rtl' ? -1 : 1;
    const by = { ArrowLeft: -rtl, ArrowRight: rtl }[key];
    return at < 0 || !by ? null : this.#head[(at + by + this.#head.length) % this.#head.length];
  }

  /** Up and down through the items, the line above them being one of them. */
  #step(key, now) {
    const stops = this.#head.length > 0 ? [this.#head[Math.max(0, this.#head.indexOf(now))], ...this.#items] : this.#items;
    const at = stops.indexOf(now);
    const last = stops.length - 1;
    return stops[{ ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[key]] ?? null;
  }

  #letter({ key, ctrlKey, metaKey, altKey }, now) {
    if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return null;
    const at = this.#items.indexOf(now);
    const order = [...this.#items.slice(at + 1), ...this.#items.slice(0, at + 1)];
    return order.find((node) => node.textContent.toLocaleLowerCase().startsWith(key.toLocaleLowerCase())) ?? null;
  }
}

/** At the point, to its end side; else below the box, or above where there is no room; never over an edge. */
function place(menu, box, at, fromStart) {
  const { offsetWidth: width, offsetHeight: height } = menu;
  const rtl = getComputedStyle(menu).direction === 'rtl';
  const wanted = at ? (rtl ? at.x - width : at.x) : fromStart !== rtl ? box.left : box.right - width;
  const below = at ? at.y : Math.min(box.bottom, innerHeight) + gap;
  const above = (at ? at.y : Math.max(box.top, 0) - gap) - height;
  const top = below + height <= innerHeight - margin ? below : above;
  menu.style.left = `${Math.max(margin, Math.min(wanted, innerWidth - width - margin))}px`;
  menu.style.top = `${Math.max(margin, Math.min(top, innerHeight - height - margin))}px`;
}
