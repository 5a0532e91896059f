import { motionAllowed, setAttribute } from './dom.js';

/**
 * @template T
 * @typedef {{node: HTMLElement, update: (item: T, previous: T) => void, remove?: () => void}} RowView
 */

/** With more moves at once, the list does not animate. */
const MOST_SLIDES = 20;

/**
 * A list of thousands of rows of one height, of which only those near the screen are in the document, at absolute
 * positions. The row with the focus stays in the document wherever it is. Changes above the screen do not scroll it.
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
   * @param {HTMLElement} options.scroller scrolls the container, its first visible child
   * @param {(item: T) => RowView<T>} options.create makes the view of one item, already showing it
   * @param {(item: T) => string|number} options.key
   * @param {number} options.height of every row, in CSS pixels
   * @param {number} [options.spare] rows kept in the document before and after the screen
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
    // The browser scrolls if rows were hidden or removed.
    observer.observe(container);
    this.#show();
  }

  /** The view of an item, if it is near the screen. @param {string} key @returns {RowView<T>|null} */
  viewOf(key) {
    return this.#shown.get(key)?.view ?? null;
  }

  /**
   * Scrolls a row into view and passes its view to `use`.
   * @param {number} index clamped to the list
   */
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

  /** Scrolls to a position, at once or when the list is in the page. @param {number} top in CSS pixels */
  begin(top) {
    this.#top = top;
    this.#scroller.scrollTop = top;
    if (this.#scroller.clientHeight > 0) this.#resized();
  }

  #scrolled() {
    // Ignores scrolling before the position is restored.
    if (this.#room === 0 || this.#scroller.clientHeight === 0 || this.#container.hidden) return;
    this.#top = this.#scroller.scrollTop;
    this.#show();
  }

  #resized() {
    const room = this.#scroller.clientHeight;
    // A list inserted again would start at its top.
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

  /** Keeps the first visible row in place. @returns {number} by how much the list was scrolled for that */
  #holdPlace(before, moved) {
    if (this.#top <= this.#height) return 0;
    const scroller = this.#scroller;
    const isSeen = scroller.clientHeight > 0 && !this.#container.hidden;
    // It may have been scrolled since the last scroll event.
    if (isSeen) this.#top = scroller.scrollTop;
    const top = this.#top;
    const by = top > this.#height ? this.#shift(before, moved) : 0;
    this.#stretch();
    if (isSeen) {
      if (by !== 0) scroller.scrollTop = top + by;
      this.#top = scroller.scrollTop;
      return this.#top - top;
    }
    // Restored when the list is shown again.
    this.#top = Math.max(0, top + by);
    return 0;
  }

  /** @returns {number} by how much the first visible row that remains and does not move has shifted */
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

  /** Makes the rows near the screen, removes the others, and positions each. */
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
    // Moving a node drops its focus.
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

  /** Animates each row from its former position. */
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
