import { accountTexts } from '../../models/texts/account.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { AccountFormModel } from './accountFormModel.js';
import { limits } from '../../models/limits.js';
import { lengthComplaint } from '../sessionViewModel.js';

const words = settingsTexts.password;

/** Changes the password, which ends all other sessions. */
export class PasswordViewModel extends AccountFormModel {
  #services;

  /** Called after a change of the password, which ends other sessions. */
  onChanged = () => {};

  /** @param {object} services `profile`, `store`, `clock` */
  constructor(services) {
    super(services, { current: '', new: '' });
    this.#services = services;
  }

  /** @returns {Promise<boolean>} never rejects */
  save() {
    const { first, values: { new: next } } = this.state;
    const current = first ? null : this.state.values.current;
    return this.saving(complaints(current, next), async () => {
      const { profile, store } = this.#services;
      await profile.changePassword(current, next);
      if (first) store.setMe({ ...store.me, has_password: true });
      this.onChanged();
      const { login } = store.me ?? {};
      return (first ? words.done : words.changed) + (login ? words.stillIn(login) : '');
    }, refusals);
  }
}

/** What is wrong before it is sent. Only the server knows the common passwords. */
function complaints(current, next) {
  const errors = {};
  if (current === '') errors.current = words.missing;
  if (next === '') errors.new = words.missingNext;
  else if (lengthComplaint(next)) errors.new = lengthComplaint(next);
  else if (next === current) errors.new = words.same;
  return errors;
}

/** What the server says of the fields. */
function refusals(error) {
  const errors = {};
  for (const { field, code = '', detail } of error.errors ?? []) {
    if (field === 'current') errors.current ??= words.wrong;
    else if (field === 'new') errors.new ??= byCode(code) ?? (detail || accountTexts.invalid);
  }
  return errors;
}

function byCode(code) {
  if (code.includes('common')) return accountTexts.passwordCommon;
  if (code.includes('short')) return accountTexts.atLeast(limits.short_password);
  return code.includes('long') ? accountTexts.atMost(limits.password) : null;
}
