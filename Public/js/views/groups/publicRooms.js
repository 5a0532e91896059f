/** The public rooms of this instance: search and join. */
import { texts } from '../../models/texts.js';
import { sharedTexts } from '../../models/texts/shared.js';
import { groupTexts } from '../../models/texts/groups.js';
import { Scope, element, fill, setText } from '../dom.js';
import { formError, hint } from '../formParts.js';
import { bindList } from '../boundList.js';
import { RowView, button, emptyPlace, icon, mark, problemAlert, searchForm, skeletonRows } from '../parts.js';
import { ListEnd, spinner } from '../listEnd.js';
import { pageBar } from './pageBar.js';

const words = groupTexts.rooms;

class PublicRoomRow extends RowView {
  constructor(item, join) {
    super('public-room');
    this.parts.join = button(words.join, () => join(this.item), 'small primary');
    this.parts.open = element('a', { class: 'button small' }, sharedTexts.open);
    this.node.append(this.parts.join, this.parts.open);
    this.update(item);
  }

  update(item) {
    this.item = item;
    this.face.show({ ...item, online: false });
    fill(this.parts, {
      name: item.name,
      topic: { text: item.topic, hidden: item.topic === '' },
      members: item.members,
      join: {
        text: item.busy ? words.joining : words.join, 'aria-label': words.joinLabel(item.name),
        'aria-disabled': item.busy ? 'true' : null, hidden: item.joined,
      },
      open: { href: `/chats/${item.id}`, 'aria-label': words.openLabel(item.name), hidden: !item.joined },
    });
  }
}

export class PublicRoomsView {
  #viewModel;
  #navigate;
  #scope = new Scope();
  #search = searchForm(words.search);
  #rows = element('ul', { class: 'public-rooms', role: 'list', 'aria-label': groupTexts.rooms.title });
  #skeleton = skeletonRows(words.loading, 6);
  #none = hint('', { role: 'status' });
  #joinError = formError();
  #problem = problemAlert(() => this.#viewModel.open(), texts.problem.retry);
  #empty = emptyPlace({
    sign: mark(), title: words.empty, hint: words.emptyHint,
    actions: [element('a', { class: 'button primary', href: '/rooms/new' }, groupTexts.create.title)],
  }).node;
  #more = spinner(words.loadingMore);
  #end;
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
    const { form, field } = this.#search;
    const make = element('a', { class: 'button small', href: '/rooms/new' }, icon('plus'),
      element('span', {}, groupTexts.create.title));
    ({ heading: this.#heading, bar: this.bar } = pageBar(words.title, '/chats', make));
    const column = element('div', { class: 'column' }, form, this.#problem.node, this.#joinError, this.#none,
      this.#skeleton, this.#rows, this.#empty, this.#more);
    const body = element('div', { class: 'page scroller' }, column);
    this.#end = this.#scope.keep(new ListEnd(() => viewModel.nearEnd(), 600, body));
    column.append(this.#end.node);
    this.node = element('div', { class: 'form-page rooms-page' }, this.bar, body);
    field.addEventListener('input', () => viewModel.input(field.value));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      viewModel.open();
    });
    const create = (item) => new PublicRoomRow(item, (row) => this.#join(row));
    this.#scope.keep(bindList({ array: viewModel.rows, container: this.#rows, create }));
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  get title() {
    return words.title;
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
    this.#problem.node.hidden = state.error === null;
    setText(this.#problem.what, state.error ?? '');
    setText(this.#joinError, state.joinError ?? '');
    this.#more.hidden = !state.loadingMore;
    this.#end.watch(state.more && !state.loadingMore && !state.error);
  }
}
