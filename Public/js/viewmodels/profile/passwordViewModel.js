import { countCharacters } from '../../models/format.js';
import { Observable } from '../../models/observableArray.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { problemText, texts } from '../../models/texts.js';
import { recentProblem, slowedText } from './emailViewModel.js';

const words = settingsTexts.password;
const NOTHING_WRONG = Object.freeze({});

/**
 * Changing the password; it ends all other sessions (A4, A5). Who came by GitHub and has none so far is asked for none, but
 * must have signed in just now.
 */
export class PasswordViewModel {
  #services;
  #state = new Observable({
    open: false, values: Object.freeze({ current: '', new: '' }), fieldErrors: NOTHING_WRONG, formError: null,
    busy: false, note: '', first: false, again: false,
  });
  #end;

  /** Called when the password was changed, and with it the list of sessions. */
  onChanged = () => {};

  /** @param {object} services `profile`, `clock` */
  constructor(services) {
    this.#services = services;
    this.#end = services.store?.subscribe(({ type }) => type === 'me' && this.#takeOver());
    this.#takeOver();
  }

  close() {
    this.#end?.();
  }

  /** `first`: there is no password to ask for; `again`: one must sign in once more. */
  #takeOver() {
    this.#state.update({ first: this.#services.store?.me?.has_password === false });
  }

  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  toggle(open = !this.state.open) {
    const values = Object.freeze({ current: '', new: '' });
    this.#state.update({ open, values, fieldErrors: NOTHING_WRONG, formError: null, note: '', again: false });
  }

  set(field, value) {
    const { [field]: _gone, ...rest } = this.state.fieldErrors;
    const values = Object.freeze({ ...this.state.values, [field]: value });
    this.#state.update({ values, fieldErrors: Object.freeze(rest), formError: null });
  }

  /** @returns {Promise<boolean>} never rejects */
  async save() {
    if (this.state.busy) return false;
    const { first, values: { new: next } } = this.state;
    const current = first ? null : this.state.values.current;
    const fieldErrors = Object.freeze(complaints(current, next));
    this.#state.update({ fieldErrors, formError: null, again: false });
    if (Object.keys(fieldErrors).length > 0) return false;
    this.#state.update({ busy: true });
    try {
      await this.#services.profile.changePassword(current, next);
      const { store } = this.#services;
      if (first) store.setMe({ ...store.me, has_password: true });
      this.toggle(false);
      this.#state.update({ busy: false, note: first ? words.done : words.changed });
      this.onChanged();
      return true;
    } catch (error) {
      this.#state.update({ busy: false, ...(recentProblem(error) ?? passwordProblem(error, this.#services.clock.now())) });
      return false;
    }
  }
}

/** The server's own rules (docs/api.md); which passwords are too common it alone knows. */
function complaints(current, next) {
  const errors = {};
  if (current === '') errors.current = words.missing;
  if (next === '') errors.new = words.missingNext;
  else if (countCharacters(next) < 8) errors.new = texts.session.passwordShort;
  else if (countCharacters(next) > 256) errors.new = texts.session.passwordLong;
  else if (next === current) errors.new = words.same;
  return errors;
}

function passwordProblem(error, now) {
  const fieldErrors = {};
  for (const { field, code = '', detail } of error.errors ?? []) {
    if (field === 'current') fieldErrors.current ??= words.wrong;
    else if (field === 'new') fieldErrors.new ??= byCode(code) ?? (detail || texts.session.invalid);
  }
  if (Object.keys(fieldErrors).length > 0) return { fieldErrors: Object.freeze(fieldErrors) };
  return { formError: slowedText(error, now) ?? problemText(error) };
}

function byCode(code) {
  if (code.includes('common')) return texts.session.passwordCommon;
  if (code.includes('short')) return texts.session.passwordShort;
  return code.includes('long') ? texts.session.passwordLong : null;
}
