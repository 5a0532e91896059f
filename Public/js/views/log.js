/**
 * Scroll anchoring of the log, by hand since one engine has none: visible rows stay in place when rows are inserted or
 * removed above or below; at the bottom the log follows. A spacer (the lead) pushes the rows of a short log to the
 * bottom. An arrival in a short log scrolls first and shrinks the lead in the next frame, so that rows move by
 * scrolling and never by layout.
 */
import { Scope, element, setAttribute } from './dom.js';

/** The distance from an end, in CSS pixels, at which the next page loads. */
const edge = 800;
/** Nearer to the bottom than this is "at the bottom". */
const slack = 24;
/** How much of a tall row must be on screen to count as seen. */
const glimpse = 40;
/** Milliseconds that a row stays marked, unless the reader scrolls before. */
const markLasts = 2000;
const scrollKeys = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);

export class LogScroller {
  #lead = element('div', { class: 'lead' });
  #leadHeight = 0;
  #pinned = true;
  /** The `scrollTop` when the position was last remembered. */
  #top = 0;
  #anchors = [];
  #placed = false;
  /** Whether to scroll to the end in the next frame, which needs a layout anyway. */
  #endDue = false;
  #frame = 0;
  /** Ends the mark of a row. */
  #unmark = () => {};
  #observer;
  #views;
  #moved;
  node;

  /**
   * @param {HTMLElement} log holds the rows
   * @param {() => import('./messageRow.js').MessageView[]} views the rows' views in order
   * @param {(where: {nearTop: boolean, nearBottom: boolean, atBottom: boolean, firstSeqVisible?: number,
   *   lastSeqVisible: number}) => void} moved
   *   called after each scroll, resize and change of rows
   */
  constructor(log, views, moved) {
    this.log = log;
    this.#views = views;
    this.#moved = moved;
    this.node = element('div', { class: 'scroller log-scroller', tabindex: '0' }, this.#lead, log);
    this.node.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.#observer = new ResizeObserver(() => this.#resized());
    this.#observer.observe(this.node);
    this.#observer.observe(log);
  }

  get atBottom() {
    return this.#pinned;
  }

  /** Where the reader is: the first message on screen, and how far below the log's top; null at the end. */
  get place() {
    const anchor = this.#pinned ? undefined : this.#anchors.find(({ view }) => view.seq !== null);
    return anchor ? { seq: anchor.view.seq, top: anchor.top } : null;
  }

  end() {
    this.#unmark();
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  /**
   * Applies a change of rows without moving the visible ones.
   * @param {() => void} apply
   * @param {boolean} follows whether the log may stay at its end: not while later pages are missing
   */
  hold(apply, follows) {
    const toEnd = !this.#placed || (follows && this.#pinned);
    if (!toEnd) this.#goToDueEnd();
    const anchors = toEnd ? null : this.#findAnchors();
    apply();
    if (toEnd) {
      this.#scrollToEndSoon();
    } else {
      this.#restore(anchors);
      this.#pinned = false;
    }
    this.settleSoon();
  }

  /** Scrolls to the newest row, and follows from now on. */
  toEnd() {
    this.#pinned = true;
    if (!this.#placed) this.#place();
    this.#scrollToEndSoon();
    this.settleSoon();
  }

  /**
   * Scrolls a row into view, below the sticky day heading.
   * @param {import('./messageRow.js').MessageView} view
   * @param {number|null} [top] the message stands so far below the log's top
   */
  toRow(view, top = null) {
    this.#endDue = false;
    this.#pinned = false;
    if (!this.#placed) this.#place();
    // The position of a sticky day heading says nothing about its row.
    const first = top === null ? view.node.querySelector(':scope > :not(.day)') : view.row;
    this.node.scrollTop += this.#topOf(first) - (top ?? Math.min(120, this.node.clientHeight / 5));
    this.#unmark();
    this.#remember();
    this.settleSoon();
  }

  #topOf(node) { return node.getBoundingClientRect().top - this.node.getBoundingClientRect().top; }

  /**
   * Marks a row until the reader scrolls, or for two seconds. What else moves the log is no scroll of theirs.
   * @param {import('./messageRow.js').MessageView} view @param {() => void} unmark ends what else marks it
   */
  markRow({ row }, unmark) {
    const scope = new Scope();
    const timer = setTimeout(() => this.#unmark(), markLasts);
    this.#unmark = () => {
      this.#unmark = () => {};
      clearTimeout(timer);
      scope.end();
      setAttribute(row, 'data-found', null);
      unmark();
    };
    setAttribute(row, 'data-found', true);
    for (const type of ['wheel', 'touchmove']) scope.listen(this.node, type, () => this.#unmark(), { passive: true });
    scope.listen(this.node, 'keydown', (event) => scrollKeys.has(event.key) && this.#unmark());
  }

  /** The first placement needs no animation frame: nothing visible can shift. */
  #place() {
    this.#placed = true;
    this.#settleLead();
  }

  #scrollToEndSoon() {
    if (this.#placed) this.#endDue = true;
    else this.#scrollToEnd();
  }

  #goToDueEnd() {
    if (!this.#endDue) return;
    this.#scrollToEnd();
    this.#remember();
  }

  #scrollToEnd() {
    this.#endDue = false;
    this.node.scrollTop = this.node.scrollHeight;
    if (!this.#placed) this.#settleLead();
  }

  #scrolled() {
    if (!this.#placed) return;
    this.#goToDueEnd();
    this.#remember();
    this.tell();
  }

  #resized() {
    if (this.#placed && !this.#pinned) this.#restore(this.#anchors);
    this.#settleLead();
    if (!this.#placed || this.#pinned) this.node.scrollTop = this.node.scrollHeight;
    this.tell();
  }

  /** Reports the position again once the rows have their places. */
  settleSoon() {
    if (this.#placed && !this.#endDue) this.#remember();
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#goToDueEnd();
      this.#frame = requestAnimationFrame(() => {
        this.#settleLead();
        this.tell();
      });
    });
  }

  #settleLead() {
    const height = Math.max(0, this.node.clientHeight - this.log.getBoundingClientRect().height);
    const less = this.#leadHeight - height;
    if (less === 0) return;
    const top = this.node.scrollTop;
    this.#leadHeight = height;
    this.#lead.style.blockSize = `${height}px`;
    this.node.scrollTop = this.#pinned ? this.node.scrollHeight : top - less;
  }

  /**
   * Only a scroll upwards leaves the end: if the log grew, the reader is still at its end. The scroll event may come
   * before the observer reports the new size.
   */
  #remember() {
    const { scrollTop, scrollHeight, clientHeight } = this.node;
    const stayed = this.#pinned && scrollTop >= this.#top;
    this.#pinned = stayed || scrollHeight - clientHeight - scrollTop < slack;
    this.#top = scrollTop;
    this.#anchors = this.#findAnchors();
  }

  /** Reports the position again. */
  tell() {
    if (!this.#placed) return;
    const { scrollTop, scrollHeight, clientHeight } = this.node;
    this.#coverHeadings();
    this.#moved({
      nearTop: scrollTop - this.#leadHeight < edge,
      nearBottom: scrollHeight - clientHeight - scrollTop < edge,
      atBottom: this.#pinned,
      firstSeqVisible: this.#findAnchors().find(({ view }) => view.seq !== null)?.view.seq,
      lastSeqVisible: this.#lastSeqVisible(),
    });
  }

  /** Hides each sticky day heading that the next one has reached. */
  #coverHeadings() {
    const headings = this.log.getElementsByClassName('day');
    const rects = Array.from(headings, (heading) => heading.getBoundingClientRect());
    for (const [index, heading] of [...headings].entries()) {
      const next = rects[index + 1];
      setAttribute(heading, 'data-covered', next !== undefined && next.top < rects[index].bottom);
    }
  }

  /** The first rows on screen and their positions; several, since a change may remove the first. */
  #findAnchors() {
    const views = this.#views();
    const top = this.node.getBoundingClientRect().top;
    const first = firstIndex(views, (view) => view.row.getBoundingClientRect().bottom > top);
    return views.slice(first, first + 4).map((view) => ({ view, top: view.row.getBoundingClientRect().top - top }));
  }

  #restore(anchors) {
    const anchor = anchors.find(({ view }) => view.row.isConnected);
    if (!anchor) return;
    const top = this.#topOf(anchor.view.row);
    if (Math.abs(top - anchor.top) >= 0.5) this.node.scrollTop += top - anchor.top;
  }

  /** The number of rows up to the last one on screen. */
  #countToBottom() {
    const bottom = this.node.getBoundingClientRect().bottom;
    return firstIndex(this.#views(), (view) => {
      const rect = view.row.getBoundingClientRect();
      return rect.top + Math.min(rect.height, glimpse) > bottom + 1;
    });
  }

  #lastSeqVisible() {
    return this.#views().slice(0, this.#countToBottom()).findLast(({ seq }) => seq !== null)?.seq ?? 0;
  }

  /** Focuses the last message on screen. @returns {boolean} false if there is none */
  focusLast() {
    const view = this.#views().slice(0, this.#countToBottom()).findLast(({ item }) => item.kind === 'message');
    view?.row.focus({ preventScroll: true });
    return view !== undefined;
  }
}

/** Index of the first item for which the test, false up to some item and true from there on, holds. */
function firstIndex(items, test) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(items[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
