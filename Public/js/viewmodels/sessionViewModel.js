import { hourText } from '../models/format.js';
import { inviterName as nameOf, tokenOf } from '../models/invitationToken.js';
import { countCharacters, limits } from '../models/limits.js';
import { inviteTexts } from '../models/texts/invite.js';
import { serverTexts } from '../models/texts/server.js';
import { accountTexts as words } from '../models/texts/account.js';
import { FormModel, problemOf } from './formModel.js';

const FIELDS = {
  'sign-in': ['email', 'password'], 'sign-up': ['invitation', 'first_name', 'last_name', 'email', 'password'],
};

/** Sign-in and sign-up with an email address and a password, and with an invitation if required. */
export class SessionViewModel extends FormModel {
  #services;

  /**
   * @param {object} services
   * @param {import('../services/api.js').Api} services.api
   * @param {Pick<import('./types.js').Clock, 'now'>} services.clock
   * @param {'sign-in'|'sign-up'} services.mode
   * @param {string} [services.invitation] a token that led here
   * @param {string} [services.email] typed on the page before
   * @param {boolean} [services.needsInvitation] new accounts are made by invitation alone
   * @param {(user: object) => void} services.onSignedIn
   */
  constructor(services) {
    const { invitation = '', email = '' } = services;
    const values = { invitation, email, password: '', first_name: '', last_name: '' };
    super(values, { mode: services.mode ?? 'sign-in', invited: '', invitedTo: null });
    this.#services = services;
  }

  /** Loads the invitation of the address: its room and inviter. Does not reject. */
  async open() {
    const { invitation, api } = this.#services;
    if (!invitation) return;
    try {
      const { body } = await api.request('GET', `/invitations/${encodeURIComponent(invitation)}`, { quiet: true });
      const { inviter, room } = body;
      this.update({
        invited: room ? inviteTexts.invitedTo(nameOf(inviter), room.name) : inviteTexts.invitedBy(nameOf(inviter)),
        invitedTo: room ? `/chats/${room.id}` : null,
      });
    } catch (error) {
      if (error.kind !== 'not-found' || this.state.mode !== 'sign-up') return;
      const text = inviteTexts.why(error.errors?.[0]?.code);
      this.update({ fieldErrors: Object.freeze({ ...this.state.fieldErrors, invitation: text }) });
    }
  }

  /** Switches between sign-in and sign-up; the values stay. @param {'sign-in'|'sign-up'} mode */
  show(mode) {
    this.update({ mode, fieldErrors: Object.freeze({}), formError: null });
  }

  /** A field lost the focus: checks it unless it is empty, which only submit checks. */
  leave(field) {
    const { values, fieldErrors, mode } = this.state;
    if (values[field] === '') return;
    const error = this.#complaint(field, values[field], mode);
    if (error) this.update({ fieldErrors: Object.freeze({ ...fieldErrors, [field]: error }) });
  }

  /** @returns {Promise<boolean>} true when signed in; never rejects */
  submit() {
    const { mode, values } = this.state;
    const errors = {};
    for (const field of FIELDS[mode]) {
      const error = this.#complaint(field, values[field], mode);
      if (error) errors[field] = error;
    }
    return this.submitting(errors, async () => {
      const { body } = await this.#send(mode, values);
      this.update({ values: Object.freeze({ ...values, password: '' }) });
      this.#services.onSignedIn(body);
    }, (error) => this.#explain(error, mode));
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
    const slowed = slowedText(error, this.#services.clock.now());
    if (slowed !== null) return { formError: slowed };
    if (mode === 'sign-in' && ['unauthenticated', 'not-found', 'forbidden', 'invalid'].includes(error.kind)) {
      return { formError: words.wrong };
    }
    if (error.kind === 'conflict') return { fieldErrors: Object.freeze({ email: words.emailTaken }) };
    if (error.kind === 'forbidden') return { formError: words.closed };
    return problemOf(error, fieldErrorsOf(error, FIELDS[mode]),
      error.kind === 'invalid' && serverTexts.said(error.detail) || null);
  }
}

/**
 * The server's errors by field; the catalogue's text if the code is known.
 * @param {{errors: {field: string, code: string, detail?: string}[]}} error
 * @param {string[]} fields those of the form
 */
export function fieldErrorsOf(error, fields) {
  const result = {};
  for (const { field, code, detail } of error.errors ?? []) {
    if (fields.includes(field)) result[field] ??= byCode(field, code ?? '')
      ?? (serverTexts.said(detail) || words.invalid);
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
    if (code.includes('short')) return words.atLeast(limits.short_password);
    if (code.includes('long')) return words.atMost(limits.password);
  }
  if (field === 'first_name' && /missing|blank|required|short/.test(code)) return words.firstNameMissing;
  if (field.endsWith('_name') && code.includes('long')) return words.atMost(limits.person_name);
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
    // The rules at the time of sign-up may have been different.
    if (mode === 'sign-in') return null;
    return lengthComplaint(value);
  }
  return nameComplaint(field, text);
}

/** What is wrong with a first or last name, or null. */
export function nameComplaint(field, text) {
  if (field === 'first_name' && text === '') return words.firstNameMissing;
  return countCharacters(text) > limits.person_name ? words.atMost(limits.person_name) : null;
}

/** What is wrong with the length of a new password, or null. @param {string} password */
export function lengthComplaint(password) {
  const count = countCharacters(password);
  if (count < limits.short_password) return words.atLeast(limits.short_password);
  return count > limits.password ? words.atMost(limits.password) : null;
}

/** When to retry after too many attempts; null for other errors. */
export function slowedText(error, now) {
  if (error.kind !== 'rate-limited') return null;
  if (error.retryAfter === null) return words.slowDownSoon;
  return words.slowDown(hourText(now + error.retryAfter + 59_999));
}
