/** Chooses a chat: a search field, and the chats below it. */
import { Scope, element, isComposing, set, setAttribute, setText } from '../dom.js';
import { bindList } from '../boundList.js';
import { openDialog } from './dialog.js';
import { chatTexts } from '../../models/texts/conversation.js';
import { RowView } from '../parts.js';

class TargetView extends RowView {
  #isOneOfSeveral;

  constructor(item, choose, isOneOfSeveral) {
    super('chat-target');
    this.#isOneOfSeveral = isOneOfSeveral;
    this.parts.button.addEventListener('click', () => choose(this.item));
    this.update(item);
  }

  update(item) {
    this.item = item;
    this.face.show({ ...item, online: false });
    setText(this.parts.name, item.name);
    if (this.#isOneOfSeveral) setAttribute(this.parts.button, 'aria-pressed', String(item.chosen));
  }
}

/**
 * @param {import('../../viewmodels/chatChoice.js').ChatChoice} viewModel
 * @param {{title: string, busy?: string, choose: (item: {id: string, name: string}, close: () => void) => void,
 *   foot?: HTMLElement|null, send?: () => void}} options `busy` is said while something is done with the chosen one;
 *   `foot`: several are chosen, and this stands below them; `send`: what Return does where nothing is searched for
 * @returns {HTMLDialogElement}
 */
export function openChatChooser(viewModel, { title, busy = '', choose, foot = null, send = () => {} }) {
  const scope = new Scope();
  const field = /** @type {HTMLInputElement} */ (element('input', {
    type: 'search', class: 'input', 'aria-label': chatTexts.searchChats, placeholder: chatTexts.searchChats,
    autocomplete: 'off', dir: 'auto',
  }));
  const list = element('ul', { class: 'targets scroller', role: 'list', 'aria-label': chatTexts.searchChats });
  const said = element('p', { class: 'hint', role: 'status' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const dialog = openDialog({
    title, content: [field, problem, said, list, ...(foot ? [foot] : [])], name: 'forward', closed: () => scope.end(),
  });
  const chosen = (item) => choose(item, () => dialog.close());
  const create = (item) => new TargetView(item, chosen, foot !== null);
  const { views } = scope.keep(bindList({ array: viewModel.rows, container: list, create }));
  field.addEventListener('input', () => viewModel.search(field.value));
  dialog.addEventListener('keydown', (event) => {
    const buttons = views.map((view) => view.parts.button);
    const at = buttons.indexOf(document.activeElement);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && event.target === field && !isComposing(event)) {
      event.preventDefault();
      if (field.value.trim() === '') return send();
      if (views.length > 0) chosen(viewModel.rows.items[0]);
      if (!foot) return undefined;
      field.value = '';
      viewModel.search('');
    } else if (by && !foot?.contains(/** @type {Node} */ (event.target))) {
      event.preventDefault();
      (buttons[at + by] ?? (at + by < 0 ? field : null))?.focus();
    }
    return undefined;
  });
  scope.bind(viewModel, (state) => {
    const words = state.busy ? busy : state.empty ? chatTexts.noChatFound : '';
    set(said, { text: words, hidden: !state.busy && !state.empty });
    set(problem, { text: state.error, hidden: state.error === '' });
    setAttribute(list, 'aria-busy', state.busy ? 'true' : null);
  });
  field.focus();
  return dialog;
}
