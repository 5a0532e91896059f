/** A form that opens in a section of the settings: for the email address, and for the password. */
import { sharedTexts } from '../../models/texts/shared.js';
import { gitHubTexts } from '../../models/texts/gitHub.js';
import { Scope, element, isComposing, set, setText } from '../dom.js';
import { FieldView } from '../fieldView.js';
import { actions, formError, savedNote, section, submitButton } from '../formParts.js';
import { button } from '../parts.js';

export class AccountForm {
  #scope = new Scope();
  #fields;
  #form;
  #open;
  #save;
  #formError = formError();
  #again = element('a',
    { class: 'link', href: '/auth/github?return_to=/settings', 'data-outside': true, hidden: true }, gitHubTexts.again);
  #words;
  #note = savedNote();
  #notFirst = [];
  #wasOpen = false;
  node;

  /**
   * @param {object} viewModel has `toggle(open)`, `set(field, value)`, `save()` and a state of
   *   `{open, values, fieldErrors, formError, busy, note, first, again}`; fields that are `notFirst` are hidden while
   *   it is `first`
   * @param {object} options
   * @param {{heading: string, change: string, set: string}} options.words `set` opens it
   *   if there is nothing to change yet
   * @param {(ConstructorParameters<typeof FieldView>[0] & {member: string, notFirst?: boolean})[]} options.fields
   * @param {Node} [options.before] shown above the form
   */
  constructor(viewModel, { words, fields, before = null }) {
    this.#words = words;
    this.#fields = new Map(fields.map(({ member, ...field }) => [member, new FieldView(field)]));
    this.#notFirst = fields.filter(({ notFirst }) => notFirst).map(({ member }) => member);
    this.#open = button(words.change, () => viewModel.toggle(true), 'small', { 'aria-expanded': 'false' });
    this.#save = submitButton(words.change);
    this.#form = element('form', { class: 'form', novalidate: true, hidden: true },
      ...[...this.#fields.values()].map(({ node }) => node), this.#formError, this.#again,
      actions(this.#save, button(sharedTexts.cancel, () => viewModel.toggle(false))));
    const head = element('div', { class: 'head' }, element('h2', {}, words.heading), this.#open);
    this.node = section(head, before, this.#note, this.#form);
    this.#form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || isComposing(event)) return;
      // Escape must do nothing else.
      event.preventDefault();
      viewModel.toggle(false);
    });
    this.#form.addEventListener('submit', async (event) => {
      event.preventDefault();
      // Password managers fill fields without an event.
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
    const { set: begin, change } = this.#words;
    set(this.#open, { text: state.first ? begin : change, 'aria-expanded': String(state.open), hidden: state.open });
    set(this.#save, { text: state.first ? begin : change, 'aria-disabled': state.busy ? 'true' : null });
    this.#again.hidden = !state.again;
    this.#form.hidden = !state.open;
    setText(this.#formError, state.formError ?? '');
    setText(this.#note, state.note);
    if (state.open && !this.#wasOpen) this.#form.querySelector('.field:not([hidden]) input').focus();
    if (!state.open && this.#wasOpen) this.#open.focus();
    this.#wasOpen = state.open;
  }
}
