/** Loads the cards of a log's references with the first one that needs them, and holds a press until they are there. */
import { Scope, isTouch } from './dom.js';

/** What may have a card. */
const REFERENCE = 'a.link[href^="https://github.com/"]';

export class AwaitedReferences {
  #log;
  #load;
  #scope = new Scope();
  /** Loading or loaded; null before, and after it failed. @type {Promise<object|null>|null} */
  #cards = null;
  #areThere = false;
  #ended = false;

  /**
   * @param {{log: HTMLElement, viewModel: {rows: {subscribe: (listener: () => void) => () => void}}}} host
   * @param {() => Promise<import('./github/logReferences.js').ReferenceCards>} load
   */
  constructor({ log, viewModel }, load) {
    this.#log = log;
    this.#load = load;
    for (const type of ['pointerover', 'focusin']) this.#scope.listen(log, type, (event) => this.#meet(event));
    this.#scope.listen(log, 'click', (event) => this.#press(/** @type {MouseEvent} */ (event)));
    this.#scope.add(viewModel.rows.subscribe(() => this.#look()));
    this.#look();
    // What was hovered or focused before this had loaded.
    for (const [state, type] of [...isTouch() ? [] : [['hover', 'pointerover']], ['focus-visible', 'focusin']]) {
      const target = log.querySelector(`${REFERENCE}:${state}`);
      if (target) this.#meet({ target, type });
    }
  }

  end() {
    this.#ended = true;
    this.#scope.end();
    this.#cards?.then((cards) => cards?.end());
  }

  /** A message that is one reference has its card without being asked for; a finger's press must not wait. */
  #look() {
    const isDue = isTouch()
      ? this.#log.querySelector(REFERENCE) : this.#log.getElementsByClassName('lone-card').length > 0;
    if (!this.#cards && isDue) this.#begin();
  }

  #meet(event) {
    if (!this.#cards && event.target instanceof Element && event.target.closest(REFERENCE)) this.#begin(event);
  }

  #press(event) {
    const link = event.target instanceof Element ? event.target.closest(REFERENCE) : null;
    if (!link || this.#areThere || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    // With a mouse, only a press on a person opens a card.
    if (!isTouch() && new URL(link.href).pathname.split('/').length > 2) return;
    event.preventDefault();
    if (!this.#cards) this.#begin();
    this.#cards?.then((cards) => (cards ? cards.open(link) : open(link.href, '_blank', 'noopener,noreferrer')));
  }

  #begin(event = null) {
    this.#cards = this.#load().then((cards) => {
      this.#areThere = true;
      if (this.#ended) cards.end();
      else if (event) cards.meet(event);
      return cards;
    }).catch(() => {
      this.#cards = null;
      return null;
    });
  }
}
