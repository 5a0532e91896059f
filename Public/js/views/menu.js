/**
 * The menu of a row, a message or a button: at the pointer or beside its owner, on narrow screens a bottom sheet.
 * Arrow keys move through it, letters jump, Escape closes it and returns the focus.
 */
import { Scope, element, setAttribute } from './dom.js';

/** The distance from the window's edge and from the owner, in CSS pixels. */
const margin = 8;
const gap = 4;
const narrow = matchMedia('(width < 600px)');
/** The open menu. Only one is open at a time. */
let open = null;

/**
 * @typedef {object} MenuItem
 * @property {string} label
 * @property {SVGElement} icon
 * @property {() => void} [act] the action
 * @property {string} [href] or the address
 * @property {boolean} [danger] the first such item is below a separator
 */

/**
 * @param {object} options
 * @param {string} options.label what screen readers call the menu
 * @param {MenuItem[]} options.items
 * @param {HTMLElement[]} [options.head] buttons in a line above the items
 * @param {HTMLElement} options.owner marked while the menu is open
 * @param {{x: number, y: number}|null} [options.at] a point; else it opens beside the owner
 * @param {Element} [options.beside] the part of the owner to open beside
 * @param {boolean} [options.fromStart] aligns with the start of that part instead of its end
 * @param {HTMLElement} [options.giveBack] gets the focus when the menu closes; the owner by default
 * @param {HTMLElement|null} [options.lift] moves up while a sheet would hide what it belongs to
 */
export function openMenu({
  label, items, head = [], owner, at = null, beside = /** @type {Element} */ (owner), fromStart = false,
  giveBack = owner, lift = null,
}) {
  // The same button closes it. A long press may come twice: as such, and as the browser's `contextmenu`.
  if (open?.owner === owner) {
    if (owner.localName === 'button') open.close();
    return;
  }
  open?.close(false);
  const menu = new Menu(label, items, head, owner, giveBack);
  open = menu;
  menu.show(() => place(menu.node, beside.getBoundingClientRect(), at, fromStart), lift, beside);
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
    // Not `auto`: lifting the finger after a long press would close it.
    this.node = element('div', { class: 'menu', popover: 'manual', role: 'menu', 'aria-label': label });
    this.#items = items.map((item) => this.#makeItem(item));
    if (head.length > 0) this.node.append(element('div', { class: 'head', role: 'group' }, ...head));
    for (const [index, item] of this.#items.entries()) {
      const begins = items[index].danger && index > 0 && !items[index - 1].danger;
      if (begins) this.node.append(element('hr', { role: 'separator' }));
      this.node.append(item);
    }
    // One tab stop, so that a scrolling menu is reachable.
    this.#items[0]?.setAttribute('tabindex', '0');
    for (const button of head) button.addEventListener('click', () => this.close());
    this.#listen();
  }

  /**
   * @param {() => void} place puts it where it belongs @param {HTMLElement|null} lift
   * @param {Element} beside what stays in view above a sheet
   */
  show(place, lift, beside) {
    const { owner, node } = this;
    setAttribute(owner, 'data-menu', true);
    if (owner.localName === 'button') {
      setAttribute(owner, 'aria-haspopup', 'menu');
      setAttribute(owner, 'aria-expanded', 'true');
    }
    // Inside a landmark, as all content of a page.
    document.querySelector('#app > main').append(...(this.#shade ? [this.#shade, node] : [node]));
    this.#shade?.showPopover();
    node.showPopover();
    if (this.#shade) {
      node.classList.add('sheet');
      if (lift) this.#lift(lift, beside);
    } else place();
    (this.#items[0] ?? this.#head[0])?.focus({ preventScroll: true });
  }

  /** As far as it takes, unless the beginning would leave the screen for it. */
  #lift(moved, beside) {
    const { top, bottom } = beside.getBoundingClientRect();
    const hidden = bottom + margin - (innerHeight - this.node.offsetHeight);
    const by = Math.min(hidden, top - margin - moved.getBoundingClientRect().top);
    if (by <= 0) return;
    moved.style.translate = `0 ${-Math.round(by)}px`;
    this.#scope.add(() => (moved.style.translate = ''));
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
    // The active item is focused, by key or by pointer.
    node.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
      if (event.pointerType === 'mouse' && document.activeElement !== node) node.focus({ preventScroll: true });
    });
    return node;
  }

  #listen() {
    const { node } = this;
    node.addEventListener('keydown', (event) => this.#pressed(event));
    // The context menu key sends its event on keyup, when the menu is open.
    node.addEventListener('contextmenu', (event) => event.preventDefault());
    // A long press may end over an item: that is no click on it.
    let pressed = false;
    node.addEventListener('pointerdown', () => (pressed = true));
    node.addEventListener('click', (event) => {
      if (event.pointerType !== 'touch' || pressed) return;
      event.preventDefault();
      event.stopPropagation();
    }, true);
    // The shade takes a whole tap: if the sheet closed on pointerdown, the click would hit what is beneath. The end of
    // the long press that opened the sheet is no tap.
    this.#shade?.addEventListener('pointerdown', ({ currentTarget }) => {
      currentTarget.addEventListener('click', () => this.close(), { once: true });
    });
    const isOutside = ({ target }) => target !== this.#shade && !node.contains(target)
      && !(this.owner.localName === 'button' && this.owner.contains(target));
    for (const type of ['pointerdown', 'wheel']) {
      this.#scope.listen(document, type, (event) => isOutside(event) && this.close(), { capture: true, passive: true });
    }
    for (const type of ['blur', 'resize']) {
      this.#scope.listen(window, type, (event) => event.target === window && this.close());
    }
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

  /** Moves left and right in the line above the items. */
  #along(key, now) {
    const at = this.#head.indexOf(now);
    const rtl = getComputedStyle(this.node).direction === 'rtl' ? -1 : 1;
    const by = { ArrowLeft: -rtl, ArrowRight: rtl }[key];
    return at < 0 || !by ? null : this.#head[(at + by + this.#head.length) % this.#head.length];
  }

  /** Moves up and down through the items; the line above them counts as one. */
  #step(key, now) {
    const inHead = this.#head[Math.max(0, this.#head.indexOf(now))];
    const stops = inHead ? [inHead, ...this.#items] : this.#items;
    const at = stops.indexOf(now);
    const last = stops.length - 1;
    const to = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[key];
    return stops[to] ?? null;
  }

  #letter({ key, ctrlKey, metaKey, altKey }, now) {
    if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return null;
    const at = this.#items.indexOf(now);
    const order = [...this.#items.slice(at + 1), ...this.#items.slice(0, at + 1)];
    return order.find((node) => node.textContent.toLocaleLowerCase().startsWith(key.toLocaleLowerCase())) ?? null;
  }
}

/** Positions it at the point; else below the box, or above if there is no room; always inside the window. */
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
