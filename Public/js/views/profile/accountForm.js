/** A form that opens in a section of the settings: for the email address, and for the password. */
import { gitHubTexts } from '../../models/texts/gitHub.js';
import { Scope, element, isComposing, setAttribute, setText } from '../dom.js';
import { FieldView } from '../fieldView.js';

export class AccountForm {
  #scope = new Scope();
  #fields;
  #form;
  #open;
  #save;
  #formError = element('p', { class: 'form-error', role: 'alert' });
  #again = element('a', { class: 'link', href: '/auth/github?return_to=/settings', 'data-outside': true, hidden: true },
    gitHubTexts.again);
  #words;
  #note = element('p', { class: 'saved', role: 'status' });
  #notFirst = [];
  #wasOpen = false;
  node;

  /**
   * @param {object} viewModel has `toggle(open)`, `set(field, value)`, `save()` and a state of
   *   `{open, values, fieldErrors, formError, busy, note, first, again}`; fields that are `notFirst` are left out while it
   *   is `first`
   * @param {object} options
   * @param {{heading: string, change: string, set: string, save: string, cancel: string}} options.words `set` opens it
   *   where there is nothing to change yet
   * @param {ConstructorParameters<typeof FieldView>[0][]} options.fields in order
   * @param {Node} [options.before] what stands above the form
   */
  constructor(viewModel, { words, fields, before = null }) {
    this.#words = words;
    this.#fields = new Map(fields.map(({ member, ...field }) => [member, new FieldView(field)]));
    this.#notFirst = fields.filter(({ notFirst }) => notFirst).map(({ member }) => member);
    this.#open = element('button', { type: 'button', class: 'button small', 'aria-expanded': 'false' }, words.change);
    this.#save = element('button', { class: 'button primary' }, words.save);
    const cancel = element('button', { type: 'button', class: 'button' }, words.cancel);
    this.#form = element('form', { class: 'form', novalidate: true, hidden: true },
      ...[...this.#fields.values()].map(({ node }) => node), this.#formError, this.#again,
      element('div', { class: 'actions' }, this.#save, cancel));
    this.node = element('section', { class: 'section' },
      element('div', { class: 'head' }, element('h2', {}, words.heading), this.#open), before, this.#note, this.#form);
    this.#open.addEventListener('click', () => viewModel.toggle(true));
    cancel.addEventListener('click', () => viewModel.toggle(false));
    this.#form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || isComposing(event)) return;
      // So that it leads nowhere else as well.
      event.preventDefault();
      viewModel.toggle(false);
    });
    this.#form.addEventListener('submit', async (event) => {
      event.preventDefault();
      // Password managers fill fields without saying so.
      for (const [member, { input }] of this.#fields) {
        if (input.value !== viewModel.state.values[member]) viewModel.set(member, input.value);
      }
      if (await viewModel.save()) return;
      queueMicrotask(() => this.#form.querySelector('[aria-invalid="true"]')?.focus());
    });
    for (const [member, { input }] of this.#fields) {
      input.addEventListener('input', () => viewModel.set(member, input.value));
    }
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  end() {
    this.#scope.end();
  }

  #show(state) {
    for (const [member, field] of this.#fields) {
      field.show(state.values[member], state.fieldErrors[member]);
      field.node.hidden = state.first && this.#notFirst.includes(member);
    }
    setText(this.#open, state.first ? this.#words.set : this.#words.change);
    setText(this.#save, state.first ? this.#words.set : this.#words.save);
    this.#again.hidden = !state.again;
    this.#form.hidden = !state.open;
    this.#open.hidden = state.open;
    setAttribute(this.#open, 'aria-expanded', String(state.open));
    setText(this.#formError, state.formError ?? '');
    setAttribute(this.#save, 'aria-disabled', state.busy ? 'true' : null);
    setText(this.#note, state.note);
    if (state.open && !this.#wasOpen) this.#form.querySelector('.field:not([hidden]) input').focus();
    if (!state.open && this.#wasOpen) this.#open.focus();
    this.#wasOpen = state.open;
  }
}
