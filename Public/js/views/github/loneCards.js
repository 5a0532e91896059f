/**
 * Cards below messages that are one reference. Each has its place from the start (`messageRow.js`), so that its arrival
 * moves nothing. A place that gets no card closes, and is left out when the message is drawn again.
 */
import { Scope } from '../dom.js';
import { cardless } from '../messageRow.js';
import { cardLink } from './referenceCardView.js';

/** So far from the screen a card is asked for, in CSS pixels. */
const NEAR = 400;

export class LoneCards {
  #places;
  #scroller;
  #cardOf;
  #isMissing;
  #scope = new Scope();
  #near;
  /** What each place shows: its reference, and how to release it. @type {WeakMap<Element, object>} */
  #shown = new WeakMap();
  /** The places that are waited for or shown. @type {Set<Element>} */
  #met = new Set();

  /**
   * @param {{log: HTMLElement, scroller: HTMLElement, viewModel: {rows: object}}} host
   * @param {object} cards
   * @param {(reference: string) => Promise<import('../../models/cards.js').Card|null>} cards.cardOf
   * @param {(reference: string) => boolean} cards.isMissing whether GitHub has said that there is no such thing
   */
  constructor({ log, scroller, viewModel }, { cardOf, isMissing }) {
    this.#places = log.getElementsByClassName('lone-card');
    this.#scroller = scroller;
    this.#cardOf = cardOf;
    this.#isMissing = isMissing;
    this.#near = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) this.#fill(target);
    }, { root: scroller, rootMargin: `${NEAR}px` });
    this.#scope.add(viewModel.rows.subscribe(() => this.#look()));
    this.#look();
  }

  end() {
    this.#scope.end();
    this.#near.disconnect();
    for (const place of this.#met) this.#release(place);
  }

  /** Meets new places, and those whose message has become another. */
  #look() {
    for (const place of this.#met) if (!place.isConnected) this.#release(place);
    for (const place of /** @type {Iterable<HTMLElement>} */ (this.#places)) {
      if (this.#shown.get(place)?.reference === place.dataset.reference) continue;
      this.#release(place);
      place.replaceChildren();
      place.hidden = false;
      this.#shown.set(place, { reference: place.dataset.reference, release: () => {} });
      this.#met.add(place);
      this.#near.observe(place);
    }
  }

  async #fill(place) {
    this.#near.unobserve(place);
    const shown = this.#shown.get(place);
    const card = shown && await this.#cardOf(shown.reference);
    if (!shown || this.#shown.get(place) !== shown || !place.isConnected) return;
    if (!card) {
      cardless.add(shown.reference);
      return this.#close(place);
    }
    // GitHub is there again: what could not be asked for is asked for when it is drawn next.
    for (const reference of cardless) if (!this.#isMissing(reference)) cardless.delete(reference);
    const { node, release } = cardLink(card);
    shown.release = release;
    place.replaceChildren(node);
  }

  /** Where the place is above the screen, the messages on screen stay where they are, in the same frame. */
  #close(place) {
    const scroller = this.#scroller;
    const isAbove = place.getBoundingClientRect().bottom <= scroller.getBoundingClientRect().top;
    const height = scroller.scrollHeight;
    place.hidden = true;
    if (isAbove) scroller.scrollTop -= height - scroller.scrollHeight;
  }

  #release(place) {
    this.#near.unobserve(place);
    this.#shown.get(place)?.release();
    this.#shown.delete(place);
    this.#met.delete(place);
  }
}
