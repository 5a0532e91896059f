/** Choosing people: a field that searches, a list to choose from, and those who were chosen before it. */
import { groupTexts } from '../../models/texts/groups.js';
import { Avatar } from '../avatar.js';
import { Scope, announce, element, setAttribute, setText } from '../dom.js';
import { icon } from '../icons.js';
import { bindList } from '../list.js';

const words = groupTexts.picker;
let pickers = 0;

export class PeoplePicker {
  #viewModel;
  #scope = new Scope();
  #id = `picker-${(pickers += 1)}`;
  #chips = element('ul', { class: 'chips', role: 'list', 'aria-label': words.chosen });
  #list = element('ul', { class: 'options', role: 'listbox', id: this.#id, 'aria-label': words.results, hidden: true });
  #message = element('p', { class: 'field-hint', role: 'status' });
  #error = element('p', { class: 'form-error', role: 'alert' });
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
   * @param {{label?: string}} [options]
   */
  constructor(viewModel, { label = words.label } = {}) {
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
    const options = bindList({ array: viewModel.results, container: this.#list, create: (item) => this.#option(item) });
    const chips = bindList({ array: viewModel.chosen, container: this.#chips, create: (item) => this.#chip(item) });
    this.#scope.add(() => options.end());
    this.#scope.add(() => chips.end());
    this.#scope.add(viewModel.results.subscribe(() => queueMicrotask(() => this.#show(viewModel.state))));
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  end() {
    this.#scope.end();
  }

  #key(event) {
    const viewModel = this.#viewModel;
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      viewModel.move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      // In a form Return would send it, with somebody half chosen.
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

  /** @param {string} [id] the active one where none is named */
  #pick(id) {
    const person = id === undefined ? this.#viewModel.pick() : this.#viewModel.pick(id);
    if (person) announce(words.added(person.name));
  }

  /** @param {string} [id] the last one where none is named */
  #takeBack(id) {
    const person = this.#viewModel.remove(id);
    if (person) announce(words.removed(person.name));
  }

  #option(item) {
    const face = new Avatar(32);
    const name = element('span', { class: 'name', dir: 'auto' });
    const login = element('span', { class: 'login' });
    const node = element('li', { role: 'option', id: `${this.#id}-${item.id}`, 'aria-selected': 'false' });
    node.append(face.node, name, login);
    node.addEventListener('click', () => this.#pick(item.id));
    const update = (person) => {
      face.show(person);
      setText(name, person.name);
      setText(login, person.login);
    };
    update(item);
    return { node, update, remove: () => face.release() };
  }

  #chip(item) {
    const face = new Avatar(24);
    const name = element('span', { class: 'name', dir: 'auto' }, item.name);
    const remove = element('button', { type: 'button', 'aria-label': words.remove(item.name) }, icon('close'));
    remove.addEventListener('click', () => {
      this.#takeBack(item.id);
      this.input.focus();
    });
    face.show({ ...item, online: false });
    return { node: element('li', { class: 'chip' }, face.node, name, remove), update() {}, remove: () => face.release() };
  }

  #show({ query, open, active, error, message, loading }) {
    if (this.input.value !== query) this.input.value = query;
    const found = this.#viewModel.results.length;
    const listed = open && found > 0;
    const wasHidden = this.#popup.hidden;
    this.#popup.hidden = !(listed || (open && (message || error)));
    this.#list.hidden = !listed;
    // At the end of a page there is more of it to see.
    if (wasHidden && !this.#popup.hidden) this.#popup.scrollIntoView({ block: 'nearest' });
    setAttribute(this.input, 'aria-expanded', String(listed));
    setAttribute(this.input, 'aria-activedescendant', listed && active ? `${this.#id}-${active}` : null);
    setAttribute(this.input, 'aria-busy', loading ? 'true' : null);
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
