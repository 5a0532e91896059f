/** Chooses a chat: a search field, and the chats below it. */
import { Avatar } from '../avatar.js';
import { Scope, element, setAttribute, setText } from '../dom.js';
import { bindList } from '../list.js';
import { openDialog } from './dialog.js';
import { chatTexts } from '../../models/texts/conversation.js';

class TargetView {
  #face = new Avatar(36);
  #name = element('span', { class: 'name', dir: 'auto' });
  #button = element('button', { type: 'button', class: 'target' }, this.#face.node, this.#name);
  node = element('li', {}, this.#button);

  constructor(item, choose) {
    this.#button.addEventListener('click', () => choose(this.item));
    this.update(item);
  }

  update(item) {
    this.item = item;
    this.#face.show({ ...item, online: false });
    setText(this.#name, item.name);
  }

  remove() {
    this.#face.release();
  }
}

/**
 * @param {import('../../viewmodels/chatChoice.js').ChatChoice} viewModel
 * @param {{title: string, busy?: string, choose: (item: {id: string, name: string}, close: () => void) => void}} options
 *   `busy` is said while something is done with the chosen one
 */
export function openChatChooser(viewModel, { title, busy = '', choose }) {
  const scope = new Scope();
  const field = /** @type {HTMLInputElement} */ (element('input', {
    type: 'search', class: 'input', 'aria-label': chatTexts.searchChats, placeholder: chatTexts.searchChats,
    autocomplete: 'off', dir: 'auto',
  }));
  const list = element('ul', { class: 'targets scroller', role: 'list', 'aria-label': chatTexts.searchChats });
  const said = element('p', { class: 'hint', role: 'status' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const dialog = openDialog({
    title, content: [field, problem, said, list], name: 'forward', closed: () => scope.end(),
  });
  const chosen = (item) => choose(item, () => dialog.close());
  const { views, end } = bindList({ array: viewModel.rows, container: list, create: (item) => new TargetView(item, chosen) });
  scope.add(end);
  field.addEventListener('input', () => viewModel.search(field.value));
  dialog.addEventListener('keydown', (event) => {
    const buttons = views.map((view) => view.node.firstElementChild);
    const at = buttons.indexOf(document.activeElement);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && event.target === field && !event.isComposing) {
      event.preventDefault();
      if (views.length > 0 && field.value.trim() !== '') chosen(viewModel.rows.items[0]);
    } else if (by) {
      event.preventDefault();
      (buttons[at + by] ?? (at + by < 0 ? field : null))?.focus();
    }
  });
  scope.bind(viewModel, (state) => {
    setText(said, state.busy ? busy : state.empty ? chatTexts.noChatFound : '');
    said.hidden = !state.busy && !state.empty;
    setText(problem, state.error);
    problem.hidden = state.error === '';
    setAttribute(list, 'aria-busy', state.busy ? 'true' : null);
  });
  field.focus();
}
