/** What the search found, in the place of the chat list: chats, people, messages; and how to narrow it down. */
import { texts } from '../models/texts.js';
import { searchTexts } from '../models/texts/search.js';
import { Avatar } from './avatar.js';
import { skeletonRows } from './chatList.js';
import { Scope, announce, element, setAttribute, setText } from './dom.js';
import { icon } from './icons.js';
import { bindList } from './list.js';

/** A chat or a person: a name and a line about it. */
class NameView {
  #avatar = new Avatar(40);
  #name = element('span', { class: 'name', dir: 'auto' });
  #detail = element('span', { class: 'preview', dir: 'auto' });
  #target;
  node;

  constructor(item, press) {
    const attributes = press ? { type: 'button', onclick: () => press(this.item) } : { href: item.href };
    this.#target = element(press ? 'button' : 'a', { class: 'row found', ...attributes });
    this.#target.append(this.#avatar.node, this.#name, this.#detail);
    this.node = element('li', {}, this.#target);
    this.update(item);
  }

  update(item) {
    this.item = item;
    this.#avatar.show(item);
    setText(this.#name, item.name);
    setText(this.#detail, item.detail);
    this.#detail.hidden = item.detail === '';
    setAttribute(this.#target, 'data-single', item.detail === '');
  }

  remove() {
    this.#avatar.release();
  }
}

class MessageHitView {
  #avatar = new Avatar(40);
  #name = element('span', { class: 'sender', dir: 'auto' });
  #place = element('span', { class: 'place', dir: 'auto' });
  #time = element('time', { class: 'time' });
  #snippet = element('span', { class: 'snippet', dir: 'auto' });
  #pieces = null;
  node;

  constructor(item) {
    const who = element('span', { class: 'name' }, this.#name, this.#place);
    const link = element('a', { class: 'row hit', href: item.href }, this.#avatar.node, who, this.#time, this.#snippet);
    this.node = element('li', {}, link);
    this.update(item);
  }

  update(item) {
    this.#avatar.show({ ...item, online: false });
    setText(this.#name, item.name);
    setText(this.#place, item.place);
    this.#place.hidden = item.place === '';
    setText(this.#time, item.time);
    setAttribute(this.#time, 'datetime', item.timeISO);
    setAttribute(this.#time, 'title', item.timeTitle);
    if (this.#pieces === item.pieces) return;
    this.#pieces = item.pieces;
    this.#snippet.replaceChildren(...item.pieces.map(({ text, hit }) => (hit ? element('mark', {}, text) : text)));
  }

  remove() {
    this.#avatar.release();
  }
}

export class SearchView {
  #viewModel;
  #scope = new Scope();
  #observer;
  #said = '';
  #page = -1;
  #sections;
  #skeleton = skeletonRows(searchTexts.loading, 6);
  #what = element('p', { class: 'what' });
  #how = element('p', { class: 'how' });
  #notice = element('div', { class: 'empty', hidden: true }, this.#what, this.#how);
  #offline = element('div', { class: 'alert', 'data-kind': 'rate-limit', role: 'status', hidden: true });
  #error = element('p', { class: 'what' });
  #retry = element('button', { type: 'button', class: 'button small' }, texts.problem.retry);
  #problem = element('div', { class: 'alert', role: 'alert', hidden: true }, icon('warning'), this.#error, this.#retry);
  #pressError = element('p', { class: 'alert-line', role: 'alert', hidden: true });
  #gitHub = element('a', { class: 'row found github' });
  #gitHubText = element('span', { class: 'name', dir: 'auto' });
  #more = element('div', { class: 'more', role: 'progressbar', 'aria-label': searchTexts.more, hidden: true });
  #end = element('p', { class: 'list-end', hidden: true }, searchTexts.end);
  #sentinel = element('div', { class: 'sentinel' });
  #hints = element('div', { class: 'search-hints', role: 'group', 'aria-label': searchTexts.narrow });
  #body = element('div', { class: 'scroller list-body' });
  node = element('div', { class: 'search-view', role: 'region', 'aria-label': searchTexts.results });

  /**
   * @param {import('../viewmodels/searchViewModel.js').SearchViewModel} viewModel
   * @param {object} page
   * @param {(person: object) => void} page.press opens the chat with a person
   * @param {(word: string) => void} page.add puts a word into the field
   */
  constructor(viewModel, { press, add }) {
    this.#viewModel = viewModel;
    this.#retry.addEventListener('click', () => viewModel.retry());
    this.#offline.append(icon('warning'), element('p', { class: 'what' }, searchTexts.offlineTitle));
    this.#offline.append(element('p', {}, searchTexts.offline));
    this.#gitHub.append(element('span', { class: 'face' }, icon('github')), this.#gitHubText);
    this.#more.append(element('div', { class: 'spinner' }));
    this.#sections = [
      this.#section('chats', searchTexts.chats, (item) => new NameView(item)),
      this.#section('people', searchTexts.people, (item) => new NameView(item, press)),
      this.#section('messages', searchTexts.messages, (item) => new MessageHitView(item)),
    ];
    const [chats, people, messages] = this.#sections;
    this.#body.append(
      this.#skeleton, chats.node, people.node, this.#gitHub, messages.node, this.#notice, this.#more, this.#end, this.#sentinel,
    );
    this.node.append(this.#hints, this.#offline, this.#problem, this.#pressError, this.#body);
    this.#hints.addEventListener('click', (event) => {
      const chip = event.target instanceof Element && event.target.closest('button');
      if (chip) add(chip.dataset.word);
    });
    this.#observer = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && viewModel.nearEnd(), {
      root: this.#body,
      rootMargin: '0px 0px 600px',
    });
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  /** What arrow keys walk through, from top to bottom. @returns {HTMLElement[]} */
  get targets() {
    return [...this.#body.querySelectorAll('.row')].filter((row) => row.checkVisibility());
  }

  #section(name, title, create) {
    const heading = element('h2', { id: `found-${name}` }, title);
    const list = element('ul', { class: 'rows', role: 'list', 'aria-labelledby': heading.id });
    const node = element('div', { class: 'section-found', hidden: true }, heading, list);
    const array = this.#viewModel[name];
    bindList({ array, container: list, create });
    const show = () => { node.hidden = array.length === 0; };
    array.subscribe(show);
    return { node };
  }

  /** @param {import('../viewmodels/types.js').SearchState} state */
  #show(state) {
    const isNew = state.query === '';
    this.#skeleton.hidden = !state.first;
    setAttribute(this.#body, 'aria-busy', state.loading ? 'true' : null);
    this.#showHints(state.query);
    this.#notice.hidden = !(isNew || state.empty);
    setText(this.#what, isNew ? searchTexts.title : searchTexts.nothing(state.query));
    setText(this.#how, isNew ? searchTexts.hint : searchTexts.nothingHint);
    this.#offline.hidden = !state.offline;
    this.#problem.hidden = state.error === null || (state.offline && !state.isWrong);
    setAttribute(this.#problem, 'data-kind', state.isWrong ? 'rate-limit' : null);
    setText(this.#error, state.error ?? '');
    this.#retry.hidden = !state.canRetry;
    this.#pressError.hidden = state.pressError === null;
    setText(this.#pressError, state.pressError ?? '');
    this.#gitHub.hidden = state.gitHubQuery === '' || state.first;
    setAttribute(this.#gitHub, 'href', `/people?q=${encodeURIComponent(state.gitHubQuery)}`);
    setText(this.#gitHubText, searchTexts.gitHub(state.gitHubQuery));
    this.#more.hidden = !state.loadingMore;
    this.#end.hidden = !state.end;
    if (state.said !== this.#said && state.said) announce(state.said);
    this.#said = state.said;
    if (state.page === this.#page) return;
    if (state.page < this.#page) this.#body.scrollTop = 0;
    this.#page = state.page;
    // Observing anew makes the observer look again: the end may still be near.
    this.#observer.unobserve(this.#sentinel);
    if (state.page > 0 && !state.end) this.#observer.observe(this.#sentinel);
  }

  /** Words that can be added; after `has:` those that can follow. */
  #showHints(query) {
    const last = /\S*$/u.exec(query)[0].toLowerCase();
    const words = last.startsWith('has:') ? searchTexts.kinds : searchTexts.operators;
    const shown = Object.keys(words).filter((word) => !last.startsWith('has:') || word.startsWith(last));
    const key = shown.join(' ');
    if (this.#hints.dataset.shown === key) return;
    this.#hints.dataset.shown = key;
    const chip = (word) =>
      element('button', { type: 'button', class: 'chip', 'data-word': word, title: words[word], 'aria-label': `${word} ${words[word]}` }, word);
    this.#hints.replaceChildren(...shown.map(chip));
    this.#hints.hidden = shown.length === 0;
  }
}
