/** The GitHub directory: which list, its alert, and a row per person. */
import { texts } from '../models/texts.js';
import { PeopleAlert } from './peopleAlert.js';
import { PeopleTools, addressOf } from './peopleTools.js';
import { PersonRowView, rowOf } from './personRow.js';
import { skeletonRows } from './chatList.js';
import { Scope, element, rem, setAttribute, setText } from './dom.js';
import { WindowedList } from './list.js';

/** @typedef {import('../viewmodels/types.js').PeopleList} PeopleList */

/** As in rows.css. */
const rowHeight = rem(3.75);
/** Rows that are kept ready on either side of the screen: with those on it about 300, as in a conversation. */
const spareRows = 130;

export class PeopleView {
  #viewModel;
  #navigate;
  #scope = new Scope();
  #observer;
  #tools;
  #list;
  /** Where each list was left, by its entry in the history. @type {Map<number, {list: PeopleList, top: number}>} */
  #places = new Map();
  #depth = 0;
  /** Where the list was scrolled to last. */
  #top = 0;
  #isOpened = false;
  /** @type {PeopleList|null} */
  #moved = null;

  #heading = element('h1', { tabindex: '-1' }, texts.people.label);
  #found = element('span', { class: 'found' });
  #notice = element('p', { class: 'list-notice', role: 'status' });
  #alert;
  #pressError = element('p', { class: 'alert-line', role: 'alert', hidden: true });
  #rows = element('ul', { class: 'rows windowed', role: 'list', 'aria-label': texts.people.label });
  #skeleton = skeletonRows(texts.people.loading, 10);
  #emptyTitle = element('p', { class: 'what' });
  #emptyText = element('p', { class: 'how' });
  #emptyAction = element('a', { class: 'button' });
  #empty = element('div', { class: 'empty', hidden: true }, this.#emptyTitle, this.#emptyText, this.#emptyAction);
  #more = element(
    'div',
    { class: 'more', role: 'progressbar', 'aria-label': texts.people.loadingMore, hidden: true },
    element('div', { class: 'spinner' }),
  );
  #end = element('p', { class: 'list-end', hidden: true });
  #sentinel = element('div', { class: 'sentinel' });
  #body = element('div', { class: 'scroller list-body' });
  bar = element('header', { class: 'bar' }, this.#heading, element('span', { class: 'gap' }), this.#found);
  node;

  /**
   * @param {import('../viewmodels/peopleViewModel.js').PeopleViewModel} viewModel
   * @param {(address: string, options?: {replace?: boolean, keepsFocus?: boolean}) => void} navigate
   */
  constructor(viewModel, navigate) {
    this.#viewModel = viewModel;
    this.#navigate = navigate;
    this.#alert = new PeopleAlert(() => viewModel.retry());
    this.#tools = new PeopleTools(() => viewModel.state.list, navigate);
    this.#body.append(this.#rows, this.#skeleton, this.#empty, this.#more, this.#end, this.#sentinel);
    this.node = element('div', { class: 'list-view' }, this.bar, this.#tools.node, this.#alert.node, this.#pressError,
      this.#body, this.#notice);
    this.#list = new WindowedList({
      array: viewModel.rows,
      container: this.#rows,
      scroller: this.#body,
      create: (item) => new PersonRowView(item),
      key: (item) => (typeof item === 'number' ? item : item.githubId),
      height: rowHeight,
      spare: spareRows,
    });
    this.#rows.addEventListener('click', (event) => this.#press(rowOf(event)?.item));
    this.#rows.addEventListener('keydown', (event) => this.#pressed(event));
    this.#body.addEventListener('scroll', () => this.#look(), { passive: true });
    this.#observer = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && viewModel.nearEnd(), {
      root: this.#body,
      rootMargin: '0px 0px 800px',
    });
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  focus() {
    this.#heading.focus({ preventScroll: true });
  }

  /** Shows the list that the page's address names, on the way back where it was left. @param {PeopleList} list */
  open(list) {
    const shown = this.#viewModel.state.list;
    const depth = history.state?.depth ?? 0;
    if (!this.#isOpened || !isSame(shown, list)) {
      if (this.#isOpened) this.#places.set(this.#depth, { list: shown, top: this.#body.scrollTop });
      const place = this.#places.get(depth);
      this.#viewModel.open(list);
      this.#show(this.#viewModel.state);
      this.#list.begin(place && isSame(place.list, list) ? place.top : 0);
      this.#look();
    } else {
      // Taken out of the page and put in again, it would begin at its top.
      const top = this.#top;
      queueMicrotask(() => this.#body.scrollTop === 0 && (this.#body.scrollTop = top));
    }
    this.#depth = depth;
    this.#isOpened = true;
    this.#tools.open(list);
  }

  /** Tells who is on the screen. */
  #look() {
    if (!this.#body.isConnected || this.#rows.hidden) return;
    this.#top = this.#body.scrollTop;
    const first = Math.floor(this.#top / rowHeight);
    this.#viewModel.look(first, first + Math.ceil(this.#body.clientHeight / rowHeight));
  }

  /** @param {import('../viewmodels/types.js').PeopleState} state */
  #show(state) {
    const loading = state.loadingFirst;
    this.#skeleton.hidden = !loading;
    this.#rows.hidden = loading || state.empty || state.missing !== null;
    this.#showEmpty(state);
    this.#more.hidden = !state.loadingMore;
    this.#end.hidden = loading || state.empty || !state.end;
    setText(this.#end, state.endText || texts.people.end);
    setText(this.#heading, state.title);
    setText(this.#found, state.found);
    setText(this.#notice, state.notice ?? '');
    this.#alert.show(state.alert);
    this.#pressError.hidden = state.pressError === null;
    setText(this.#pressError, state.pressError ?? '');
    this.#tools.show();
    this.#follow(state.movedTo);
    // Observing anew makes the observer look again after each page: the end may still be near.
    this.#observer.unobserve(this.#sentinel);
    if (!loading && !state.loadingMore && !state.end && !state.alert) this.#observer.observe(this.#sentinel);
  }

  #showEmpty({ loadingFirst, empty, emptyText, missing }) {
    this.#empty.hidden = loadingFirst || !(empty || missing);
    this.#emptyText.hidden = missing === null;
    this.#emptyAction.hidden = missing === null;
    setText(this.#emptyTitle, missing?.text ?? emptyText);
    setText(this.#emptyText, missing?.hint ?? '');
    setText(this.#emptyAction, missing?.action ?? '');
    setAttribute(this.#emptyAction, 'href', missing && addressOf({ kind: 'search', subject: missing.query }));
  }

  /** The list goes by another name by now: so does the address. @param {PeopleList|null} list */
  #follow(list) {
    if (list === this.#moved) return;
    this.#moved = list;
    if (list && this.node.isConnected) this.#navigate(addressOf(list), { replace: true, keepsFocus: true });
  }

  #pressed(event) {
    const row = rowOf(event);
    if (!row || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { item } = row;
    const index = this.#viewModel.rows.indexOfKey(typeof item === 'number' ? item : item.githubId);
    const screen = Math.max(1, Math.floor(this.#body.clientHeight / rowHeight) - 1);
    const to = {
      ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + screen, PageUp: index - screen, Home: 0, End: Infinity,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#list.reach(to, (view) => view?.button.focus({ preventScroll: true }));
  }

  async #press(row) {
    if (row === undefined || typeof row === 'number') return;
    const room = await this.#viewModel.press(row);
    if (room) this.#navigate(`/chats/${room}`);
  }
}

/** @param {PeopleList} one @param {PeopleList} other */
function isSame(one, other) {
  return one.kind === other.kind && one.subject === other.subject;
}
