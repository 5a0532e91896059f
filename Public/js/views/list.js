/**
 * The ways an observable array reaches the document. `bindList`: a view per item, kept in the array's order by applying
 * its changes, so that only rows that changed are touched. `WindowedList`: for thousands of rows of one height, views of
 * those only that are near the screen.
 */
import { motionAllowed, setAttribute } from './dom.js';

/**
 * @template T
 * @typedef {{node: HTMLElement, update: (item: T, previous: T) => void, remove?: () => void}} RowView
 */

/**
 * @template T
 * @param {object} options
 * @param {import('../models/observableArray.js').ObservableArray<T>} options.array
 * @param {HTMLElement} options.container holds the rows and nothing else
 * @param {(item: T) => RowView<T>} options.create makes the view of one item, already showing it
 * @param {(apply: () => void, changes: object[]) => void} [options.around] wraps each batch, to hold a scroll position
 * @returns {{views: RowView<T>[], end: () => void}} the views in order, and a way to stop
 */
export function bindList({ array, container, create, around = (apply) => apply() }) {
  /** @type {RowView<T>[]} */
  const views = [];

  const place = (view, index) => {
    const next = views[index]?.node ?? null;
    views.splice(index, 0, view);
    container.insertBefore(view.node, next);
  };

  const apply = (change) => {
    switch (change.type) {
      case 'insert':
        place(create(change.item), change.index);
        break;
      case 'remove': {
        const [view] = views.splice(change.index, 1);
        view.remove?.();
        view.node.remove();
        break;
      }
      case 'move': {
        const focused = document.activeElement;
        const [view] = views.splice(change.from, 1);
        place(view, change.to);
        // A node that moves loses the focus.
        if (focused instanceof HTMLElement && focused !== document.activeElement && view.node.contains(focused)) {
          focused.focus({ preventScroll: true });
        }
        break;
      }
      case 'update':
        views[change.index].update(change.item, change.previous);
        break;
    }
  };

  const unsubscribe = array.subscribe((changes) => {
    around(() => changes.forEach(apply), changes);
  });
  array.items.forEach((item, index) => place(create(item), index));

  return {
    views,
    end() {
      unsubscribe();
      for (const view of views) view.remove?.();
    },
  };
}

/** More moves at once are another list, not a movement. */
const MOST_SLIDES = 20;

/**
 * A long list. Its rows stand at absolute places, in the order of the array; the one with the focus stays where it is
 * known to be, however far one scrolls. What is being looked at stays in view when rows come or go above it.
 * @template T
 */
export class WindowedList {
  #array;
  #container;
  #scroller;
  #create;
  #key;
  #height;
  #spare;
  /** By key: the view, the item that it shows, and its index. */
  #shown = new Map();
  #top = 0;
  #room = 0;

  /**
   * @param {object} options
   * @param {import('../models/observableArray.js').ObservableArray<T>} options.array
   * @param {HTMLElement} options.container holds the rows and nothing else
   * @param {HTMLElement} options.scroller scrolls the container, which is the first in it that shows
   * @param {(item: T) => RowView<T>} options.create makes the view of one item, already showing it
   * @param {(item: T) => string} options.key
   * @param {number} options.height of every row, in CSS pixels
   * @param {number} [options.spare] rows that are kept ready before and after those on the screen
   */
  constructor({ array, container, scroller, create, key, height, spare = 12 }) {
    this.#array = array;
    this.#container = container;
    this.#scroller = scroller;
    this.#create = create;
    this.#key = key;
    this.#height = height;
    this.#spare = spare;
    array.subscribe((changes) => this.#changed(changes));
    scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    const observer = new ResizeObserver(() => this.#resized());
    observer.observe(scroller);
    // Where rows were hidden, or are fewer than before, the browser scrolls by itself.
    observer.observe(container);
    this.#show();
  }

  /** The view of an item, if it is near the screen. @param {string} key @returns {RowView<T>|null} */
  viewOf(key) {
    return this.#shown.get(key)?.view ?? null;
  }

  /** Brings a row into view and gives it to `use`. @param {number} index counted from 0; beyond the ends, the last one */
  reach(index, use) {
    const item = this.#array.items[Math.max(0, Math.min(index, this.#array.length - 1))];
    if (!item) return;
    if (this.#scroller.clientHeight > 0) this.#resized();
    const place = this.#array.indexOfKey(this.#key(item)) * this.#height;
    const { scrollTop, clientHeight } = this.#scroller;
    if (place < scrollTop) this.#scroller.scrollTop = place;
    else if (place + this.#height > scrollTop + clientHeight) {
      this.#scroller.scrollTop = place + this.#height - clientHeight;
    }
    if (clientHeight > 0) this.#resized();
    use(this.viewOf(this.#key(item)));
  }

  /** Goes to a place: at once, or when the list is put into the page. @param {number} top in CSS pixels */
  begin(top) {
    this.#top = top;
    this.#scroller.scrollTop = top;
    if (this.#scroller.clientHeight > 0) this.#resized();
  }

  #scrolled() {
    // Not before it was put back where it was.
    if (this.#room === 0 || this.#scroller.clientHeight === 0 || this.#container.hidden) return;
    this.#top = this.#scroller.scrollTop;
    this.#show();
  }

  #resized() {
    const room = this.#scroller.clientHeight;
    // Taken out of the page and put in again, it would begin at its top.
    if (this.#room === 0 && room > 0 && this.#top > 0) this.#scroller.scrollTop = this.#top;
    this.#room = room;
    if (room === 0) return;
    this.#top = this.#scroller.scrollTop;
    this.#show();
  }

  #changed(changes) {
    const before = new Map([...this.#shown].map(([key, { index }]) => [key, index]));
    const moves = changes.filter(({ type }) => type === 'move');
    for (const { item, from } of moves) if (!before.has(this.#key(item))) before.set(this.#key(item), from);
    const scrolled = this.#holdPlace(before, new Set(moves.map(({ item }) => this.#key(item))));
    this.#show();
    const comes = changes.some(({ type }) => type !== 'update');
    if (comes && moves.length <= MOST_SLIDES && motionAllowed()) this.#slide(before, scrolled);
  }

  /** @returns {number} by how much it was scrolled, so that what is looked at stays */
  #holdPlace(before, moved) {
    if (this.#top <= this.#height) return 0;
    const scroller = this.#scroller;
    const isSeen = scroller.clientHeight > 0 && !this.#container.hidden;
    // It may have been scrolled since that was last told.
    if (isSeen) this.#top = scroller.scrollTop;
    const top = this.#top;
    const by = top > this.#height ? this.#shift(before, moved) : 0;
    this.#stretch();
    if (isSeen) {
      if (by !== 0) scroller.scrollTop = top + by;
      this.#top = scroller.scrollTop;
      return this.#top - top;
    }
    // It begins there when it is seen again.
    this.#top = Math.max(0, top + by);
    return 0;
  }

  /** @returns {number} by how much the first row that is looked at, stays and does not move has another place */
  #shift(before, moved) {
    const first = Math.ceil(this.#top / this.#height);
    for (const [key, was] of [...before].sort((one, other) => one[1] - other[1])) {
      const index = was < first || moved.has(key) ? -1 : this.#array.indexOfKey(key);
      if (index >= 0) return (index - was) * this.#height;
    }
    return 0;
  }

  #stretch() {
    const size = `${this.#array.length * this.#height}px`;
    if (this.#container.style.blockSize !== size) this.#container.style.blockSize = size;
  }

  /** Makes the rows near the screen, forgets the others, and puts each in its place. */
  #show() {
    const { items } = this.#array;
    this.#stretch();
    const room = this.#room || innerHeight;
    const start = Math.max(0, Math.floor(this.#top / this.#height) - this.#spare);
    const end = Math.min(items.length, start + Math.ceil(room / this.#height) + 2 * this.#spare);
    const wanted = new Map();
    for (let index = start; index < end; index += 1) wanted.set(this.#key(items[index]), index);
    const focused = document.activeElement;
    for (const [key, { view }] of [...this.#shown]) {
      if (wanted.has(key)) continue;
      const index = view.node.contains(focused) || view.isHeld?.() ? this.#array.indexOfKey(key) : -1;
      if (index >= 0) wanted.set(key, index);
      else this.#forget(key, view);
    }
    const ordered = [...wanted].sort((one, other) => one[1] - other[1]);
    let next = this.#container.firstChild;
    for (const [key, index] of ordered) {
      const view = this.#place(key, index, items);
      if (view.node === next) next = next.nextSibling;
      else this.#container.insertBefore(view.node, next);
    }
    // A node that moves loses the focus.
    if (focused !== document.activeElement && this.#container.contains(focused)) focused.focus({ preventScroll: true });
  }

  #place(key, index, items) {
    const item = items[index];
    let shown = this.#shown.get(key);
    if (!shown) {
      shown = { view: this.#create(item), item, index: -1, count: -1 };
      this.#shown.set(key, shown);
    }
    const { view } = shown;
    if (shown.item !== item) view.update(item, shown.item);
    shown.item = item;
    if (shown.index !== index) {
      view.node.style.transform = `translateY(${index * this.#height}px)`;
      setAttribute(view.node, 'aria-posinset', index + 1);
    }
    shown.index = index;
    if (shown.count !== items.length) setAttribute(view.node, 'aria-setsize', items.length);
    shown.count = items.length;
    return view;
  }

  #forget(key, view) {
    this.#shown.delete(key);
    view.remove?.();
    view.node.remove();
  }

  /** Lets each row glide from where it was seen. */
  #slide(before, scrolled) {
    const farthest = (this.#room || innerHeight) + this.#height;
    for (const [key, { view, index }] of this.#shown) {
      const was = before.get(key);
      const by = was === undefined ? 0 : (was - index) * this.#height + scrolled;
      if (by === 0) continue;
      const from = index * this.#height + Math.max(-farthest, Math.min(farthest, by));
      const zIndex = by > 0 ? 1 : 0;
      const steps = [`translateY(${from}px)`, `translateY(${index * this.#height}px)`];
      view.node.animate(steps.map((transform) => ({ transform, zIndex })), {
        duration: 160,
        easing: 'cubic-bezier(0.2, 0, 0, 1)',
      });
    }
  }
}
