/** The page of a repository, an issue, a pull request, a release, a commit: from GitHub, with the way there. */
import { newsTexts } from '../../models/texts/news.js';
import { Avatar } from '../avatar.js';
import { Scope, element, setText } from '../dom.js';
import { icon } from '../icons.js';
import { PeopleAlert } from '../peopleAlert.js';
import { chips, newsIcon, outLink } from './newsCard.js';

/** What pages of GitHub's things have in common: head, alert, skeleton, age, and the place of what was fetched. */
export class FetchedPage {
  #model;
  #scope = new Scope();
  #draw;
  #heading = element('h1', { tabindex: '-1', dir: 'auto' });
  #stale = element('p', { class: 'stale', role: 'status' });
  #alert;
  #skeleton = element('div', { class: 'card skeleton-card tall', role: 'progressbar', 'aria-label': newsTexts.loadingThing },
    element('i'), element('i'), element('i'), element('i'));
  #missing = element('div', { class: 'empty', hidden: true }, element('p', { class: 'what' }, newsTexts.missingTitle),
    element('p', { class: 'how' }, newsTexts.missing), element('a', { class: 'button', href: '/news' }, newsTexts.toNews));
  #content = element('div', { class: 'thing' });
  #faces = [];
  bar;
  node;

  /**
   * @param {import('../../viewmodels/fetched.js').Fetched} model
   * @param {{name: string, back: string, draw: (value: object, page: FetchedPage) => {title: string, nodes: Node[]}}} options
   *   `name`: what is called so until its title is there; `back`: where Back leads when nothing was there before
   */
  constructor(model, { name, back, draw }) {
    this.#model = model;
    this.#draw = draw;
    setText(this.#heading, name);
    this.#alert = new PeopleAlert(() => model.load());
    this.#alert.node.classList.add('news-alert');
    const link = element('a', { class: 'icon-button', href: back, 'data-back': true, 'aria-label': newsTexts.back }, icon('back'));
    this.bar = element('header', { class: 'page-head' }, link, this.#heading, element('span', { class: 'gap' }));
    const column = element('div', { class: 'column news-column' }, this.bar, this.#alert.node, this.#stale, this.#skeleton,
      this.#missing, this.#content);
    this.node = element('div', { class: 'page scroller thing-page' }, column);
    this.#scope.bind(model, (state) => this.#show(state));
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

  /** A face that goes with the page. @returns {HTMLElement} */
  face(size, person) {
    const face = new Avatar(size);
    this.#faces.push(face);
    face.show(person);
    return face.node;
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
    this.#content.replaceChildren(...nodes.filter(Boolean));
  }

  #release() {
    for (const face of this.#faces) face.release();
    this.#faces = [];
  }
}

/** @param {{name: string, value: string, href: string|null}[]} notes */
export function notesOf(notes) {
  if (notes.length === 0) return null;
  return element('dl', { class: 'notes' }, ...notes.flatMap(({ name, value, href, code = false }) => [
    element('dt', {}, name),
    element('dd', { class: code ? 'code' : null, dir: 'auto' }, href ? outLink({ class: 'link', href }, value) : value),
  ]));
}

/** Share, and the way to GitHub. */
export function actionsOf(thing, share, ...more) {
  const button = element('button', { type: 'button', class: 'button', onclick: () => share(thing) }, newsIcon('share'), newsTexts.share);
  const out = thing.url && outLink({ class: 'button', href: thing.url, 'aria-label': newsTexts.onGitHubOf(thing.title) },
    newsIcon('outside'), newsTexts.onGitHub);
  return element('div', { class: 'actions' }, ...more, thing.url ? button : null, out);
}

/**
 * @param {import('../../viewmodels/fetched.js').Fetched} model
 * @param {string} name
 * @param {(thing: object) => void} share
 */
export function thingPage(model, name, share) {
  return new FetchedPage(model, { name, back: '/news', draw: (thing, page) => drawThing(thing, page, share) });
}

function drawThing(thing, page, share) {
  const { author } = thing;
  const by = author
    ? element('a', { class: 'by', href: author.href }, page.face(32, author), element('span', { dir: 'auto' }, author.name || author.login))
    : thing.authorName ? element('span', { class: 'by', dir: 'auto' }, thing.authorName) : null;
  const where = element('p', { class: 'where' }, element('span', { class: 'kind' }, thing.kindText),
    thing.repo && element('a', { class: 'link', href: thing.repo.href, dir: 'auto' }, thing.repo.name),
    thing.mark && element('span', { class: 'mark-text code' }, thing.mark), ...chips(thing));
  const times = [[thing.made, thing.madeFull], [thing.ended, thing.endedFull]].filter(([text]) => text)
    .map(([text, full]) => element('span', { title: full }, text));
  const who = element('div', { class: 'who' }, by, ...times);
  const list = (name, items, make) => items.length > 0 && element('ul', { class: name, role: 'list', 'aria-label': newsTexts[name] },
    ...items.map((item) => element('li', {}, make(item))));
  return {
    title: thing.title,
    nodes: [
      where, who,
      list('labels', thing.labels, ({ name, colour }) => label(name, colour)),
      element('div', { class: 'section text-section' }, thing.text
        ? element('div', { class: 'plain', dir: 'auto' }, thing.text) : element('p', { class: 'how' }, newsTexts.noText)),
      list('topics', thing.topics, (topic) => element('span', { class: 'topic' }, topic)),
      thing.counts.length > 0 && element('ul', { class: 'counts', role: 'list', 'aria-label': newsTexts.details },
        ...thing.counts.map((count) => element('li', { class: 'number' }, count))),
      notesOf(thing.notes),
      actionsOf(thing, share),
    ],
  };
}

/** A label with its colour as a dot: words on the colour itself could not always be read. */
function label(name, colour) {
  const dot = element('span', { class: 'label-dot', 'aria-hidden': 'true' });
  if (colour) dot.style.setProperty('--label', colour);
  return element('span', { class: 'label-chip' }, dot, name);
}
