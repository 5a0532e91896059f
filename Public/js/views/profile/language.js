/** The language of this account (H4). */
import { settingsTexts } from '../../models/texts/settings.js';
import { Scope, element, setText } from '../dom.js';

const words = settingsTexts.language;

export class LanguageSection {
  #scope = new Scope();
  #select = /** @type {HTMLSelectElement} */ (element('select', { class: 'input', id: 'language' }));
  #apply = element('button', { type: 'button', class: 'button' }, words.apply);
  #error = element('p', { class: 'form-error', role: 'alert' });
  /** What the list showed last, so that a choice that waits for its button stays. */
  #shown = '';
  node;

  /** @param {import('../../viewmodels/profile/languageViewModel.js').LanguageViewModel} viewModel */
  constructor(viewModel) {
    const own = ({ tag }) => (tag === 'system' ? null : tag);
    this.#select.append(...viewModel.state.choices.map((choice) =>
      element('option', { value: choice.tag, lang: own(choice) }, choice.name)));
    // Not by the choice alone: the page loads anew, and arrow keys pass what is not meant (WCAG 2.2, 3.2.2).
    this.#apply.addEventListener('click', () => viewModel.choose(this.#select.value));
    this.node = element('section', { class: 'section' },
      element('h2', {}, words.heading),
      element('div', { class: 'field' },
        element('label', { for: 'language' }, words.field), this.#select,
        element('p', { class: 'field-hint' }, words.hint)),
      element('div', { class: 'actions' }, this.#apply), this.#error);
    this.#scope.bind(viewModel, (state) => {
      this.#select.disabled = !state.known || state.busy;
      if (state.chosen !== this.#shown) this.#select.value = this.#shown = state.chosen;
      setText(this.#error, state.error ?? '');
    });
  }

  end() {
    this.#scope.end();
  }
}
