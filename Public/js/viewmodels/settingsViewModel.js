import { Observable } from '../models/observableArray.js';
import { problemText, texts } from '../models/texts.js';
import { fieldErrorsOf, nameComplaint } from './sessionViewModel.js';

const FIELDS = ['first_name', 'last_name'];
const THEMES = ['system', 'light', 'dark'];

/** One's own names, the appearance, and leaving (A4, A5). */
export class SettingsViewModel {
  #services;
  #state;
  #end;

  /** @param {object} services `api`, `store`, `preferences`, `signOut() → Promise` */
  constructor(services) {
    this.#services = services;
    const { store, preferences } = services;
    const theme = preferences.get('theme');
    this.#state = new Observable({
      me: null, email: '', hasPassword: true, values: Object.freeze({ first_name: '', last_name: '' }), fieldErrors: Object.freeze({}),
      formError: null, saved: false, busy: false, changed: false, theme: THEMES.includes(theme) ? theme : 'system',
    });
    this.#end = store.subscribe((change) => {
      if (change.type === 'me' || (change.type === 'user' && change.userId === store.me?.id)) this.#takeOver();
    });
    this.#takeOver();
  }

  /** @returns {import('./types.js').SettingsState} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#end();
  }

  set(field, value) {
    const values = Object.freeze({ ...this.state.values, [field]: value });
    const { [field]: _gone, ...rest } = this.state.fieldErrors;
    const changed = FIELDS.some((name) => values[name].trim() !== (this.#services.store.me?.[name] ?? ''));
    this.#state.update({ values, changed, fieldErrors: Object.freeze(rest), formError: null, saved: false });
  }

  /** @returns {Promise<boolean>} never rejects */
  async save() {
    if (this.state.busy) return false;
    const values = {};
    const errors = {};
    for (const field of FIELDS) {
      values[field] = this.state.values[field].trim();
      const error = nameComplaint(field, values[field]);
      if (error) errors[field] = error;
    }
    this.#state.update({ fieldErrors: Object.freeze(errors), formError: null, saved: false });
    if (Object.keys(errors).length > 0) return false;
    this.#state.update({ busy: true });
    try {
      const { body } = await this.#services.api.changeMe(values);
      this.#state.update({ busy: false, saved: true, changed: false });
      this.#services.store.setMe({ ...this.#services.store.me, ...body });
      return true;
    } catch (error) {
      const fieldErrors = Object.freeze(fieldErrorsOf(error, FIELDS));
      const formError = Object.keys(fieldErrors).length > 0 ? null : problemText(error);
      this.#state.update({ busy: false, fieldErrors, formError });
      return false;
    }
  }

  /** @param {'system'|'light'|'dark'} theme */
  setTheme(theme) {
    this.#services.preferences.set('theme', theme);
    this.#state.update({ theme });
  }

  /** @returns {Promise<boolean>} false: the server could not be told, and nothing was wiped */
  async signOut() {
    this.#state.update({ busy: true, formError: null });
    try {
      await this.#services.signOut();
      return true;
    } catch {
      this.#state.update({ formError: texts.settings.signOutFailed });
      return false;
    } finally {
      this.#state.update({ busy: false });
    }
  }

  /** Shows what the store says, without touching what is being typed. */
  #takeOver() {
    const { me } = this.#services.store;
    if (!me) return;
    this.#state.update({ me: this.#services.store.person(me), email: me.email ?? '', hasPassword: me.has_password !== false });
    if (this.state.changed) return;
    const values = { first_name: me.first_name ?? '', last_name: me.last_name ?? '' };
    if (FIELDS.some((name) => values[name] !== this.state.values[name])) {
      this.#state.update({ values: Object.freeze(values) });
    }
  }
}
