/** The search results in place of the chat list: chats, people, messages, and filters. */
import { texts } from '../models/texts.js';
import { sharedTexts } from '../models/texts/shared.js';
import { searchTexts } from '../models/texts/search.js';
import { Scope, announce, element, fill, makeOneStop, set, setAttribute, setText } from './dom.js';
import { bindList } from './boundList.js';
import { RowView, button, emptyPlace, icon, skeletonRows } from './parts.js';
import { ListEnd, spinner } from './listEnd.js';

/** A chat or a person: a name and a line about it. */
class NameView extends RowView {
  constructor(item, press) {
    super('found-row');
    const { target } = this.parts;
    if (press) {
      const pressed = element('button', { type: 'button', class: target.className, onclick: () => press(this.item) });
      pressed.append(...target.childNodes);
      target.replaceWith(pressed);
      this.parts.target = pressed;
    }
    this.update(item);
  }

  update(item) {
    this.item = item;
    this.face.show(item);
    const isSingle = item.detail === '';
    fill(this.parts, {
      target: { href: item.href, 'data-single': isSingle },
      name: item.name,
      detail: { text: item.detail, hidden: isSingle },
    });
  }
}

class MessageHitView extends RowView {
  #pieces = null;

  constructor(item) {
    super('found-message');
    this.update(item);
  }

  update(item) {
    this.face.show({ ...item, online: false });
    fill(this.parts, {
      link: { href: item.href },
      name: item.name,
      place: { text: item.place, hidden: item.place === '' },
      time: { text: item.time, datetime: item.timeISO, title: item.timeTitle },
    });
    if (this.#pieces === item.pieces) return;
    this.#pieces = item.pieces;
    const nodes = item.pieces.map(({ text, hit }) => (hit ? element('mark', {}, text) : text));
    this.parts.snippet.replaceChildren(...nodes);
  }
}

export class SearchView {
  #viewModel;
  #scope = new Scope();
  #said = '';
  #page = -1;
  #sections;
  #skeleton = skeletonRows(searchTexts.loading, 6);
  #notice = emptyPlace({});
  #offline = element('div', { class: 'alert', 'data-kind': 'rate-limit', role: 'status', hidden: true });
  #error = element('p', { class: 'what' });
  #retry = button(texts.problem.retry, () => this.#viewModel.retry(), 'small');
  #problem = element('div', { class: 'alert', role: 'alert', hidden: true }, icon('warning'), this.#error, this.#retry);
  #pressError = element('p', { class: 'alert-line', role: 'alert', hidden: true });
  #gitHub = element('a', { class: 'row found github' });
  #gitHubText = element('span', { class: 'name', dir: 'auto' });
  #more = spinner(searchTexts.more);
  #end = element('p', { class: 'list-end', hidden: true }, searchTexts.end);
  #listEnd;
  #hints = element('div', { class: 'search-hints', role: 'group', 'aria-label': searchTexts.narrow });
  #body = element('div', { class: 'scroller list-body' });
  node = element('div', { class: 'search-view', role: 'region', 'aria-label': searchTexts.results });

  /**
   * @param {import('../viewmodels/searchViewModel.js').SearchViewModel} viewModel
   * @param {object} page
   * @param {(person: object) => void} page.press opens the chat with a person
   * @param {(word: string) => void} page.add adds a word to the field
   */
  constructor(viewModel, { press, add }) {
    this.#viewModel = viewModel;
    this.#offline.append(icon('warning'), element('p', { class: 'what' }, searchTexts.offlineTitle));
    this.#offline.append(element('p', {}, searchTexts.offline));
    this.#gitHub.append(element('span', { class: 'face' }, icon('github')), this.#gitHubText);
    this.#sections = [
      this.#section('chats', texts.sections.chats, (item) => new NameView(item)),
      this.#section('people', texts.sections.people, (item) => new NameView(item, press)),
      this.#section('messages', sharedTexts.messages, (item) => new MessageHitView(item)),
    ];
    const [chats, people, messages] = this.#sections;
    this.#listEnd = new ListEnd(() => viewModel.nearEnd(), 600, this.#body);
    this.#body.append(this.#skeleton, chats.node, people.node, this.#gitHub, messages.node,
      this.#notice.node, this.#more, this.#end, this.#listEnd.node);
    this.node.append(this.#hints, this.#offline, this.#problem, this.#pressError, this.#body);
    this.#hints.addEventListener('click', (event) => {
      const chip = event.target instanceof Element && event.target.closest('button');
      if (chip) add(chip.dataset.word);
    });
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  /** The elements that arrow keys move through, from top to bottom. @returns {HTMLElement[]} */
  get targets() {
    return [...this.#body.querySelectorAll('.row')].filter((row) => row.checkVisibility());
  }

  #section(name, title, create) {
    const heading = element('h2', { id: `found-${name}` }, title);
    const list = element('ul', { class: 'rows', role: 'list', 'aria-labelledby': heading.id });
    const node = element('div', { class: 'section-found', hidden: true }, heading, list);
    const array = this.#viewModel[name];
    bindList({ array, container: list, create });
    makeOneStop(list, '.row');
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
    fill(this.#notice, {
      node: { hidden: !(isNew || state.empty) },
      what: isNew ? searchTexts.title : searchTexts.nothing(state.query),
      how: isNew ? searchTexts.hint : searchTexts.nothingHint,
    });
    this.#offline.hidden = !state.offline;
    const hidesProblem = state.error === null || (state.offline && !state.isWrong);
    set(this.#problem, { hidden: hidesProblem, 'data-kind': state.isWrong ? 'rate-limit' : null });
    setText(this.#error, state.error ?? '');
    this.#retry.hidden = !state.canRetry;
    set(this.#pressError, { text: state.pressError ?? '', hidden: state.pressError === null });
    const address = `/people?q=${encodeURIComponent(state.gitHubQuery)}`;
    set(this.#gitHub, { href: address, hidden: state.gitHubQuery === '' || state.first });
    setText(this.#gitHubText, searchTexts.gitHub(state.gitHubQuery));
    this.#more.hidden = !state.loadingMore;
    this.#end.hidden = !state.end;
    if (state.said !== this.#said && state.said) announce(state.said);
    this.#said = state.said;
    if (state.page === this.#page) return;
    if (state.page < this.#page) this.#body.scrollTop = 0;
    this.#page = state.page;
    this.#listEnd.watch(state.page > 0 && !state.end);
  }

  /** The filters that can be added; after `has:`, its values. */
  #showHints(query) {
    const last = /\S*$/u.exec(query)[0].toLowerCase();
    const words = last.startsWith('has:') ? searchTexts.kinds : searchTexts.operators;
    const shown = Object.keys(words).filter((word) => !last.startsWith('has:') || word.startsWith(last));
    const key = shown.join(' ');
    if (this.#hints.dataset.shown === key) return;
    this.#hints.dataset.shown = key;
    const chip = (word) => element('button', {
      type: 'button', class: 'chip', 'data-word': word, title: words[word], 'aria-label': `${word} ${words[word]}`,
    }, word);
    this.#hints.replaceChildren(...shown.map(chip));
    this.#hints.hidden = shown.length === 0;
  }
}
