/** The GitHub directory: which list, its alert, and a row per person. */
import { texts } from '../models/texts.js';
import { peopleTexts } from '../models/texts/people.js';
import { PeopleAlert } from './alertView.js';
import { PeopleTools, addressOf } from './peopleTools.js';
import { DividerView, PersonRowView, rowOf } from './personRow.js';
import { Scope, element, fill, makeOneStop, rem, set, setText } from './dom.js';
import { WindowedList } from './windowedList.js';
import { emptyPlace, gap, pageHeading, skeletonRows } from './parts.js';
import { ListEnd, spinner } from './listEnd.js';
import { notice } from './shell.js';

/** @typedef {import('../viewmodels/types.js').PeopleList} PeopleList */

/** The key of the row between the people on this Hubbub and GitHub's. */
const DIVIDER = 'github';

/** As in rows.css. */
const rowHeight = rem(3.75);
/** Milliseconds after which an open page looks who has signed up. */
const lookPause = 60_000;
/** Rows kept in the document on either side of the screen: about 300 in all, as in a conversation. */
const spareRows = 130;

export class PeopleView {
  #viewModel;
  #navigate;
  #scope = new Scope();
  #tools;
  #list;
  /** The scroll position of each list, by history entry. @type {Map<number, {list: PeopleList, top: number}>} */
  #places = new Map();
  #depth = 0;
  /** The last scroll position. */
  #top = 0;
  #isOpened = false;
  /** @type {PeopleList|null} */
  #moved = null;

  #heading = pageHeading(texts.sections.people);
  #found = element('span', { class: 'found' });
  #notice = element('p', { class: 'list-notice', role: 'status' });
  #alert;
  #pressError = element('p', { class: 'alert-line', role: 'alert', hidden: true });
  /** Whose people are at the top of the screen. */
  #part = element('h2', { class: 'people-part', hidden: true });
  #rows = element('ul', { class: 'rows windowed', role: 'list', 'aria-label': texts.sections.people });
  #skeleton = skeletonRows(peopleTexts.loading, 10);
  #emptyAction = element('a', { class: 'button' });
  #empty = emptyPlace({ actions: [this.#emptyAction] });
  #more = spinner(peopleTexts.loadingMore);
  #end = element('p', { class: 'list-end', hidden: true });
  #listEnd;
  #body = element('div', { class: 'scroller list-body' });
  bar = element('header', { class: 'bar' }, this.#heading, gap(), this.#found);
  node;
  /** Called when the title may have changed. @type {(() => void)|null} */
  onTitle = null;

  /** The pane beside the list while nobody is chosen. */
  get unchosen() {
    return notice('h2', peopleTexts.choosePerson, peopleTexts.choosePersonHint);
  }

  /**
   * @param {import('../viewmodels/peopleViewModel.js').PeopleViewModel} viewModel
   * @param {(address: string, options?: {replace?: boolean, keepsFocus?: boolean, beside?: string}) => void} navigate
   */
  constructor(viewModel, navigate) {
    this.#viewModel = viewModel;
    this.#navigate = navigate;
    this.#alert = new PeopleAlert(() => viewModel.retry());
    this.#tools = new PeopleTools(() => viewModel.state.list, navigate);
    this.#listEnd = new ListEnd(() => viewModel.nearEnd(), 800, this.#body);
    this.#body.append(this.#rows, this.#skeleton, this.#empty.node, this.#more, this.#end, this.#listEnd.node);
    this.node = element('div', { class: 'list-view' }, this.bar, this.#tools.node, this.#alert.node, this.#pressError,
      this.#part, this.#body, this.#notice);
    this.#list = new WindowedList({
      array: viewModel.rows,
      container: this.#rows,
      scroller: this.#body,
      create: (item) => (
        keyOf(item) === DIVIDER ? new DividerView(peopleTexts.gitHub) : new PersonRowView(item)),
      key: keyOf,
      height: rowHeight,
      spare: spareRows,
    });
    makeOneStop(this.#rows, 'button');
    this.#rows.addEventListener('click', (event) => this.#press(rowOf(event)?.item));
    this.#rows.addEventListener('keydown', (event) => this.#pressed(event));
    this.#body.addEventListener('scroll', () => this.#look(), { passive: true });
    this.#scope.bind(viewModel, (state) => this.#show(state));
    this.#lookAgain();
  }

  get title() {
    return this.#heading.textContent;
  }

  focus() {
    this.#heading.focus({ preventScroll: true });
  }

  /** Shows the list of the address; after Back, at its scroll position. @param {PeopleList} list */
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
      // A list inserted again would start at its top.
      const top = this.#top;
      queueMicrotask(() => this.#body.scrollTop === 0 && (this.#body.scrollTop = top));
      this.#viewModel.refresh();
    }
    this.#depth = depth;
    this.#isOpened = true;
    this.#tools.open(list);
  }

  /** Who signs up while the page is open appears within a minute, and when one comes back to it. */
  #lookAgain() {
    const look = () => !document.hidden && this.node.isConnected && this.#viewModel.refresh();
    this.#scope.listen(document, 'visibilitychange', look);
    const timer = setInterval(look, lookPause);
    this.#scope.add(() => clearInterval(timer));
  }

  /** Reports the people on the screen. */
  #look() {
    if (!this.#body.isConnected || this.#rows.hidden) return;
    this.#top = this.#body.scrollTop;
    const first = Math.floor(this.#top / rowHeight);
    this.#viewModel.look(first, first + Math.ceil(this.#body.clientHeight / rowHeight));
    this.#showPart();
  }

  #showPart() {
    const { items } = this.#viewModel.rows;
    const isHere = (item) => typeof item === 'string' || (typeof item === 'object' && item.userId !== undefined);
    set(this.#part, {
      text: isHere(items[Math.floor(this.#top / rowHeight)]) ? peopleTexts.here : peopleTexts.gitHub,
      hidden: this.#rows.hidden || !isHere(items[0]),
    });
  }

  /** @param {import('../viewmodels/types.js').PeopleState} state */
  #show(state) {
    const loading = state.loadingFirst;
    this.#skeleton.hidden = !loading;
    this.#rows.hidden = loading || state.empty || state.missing !== null;
    this.#showPart();
    this.#showEmpty(state);
    this.#more.hidden = !state.loadingMore;
    this.#end.hidden = loading || state.empty || !state.end;
    setText(this.#end, state.endText || peopleTexts.end);
    setText(this.#heading, state.title);
    this.onTitle?.();
    setText(this.#found, state.found);
    setText(this.#notice, state.notice ?? '');
    this.#alert.show(state.alert);
    set(this.#pressError, { text: state.pressError ?? '', hidden: state.pressError === null });
    this.#tools.show();
    this.#follow(state.movedTo);
    this.#listEnd.watch(!loading && !state.loadingMore && !state.end && !state.alert);
  }

  #showEmpty({ loadingFirst, empty, emptyText, missing }) {
    const address = missing && addressOf({ kind: 'search', subject: missing.query });
    fill({ ...this.#empty, action: this.#emptyAction }, {
      node: { hidden: loadingFirst || !(empty || missing) },
      what: missing?.text ?? emptyText,
      how: { text: missing?.hint ?? '', hidden: missing === null },
      action: { text: missing?.action ?? '', href: address, hidden: missing === null },
    });
  }

  /** The login was renamed: updates the address. @param {PeopleList|null} list */
  #follow(list) {
    if (list === this.#moved) return;
    this.#moved = list;
    if (list && this.node.isConnected) this.#navigate(addressOf(list), { replace: true, keepsFocus: true });
  }

  #pressed(event) {
    const row = rowOf(event);
    if (!row || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { item } = row;
    const { rows } = this.#viewModel;
    const index = rows.indexOfKey(keyOf(item));
    const screen = Math.max(1, Math.floor(this.#body.clientHeight / rowHeight) - 1);
    const to = {
      ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + screen, PageUp: index - screen, Home: 0,
      End: Infinity,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    // The line between the two parts is passed over.
    const isLine = to in rows.items && keyOf(rows.items[to]) === DIVIDER;
    this.#list.reach(isLine ? to + (to > index ? 1 : -1) : to, (view) => view?.button.focus({ preventScroll: true }));
  }

  async #press(row) {
    if (typeof row !== 'object') return;
    const room = await this.#viewModel.press(row);
    if (room) this.#navigate(`/chats/${room}`, { beside: addressOf(this.#viewModel.state.list) });
  }
}

/** @param {import('../viewmodels/types.js').PersonRow|number|string} item */
function keyOf(item) {
  return typeof item === 'object' ? item.key : item;
}

/** @param {PeopleList} one @param {PeopleList} other */
function isSame(one, other) {
  return one.kind === other.kind && one.subject === other.subject;
}
