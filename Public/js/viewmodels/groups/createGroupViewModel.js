import { problemText } from '../../models/format.js';
import { countCharacters, limits } from '../../models/limits.js';
import { groupTexts } from '../../models/texts/groups.js';
import { serverTexts } from '../../models/texts/server.js';
import { accountTexts } from '../../models/texts/account.js';
import { inviteInstead } from './inviteInstead.js';
import { FormModel, problemOf } from '../formModel.js';

const words = groupTexts.fields;

/** Creates a group. The form keeps its values until the server has stored them. */
export class CreateGroupViewModel extends FormModel {
  #services;
  #picture;
  #picker;

  /**
   * @param {object} services `api`, `groups`, `outbox`, `store`
   * @param {import('./peoplePickerViewModel.js').PeoplePickerViewModel} picker
   * @param {import('../pictureViewModel.js').PictureViewModel} picture
   */
  constructor(services, picker, picture) {
    super({ name: '', topic: '' }, { public: false, roomId: null });
    this.#services = services;
    this.#picker = picker;
    this.#picture = picture;
  }

  close() {
    super.close();
    this.#picker.close();
    this.#picture.close();
  }

  setPublic(isPublic) {
    this.update({ public: isPublic });
  }

  /** @returns {Promise<string|null>} the new room's id; null if the state shows an error */
  async submit() {
    const values = trimmed(this.state.values);
    let made = null;
    await this.submitting(roomComplaints(values, this.#picker.chosen.length + 1), async () => {
      const roomId = this.state.roomId ?? (await this.#create(values));
      if (await this.#storePicture(roomId)) made = roomId;
    }, roomProblem);
    return made;
  }

  async #create(values) {
    const { groups, store } = this.#services;
    const people = this.#picker.chosen.items.map(({ id }) => id);
    const { body: { not_added: left = [], ...room } } = await groups.create(
      { ...values, public: this.state.public, member_ids: people });
    store.putRoom(room);
    // Should an invitation fail, the group is there, and another submit goes on with it.
    this.update({ roomId: room.id });
    for (const userId of left) await inviteInstead(this.#services, room.id, userId);
    return room.id;
  }

  /** Uploads the picture of the created group; a failure can be retried or skipped. */
  async #storePicture(roomId) {
    const { blob } = this.#picture.state;
    if (!blob) return true;
    try {
      const { body } = await this.#services.groups.putPicture(roomId, blob, {});
      if (body) this.#services.store.putRoom(body);
      return true;
    } catch (error) {
      this.update({ roomId, formError: groupTexts.create.pictureFailed(problemText(error)) });
      return false;
    }
  }
}

/** Name and topic as sent, on one line each. */
export function trimmed({ name, topic }) {
  return { name: name.trim(), topic: topic.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim() };
}

/** The errors in name, topic and number of members before they are sent, by field. */
export function roomComplaints({ name, topic }, members = 1) {
  const errors = {};
  if (name === '') errors.name = words.nameMissing;
  else if (countCharacters(name) > limits.room_name) errors.name = accountTexts.atMost(limits.room_name);
  const over = countCharacters(topic) - limits.topic;
  if (over > 0) errors.topic = words.topicLong(over, limits.topic);
  if (members > limits.members) errors.member_ids = words.membersMany(limits.members);
  return errors;
}

/** The server's errors about a group: at their fields, or about the whole. */
export function roomProblem(error) {
  const fieldErrors = {};
  for (const { field, code = '', detail } of error.errors ?? []) {
    const name = field.startsWith('member_ids') ? 'member_ids' : field;
    if (['name', 'topic', 'member_ids'].includes(name)) {
      fieldErrors[name] ??= byCode(name, code) || serverTexts.said(detail) || accountTexts.invalid;
    }
  }
  return problemOf(error, fieldErrors, (error.kind === 'invalid' && serverTexts.said(error.detail)) || null);
}

function byCode(field, code) {
  if (field === 'member_ids') return /long|many/.test(code) ? null : words.membersGone;
  if (field === 'name') {
    if (/missing|blank|required|short|empty/.test(code)) return words.nameMissing;
    if (code.includes('long')) return accountTexts.atMost(limits.room_name);
  }
  return null;
}
