import { hourText } from '../../models/format.js';
import { Observable } from '../../models/observableArray.js';
import { gitHubTexts } from '../../models/texts/gitHub.js';
import { serverTexts } from '../../models/texts/server.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { problemText, texts } from '../../models/texts.js';

const words = settingsTexts.email;
const NOTHING_WRONG = Object.freeze({});

/**
 * Changing the email address, which asks for the password; the failure says which of the two it was (A4). Who came by
 * GitHub and has no password so far is asked for none, but must have signed in just now.
 */
export class EmailViewModel {
  #services;
  #state = new Observable({
    open: false, values: Object.freeze({ email: '', password: '' }), fieldErrors: NOTHING_WRONG, formError: null,
    busy: false, note: '', first: false, again: false,
  });
  #end;

  /** @param {object} services `profile`, `store`, `clock` */
  constructor(services) {
    this.#services = services;
    this.#end = services.store.subscribe?.(({ type }) => type === 'me' && this.#takeOver());
    this.#takeOver();
  }

  close() {
    this.#end?.();
  }

  /** `first`: there is no password to ask for; `again`: one must sign in once more. */
  #takeOver() {
    this.#state.update({ first: this.#services.store.me?.has_password === false });
  }

  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  toggle(open = !this.state.open) {
    const values = Object.freeze({ email: '', password: '' });
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
    const email = this.state.values.email.trim();
    const password = this.state.first ? null : this.state.values.password;
    const { profile, store } = this.#services;
    const fieldErrors = complaints(email, password, store.me?.email);
    this.#state.update({ fieldErrors: Object.freeze(fieldErrors), formError: null, again: false });
    if (Object.keys(fieldErrors).length > 0) return false;
    this.#state.update({ busy: true });
    try {
      const { body } = await profile.changeEmail(email, password);
      store.setMe({ ...store.me, ...body });
      this.toggle(false);
      this.#state.update({ busy: false, note: words.changed(body?.email ?? email) });
      return true;
    } catch (error) {
      this.#state.update({ busy: false, ...(recentProblem(error) ?? emailProblem(error, this.#services.clock.now())) });
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
    } else fieldErrors.email ??= serverTexts.said(detail) || texts.session.invalid;
  }
  if (Object.keys(fieldErrors).length > 0) return { fieldErrors: Object.freeze(fieldErrors) };
  if (error.kind === 'conflict') return { fieldErrors: Object.freeze({ email: texts.session.emailTaken }) };
  return { formError: slowedText(error, now) ?? problemText(error) };
}

/** What to say where one must have signed in just now; null for other errors. */
export function recentProblem(error) {
  return error.kind === 'forbidden' ? { formError: gitHubTexts.recent, again: true } : null;
}

/** When to try again after too many tries; null for other errors. */
export function slowedText(error, now) {
  if (error.kind !== 'rate-limited') return null;
  if (error.retryAfter === null) return texts.session.slowDownSoon;
  return texts.session.slowDown(hourText(now + error.retryAfter + 59_999));
}
