/** The people picker: a search field with a list, after the chosen people. */
import { groupTexts } from '../../models/texts/groups.js';
import { Scope, announce, element, fill, isComposing, set, setAttribute, setText } from '../dom.js';
import { formError, hint } from '../formParts.js';
import { bindList } from '../boundList.js';
import { RowView } from '../parts.js';

const words = groupTexts.picker;
let pickers = 0;

export class PeoplePicker {
  #viewModel;
  #scope = new Scope();
  #id = `picker-${(pickers += 1)}`;
  #chips = element('ul', { class: 'chips', role: 'list', 'aria-label': words.chosen });
  #list = element('ul', { class: 'options', role: 'listbox', id: this.#id, 'aria-label': words.results, hidden: true });
  #message = hint('', { role: 'status' });
  #error = formError();
  #popup;
  input = /** @type {HTMLInputElement} */ (
    element('input', {
      id: `${this.#id}-field`,
      role: 'combobox',
      autocomplete: 'off',
      spellcheck: 'false',
      enterkeyhint: 'done',
      placeholder: words.placeholder,
      'aria-autocomplete': 'list',
      'aria-controls': this.#id,
    })
  );
  node;

  /**
   * @param {import('../../viewmodels/groups/peoplePickerViewModel.js').PeoplePickerViewModel} viewModel
   * @param {{label?: string}} options
   */
  constructor(viewModel, { label = groupTexts.members.add } = {}) {
    this.#viewModel = viewModel;
    const field = element('div', { class: 'chips-field input' }, this.#chips, this.input);
    this.#popup = element('div', { class: 'popup', hidden: true }, this.#list, this.#message, this.#error);
    const caption = element('label', { for: this.input.id }, label);
    this.node = element('div', { class: 'field people-picker' }, caption, element('div', {}, field, this.#popup));
    field.addEventListener('click', (event) => {
      if (!(event.target instanceof Element && event.target.closest('button'))) this.input.focus();
    });
    this.#popup.addEventListener('pointerdown', (event) => event.preventDefault());
    this.input.addEventListener('input', () => viewModel.input(this.input.value));
    this.input.addEventListener('click', () => viewModel.open());
    this.input.addEventListener('blur', () => viewModel.dismiss());
    this.input.addEventListener('keydown', (event) => this.#key(event));
    const { results, chosen } = viewModel;
    this.#scope.keep(bindList({ array: results, container: this.#list, create: (item) => this.#option(item) }));
    this.#scope.keep(bindList({ array: chosen, container: this.#chips, create: (item) => this.#chip(item) }));
    this.#scope.add(viewModel.results.subscribe(() => queueMicrotask(() => this.#show(viewModel.state))));
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  end() {
    this.#scope.end();
  }

  #key(event) {
    const viewModel = this.#viewModel;
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      viewModel.move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      // Return must not submit the form while somebody is being chosen.
      if (viewModel.state.open || this.input.value !== '') event.preventDefault();
      this.#pick();
    } else if (event.key === 'Escape' && viewModel.state.open) {
      event.preventDefault();
      event.stopPropagation();
      viewModel.dismiss();
    } else if (event.key === 'Backspace' && this.input.value === '') {
      this.#takeBack();
    }
  }

  /** @param {string} [id] the active one by default */
  #pick(id) {
    const person = id === undefined ? this.#viewModel.pick() : this.#viewModel.pick(id);
    if (person) announce(words.added(person.name));
  }

  /** @param {string} [id] the last one by default */
  #takeBack(id) {
    const person = this.#viewModel.remove(id);
    if (person) announce(words.removed(person.name));
  }

  #option(item) {
    const view = new RowView('person-option');
    set(view.node, { id: `${this.#id}-${item.id}`, 'aria-selected': 'false' });
    view.node.addEventListener('click', () => this.#pick(item.id));
    const update = (person) => {
      view.face.show(person);
      fill(view.parts, { name: person.name, login: person.login });
    };
    update(item);
    return { node: view.node, update, remove: () => view.remove() };
  }

  #chip(item) {
    const view = new RowView('person-chip');
    view.face.show({ ...item, online: false });
    fill(view.parts, { name: item.name, remove: { 'aria-label': words.remove(item.name) } });
    view.parts.remove.addEventListener('click', () => {
      this.#takeBack(item.id);
      this.input.focus();
    });
    return { node: view.node, update() {}, remove: () => view.remove() };
  }

  #show({ query, open, active, error, message, loading }) {
    if (this.input.value !== query) this.input.value = query;
    const found = this.#viewModel.results.length;
    const listed = open && found > 0;
    const wasHidden = this.#popup.hidden;
    this.#popup.hidden = !(listed || (open && (message || error)));
    this.#list.hidden = !listed;
    // Keeps the list in view at the end of a page.
    if (wasHidden && !this.#popup.hidden) this.#popup.scrollIntoView({ block: 'nearest' });
    set(this.input, {
      'aria-expanded': String(listed), 'aria-activedescendant': listed && active ? `${this.#id}-${active}` : null,
      'aria-busy': loading ? 'true' : null,
    });
    setText(this.#message, open ? message : '');
    setText(this.#error, open ? error ?? '' : '');
    for (const option of this.#list.children) {
      const isActive = option.id === `${this.#id}-${active}`;
      setAttribute(option, 'aria-selected', String(isActive));
      if (isActive) option.scrollIntoView({ block: 'nearest' });
    }
    this.#chips.hidden = this.#viewModel.chosen.length === 0;
    setAttribute(this.input, 'placeholder', this.#viewModel.chosen.length === 0 ? words.placeholder : '');
  }
}
