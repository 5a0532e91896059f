import { settingsTexts } from '../models/texts/settings.js';
import { fieldErrorsOf, nameComplaint } from './sessionViewModel.js';
import { FormModel, problemOf } from './formModel.js';

const NAMES = ['first_name', 'last_name'];
const FIELDS = [...NAMES, 'handle'];
const THEMES = ['system', 'light', 'dark'];

/** One's own names and handle, the appearance, and leaving. */
export class SettingsViewModel extends FormModel {
  #services;

  /** @param {object} services `api`, `store`, `preferences`, `signOut() → Promise` */
  constructor(services) {
    const { store, preferences } = services;
    const theme = preferences.get('theme');
    super({ first_name: '', last_name: '', handle: '' }, {
      me: null, email: '', hasPassword: true, saved: false, changed: false,
      theme: THEMES.includes(theme) ? theme : 'system',
    });
    this.#services = services;
    this.onClose(store.subscribe((change) => {
      if (change.type === 'me' || (change.type === 'user' && change.userId === store.me?.id)) this.#takeOver();
    }));
    this.#takeOver();
  }

  set(field, value) {
    super.set(field, value);
    const { me } = this.#services.store;
    const changed = FIELDS.some((name) => this.state.values[name].trim() !== (me?.[name] ?? ''));
    this.update({ changed, saved: false });
  }

  /** @returns {Promise<boolean>} never rejects */
  save() {
    const values = {};
    const errors = {};
    for (const field of NAMES) {
      values[field] = this.state.values[field].trim();
      const error = nameComplaint(field, values[field]);
      if (error) errors[field] = error;
    }
    const handle = this.state.values.handle.trim().replace(/^@/, '');
    // Sent only if it changed: whoever sends one has chosen it.
    if (handle !== (this.#services.store.me?.handle ?? '')) values.handle = handle;
    if (values.handle === '') errors.handle = settingsTexts.handleInvalid;
    this.update({ saved: false });
    return this.submitting(errors, async () => {
      const { body } = await this.#services.api.changeMe(values);
      this.update({ saved: true, changed: false });
      this.#services.store.setMe({ ...this.#services.store.me, ...body });
    }, (error) => {
      const taken = error.errors?.some(({ code }) => code === 'taken');
      const said = fieldErrorsOf(error, FIELDS);
      if (said.handle) said.handle = taken ? settingsTexts.handleTaken : settingsTexts.handleInvalid;
      return problemOf(error, said);
    });
  }

  /** @param {'system'|'light'|'dark'} theme */
  setTheme(theme) {
    this.#services.preferences.set('theme', theme);
    this.update({ theme });
  }

  /** @returns {Promise<boolean>} false: the server could not be told, and nothing was wiped */
  async signOut() {
    this.update({ busy: true, formError: null });
    try {
      await this.#services.signOut();
      return true;
    } catch {
      this.update({ formError: settingsTexts.signOutFailed });
      return false;
    } finally {
      this.update({ busy: false });
    }
  }

  /** Shows the store's values, except in a field that was changed. */
  #takeOver() {
    const { me } = this.#services.store;
    if (!me) return;
    this.update({ me: this.#services.store.person(me), email: me.email ?? '', hasPassword: me.has_password !== false });
    if (this.state.changed) return;
    const values = { first_name: me.first_name ?? '', last_name: me.last_name ?? '', handle: me.handle ?? '' };
    if (FIELDS.some((name) => values[name] !== this.state.values[name])) {
      this.update({ values: Object.freeze(values) });
    }
  }
}
