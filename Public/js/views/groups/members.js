/** The members of a group: who they are, what one may do with them, and adding more. */
import { groupTexts } from '../../models/texts/groups.js';
import { Avatar } from '../avatar.js';
import { Scope, element, setAttribute, setText } from '../dom.js';
import { groupIcon } from '../groupIcons.js';
import { icon } from '../icons.js';
import { bindList } from '../list.js';
import { openMenu } from '../menu.js';
import { ask } from '../question.js';
import { PeoplePicker } from './peoplePicker.js';

const words = groupTexts.members;
const ICONS = {
  makeAdmin: 'shield', makeMember: 'group', handOver: 'crown', remove: 'removePerson', ban: 'ban',
};

/** Place in the list of the first member who shows when all do. */
const FIRST_UNFOLDED = 12;

/** @typedef {import('../../viewmodels/groups/membersViewModel.js').MemberRow} MemberRow */

class MemberRowView {
  #item;
  #avatar = new Avatar(40);
  #name = element('span', { class: 'name', dir: 'auto' });
  #login = element('span', { class: 'preview' });
  #role = element('span', { class: 'role' });
  #more = element('button', { type: 'button', class: 'icon-button' }, groupIcon('more'));
  node;

  /** @param {MemberRow} item @param {(item: MemberRow, button: HTMLElement) => void} openActions */
  constructor(item, openActions) {
    this.#more.addEventListener('click', () => openActions(this.#item, this.#more));
    this.node = element('li', { class: 'member' }, this.#avatar.node, element('span', { class: 'line' }, this.#name),
      this.#login, this.#role, this.#more);
    this.update(item);
  }

  /** @param {MemberRow} item */
  update(item) {
    this.#item = item;
    this.#avatar.show(item);
    setText(this.#name, item.name);
    const below = [item.me ? words.you : '', item.login, item.online ? words.online : ''].filter(Boolean).join(' · ');
    setText(this.#login, below);
    setAttribute(this.node, 'data-single', below === '');
    setAttribute(this.node, 'data-user', item.id);
    setText(this.#role, item.role === 'member' ? '' : groupTexts.roles[item.role]);
    setAttribute(this.#role, 'data-role', item.role);
    this.#more.hidden = item.actions === '';
    setAttribute(this.#more, 'aria-label', words.actions(item.name));
    setAttribute(this.node, 'aria-busy', item.busy ? 'true' : null);
  }

  remove() {
    this.#avatar.release();
  }
}

export class MembersView {
  #viewModel;
  #picker;
  #navigate;
  #scope = new Scope();
  #list = element('ul', { class: 'members', role: 'list', 'aria-label': words.heading });
  #search = /** @type {HTMLInputElement} */ (
    element('input', {
      type: 'search', class: 'input', 'aria-label': words.search, placeholder: words.search, autocomplete: 'off',
      spellcheck: 'false',
    })
  );
  #searchBox = element('div', { class: 'search' }, icon('search'), this.#search);
  #note = element('p', { class: 'saved', role: 'status' });
  #found = element('p', { class: 'field-hint', role: 'status' });
  #error = element('p', { class: 'form-error', role: 'alert' });
  #retry = element('button', { type: 'button', class: 'button small', hidden: true }, groupTexts.info.retry);
  #more = element('button', { type: 'button', class: 'button small', hidden: true });
  #sentinel = element('div', { class: 'sentinel' });
  #busy = element('div', { class: 'more', role: 'progressbar', 'aria-label': words.loadingMore, hidden: true },
    element('div', { class: 'spinner' }));
  #addButton = element('button', { type: 'button', class: 'button small', 'aria-expanded': 'false' },
    groupIcon('addPerson'), words.add);
  #pickerView;
  #addNow = element('button', { type: 'button', class: 'button primary' });
  #addCancel = element('button', { type: 'button', class: 'button' }, groupTexts.info.cancel);
  #addError = element('p', { class: 'form-error', role: 'alert' });
  #addBox;
  node;

  /**
   * @param {import('../../viewmodels/groups/membersViewModel.js').MembersViewModel} viewModel
   * @param {import('../../viewmodels/groups/peoplePickerViewModel.js').PeoplePickerViewModel} picker
   * @param {(address: string) => void} navigate
   */
  constructor(viewModel, picker, navigate) {
    this.#viewModel = viewModel;
    this.#picker = picker;
    this.#navigate = navigate;
    this.#pickerView = new PeoplePicker(picker);
    this.#addBox = element('div', { class: 'add-box', hidden: true }, this.#pickerView.node, this.#addError,
      element('div', { class: 'actions' }, this.#addNow, this.#addCancel));
    this.node = element(
      'section',
      { class: 'section members-section' },
      element('div', { class: 'head' }, element('h2', {}, words.heading), this.#addButton),
      this.#addBox, this.#note, this.#searchBox, this.#error, this.#retry, this.#found, this.#list, this.#busy, this.#more,
      this.#sentinel,
    );
    this.#listen();
    const list = bindList({
      array: viewModel.rows,
      container: this.#list,
      create: (item) => new MemberRowView(item, (row, button) => this.#openActions(row, button)),
    });
    this.#scope.add(() => list.end());
    this.#scope.bind(viewModel, (state) => this.#show(state));
    this.#scope.bind(picker, ({ count }) => {
      setText(this.#addNow, words.adding(count));
      setAttribute(this.#addNow, 'aria-disabled', count === 0 ? 'true' : null);
    });
  }

  /** @param {boolean} governs whether one may add people @param {number} members */
  show(governs, members) {
    this.#addButton.hidden = !governs;
    if (!governs) this.#openAdding(false);
    setText(this.#more, words.all(members));
    this.#searchBox.hidden = members < 8 && this.#search.value === '';
  }

  end() {
    this.#scope.end();
    this.#pickerView.end();
    this.#picker.close();
    this.#viewModel.close();
  }

  #listen() {
    const viewModel = this.#viewModel;
    this.#search.addEventListener('input', () => viewModel.search(this.#search.value));
    this.#retry.addEventListener('click', () => viewModel.open());
    this.#more.addEventListener('click', () => {
      viewModel.unfold();
      // The button goes; what it brought is where one reads on.
      this.#list.children[FIRST_UNFOLDED]?.querySelector('button')?.focus();
    });
    this.#addButton.addEventListener('click', () => this.#openAdding(this.#addBox.hidden, true));
    this.#addCancel.addEventListener('click', () => this.#openAdding(false, true));
    this.#addNow.addEventListener('click', () => this.#add());
    const near = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && viewModel.nearEnd(),
      { rootMargin: '0px 0px 400px' });
    this.#near = near;
    this.#scope.add(() => near.disconnect());
  }

  #near;

  #openAdding(open, moveFocus = false) {
    this.#addBox.hidden = !open;
    setAttribute(this.#addButton, 'aria-expanded', String(open));
    if (!open) this.#picker.clear();
    setText(this.#addError, '');
    if (moveFocus) (open ? this.#pickerView.input : this.#addButton).focus();
  }

  async #add() {
    if (this.#picker.chosen.length === 0) return this.#pickerView.input.focus();
    setText(this.#addError, '');
    const { added, failed } = await this.#viewModel.add([...this.#picker.chosen.items]);
    for (const { id } of added) this.#picker.remove(id);
    if (failed) setText(this.#addError, failed);
    else this.#openAdding(false, true);
    return undefined;
  }

  #openActions(row, button) {
    const items = row.actions.split(' ').map((action) => ({
      label: words[action],
      icon: action === 'write' ? icon('compose') : groupIcon(ICONS[action]),
      danger: action === 'remove' || action === 'ban',
      act: () => this.#act(action, row, button),
    }));
    openMenu({ label: words.actions(row.name), items, owner: button });
  }

  async #act(action, row, button) {
    if (action === 'write') {
      const room = await this.#viewModel.write(row);
      if (room) this.#navigate(`/chats/${room}`);
      return;
    }
    const questions = groupTexts.confirm;
    if (questions[`${action}Hint`]) {
      const title = questions[action](row.name);
      const label = action === 'handOver' ? questions.handOverDo : words[action];
      if (!(await ask({ title, hints: [questions[`${action}Hint`]], action: label }))) return;
    }
    await this.#viewModel.act(action, row);
    // The row may be gone, and the focus with it.
    queueMicrotask(() => {
      if (document.activeElement === document.body) (button.isConnected ? button : this.#firstFocus()).focus();
    });
  }

  #firstFocus() {
    return this.#list.querySelector('button:not([hidden])') ?? this.#addButton;
  }

  #show(state) {
    setText(this.#note, state.note);
    setText(this.#error, state.actionError ?? state.error ?? '');
    this.#retry.hidden = !state.error;
    setText(this.#found, state.empty || state.foundText);
    this.#list.hidden = this.#viewModel.rows.length === 0;
    this.#busy.hidden = !(state.loading || state.loadingMore);
    this.#more.hidden = !state.folded || state.loading;
    // Observing anew makes the observer look again after each page: the end may still be near.
    this.#near.unobserve(this.#sentinel);
    if (!state.folded && !state.loadingMore && !state.loading && !state.error) this.#near.observe(this.#sentinel);
  }
}
