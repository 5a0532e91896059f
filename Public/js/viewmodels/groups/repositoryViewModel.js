import { groupTexts } from '../../models/texts/groups.js';
import { sharedTexts } from '../../models/texts/shared.js';
import { FormModel, problemOf } from '../formModel.js';

const words = groupTexts.repository;
const NAME = /^[A-Za-z\d](?:-?[A-Za-z\d]){0,38}\/[\w.-]{1,100}$/;
const ADDRESS = /^(?:https?:\/\/)?(?:www\.)?github\.com\/([^/?#\s]+\/[^/?#\s]+?)(?:\.git)?(?:[/?#].*)?$/i;

/** The repository of a chat, to which `#12` belongs: in a group for who governs it, in a direct chat for both. */
export class RepositoryViewModel extends FormModel {
  #roomId;
  #services;

  /** @param {string} roomId @param {object} services `groups`, `store` */
  constructor(roomId, services) {
    super({ repository: '' }, { stored: '', note: '' });
    this.#roomId = roomId;
    this.#services = services;
    this.onClose(services.store.subscribe((change) => {
      if (change.type === 'rooms' || change.roomId === roomId) this.#take();
    }));
    this.#take();
  }

  set(field, value) {
    super.set(field, value);
    this.update({ note: '' });
  }

  /** Stores what is in the field; an empty one takes the repository away. @returns {Promise<boolean>} never rejects */
  save() {
    const repository = nameOf(this.state.values.repository);
    const isWrong = repository !== '' && !(NAME.test(repository) && !/\/\.{1,2}$/.test(repository));
    return this.submitting(isWrong ? { repository: words.invalid } : {}, async () => {
      const { groups, store } = this.#services;
      const { body } = await groups.change(this.#roomId, { repository: repository || null });
      this.reset({ repository });
      store.putRoom(body);
      this.update({ stored: repository, note: sharedTexts.saved });
    }, (error) => {
      const isNamed = error.errors?.some(({ field }) => field === 'repository');
      return problemOf(error, isNamed ? { repository: words.invalid } : {});
    });
  }

  /** Shows what is stored, unless something else is being typed. */
  #take() {
    const stored = this.#services.store.room(this.#roomId)?.repository ?? '';
    const { stored: before, values } = this.state;
    if (stored === before) return;
    if (values.repository === before) this.reset({ repository: stored });
    this.update({ stored, note: '' });
  }
}

/** A name as it is typed, or of an address that was pasted. @param {string} typed */
function nameOf(typed) {
  const name = typed.trim();
  return ADDRESS.exec(name)?.[1] ?? name;
}
