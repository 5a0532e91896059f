/** The end of a list that grows page by page, and what says that more is loading. */
import { element } from './dom.js';

/** A loading indicator. @param {string} label */
export const spinner = (label, hidden = true) =>
  element('div', { class: 'more', role: 'progressbar', 'aria-label': label, hidden },
    element('div', { class: 'spinner' }));

/** Requests the next page when the end of a list comes near. */
export class ListEnd {
  node = element('div', { class: 'sentinel' });
  #observer;

  /** @param {() => void} near @param {number} margin in CSS pixels @param {Element|null} [root] */
  constructor(near, margin, root = null) {
    const observe = (entries) => entries.at(-1).isIntersecting && near();
    this.#observer = new IntersectionObserver(observe, { root, rootMargin: `0px 0px ${margin}px` });
  }

  /** Checks again: after a page the end may still be near. @param {boolean} on */
  watch(on) {
    this.#observer.unobserve(this.node);
    if (on) this.#observer.observe(this.node);
  }

  end() {
    this.#observer.disconnect();
  }
}
