/** The language of this account. */
import { settingsTexts } from '../../models/texts/settings.js';
import { Scope, element, setText } from '../dom.js';
import { actions, formError, hint, section } from '../formParts.js';
import { button } from '../parts.js';

const words = settingsTexts.language;

export class LanguageSection {
  #scope = new Scope();
  #select = /** @type {HTMLSelectElement} */ (element('select', { class: 'input', id: 'language' }));
  #error = formError();
  /** The language shown last, so that a choice not yet applied is kept. */
  #shown = '';
  node;

  /** @param {import('../../viewmodels/profile/languageViewModel.js').LanguageViewModel} viewModel */
  constructor(viewModel) {
    const own = ({ tag }) => (tag === 'system' ? null : tag);
    this.#select.append(...viewModel.state.choices.map((choice) =>
      element('option', { value: choice.tag, lang: own(choice) }, choice.name)));
    // A button applies the choice, since it reloads the page and arrow keys pass other languages (WCAG 2.2, 3.2.2).
    const apply = button(words.apply, () => viewModel.choose(this.#select.value));
    const caption = element('label', { for: 'language' }, words.field);
    this.node = section(words.heading, element('div', { class: 'field' }, caption, this.#select, hint(words.hint)),
      actions(apply), this.#error);
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
