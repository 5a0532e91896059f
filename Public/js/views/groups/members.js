/** The members of a group, the actions on them, and adding more. */
import { texts } from '../../models/texts.js';
import { sharedTexts } from '../../models/texts/shared.js';
import { groupTexts } from '../../models/texts/groups.js';
import { Scope, element, fill, set, setAttribute, setText } from '../dom.js';
import { actions, formError, hint, savedNote } from '../formParts.js';
import { bindList } from '../boundList.js';
import { openMenu } from '../menu.js';
import { RowView, button, icon, iconButton } from '../parts.js';
import { ListEnd, spinner } from '../listEnd.js';
import { ask } from '../question.js';
import { PeoplePicker } from './peoplePicker.js';

const words = groupTexts.members;
const ICONS = {
  write: 'compose', makeAdmin: 'shield', makeMember: 'group', handOver: 'crown', remove: 'removePerson', ban: 'ban',
};

/** The index of the first member that "show all" reveals. */
const FIRST_UNFOLDED = 12;

/** @typedef {import('../../viewmodels/groups/membersViewModel.js').MemberRow} MemberRow */

class MemberRowView extends RowView {
  #more;

  /**
   * @param {MemberRow} item @param {(item: MemberRow, button: HTMLElement) => void} openActions
   * @param {(user: {id: string}, place: {anchor: Element}) => void} openCard
   */
  constructor(item, openActions, openCard) {
    super('member-row');
    const { face, name } = this.parts;
    for (const node of [face, name]) node.addEventListener('click', () => openCard(this.item, { anchor: name }));
    this.#more = iconButton('more', null, () => openActions(this.item, this.#more));
    this.node.append(this.#more);
    this.update(item);
  }

  /** @param {MemberRow} item */
  update(item) {
    this.item = item;
    this.face.show(item);
    const presence = item.online ? sharedTexts.online : '';
    const below = [item.me ? words.you : '', item.login, presence].filter(Boolean).join(' · ');
    fill({ ...this.parts, more: this.#more }, {
      node: { 'data-single': below === '', 'data-user': item.id, 'aria-busy': item.busy ? 'true' : null },
      name: item.name,
      login: below,
      role: { text: item.role === 'member' ? '' : groupTexts.roles[item.role], 'data-role': item.role },
      more: { 'aria-label': words.actions(item.name), hidden: item.actions === '' },
    });
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
  #note = savedNote();
  #found = hint('', { role: 'status' });
  #error = formError();
  #retry = button(texts.problem.retry, () => this.#viewModel.open(), 'small', { hidden: true });
  #more = button('', () => this.#unfold(), 'small', { hidden: true });
  #end = new ListEnd(() => this.#viewModel.nearEnd(), 400);
  #busy = spinner(words.loadingMore);
  #addButton = button([icon('addPerson'), words.add], () => this.#openAdding(this.#addBox.hidden, true), 'small',
    { 'aria-expanded': 'false' });
  #pickerView;
  #addNow = button('', () => this.#add(), 'primary');
  #addError = formError();
  #addBox;
  #offered = false;
  node;

  /**
   * @param {import('../../viewmodels/groups/membersViewModel.js').MembersViewModel} viewModel
   * @param {import('../../viewmodels/groups/peoplePickerViewModel.js').PeoplePickerViewModel} picker
   * @param {(address: string) => void} navigate
   * @param {(user: {id: string}, place: {anchor: Element}) => void} openCard
   */
  constructor(viewModel, picker, navigate, openCard) {
    this.#viewModel = viewModel;
    this.#picker = picker;
    this.#navigate = navigate;
    this.#pickerView = new PeoplePicker(picker);
    this.#addBox = element('div', { class: 'add-box', hidden: true }, this.#pickerView.node, this.#addError,
      actions(this.#addNow, button(sharedTexts.cancel, () => this.#openAdding(false, true))));
    this.node = element(
      'section',
      { class: 'section members-section' },
      element('div', { class: 'head' }, element('h2', {}, words.heading), this.#addButton),
      this.#addBox, this.#note, this.#searchBox, this.#error, this.#retry, this.#found, this.#list,
      this.#busy, this.#more, this.#end.node,
    );
    this.#search.addEventListener('input', () => viewModel.search(this.#search.value));
    const create = (item) => new MemberRowView(item, (row, owner) => this.#openActions(row, owner), openCard);
    this.#scope.keep(bindList({ array: viewModel.rows, container: this.#list, create }));
    this.#scope.keep(this.#end);
    this.#scope.bind(viewModel, (state) => this.#show(state));
    this.#scope.bind(picker, ({ count }) => {
      set(this.#addNow, { text: words.adding(count), 'aria-disabled': count === 0 ? 'true' : null });
    });
  }

  /** @param {boolean} governs whether the user may add people @param {number} members */
  show(governs, members) {
    this.#addButton.hidden = !governs;
    // Whoever is alone here wants company.
    if (governs && members === 1 && !this.#offered) this.#openAdding(true);
    this.#offered = true;
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

  /** The button disappears, so the focus moves to the first new row. */
  #unfold() {
    this.#viewModel.unfold();
    this.#list.children[FIRST_UNFOLDED]?.querySelector('button')?.focus();
  }

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
    const { added, invited, failed } = await this.#viewModel.add([...this.#picker.chosen.items]);
    for (const { id } of [...added, ...invited]) this.#picker.remove(id);
    if (failed) setText(this.#addError, failed);
    else this.#openAdding(false, true);
    return undefined;
  }

  #openActions(row, owner) {
    const items = row.actions.split(' ').map((action) => ({
      label: words[action],
      icon: icon(ICONS[action]),
      danger: action === 'remove' || action === 'ban',
      act: () => this.#act(action, row, owner),
    }));
    openMenu({ label: words.actions(row.name), items, owner });
  }

  async #act(action, row, owner) {
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
    // The row with the focus may have been removed.
    queueMicrotask(() => {
      if (document.activeElement === document.body) (owner.isConnected ? owner : this.#firstFocus()).focus();
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
    this.#end.watch(!state.folded && !state.loadingMore && !state.loading && !state.error);
  }
}
