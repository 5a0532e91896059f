/** One card of the feed. */
import { newsTexts } from '../../models/texts/news.js';
import { element, setAttribute, setText } from '../dom.js';
import { Avatar, icon } from '../parts.js';

/** An external link, without a referrer. */
export function outLink(attributes, ...children) {
  const out = { target: '_blank', rel: 'noopener noreferrer', 'data-outside': true };
  return element('a', { ...out, ...attributes }, ...children);
}

/** Pieces of a sentence as nodes. @param {import('../../models/newsRows.js').Piece[]} pieces */
function nodesOf(pieces) {
  return pieces.map(({ text, href, kind }) => {
    if (!kind) return document.createTextNode(text);
    const attributes = { class: kind === 'ref' ? 'piece code' : 'piece', dir: 'auto' };
    if (!href) return element('span', attributes, text);
    return href.startsWith('/') ? element('a', { ...attributes, href }, text) : outLink({ ...attributes, href }, text);
  });
}

export class NewsCard {
  #row;
  #day = element('h2', { class: 'news-day' });
  #face = new Avatar(40);
  #faceLink = element('a', { class: 'face', tabindex: '-1', 'aria-hidden': 'true' }, this.#face.node);
  #sentence = element('p', { class: 'sentence' });
  #time = element('time', { class: 'number' });
  #subject = element('div', { class: 'subject-line' });
  #text = element('p', { class: 'excerpt', dir: 'auto' });
  #more = element('ul', { class: 'others', role: 'list' });
  #toggle = element('button', { type: 'button', class: 'link toggle' });
  #share = element('button', { type: 'button', class: 'icon-button' }, icon('share'));
  #out = outLink({ class: 'icon-button' }, icon('outside'));
  node;

  /**
   * @param {import('../../models/newsRows.js').NewsRow} row
   * @param {{share: (row: object) => void, toggle: (key: string) => void}} actions
   */
  constructor(row, actions) {
    const head = element('div', { class: 'card-head' }, this.#sentence, ' ', this.#time);
    const tools = element('div', { class: 'card-tools' }, this.#share, this.#out);
    const body = element('div', { class: 'card-body' }, head, this.#subject, this.#text, this.#more, this.#toggle);
    this.#sentence.id = `news-${row.key}`;
    // The day belongs to its first article: a feed holds articles and nothing else.
    this.node = element('article', {
      class: 'news-entry', tabindex: '0', 'aria-labelledby': this.#sentence.id, 'data-key': row.key,
    }, this.#day, element('div', { class: 'news-card' }, this.#faceLink, body, tools));
    this.#share.addEventListener('click', () => actions.share(this.#row));
    this.#toggle.addEventListener('click', () => actions.toggle(this.#row.key));
    this.update(row);
  }

  /** @param {import('../../models/newsRows.js').NewsRow} row */
  update(row, previous = null) {
    this.#row = row;
    const same = (name) => previous !== null && JSON.stringify(previous[name]) === JSON.stringify(row[name]);
    this.#day.hidden = row.day === '';
    setText(this.#day, row.day);
    this.#face.show(row.actor);
    setAttribute(this.#faceLink, 'href', row.actor.href);
    setAttribute(this.node, 'data-github-id', row.actor.githubId);
    if (!same('sentence')) this.#sentence.replaceChildren(...nodesOf(row.sentence));
    setText(this.#time, row.time);
    setAttribute(this.#time, 'datetime', row.timeISO);
    setAttribute(this.#time, 'title', row.timeFull);
    if (!same('subject')) this.#showSubject(row.subject);
    if (!same('more') || !same('expanded')) this.#showMore(row);
    setAttribute(this.#share, 'aria-label', newsTexts.shareOf(row.name));
    setAttribute(this.#share, 'title', newsTexts.share);
    this.#share.hidden = row.url === null;
    this.#out.hidden = row.url === null;
    setAttribute(this.#out, 'href', row.url);
    setAttribute(this.#out, 'aria-label', newsTexts.onGitHubOf(row.name));
    setAttribute(this.#out, 'title', newsTexts.onGitHub);
  }

  remove() {
    this.#face.release();
  }

  #showSubject(subject) {
    this.#subject.hidden = !subject?.title;
    this.#text.hidden = !subject?.text;
    setText(this.#text, subject?.text ?? '');
    if (!subject?.title) return;
    const attributes = { class: 'subject-title', dir: 'auto', href: subject.href };
    const title = subject.href === null ? element('span', { class: 'subject-title', dir: 'auto' }, subject.title)
      : subject.outside ? outLink(attributes, subject.title) : element('a', attributes, subject.title);
    this.#subject.replaceChildren(title, ...chips(subject));
  }

  #showMore({ more, moreText, expanded }) {
    this.#toggle.hidden = more.length === 0;
    setText(this.#toggle, expanded ? newsTexts.less : moreText);
    setAttribute(this.#toggle, 'aria-expanded', String(expanded));
    this.#more.hidden = !expanded;
    this.#more.replaceChildren(...(expanded ? more : []).map(({ pieces, time }) => (
      element('li', {}, element('span', {}, ...nodesOf(pieces)), element('time', { class: 'number' }, time)))));
  }
}

/** The state of an issue and the like: a word, with a colour that says the same. */
export function chips({ state, stateText }) {
  return state ? [element('span', { class: 'state-chip', 'data-state': state }, stateText)] : [];
}
