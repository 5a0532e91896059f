import { gitHubTexts } from '../../models/texts/gitHub.js';
import { FormModel, problemOf } from '../formModel.js';
import { slowedText } from '../sessionViewModel.js';

/**
 * A form that changes credentials. It asks for the password, or for a recent sign-in if the account has none (created
 * through GitHub).
 */
export class AccountFormModel extends FormModel {
  #services;
  #empty;

  /** @param {object} services @param {import('../formModel.js').Fields} empty the fields' first values */
  constructor(services, empty) {
    // `first`: the account has no password; `again`: the user must sign in again.
    super(empty, { open: false, note: '', first: services.store.me?.has_password === false, again: false });
    this.#services = services;
    this.#empty = empty;
    this.onClose(services.store.subscribe(({ type }) => {
      if (type === 'me') this.update({ first: services.store.me?.has_password === false });
    }));
  }

  toggle(open = !this.state.open) {
    this.reset(this.#empty);
    this.update({ open, note: '', again: false });
  }

  /**
   * Saves, closes the form and shows a note.
   * @param {import('../formModel.js').Fields} complaints by field
   * @param {() => Promise<string>} save gives that note
   * @param {(error: import('../../services/api.js').ApiError) => object} explain returns the errors of fields
   * @returns {Promise<boolean>} never rejects
   */
  saving(complaints, save, explain) {
    if (!this.state.busy) this.update({ again: false });
    return this.submitting(complaints, async () => {
      const note = await save();
      this.toggle(false);
      this.update({ note });
    }, (error) => {
      if (error.kind === 'forbidden') return { formError: gitHubTexts.recent, again: true };
      return problemOf(error, explain(error), slowedText(error, this.#services.clock.now()));
    });
  }
}
