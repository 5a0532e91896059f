/** The repository of a chat: a field for who may change it, else a link. */
import { sharedTexts } from '../../models/texts/shared.js';
import { groupTexts } from '../../models/texts/groups.js';
import { Scope, element, set, setAttribute, setText } from '../dom.js';
import { FieldView } from '../fieldView.js';
import { formError, savedNote, section, submitButton } from '../formParts.js';

const words = groupTexts.repository;

export class RepositoryField {
  #viewModel;
  #scope = new Scope();
  #mayChange = false;
  #link = element('a', { class: 'link', dir: 'ltr' });
  #field = new FieldView({
    name: 'repository', label: words.label, hint: words.hint,
    attributes: {
      placeholder: words.example, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', dir: 'ltr',
    },
  });
  #error = formError();
  #save = submitButton(sharedTexts.save);
  #note = savedNote();
  #form = element('form', { class: 'form', novalidate: true }, this.#field.node, this.#error,
    element('div', { class: 'actions' }, this.#save, this.#note));
  node = section(words.heading, this.#link, this.#form);

  /** @param {import('../../viewmodels/groups/repositoryViewModel.js').RepositoryViewModel} viewModel */
  constructor(viewModel) {
    this.#viewModel = viewModel;
    const { input } = this.#field;
    input.addEventListener('input', () => viewModel.set('repository', input.value));
    this.#form.addEventListener('submit', async (event) => {
      event.preventDefault();
      // The button goes with the change, and would take the focus with it.
      input.focus({ preventScroll: true });
      await viewModel.save();
    });
    this.#scope.bind(viewModel, () => this.#draw());
  }

  end() {
    this.#scope.end();
    this.#viewModel.close();
  }

  /** @param {boolean} mayChange */
  show(mayChange) {
    this.#mayChange = mayChange;
    this.#draw();
  }

  #draw() {
    const { stored, values, fieldErrors, formError: error, busy, note } = this.#viewModel.state;
    set(this.node, { hidden: !this.#mayChange && stored === '' });
    set(this.#link, { hidden: stored === '', href: `/github/${stored}`, text: stored });
    this.#form.hidden = !this.#mayChange;
    this.#field.show(values.repository, fieldErrors.repository);
    setText(this.#error, error ?? '');
    this.#save.hidden = values.repository.trim() === stored;
    setAttribute(this.#save, 'aria-disabled', busy ? 'true' : null);
    setText(this.#note, note);
  }
}
