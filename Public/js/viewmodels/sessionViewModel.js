import { countCharacters, hourText } from '../models/format.js';
import { inviterName as nameOf, tokenOf } from '../models/invitationToken.js';
import { Observable } from '../models/observableArray.js';
import { inviteTexts } from '../models/texts/invite.js';
import { serverTexts } from '../models/texts/server.js';
import { problemText, texts } from '../models/texts.js';

const words = texts.session;
const FIELDS = {
  'sign-in': ['email', 'password'], 'sign-up': ['invitation', 'first_name', 'last_name', 'email', 'password'],
};
const LONGEST_NAME = 100;

/** Signing in and signing up with an email address and a password, and with an invitation where one is needed (A2, A3). */
export class SessionViewModel {
  #services;
  #state;

  /**
   * @param {object} services `api`, `clock`
   * @param {'sign-in'|'sign-up'} services.mode
   * @param {string} [services.invitation] a token that led here
   * @param {boolean} [services.needsInvitation] new accounts are made by invitation alone
   * @param {(user: object) => void} services.onSignedIn
   */
  constructor(services) {
    this.#services = services;
    this.#state = new Observable({
      mode: services.mode ?? 'sign-in',
      values: Object.freeze({
        invitation: services.invitation ?? '', email: '', password: '', first_name: '', last_name: '',
      }),
      fieldErrors: Object.freeze({}),
      formError: null,
      busy: false,
      invited: '',
      invitedTo: null,
    });
  }

  /** @returns {import('./types.js').SessionState} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {}

  /** Asks where the invitation leads that brought somebody here, and whose it is. Does not reject. */
  async open() {
    const { invitation, api } = this.#services;
    if (!invitation) return;
    try {
      const { body } = await api.request('GET', `/invitations/${encodeURIComponent(invitation)}`, { quiet: true });
      const { inviter, room } = body;
      this.#state.update({
        invited: room ? inviteTexts.invitedTo(nameOf(inviter), room.name) : inviteTexts.invitedBy(nameOf(inviter)),
        invitedTo: room ? `/chats/${room.id}` : null,
      });
    } catch (error) {
      if (error.kind !== 'not-found' || this.state.mode !== 'sign-up') return;
      const text = inviteTexts.why(error.errors?.[0]?.code);
      this.#state.update({ fieldErrors: Object.freeze({ ...this.state.fieldErrors, invitation: text }) });
    }
  }

  /** Changes between signing in and signing up; what was typed stays. @param {'sign-in'|'sign-up'} mode */
  show(mode) {
    this.#state.update({ mode, fieldErrors: Object.freeze({}), formError: null });
  }

  /** A field was typed in: its complaint goes. */
  set(field, value) {
    const { values, fieldErrors } = this.state;
    const { [field]: _gone, ...rest } = fieldErrors;
    this.#state.update({
      values: Object.freeze({ ...values, [field]: value }),
      fieldErrors: Object.freeze(rest),
      formError: null,
    });
  }

  /** A field was left: complains if something wrong stands in it. An empty one is complained of at submit only. */
  leave(field) {
    const { values, fieldErrors, mode } = this.state;
    if (values[field] === '') return;
    const error = this.#complaint(field, values[field], mode);
    if (error) this.#state.update({ fieldErrors: Object.freeze({ ...fieldErrors, [field]: error }) });
  }

  /** @returns {Promise<boolean>} true when signed in; never rejects */
  async submit() {
    const { mode, values, busy } = this.state;
    if (busy) return false;
    const errors = {};
    for (const field of FIELDS[mode]) {
      const error = this.#complaint(field, values[field], mode);
      if (error) errors[field] = error;
    }
    this.#state.update({ fieldErrors: Object.freeze(errors), formError: null });
    if (Object.keys(errors).length > 0) return false;
    this.#state.update({ busy: true });
    try {
      const { body } = await this.#send(mode, values);
      this.#state.update({ busy: false, values: Object.freeze({ ...values, password: '' }) });
      this.#services.onSignedIn(body);
      return true;
    } catch (error) {
      this.#state.update({ busy: false, ...this.#explain(error, mode) });
      return false;
    }
  }

  #complaint(field, value, mode) {
    if (field !== 'invitation') return complaint(field, value, mode);
    return this.#services.needsInvitation && tokenOf(value) === '' ? inviteTexts.missing : null;
  }

  #send(mode, values) {
    const email = values.email.trim();
    if (mode === 'sign-in') return this.#services.api.signIn(email, values.password);
    const account = { email, password: values.password, first_name: values.first_name.trim() };
    if (values.last_name.trim() !== '') account.last_name = values.last_name.trim();
    if (tokenOf(values.invitation) !== '') account.invitation = tokenOf(values.invitation);
    return this.#services.api.signUp(account);
  }

  #explain(error, mode) {
    if (error.kind === 'rate-limited') {
      const { retryAfter } = error;
      const text = retryAfter === null
        ? words.slowDownSoon
        : words.slowDown(hourText(this.#services.clock.now() + retryAfter + 59_999));
      return { formError: text };
    }
    if (mode === 'sign-in' && ['unauthenticated', 'not-found', 'forbidden', 'invalid'].includes(error.kind)) {
      return { formError: words.wrong };
    }
    if (error.kind === 'conflict') return { fieldErrors: Object.freeze({ email: words.emailTaken }) };
    if (error.kind === 'forbidden') return { formError: words.closed };
    const fieldErrors = Object.freeze(fieldErrorsOf(error, FIELDS[mode]));
    if (Object.keys(fieldErrors).length > 0) return { fieldErrors };
    return { formError: (error.kind === 'invalid' && serverTexts.said(error.detail)) || problemText(error) };
  }
}

/**
 * The server's complaints by field, in our words where the code is known.
 * @param {{errors: {field: string, code: string, detail?: string}[]}} error
 * @param {string[]} fields those of the form
 */
export function fieldErrorsOf(error, fields) {
  const result = {};
  for (const { field, code, detail } of error.errors ?? []) {
    if (fields.includes(field)) result[field] ??= byCode(field, code ?? '') ?? (serverTexts.said(detail) || words.invalid);
  }
  return result;
}

function byCode(field, code) {
  if (field === 'invitation') return /missing|required/.test(code) ? inviteTexts.missing : inviteTexts.why(code);
  if (field === 'email') {
    if (/taken|exists|conflict|unique/.test(code)) return words.emailTaken;
    return /missing|blank|required/.test(code) ? words.emailMissing : words.emailInvalid;
  }
  if (field === 'password') {
    if (code.includes('common')) return words.passwordCommon;
    if (code.includes('short')) return words.passwordShort;
    if (code.includes('long')) return words.passwordLong;
  }
  if (field === 'first_name' && /missing|blank|required|short/.test(code)) return words.firstNameMissing;
  if (field.endsWith('_name') && code.includes('long')) return words.nameLong;
  return null;
}

/** What is wrong with a field's text before it is sent, or null. */
function complaint(field, value, mode) {
  const text = value.trim();
  if (field === 'email') {
    if (text === '') return words.emailMissing;
    return /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254 ? null : words.emailInvalid;
  }
  if (field === 'password') {
    if (value === '') return words.passwordMissing;
    // At signing in the rules of the day of the account's making are not ours to know.
    if (mode === 'sign-in') return null;
    const count = countCharacters(value);
    if (count < 8) return words.passwordShort;
    return count > 256 ? words.passwordLong : null;
  }
  return nameComplaint(field, text);
}

/** What is wrong with a first or last name, or null. */
export function nameComplaint(field, text) {
  if (field === 'first_name' && text === '') return words.firstNameMissing;
  return countCharacters(text) > LONGEST_NAME ? words.nameLong : null;
}
