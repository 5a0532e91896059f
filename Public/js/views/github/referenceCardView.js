/** The card of a reference: beside a link, in a sheet, or below the message that it is. */
import { newsTexts } from '../../models/texts/news.js';
import { referenceCardTexts as words } from '../../models/texts/referenceCard.js';
import { isNarrow, standBeside } from '../beside.js';
import { openDialog } from '../chat/dialog.js';
import { Scope, element } from '../dom.js';
import { Avatar, icon } from '../parts.js';
import { chips, outLink } from './newsCard.js';

/** @typedef {import('../../models/cards.js').Card} Card */

/**
 * What a card says, of one height per line.
 * @param {Card} card
 * @returns {{nodes: Node[], code: HTMLElement|null, release: () => void}} `release` once they are gone
 */
function cardContent(card) {
  const face = card.face && new Avatar(24);
  face?.show(card.face);
  const isRepository = card.kind === 'repository';
  const where = element('span', { class: 'where', dir: 'auto' }, card.where);
  const kind = element('span', { class: 'visually-hidden' }, `${card.kindText}: `);
  const by = [card.by, card.when].filter(Boolean).join(' · ');
  return {
    code: card.code && codeOf(card.code),
    nodes: [
      element('span', { class: 'line' }, isRepository ? null : kind, where, ...chips(card)),
      element('span', { class: 'title' }, element('bdi', {}, card.title)),
      element('span', { class: 'line told' }, face?.node ?? null,
        element('span', { class: 'about', dir: 'auto' }, by || card.about),
        ...card.facts.map((text) => element('span', { class: 'fact' }, text))),
    ],
    release: () => face?.release(),
  };
}

/**
 * Lines of a file with their numbers.
 * @param {{text: string, first: number, info: string}} lines
 */
function codeOf({ text, first, info }) {
  const code = element('code', {}, text);
  const numbers = Array.from(text.split('\n'), (_, index) => first + index).join('\n');
  if (globalThis.CSS?.highlights) {
    import('../codeColours.js').then(({ colourInView }) => colourInView(code, info)).catch(() => {});
  }
  return element('pre', { class: 'card-code', dir: 'ltr' },
    element('span', { 'aria-hidden': 'true' }, numbers), code);
}

/**
 * The card below a message: a link to the page of its thing.
 * @param {Card} card
 * @returns {{node: HTMLElement, release: () => void}}
 */
export function cardLink(card) {
  const { nodes, code, release } = cardContent(card);
  if (code) nodes.push(code);
  const attributes = { class: 'reference-card', 'data-kind': card.kind };
  const node = card.path
    ? element('a', { ...attributes, href: card.path }, ...nodes)
    : outLink({ ...attributes, href: card.url }, ...nodes);
  return { node, release };
}

/**
 * Opens a card as a dialog, on narrow screens a sheet, with the ways to its thing.
 * @param {Card} card @param {Element} anchor
 */
export function openCardSheet(card, anchor) {
  const { nodes: [line, , told], code, release } = cardContent(card);
  const scope = new Scope();
  const label = newsTexts.onGitHubOf(card.title);
  const out = outLink({ class: 'button', href: card.url ?? anchor.getAttribute('href'), 'aria-label': label },
    icon('github'), newsTexts.onGitHub);
  const here = card.path
    && element('a', { class: 'button primary', href: card.path, onclick: () => dialog.close() }, words.open);
  const dialog = openDialog({
    title: card.title, name: 'reference-sheet',
    content: [
      element('div', { class: 'sheet-card' }, line, told, code ?? ''),
      element('div', { class: 'ways' }, here || '', out),
    ],
    closed() {
      scope.end();
      release();
    },
  });
  if (!isNarrow()) standBeside(dialog, anchor);
  scope.listen(window, 'resize', () => dialog.close());
  scope.listen(window, 'popstate', () => dialog.close());
  const heading = /** @type {HTMLElement} */ (dialog.querySelector('h2'));
  // The first button would look pressed.
  heading.setAttribute('tabindex', '-1');
  heading.focus({ preventScroll: true });
}

let count = 0;

/** The card beside a link: it describes the link, and has nothing to press. */
export class HoverCard {
  #anchor;
  #release;
  #before;
  node;

  /** @param {Card} card @param {HTMLElement} anchor */
  constructor(card, anchor) {
    const { nodes, code, release } = cardContent(card);
    count += 1;
    const id = `reference-card-${count}`;
    this.#anchor = anchor;
    this.#release = release;
    this.#before = anchor.getAttribute('aria-describedby');
    this.node = element('div', { class: 'reference-card hover-card', role: 'tooltip', id, 'data-kind': card.kind },
      ...nodes, code ?? '');
    // Not in the log's frame, from which fixed positions count.
    document.querySelector('#main').append(this.node);
    standBeside(this.node, anchor);
    anchor.setAttribute('aria-describedby', id);
  }

  end() {
    if (this.#before) this.#anchor.setAttribute('aria-describedby', this.#before);
    else this.#anchor.removeAttribute('aria-describedby');
    this.#release();
    this.node.remove();
  }
}
