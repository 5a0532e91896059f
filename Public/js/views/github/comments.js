/** The comments below an issue, a pull request or a commit: the first thirty, and the way to the others. */
import { newsTexts } from '../../models/texts/news.js';
import { PeopleAlert } from '../alertView.js';
import { Scope, element } from '../dom.js';
import { outLink } from './newsCard.js';
import { richText } from './richText.js';

export class Comments {
  #model;
  #page;
  #thing;
  #scope = new Scope();
  #alert;
  #drawn = null;
  #list = element('ol', { class: 'comments', role: 'list' });
  #waiting = element('p', { class: 'how', role: 'status' }, newsTexts.loadingComments);
  #more = element('p', { class: 'how' });
  node;

  /**
   * @param {import('../../viewmodels/fetched.js').Fetched} model
   * @param {{commentCount: number, repository: object, url: string|null}} thing
   * @param {{face: (size: number, person: object) => HTMLElement}} page
   */
  constructor(model, thing, page) {
    this.#model = model;
    this.#page = page;
    this.#thing = thing;
    this.#alert = new PeopleAlert(() => model.load());
    this.node = element('section', { class: 'comments-section', 'aria-label': newsTexts.comments },
      element('h2', {}, newsTexts.comments), this.#alert.node, this.#waiting, this.#list, this.#more);
    this.#scope.bind(model, (state) => this.#show(state));
    model.load();
  }

  end() {
    this.#scope.end();
    this.#model.close();
  }

  #show({ loading, value, alert, missing }) {
    this.#alert.show(alert);
    this.#waiting.hidden = !loading;
    if (missing) this.node.hidden = true;
    if (value === null || value === this.#drawn) return;
    this.#drawn = value;
    this.#list.replaceChildren(...value.map((comment) => this.#item(comment)));
    const rest = this.#thing.commentCount - value.length;
    this.#more.hidden = rest <= 0;
    if (rest > 0 && this.#thing.url) {
      this.#more.replaceChildren(outLink({ class: 'link', href: this.#thing.url }, newsTexts.moreComments(rest)));
    }
  }

  #item({ author, text, made, madeFull, url }) {
    const name = author?.name || author?.login || newsTexts.nobody;
    const by = author
      ? element('a', { class: 'by', href: author.href }, this.#page.face(24, author), element('bdi', {}, name))
      : element('span', { class: 'by' }, name);
    const time = url ? outLink({ class: 'link', href: url, title: madeFull }, made) : element('span', {}, made);
    return element('li', {}, element('article', { 'aria-label': newsTexts.commentOf(name) },
      element('div', { class: 'who' }, by, time),
      richText(text, { repository: this.#thing.repository, below: 2, base: url ?? 'https://github.com/' })));
  }
}
