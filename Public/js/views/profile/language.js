/** The language of this account (H4). */
import { settingsTexts } from '../../models/texts/settings.js';
import { Scope, element, setText } from '../dom.js';

const words = settingsTexts.language;

export class LanguageSection {
  #scope = new Scope();
  #select = /** @type {HTMLSelectElement} */ (element('select', { class: 'input', id: 'language' }));
  #error = element('p', { class: 'form-error', role: 'alert' });
  node;

  /** @param {import('../../viewmodels/profile/languageViewModel.js').LanguageViewModel} viewModel */
  constructor(viewModel) {
    const own = ({ tag }) => (tag === 'system' ? null : tag);
    this.#select.append(...viewModel.state.choices.map((choice) =>
      element('option', { value: choice.tag, lang: own(choice) }, choice.name)));
    this.#select.addEventListener('change', () => viewModel.choose(this.#select.value));
    this.node = element('section', { class: 'section' },
      element('h2', {}, words.heading),
      element('div', { class: 'field' },
        element('label', { for: 'language' }, words.field), this.#select,
        element('p', { class: 'field-hint' }, words.hint)),
      this.#error);
    this.#scope.bind(viewModel, (state) => {
      this.#select.disabled = !state.known || state.busy;
      if (this.#select.value !== state.chosen) this.#select.value = state.chosen;
      setText(this.#error, state.error ?? '');
    });
  }

  end() {
    this.#scope.end();
  }
}
