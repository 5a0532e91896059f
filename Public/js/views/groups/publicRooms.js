/** The public rooms of this instance: looking for them, joining them. */
import { groupTexts } from '../../models/texts/groups.js';
import { Avatar } from '../avatar.js';
import { skeletonRows } from '../chatList.js';
import { Scope, element, setAttribute, setText } from '../dom.js';
import { groupIcon } from '../groupIcons.js';
import { icon, mark } from '../icons.js';
import { bindList } from '../list.js';
import { pageBar } from './pageBar.js';

const words = groupTexts.rooms;

class PublicRoomRow {
  #item;
  #avatar = new Avatar(40);
  #name = element('h2', { class: 'name', dir: 'auto' });
  #topic = element('p', { class: 'topic', dir: 'auto' });
  #members = element('p', { class: 'count-text' });
  #join = element('button', { type: 'button', class: 'button small primary' }, words.join);
  #open = element('a', { class: 'button small' }, words.open);
  node;

  constructor(item, join) {
    this.#join.addEventListener('click', () => join(this.#item));
    this.node = element('li', { class: 'public-room' }, this.#avatar.node,
      element('div', { class: 'what' }, this.#name, this.#topic, this.#members), this.#join, this.#open);
    this.update(item);
  }

  update(item) {
    this.#item = item;
    this.#avatar.show({ ...item, online: false });
    setText(this.#name, item.name);
    this.#topic.hidden = item.topic === '';
    setText(this.#topic, item.topic);
    setText(this.#members, item.members);
    this.#join.hidden = item.joined;
    this.#open.hidden = !item.joined;
    setText(this.#join, item.busy ? words.joining : words.join);
    setAttribute(this.#join, 'aria-label', words.joinLabel(item.name));
    setAttribute(this.#join, 'aria-disabled', item.busy ? 'true' : null);
    setAttribute(this.#open, 'aria-label', words.openLabel(item.name));
    setAttribute(this.#open, 'href', `/chats/${item.id}`);
  }

  remove() {
    this.#avatar.release();
  }
}

export class PublicRoomsView {
  #viewModel;
  #navigate;
  #scope = new Scope();
  #search = /** @type {HTMLInputElement} */ (
    element('input', {
      type: 'search', class: 'input', 'aria-label': words.search, placeholder: words.search, autocomplete: 'off',
      spellcheck: 'false', enterkeyhint: 'search',
    })
  );
  #rows = element('ul', { class: 'public-rooms', role: 'list', 'aria-label': words.list });
  #skeleton = skeletonRows(words.loading, 6);
  #none = element('p', { class: 'field-hint', role: 'status' });
  #error = element('p', { class: 'what', role: 'alert' });
  #joinError = element('p', { class: 'form-error', role: 'alert' });
  #problem;
  #empty;
  #more = element('div', { class: 'more', role: 'progressbar', 'aria-label': words.loadingMore, hidden: true },
    element('div', { class: 'spinner' }));
  #sentinel = element('div', { class: 'sentinel' });
  #near;
  #heading;
  bar;
  node;

  /**
   * @param {import('../../viewmodels/groups/publicRoomsViewModel.js').PublicRoomsViewModel} viewModel
   * @param {(address: string) => void} navigate
   */
  constructor(viewModel, navigate) {
    this.#viewModel = viewModel;
    this.#navigate = navigate;
    const make = element('a', { class: 'button small', href: '/rooms/new' }, groupIcon('plus'),
      element('span', {}, groupTexts.newMenu.group));
    ({ heading: this.#heading, bar: this.bar } = pageBar(words.title, '/chats', make));
    const retry = element('button', { type: 'button', class: 'button small' }, groupTexts.info.retry);
    retry.addEventListener('click', () => viewModel.open());
    this.#problem = element('div', { class: 'alert', hidden: true }, icon('warning'), this.#error, retry);
    this.#empty = element('div', { class: 'empty', hidden: true }, mark(), element('p', { class: 'what' }, words.empty),
      element('p', { class: 'how' }, words.emptyHint),
      element('a', { class: 'button primary', href: '/rooms/new' }, groupTexts.newMenu.group));
    const search = element('form', { class: 'search', role: 'search' }, icon('search'), this.#search);
    const body = element('div', { class: 'page scroller' }, element('div', { class: 'column' }, search, this.#problem,
      this.#joinError, this.#none, this.#skeleton, this.#rows, this.#empty, this.#more, this.#sentinel));
    this.node = element('div', { class: 'form-page rooms-page' }, this.bar, body);
    this.#search.addEventListener('input', () => viewModel.input(this.#search.value));
    search.addEventListener('submit', (event) => {
      event.preventDefault();
      viewModel.open();
    });
    const list = bindList({
      array: viewModel.rows,
      container: this.#rows,
      create: (item) => new PublicRoomRow(item, (row) => this.#join(row)),
    });
    this.#scope.add(() => list.end());
    this.#near = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && viewModel.nearEnd(),
      { root: body, rootMargin: '0px 0px 600px' });
    this.#scope.add(() => this.#near.disconnect());
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  focus() {
    this.#heading.focus({ preventScroll: true });
  }

  end() {
    this.#scope.end();
    this.#viewModel.close();
  }

  async #join(row) {
    if (await this.#viewModel.join(row)) this.#navigate(`/chats/${row.id}`);
  }

  #show(state) {
    this.#skeleton.hidden = !state.loading;
    this.#rows.hidden = state.loading || this.#viewModel.rows.length === 0;
    this.#empty.hidden = !state.empty;
    setText(this.#none, state.none);
    this.#problem.hidden = state.error === null;
    setText(this.#error, state.error ?? '');
    setText(this.#joinError, state.joinError ?? '');
    this.#more.hidden = !state.loadingMore;
    this.#near.unobserve(this.#sentinel);
    if (state.more && !state.loadingMore && !state.error) this.#near.observe(this.#sentinel);
  }
}
