import { hourText } from '../../models/format.js';
import { Observable } from '../../models/observableArray.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { problemText, texts } from '../../models/texts.js';

const words = settingsTexts.email;
const NOTHING_WRONG = Object.freeze({});

/** Changing the email address, which asks for the password; the failure says which of the two it was (A4). */
export class EmailViewModel {
  #services;
  #state = new Observable({
    open: false, values: Object.freeze({ email: '', password: '' }), fieldErrors: NOTHING_WRONG, formError: null,
    busy: false, note: '',
  });

  /** @param {object} services `profile`, `store`, `clock` */
  constructor(services) {
    this.#services = services;
  }

  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  toggle(open = !this.state.open) {
    const values = Object.freeze({ email: '', password: '' });
    this.#state.update({ open, values, fieldErrors: NOTHING_WRONG, formError: null, note: '' });
  }

  set(field, value) {
    const { [field]: _gone, ...rest } = this.state.fieldErrors;
    const values = Object.freeze({ ...this.state.values, [field]: value });
    this.#state.update({ values, fieldErrors: Object.freeze(rest), formError: null });
  }

  /** @returns {Promise<boolean>} never rejects */
  async save() {
    if (this.state.busy) return false;
    const email = this.state.values.email.trim();
    const { password } = this.state.values;
    const { profile, store } = this.#services;
    const fieldErrors = complaints(email, password, store.me?.email);
    this.#state.update({ fieldErrors: Object.freeze(fieldErrors), formError: null });
    if (Object.keys(fieldErrors).length > 0) return false;
    this.#state.update({ busy: true });
    try {
      const { body } = await profile.changeEmail(email, password);
      store.setMe({ ...store.me, ...body });
      this.toggle(false);
      this.#state.update({ busy: false, note: words.changed(body?.email ?? email) });
      return true;
    } catch (error) {
      this.#state.update({ busy: false, ...emailProblem(error, this.#services.clock.now()) });
      return false;
    }
  }
}

function complaints(email, password, present) {
  const { emailMissing, emailInvalid } = texts.session;
  const errors = {};
  if (email === '') errors.email = emailMissing;
  else if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) errors.email = emailInvalid;
  else if (email.toLowerCase() === present?.toLowerCase()) errors.email = words.same;
  if (password === '') errors.password = words.missingPassword;
  return errors;
}

function emailProblem(error, now) {
  const fieldErrors = {};
  for (const { field, code = '', detail } of error.errors ?? []) {
    if (field === 'password') fieldErrors.password ??= words.wrong;
    else if (field === 'email') {
      fieldErrors.email ??= code.includes('taken') ? texts.session.emailTaken : texts.session.emailInvalid;
    } else fieldErrors.email ??= detail;
  }
  if (Object.keys(fieldErrors).length > 0) return { fieldErrors: Object.freeze(fieldErrors) };
  if (error.kind === 'conflict') return { fieldErrors: Object.freeze({ email: texts.session.emailTaken }) };
  return { formError: slowedText(error, now) ?? problemText(error) };
}

/** When to try again after too many tries; null for other errors. */
export function slowedText(error, now) {
  if (error.kind !== 'rate-limited') return null;
  if (error.retryAfter === null) return texts.session.slowDownSoon;
  return texts.session.slowDown(hourText(now + error.retryAfter + 59_999));
}
