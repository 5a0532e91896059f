/**
 * Scrolling of the log, by hand since one engine has no scroll anchoring: what is being read stays where it is when
 * rows come and go above or below; at the bottom the log follows. Rows of a short log stand at the bottom, above them a
 * lead fills the space. An arrival in a short log scrolls first and shortens the lead in the next frame, so that rows
 * move by scrolling only and never by layout.
 */
import { element, setAttribute } from './dom.js';

/** Nearer to an end than this, in CSS pixels, the next page is asked for. */
const edge = 800;
/** Nearer to the bottom than this is "at the bottom". */
const slack = 24;
/** So much of a tall row has to be on screen for it to count as seen. */
const glimpse = 40;

export class LogScroller {
  #lead = element('div', { class: 'lead' });
  #leadHeight = 0;
  #pinned = true;
  #anchors = [];
  #placed = false;
  /** The end is to be gone to with the next frame, whose layout that takes anyway. */
  #endDue = false;
  #frame = 0;
  #observer;
  #views;
  #moved;
  node;

  /**
   * @param {HTMLElement} log holds the rows
   * @param {() => import('./messageRow.js').MessageView[]} views the rows' views in order
   * @param {(where: {nearTop: boolean, nearBottom: boolean, atBottom: boolean, lastSeqVisible: number}) => void} moved
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

  end() {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  /**
   * Applies a change of rows without moving what is being read.
   * @param {() => void} apply
   * @param {boolean} follows whether the log may follow to its end if it was there: not while later pages are missing
   */
  hold(apply, follows) {
    const toEnd = !this.#placed || (follows && this.#pinned);
    if (!toEnd) this.#goToDueEnd();
    const anchors = toEnd ? null : this.#findAnchors();
    apply();
    if (toEnd) this.#scrollToEndSoon();
    else this.#restore(anchors);
    this.#settleSoon();
  }

  /** Goes to the newest row that is there, and follows from now on. */
  toEnd() {
    this.#pinned = true;
    if (!this.#placed) this.#place();
    this.#scrollToEndSoon();
    this.#settleSoon();
  }

  /**
   * Puts a row into view, below the sticky day heading.
   * @param {import('./messageRow.js').MessageView} view
   * @param {boolean} marked lets the bubble glow once, so that the eye finds it
   */
  toRow(view, marked) {
    this.#endDue = false;
    if (!this.#placed) this.#place();
    const top = view.node.firstElementChild.getBoundingClientRect().top - this.node.getBoundingClientRect().top;
    this.node.scrollTop += top - Math.min(120, this.node.clientHeight / 5);
    if (marked) {
      view.row.setAttribute('data-found', '');
      setTimeout(() => view.row.removeAttribute('data-found'), 2000);
    }
    this.#remember();
    this.#settleSoon();
  }

  /** The first placement settles at once: nothing was seen before that could shift. */
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

  #settleSoon() {
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

  #remember() {
    const { scrollTop, scrollHeight, clientHeight } = this.node;
    this.#pinned = scrollHeight - clientHeight - scrollTop < slack;
    this.#anchors = this.#findAnchors();
  }

  /** Tells where the log stands, once more. */
  tell() {
    if (!this.#placed) return;
    const { scrollTop, scrollHeight, clientHeight } = this.node;
    this.#coverHeadings();
    this.#moved({
      nearTop: scrollTop - this.#leadHeight < edge,
      nearBottom: scrollHeight - clientHeight - scrollTop < edge,
      atBottom: this.#pinned,
      lastSeqVisible: this.#lastSeqVisible(),
    });
  }

  /** Takes away each sticky day heading that the next one has reached. */
  #coverHeadings() {
    const headings = this.log.getElementsByClassName('day');
    const rects = Array.from(headings, (heading) => heading.getBoundingClientRect());
    for (const [index, heading] of [...headings].entries()) {
      const next = rects[index + 1];
      setAttribute(heading, 'data-covered', next !== undefined && next.top < rects[index].bottom);
    }
  }

  /** The first rows on screen and where they are; several, since a change may take the first away. */
  #findAnchors() {
    const views = this.#views();
    const top = this.node.getBoundingClientRect().top;
    const first = firstIndex(views, (view) => view.row.getBoundingClientRect().bottom > top);
    return views.slice(first, first + 4).map((view) => ({ view, top: view.row.getBoundingClientRect().top - top }));
  }

  #restore(anchors) {
    const anchor = anchors.find(({ view }) => view.row.isConnected);
    if (!anchor) return;
    const top = anchor.view.row.getBoundingClientRect().top - this.node.getBoundingClientRect().top;
    if (Math.abs(top - anchor.top) >= 0.5) this.node.scrollTop += top - anchor.top;
  }

  #lastSeqVisible() {
    const views = this.#views();
    const bottom = this.node.getBoundingClientRect().bottom;
    const hidden = firstIndex(views, (view) => {
      const rect = view.row.getBoundingClientRect();
      return rect.top + Math.min(rect.height, glimpse) > bottom + 1;
    });
    for (let index = hidden - 1; index >= 0; index -= 1) {
      if (views[index].seq !== null) return views[index].seq;
    }
    return 0;
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
