/**
 * Cards of the references in a log: beside the link while it is hovered or focused, as a sheet when a finger presses
 * it, and below a message that is one reference. Where there is no card, the link is a link.
 */
import { cardOf } from '../../models/cards.js';
import { cardReference } from '../../models/markdown/addresses.js';
import { Scope } from '../dom.js';
import { isOpen } from '../chat/dialog.js';
import { HoverCard, openCardSheet } from './referenceCardView.js';
import { LoneCards } from './loneCards.js';

/** How long a pointer rests on a link before its card shows, and how long it may take to the card, in milliseconds. */
const REST = 300;
const GRACE = 200;
/** A press that has no answer by then follows the link, which browsers allow for some seconds after the press. */
const PATIENCE = 2000;

export class ReferenceCards {
  #cards;
  #now;
  #openPerson;
  #scope = new Scope();
  #lone;
  /** The link that is hovered or focused. @type {HTMLAnchorElement|null} */
  #link = null;
  /** @type {HoverCard|null} */
  #card = null;
  #timer = 0;
  #isFinger = false;

  /**
   * @param {{log: HTMLElement, scroller: HTMLElement, viewModel: {rows: object}}} host
   * @param {object} options
   * @param {{ask: (reference: string) => Promise<object|null>, known: (reference: string) => object|null|undefined}}
   *   options.cards
   * @param {() => number} options.now
   * @param {(profile: object, anchor: Element) => Promise<void>} options.openPerson
   */
  constructor(host, { cards, now, openPerson }) {
    this.#cards = cards;
    this.#now = now;
    this.#openPerson = openPerson;
    const { log, scroller } = host;
    const scope = this.#scope;
    for (const type of ['pointerover', 'focusin']) scope.listen(log, type, (event) => this.meet(event));
    scope.listen(log, 'pointerout', (event) => this.#leave(event));
    scope.listen(log, 'focusout', () => this.#hide());
    scope.listen(log, 'click', (event) => this.#press(event));
    scope.listen(scroller, 'scroll', () => this.#hide(), { passive: true });
    scope.listen(document, 'pointerdown', (event) => {
      this.#isFinger = event.pointerType === 'touch';
      this.#hide();
    }, true);
    scope.listen(document, 'keydown', (event) => {
      if (event.key !== 'Escape' || !this.#card) return;
      // It closes the card and nothing else.
      event.preventDefault();
      event.stopPropagation();
      this.#hide();
    }, true);
    scope.listen(window, 'resize', () => this.#hide());
    this.#lone = new LoneCards(host, {
      cardOf: (reference) => this.#cardOf(reference), isMissing: (reference) => cards.known(reference) === null,
    });
    scope.add(() => this.#lone.end());
    scope.add(host.viewModel.rows.subscribe(() => this.#card && !this.#link?.isConnected && this.#hide()));
  }

  end() {
    this.#hide();
    this.#scope.end();
  }

  /** A pointer or the focus has come to a link. @param {Event} event */
  meet(event) {
    const link = linkOf(event);
    const byKey = event.type === 'focusin';
    if (!link || (byKey ? !link.matches(':focus-visible') : event.pointerType === 'touch')) return;
    clearTimeout(this.#timer);
    if (link === this.#link && this.#card) return;
    this.#hide();
    this.#link = link;
    const answer = this.#cardOf(cardReference(link.href));
    this.#timer = setTimeout(async () => {
      const card = await answer;
      const isWanted = this.#link === link && !this.#card && link.isConnected;
      if (card && isWanted && !document.querySelector('dialog[open]')) this.#show(card);
    }, byKey ? 0 : REST);
  }

  async #cardOf(reference) {
    const thing = await this.#cards.ask(reference);
    return thing && cardOf(thing, this.#now());
  }

  #show(card) {
    this.#card = new HoverCard(card, this.#link);
    const { node } = this.#card;
    node.addEventListener('pointerenter', () => clearTimeout(this.#timer));
    node.addEventListener('pointerleave', () => this.#hideSoon());
  }

  #leave(event) {
    if (this.#link && linkOf(event) === this.#link && !this.#link.contains(event.relatedTarget)) this.#hideSoon();
  }

  /** The pointer may be on its way to the card. */
  #hideSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hide(), this.#card ? GRACE : 0);
  }

  #hide() {
    clearTimeout(this.#timer);
    this.#card?.end();
    this.#card = null;
    this.#link = null;
  }

  /** A finger's press opens the card; so does any press on a person. */
  #press(event) {
    const link = linkOf(event);
    if (!link || event.defaultPrevented || event.button !== 0 || hasModifier(event)) return;
    const reference = cardReference(link.href);
    const isPerson = new URL(reference).pathname.split('/').length === 2;
    const isFinger = this.#isFinger && event.detail > 0;
    if ((!isFinger && !isPerson) || this.#cards.known(reference) === null) return;
    event.preventDefault();
    this.open(link);
  }

  /** Opens the card of a link, or follows it where there is none. @param {HTMLAnchorElement} link */
  async open(link) {
    const reference = cardReference(link.href);
    const inTime = new Promise((resolve) => { setTimeout(resolve, PATIENCE, null); });
    const thing = reference && await Promise.race([this.#cards.ask(reference), inTime]);
    this.#hide();
    if (!thing) open(link.href, '_blank', 'noopener,noreferrer');
    else if (thing.kind === 'person') await this.#openPerson(thing, link);
    else if (!isOpen('reference-sheet')) openCardSheet(cardOf(thing, this.#now()), link);
  }
}

/** The link with a card that an event is about. @param {Event} event @returns {HTMLAnchorElement|null} */
function linkOf({ target }) {
  const link = target instanceof Element ? target.closest('a.link') : null;
  return link instanceof HTMLAnchorElement && cardReference(link.href) ? link : null;
}

const hasModifier = (event) => event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
