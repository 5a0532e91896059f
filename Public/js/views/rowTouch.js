/**
 * Fingers on the rows of a list: a swipe towards the line's start follows the finger and shows what can be done, a long
 * press opens the menu. Where the browser takes the finger for scrolling, both end (`touch-action: pan-y`).
 */
import { element, setAttribute } from './dom.js';

/** The least distance of a swipe, in pixels. */
const slack = 10;
/** The duration of a long press, in milliseconds. */
const longPress = 500;
/** The share of the actions' width beyond which they stay open; a quick flick needs less. */
const openFrom = 0.4;
/** Pixels a millisecond. */
const flick = 0.4;
const actionWidth = 56;
/** So far a row moves; beyond, it gets narrower, so that its name stays: as wide as a face and the gap beside it. */
const slides = 52;

/**
 * @typedef {{node: HTMLElement, link: HTMLElement, swiped: boolean, item: {id: string, name: string}}} TouchedRow
 * @typedef {{label: string, name: string, icon: SVGElement, act: () => void}} SwipeAction
 */

export class RowTouch {
  #actionsOf;
  #openMenu;
  /** The row whose actions show. */
  #open = null;
  #gesture = null;

  /**
   * @param {object} options
   * @param {HTMLElement} options.container of the rows
   * @param {(row: TouchedRow) => SwipeAction[]} options.actionsOf the actions of a swipe, from the text outwards
   * @param {(row: TouchedRow, at: {x: number, y: number}) => void} options.openMenu
   */
  constructor({ container, actionsOf, openMenu }) {
    this.#actionsOf = actionsOf;
    this.#openMenu = openMenu;
    // A press elsewhere closes the actions, and does nothing else in the list.
    document.addEventListener('pointerdown', (event) => {
      if (this.#open && !this.#open.row.node.contains(event.target)) this.close();
    }, true);
    document.addEventListener('scroll', () => this.close(), true);
    // The swipe is handled here: the browser would start a fling, which swallows the next tap.
    const ours = (event) => this.#gesture?.moves && event.cancelable && event.preventDefault();
    container.addEventListener('touchmove', ours, { passive: false });
  }

  /** A finger came down on a row. @param {TouchedRow} row @param {PointerEvent} event */
  begin(row, event) {
    if (!event.isPrimary || this.#gesture || event.target.closest?.('.row-actions, .row-button')) return;
    const wasOpen = this.#open?.row === row;
    const gesture = {
      row, id: event.pointerId, x: event.clientX, y: event.clientY, from: wasOpen ? this.#open.width : 0,
      moves: false, offset: 0, last: { x: event.clientX, time: event.timeStamp }, speed: 0, timer: 0, end: () => {},
    };
    this.#gesture = gesture;
    const listeners = {
      pointermove: (moved) => moved.pointerId === gesture.id && this.#move(gesture, moved),
      pointerup: (up) => up.pointerId === gesture.id && this.#finish(gesture, true),
      pointercancel: (ended) => ended.pointerId === gesture.id && this.#finish(gesture, false),
    };
    for (const [type, listener] of Object.entries(listeners)) document.addEventListener(type, listener);
    gesture.end = () => {
      for (const [type, listener] of Object.entries(listeners)) document.removeEventListener(type, listener);
      clearTimeout(gesture.timer);
      this.#gesture = null;
    };
    if (wasOpen) return;
    gesture.timer = setTimeout(() => {
      gesture.end();
      swallowClick(row.node);
      this.#openMenu(row, { x: gesture.x, y: gesture.y });
    }, longPress);
  }

  /** Hides the actions again. */
  close() {
    if (!this.#open) return;
    const { row, actions } = this.#open;
    this.#open = null;
    this.#settle(row, 0);
    row.swiped = false;
    // Removed once the row covers them.
    setTimeout(() => {
      actions.remove();
      if (!row.swiped) setAttribute(row.node, 'data-swiped', null);
    }, 200);
  }

  #move(gesture, event) {
    const dx = (event.clientX - gesture.x) * (isRightToLeft(gesture.row) ? 1 : -1);
    const dy = Math.abs(event.clientY - gesture.y);
    if (!gesture.moves) {
      if (Math.abs(dx) < slack && dy < slack) return;
      clearTimeout(gesture.timer);
      const sideways = Math.abs(dx) > dy;
      if (!sideways || (dx < 0 && gesture.from === 0)) return gesture.end();
      gesture.moves = true;
      this.#reveal(gesture.row);
    }
    const { width } = this.#open;
    const wanted = Math.max(0, gesture.from + dx);
    // Beyond its end the row follows with resistance.
    gesture.offset = wanted > width ? width + (wanted - width) / 4 : wanted;
    const elapsed = Math.max(1, event.timeStamp - gesture.last.time);
    const moved = (event.clientX - gesture.last.x) * (isRightToLeft(gesture.row) ? 1 : -1);
    gesture.speed = moved / elapsed;
    gesture.last = { x: event.clientX, time: event.timeStamp };
    setAttribute(gesture.row.node, 'data-swiped', 'moving');
    shift(gesture.row, gesture.offset);
  }

  #finish(gesture, completed) {
    gesture.end();
    if (!gesture.moves) {
      // A tap on a row whose actions show closes them and opens no chat.
      if (completed && gesture.from > 0) {
        swallowClick(gesture.row.node);
        this.close();
      }
      return;
    }
    swallowClick(gesture.row.node);
    const { width } = this.#open;
    const opens = completed
      ? gesture.speed > flick || (gesture.speed > -flick && gesture.offset > width * openFrom)
      : gesture.from > 0;
    if (opens) this.#settle(gesture.row, width);
    else this.close();
  }

  /** Puts the actions behind the row. */
  #reveal(row) {
    if (this.#open?.row === row) return;
    this.close();
    const items = this.#actionsOf(row);
    const actions = element('div', { class: 'row-actions', role: 'group', 'aria-label': row.item.name });
    for (const { label, name, icon, act } of items) {
      const button = element('button', { type: 'button', 'data-action': name }, icon, element('span', {}, label));
      button.addEventListener('click', () => {
        this.close();
        act();
      });
      actions.append(button);
    }
    row.node.prepend(actions);
    row.swiped = true;
    this.#open = { row, actions, width: items.length * actionWidth };
  }

  #settle(row, offset) {
    setAttribute(row.node, 'data-swiped', 'settling');
    shift(row, offset);
  }
}

function shift(row, offset) {
  const by = Math.min(offset, slides);
  row.link.style.transform = offset === 0 ? '' : `translateX(${isRightToLeft(row) ? by : -by}px)`;
  row.link.style.inlineSize = offset > slides ? `calc(100% - ${offset - slides}px)` : '';
}

function isRightToLeft(row) {
  return getComputedStyle(row.node).direction === 'rtl';
}

/** Swallows the click that ends a swipe or a long press. */
function swallowClick(node) {
  const swallow = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  node.addEventListener('click', swallow, { capture: true, once: true });
  // There may be no click: the next press counts again.
  node.addEventListener('pointerdown', () => node.removeEventListener('click', swallow, true), { once: true });
}
