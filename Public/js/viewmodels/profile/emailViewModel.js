import { serverTexts } from '../../models/texts/server.js';
import { accountTexts } from '../../models/texts/account.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { AccountFormModel } from './accountFormModel.js';

const words = settingsTexts.email;

/** Changes the email address. The error says whether the address or the password was wrong. */
export class EmailViewModel extends AccountFormModel {
  #services;

  /** @param {object} services `profile`, `store`, `clock` */
  constructor(services) {
    super(services, { email: '', password: '' });
    this.#services = services;
  }

  /** @returns {Promise<boolean>} never rejects */
  save() {
    const email = this.state.values.email.trim();
    const password = this.state.first ? null : this.state.values.password;
    const { profile, store } = this.#services;
    return this.saving(complaints(email, password, store.me?.email), async () => {
      const { body } = await profile.changeEmail(email, password);
      store.setMe({ ...store.me, ...body });
      return words.changed(body?.email ?? email);
    }, refusals);
  }
}

function complaints(email, password, present) {
  const { emailMissing, emailInvalid } = accountTexts;
  const errors = {};
  if (email === '') errors.email = emailMissing;
  else if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) errors.email = emailInvalid;
  else if (email.toLowerCase() === present?.toLowerCase()) errors.email = words.same;
  if (password === '') errors.password = accountTexts.passwordMissing;
  return errors;
}

/** What the server says of the fields. */
function refusals(error) {
  const errors = {};
  for (const { field, code = '', detail } of error.errors ?? []) {
    if (field === 'password') errors.password ??= words.wrong;
    else if (field !== 'email') errors.email ??= serverTexts.said(detail) || accountTexts.invalid;
    else errors.email ??= code.includes('taken') ? accountTexts.emailTaken : accountTexts.emailInvalid;
  }
  if (error.kind === 'conflict') errors.email ??= accountTexts.emailTaken;
  return errors;
}
