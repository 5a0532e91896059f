/** Settings: one's names, the theme, signing out. */
import { texts } from '../models/texts.js';
import { Avatar } from './avatar.js';
import { Scope, element, setAttribute, setText } from './dom.js';
import { FieldView } from './fieldView.js';
import { icon } from './icons.js';

const { settings, session, views } = texts;

export class SettingsView {
  #viewModel;
  #scope = new Scope();
  #avatar = new Avatar(96);
  #name = element('p', { class: 'name', dir: 'auto' });
  #email = element('p', { class: 'email' });
  #first = new FieldView({ name: 'first_name', label: session.firstName, attributes: { autocomplete: 'given-name' } });
  #last = new FieldView({ name: 'last_name', label: session.lastName, attributes: { autocomplete: 'family-name' } });
  #formError = element('p', { class: 'form-error', role: 'alert' });
  #save = element('button', { class: 'button primary' }, settings.save);
  #saved = element('span', { class: 'saved', role: 'status' });
  #themes = new Map();
  #heading = element('h1', { tabindex: '-1' }, settings.label);
  bar = element('header', { class: 'page-head' }, this.#heading);
  node;

  /**
   * @param {import('../viewmodels/settingsViewModel.js').SettingsViewModel} viewModel
   * @param {() => void} signedOut called when the session has ended
   */
  constructor(viewModel, signedOut) {
    this.#viewModel = viewModel;
    const signOut = element('button', { type: 'button', class: 'button' }, icon('out'), settings.signOut);
    signOut.addEventListener('click', async () => {
      if (await viewModel.signOut()) signedOut();
    });
    const column = element(
      'div',
      { class: 'column' },
      this.bar,
      this.#profile(),
      this.#appearance(),
      element(
        'section',
        { class: 'section' },
        element('h2', {}, views.thisDevice),
        element('p', { class: 'field-hint' }, views.signOutHint),
        element('div', { class: 'actions' }, signOut, this.#formError),
      ),
    );
    this.node = element('div', { class: 'page scroller' }, column);
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  focus() {
    this.#heading.focus({ preventScroll: true });
  }

  end() {
    this.#scope.end();
    this.#avatar.release();
    this.#viewModel.close();
  }

  #profile() {
    const form = element(
      'form',
      { class: 'section', novalidate: true },
      element('h2', {}, views.profile),
      element('div', { class: 'profile' }, this.#avatar.node, element('div', {}, this.#name, this.#email)),
      element('div', { class: 'pair' }, this.#first.node, this.#last.node),
      element('p', { class: 'field-hint' }, views.profileHint),
      element('div', { class: 'actions' }, this.#save, this.#saved),
    );
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (!(await this.#viewModel.save())) form.querySelector('[aria-invalid]')?.focus();
    });
    for (const { input } of [this.#first, this.#last]) {
      input.addEventListener('input', () => this.#viewModel.set(input.name, input.value));
    }
    return form;
  }

  #appearance() {
    const choices = element('div', { class: 'choices', role: 'radiogroup', 'aria-labelledby': 'theme-heading' });
    for (const theme of ['system', 'light', 'dark']) {
      const input = /** @type {HTMLInputElement} */ (element('input', { type: 'radio', name: 'theme', value: theme }));
      input.addEventListener('change', () => this.#viewModel.setTheme(theme));
      this.#themes.set(theme, input);
      choices.append(element('label', {}, input, icon(theme), settings.themes[theme]));
    }
    return element('section', { class: 'section' }, element('h2', { id: 'theme-heading' }, settings.theme), choices);
  }

  /** @param {import('../viewmodels/types.js').SettingsState} state */
  #show(state) {
    if (state.me) this.#avatar.show({ ...state.me, online: false });
    setText(this.#name, state.me?.name ?? '');
    setText(this.#email, state.email);
    this.#first.show(state.values.first_name, state.fieldErrors.first_name);
    this.#last.show(state.values.last_name, state.fieldErrors.last_name);
    setText(this.#formError, state.formError ?? '');
    setAttribute(this.#save, 'aria-disabled', String(!state.changed || state.busy));
    setText(this.#saved, state.saved ? settings.saved : '');
    for (const [theme, input] of this.#themes) input.checked = theme === state.theme;
  }
}
