/** The page of a repository, issue, pull request, release or commit, with a link to GitHub. */
import { texts } from '../../models/texts.js';
import { sharedTexts } from '../../models/texts/shared.js';
import { newsTexts } from '../../models/texts/news.js';
import { Scope, element, setText } from '../dom.js';
import { Avatar, backLink, button, emptyPlace, gap, icon, pageHeading } from '../parts.js';
import { PeopleAlert } from '../alertView.js';
import { Comments } from './comments.js';
import { chips, outLink } from './newsCard.js';
import { richText } from './richText.js';

/** The base of pages of GitHub's objects: head, alert, skeleton, age, and content. */
export class FetchedPage {
  #model;
  #scope = new Scope();
  #draw;
  #heading = pageHeading('', { dir: 'auto' });
  #stale = element('p', { class: 'stale', role: 'status' });
  #alert;
  #skeleton = element('div',
    { class: 'news-card skeleton-card tall', role: 'progressbar', 'aria-label': newsTexts.loadingThing },
    element('i'), element('i'), element('i'), element('i'));
  #missing = emptyPlace({
    title: texts.views.lostTitle, hint: newsTexts.missing,
    actions: [element('a', { class: 'button', href: '/news' }, newsTexts.toNews)],
  }).node;
  #content = element('div', { class: 'thing' });
  #faces = [];
  #parts = [];
  bar;
  node;
  /** Called when the title has changed. @type {(() => void)|null} */
  onTitle = null;

  /**
   * @param {import('../../viewmodels/fetched.js').Fetched} model
   * @param {{name: string, back: string, draw: (value: object, page: FetchedPage) => {title: string, nodes: Node[]}}}
   *   options `name`: what is called so until its title is there; `back`: where Back leads when nothing was there
   * before
   */
  constructor(model, { name, back, draw }) {
    this.#model = model;
    this.#draw = draw;
    setText(this.#heading, name);
    this.#alert = new PeopleAlert(() => model.load());
    this.#alert.node.classList.add('news-alert');
    this.bar = element('header', { class: 'page-head' }, backLink(back, sharedTexts.back, ''), this.#heading, gap());
    const column = element('div', { class: 'column news-column' }, this.bar, this.#alert.node, this.#stale,
      this.#skeleton, this.#missing, this.#content);
    this.node = element('div', { class: 'page scroller thing-page' }, column);
    this.#scope.bind(model, (state) => this.#show(state));
  }

  get title() {
    return this.#heading.textContent;
  }

  focus() {
    this.#heading.focus({ preventScroll: true });
  }

  shown() {
    this.#model.load();
  }

  end() {
    this.#scope.end();
    this.#model.close();
    this.#release();
  }

  /** A face that is released with the page. @returns {HTMLElement} */
  face(size, person) {
    const face = new Avatar(size);
    this.#faces.push(face);
    face.show(person);
    return face.node;
  }

  /** A part that ends with the page. @template {{end: () => void}} T @param {T} part @returns {T} */
  keep(part) {
    this.#parts.push(part);
    return part;
  }

  #drawn = null;

  #show({ loading, value, stale, alert, missing }) {
    this.#alert.show(alert);
    this.#skeleton.hidden = !loading;
    this.#missing.hidden = !missing;
    setText(this.#stale, stale ?? '');
    this.#stale.hidden = stale === null;
    this.#content.hidden = value === null || missing;
    if (value === null || value === this.#drawn) return;
    this.#drawn = value;
    this.#release();
    const { title, nodes } = this.#draw(value, this);
    setText(this.#heading, title);
    this.onTitle?.();
    this.#content.replaceChildren(...nodes.filter(Boolean));
  }

  #release() {
    for (const part of this.#parts) part.end();
    for (const face of this.#faces) face.release();
    this.#faces = [];
    this.#parts = [];
  }
}

/** @param {{name: string, value: string, href: string|null, code?: boolean}[]} notes */
export function notesOf(notes) {
  if (notes.length === 0) return null;
  return element('dl', { class: 'notes' }, ...notes.flatMap(({ name, value, href, code = false }) => [
    element('dt', {}, name),
    element('dd', { class: code ? 'code' : null, dir: 'auto' }, href ? outLink({ class: 'link', href }, value) : value),
  ]));
}

/** The share button, and the link to GitHub. */
export function actionsOf(thing, share, ...more) {
  const label = newsTexts.onGitHubOf(thing.title);
  const out = thing.url && outLink({ class: 'button', href: thing.url, 'aria-label': label },
    icon('outside'), newsTexts.onGitHub);
  const shareIt = thing.url && button([icon('share'), newsTexts.share], () => share(thing));
  return element('div', { class: 'actions' }, ...more, shareIt, out);
}

/**
 * @param {import('../../viewmodels/fetched.js').Fetched} model
 * @param {string} name
 * @param {(thing: object) => void} share
 * @param {() => import('../../viewmodels/fetched.js').Fetched} comments on the thing, if there are any
 */
export function thingPage(model, name, share, comments) {
  return new FetchedPage(model, {
    name, back: '/news', draw: (thing, page) => drawThing(thing, page, share, comments),
  });
}

function drawThing(thing, page, share, comments) {
  const { author } = thing;
  const section = thing.commentCount > 0 ? page.keep(new Comments(comments(), thing, page)) : null;
  const by = author
    ? element('a', { class: 'by', href: author.href }, page.face(32, author),
      element('span', { dir: 'auto' }, author.name || author.login))
    : thing.authorName ? element('span', { class: 'by', dir: 'auto' }, thing.authorName) : null;
  const where = element('p', { class: 'where' }, element('span', { class: 'kind' }, thing.kindText),
    thing.repo && element('a', { class: 'link', href: thing.repo.href, dir: 'auto' }, thing.repo.name),
    thing.mark && element('span', { class: 'mark-text code' }, thing.mark), ...chips(thing));
  const times = [[thing.made, thing.madeFull], [thing.ended, thing.endedFull]].filter(([text]) => text)
    .map(([text, full]) => element('span', { title: full }, text));
  const who = element('div', { class: 'who' }, by, ...times);
  const list = (name, items, make) => items.length > 0 && element('ul',
    { class: name, role: 'list', 'aria-label': newsTexts[name] },
    ...items.map((item) => element('li', {}, make(item))));
  return {
    title: thing.title,
    nodes: [
      where, who,
      list('labels', thing.labels, ({ name, colour }) => label(name, colour)),
      element('div', { class: 'section text-section' }, thing.text
        ? textOf(thing)
        : element('p', { class: 'how' }, newsTexts.noText)),
      list('topics', thing.topics, (topic) => element('span', { class: 'thing-topic' }, topic)),
      thing.counts.length > 0 && element('ul', { class: 'counts', role: 'list', 'aria-label': newsTexts.details },
        ...thing.counts.map((count) => element('li', { class: 'number' }, count))),
      notesOf(thing.notes),
      actionsOf(thing, share),
      section?.node,
    ],
  };
}

/** A text as GitHub draws it; a repository's description is no Markdown. */
function textOf({ text, repository, url }) {
  if (!repository) return element('div', { class: 'plain', dir: 'auto' }, text);
  return richText(text, { repository, below: 1, base: url ?? 'https://github.com/' });
}

/** A label with its colour as a dot: text on the colour itself could lack contrast. */
function label(name, colour) {
  const dot = element('span', { class: 'label-dot', 'aria-hidden': 'true' });
  if (colour) dot.style.setProperty('--label', colour);
  return element('span', { class: 'label-chip' }, dot, name);
}
