import { countCharacters } from '../../models/format.js';
import { LONGEST_ROOM_NAME, LONGEST_TOPIC, MOST_MEMBERS } from '../../models/groupRules.js';
import { Observable } from '../../models/observableArray.js';
import { groupTexts } from '../../models/texts/groups.js';
import { serverTexts } from '../../models/texts/server.js';
import { problemText } from '../../models/texts.js';

const words = groupTexts.fields;

/** Making a group (R1). What was typed and chosen stays until the server has it. */
export class CreateGroupViewModel {
  #services;
  #picture;
  #picker;
  #state = new Observable({
    values: Object.freeze({ name: '', topic: '' }), public: false, fieldErrors: Object.freeze({}), formError: null,
    busy: false, roomId: null,
  });

  /**
   * @param {object} services `groups`, `store`
   * @param {import('./peoplePickerViewModel.js').PeoplePickerViewModel} picker
   * @param {import('../pictureViewModel.js').PictureViewModel} picture
   */
  constructor(services, picker, picture) {
    this.#services = services;
    this.#picker = picker;
    this.#picture = picture;
  }

  /**
   * @returns {{values: {name: string, topic: string}, public: boolean, fieldErrors: Record<string, string>,
   *   formError: string|null, busy: boolean, roomId: string|null}} `roomId`: the group is made, its picture is missing
   */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#picker.close();
    this.#picture.close();
  }

  set(field, value) {
    const { [field]: _gone, ...rest } = this.state.fieldErrors;
    const values = Object.freeze({ ...this.state.values, [field]: value });
    this.#state.update({ values, fieldErrors: Object.freeze(rest), formError: null });
  }

  setPublic(isPublic) {
    this.#state.update({ public: isPublic });
  }

  /** @returns {Promise<string|null>} the new room's id; null when something is left to do, which the state says */
  async submit() {
    if (this.state.busy) return null;
    const values = trimmed(this.state.values);
    const fieldErrors = Object.freeze(roomComplaints(values, this.#picker.chosen.length + 1));
    this.#state.update({ fieldErrors, formError: null });
    if (Object.keys(fieldErrors).length > 0) return null;
    this.#state.update({ busy: true });
    try {
      const roomId = this.state.roomId ?? (await this.#create(values));
      if (!(await this.#storePicture(roomId))) return null;
      return roomId;
    } catch (error) {
      this.#state.update(roomProblem(error));
      return null;
    } finally {
      this.#state.update({ busy: false });
    }
  }

  async #create(values) {
    const { groups, store } = this.#services;
    const people = this.#picker.chosen.items.map(({ id }) => id);
    const { body } = await groups.create({ ...values, public: this.state.public, member_ids: people });
    store.putRoom(body);
    return body.id;
  }

  /** The group is there by now: a picture that fails is told of, and can be tried again or left. */
  async #storePicture(roomId) {
    const { blob } = this.#picture.state;
    if (!blob) return true;
    try {
      const { body } = await this.#services.groups.putPicture(roomId, blob, {});
      if (body) this.#services.store.putRoom(body);
      return true;
    } catch (error) {
      this.#state.update({ roomId, formError: groupTexts.create.pictureFailed(problemText(error)) });
      return false;
    }
  }
}

/** Name and topic as they are sent: on one line each. */
export function trimmed({ name, topic }) {
  return { name: name.trim(), topic: topic.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim() };
}

/** What is wrong with name, topic and number of members before they are sent, by field. */
export function roomComplaints({ name, topic }, members = 1) {
  const errors = {};
  if (name === '') errors.name = words.nameMissing;
  else if (countCharacters(name) > LONGEST_ROOM_NAME) errors.name = words.nameLong;
  const over = countCharacters(topic) - LONGEST_TOPIC;
  if (over > 0) errors.topic = words.topicLong(over);
  if (members > MOST_MEMBERS) errors.member_ids = words.membersMany;
  return errors;
}

/** The server's complaints about a group: at their fields, or about the whole. */
export function roomProblem(error) {
  const fieldErrors = {};
  for (const { field, code = '', detail } of error.errors ?? []) {
    const name = field.startsWith('member_ids') ? 'member_ids' : field;
    if (['name', 'topic', 'member_ids'].includes(name)) fieldErrors[name] ??= byCode(name, code) || serverTexts.said(detail) || words.invalid;
  }
  const known = Object.keys(fieldErrors).length > 0;
  const text = (error.kind === 'invalid' && serverTexts.said(error.detail)) || problemText(error);
  return { fieldErrors: Object.freeze(fieldErrors), formError: known ? null : text };
}

function byCode(field, code) {
  if (field === 'member_ids') return /long|many/.test(code) ? null : words.membersGone;
  if (field === 'name') {
    if (/missing|blank|required|short|empty/.test(code)) return words.nameMissing;
    if (code.includes('long')) return words.nameLong;
  }
  return null;
}
