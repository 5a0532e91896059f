import { chatQuestion } from '../../models/chatQuestions.js';
import { colourOf, initialsOf, lastSeenText, pictureOf } from '../../models/format.js';
import { governs } from '../../models/groupRules.js';
import { Observable } from '../../models/observableArray.js';
import { groupTexts } from '../../models/texts/groups.js';
import { problemText, texts } from '../../models/texts.js';
import { roomComplaints, roomProblem, trimmed } from './createGroupViewModel.js';
import { inviteLink } from './inviteLink.js';
import { refusalText } from './refusal.js';

const words = groupTexts.info;

/** What an information page shows before anything is known. */
const NOTHING_KNOWN = Object.freeze({
  loading: true, error: null, missing: false, removed: false, left: false, room: null, person: null, editing: false,
  values: Object.freeze({ name: '', topic: '' }), fieldErrors: Object.freeze({}), formError: null, busy: false,
  mineError: null, note: '', actionError: null,
});

/**
 * What shows of a group, or of a direct chat with its `person`.
 * @typedef {object} RoomFace
 * @property {string} id
 * @property {'group'|'direct'} kind
 * @property {string} name
 * @property {string} topic
 * @property {boolean} public
 * @property {number} members
 * @property {'owner'|'admin'|'member'|null} role null: one is not in it
 * @property {boolean} governs may change it, add, invite, ban
 * @property {boolean} muted
 * @property {boolean} pinned
 * @property {'all'|'mentions'|'nothing'} level
 * @property {string} initials
 * @property {number} colour
 * @property {string|null} avatarUrl
 */

/** A group's or a direct chat's information: what it is, one's own settings, and leaving (R1, R3, L3, L4). */
export class RoomInfoViewModel {
  #roomId;
  #services;
  #state = new Observable(NOTHING_KNOWN);
  #room = null;
  #end;
  #leaving = false;
  #pending = {};

  /**
   * @param {string} roomId
   * @param {object} services `groups`, `store`, `clock`
   */
  constructor(roomId, services) {
    this.#roomId = roomId;
    this.#services = services;
    this.#room = services.store.room(roomId);
    this.#end = services.store.subscribe((change) => this.#storeChanged(change));
    this.#show();
  }

  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#end();
  }

  get roomId() {
    return this.#roomId;
  }

  /** One's role as it is now. */
  get role() {
    return this.#room?.role ?? null;
  }

  /** Asks the server; what the store knows shows meanwhile. */
  async open() {
    this.#state.update({ error: null, loading: this.#room === null });
    try {
      const { body } = await this.#services.groups.room(this.#roomId);
      const { store } = this.#services;
      this.#room = store.room(this.#roomId) ?? body;
      store.meet(body.peer);
      this.#state.update({ loading: false });
    } catch (error) {
      const missing = error.kind === 'not-found' && this.#room === null;
      const text = missing || this.#room ? null : `${words.loadFailed} ${problemText(error)}`;
      this.#state.update({ loading: false, missing, error: text });
    }
    this.#show();
  }

  edit() {
    const { name, topic } = this.#room;
    const values = Object.freeze({ name, topic: topic ?? '' });
    this.#state.update({ editing: true, values, fieldErrors: Object.freeze({}), formError: null, note: '' });
  }

  set(field, value) {
    const { [field]: _gone, ...rest } = this.state.fieldErrors;
    const values = Object.freeze({ ...this.state.values, [field]: value });
    this.#state.update({ values, fieldErrors: Object.freeze(rest), formError: null });
  }

  stopEditing() {
    this.#state.update({ editing: false });
  }

  /** @returns {Promise<boolean>} never rejects */
  async save() {
    if (this.state.busy) return false;
    const values = trimmed(this.state.values);
    const fieldErrors = Object.freeze(roomComplaints(values));
    this.#state.update({ fieldErrors, formError: null });
    if (Object.keys(fieldErrors).length > 0) return false;
    this.#state.update({ busy: true });
    try {
      await this.#change(values);
      this.#state.update({ busy: false, editing: false, note: words.saved });
      return true;
    } catch (error) {
      this.#state.update({ busy: false, ...roomProblem(error) });
      return false;
    }
  }

  /**
   * Mute, pin and mention level, for oneself. The switch moves at once, and back if the server did not take it.
   * @param {'muted'|'pinned'|'mention_level'} name @param {boolean|string} value
   */
  async setMine(name, value) {
    this.#pending = { ...this.#pending, [name]: value };
    this.#state.update({ mineError: null });
    this.#show();
    try {
      await this.#change({ [name]: value });
    } catch (error) {
      this.#state.update({ mineError: `${groupTexts.mine.failed} ${problemText(error)}` });
    }
    if (this.#pending[name] === value) {
      const { [name]: _done, ...rest } = this.#pending;
      this.#pending = rest;
    }
    this.#show();
  }

  /** Stores the group's picture. @param {Blob} picture */
  async putPicture(picture, options) {
    this.#took((await this.#services.groups.putPicture(this.#roomId, picture, options)).body);
  }

  async removePicture() {
    this.#took((await this.#services.groups.removePicture(this.#roomId)).body);
  }

  /** Joins a public group. */
  join() {
    return this.#act(async () => this.#took((await this.#services.groups.join(this.#roomId)).body));
  }

  /** What is asked before one leaves, clears or deletes it. @param {'leave'|'clear'|'delete'} name */
  question(name) {
    return chatQuestion(this.#room, name, this.state.room.name);
  }

  /** Leaves the group. @returns {Promise<boolean>} never rejects */
  leave() {
    return this.#go(() => this.#services.groups.leave(this.#roomId));
  }

  /** Takes the chat off one's own list (L4). */
  hide() {
    return this.#go(() => this.#services.groups.hide(this.#roomId));
  }

  /** Empties the chat for oneself (L4). */
  clear() {
    return this.#act(async () => {
      await this.#services.groups.clear(this.#roomId);
      this.#state.update({ note: groupTexts.person.cleared });
    });
  }

  /**
   * The address for somebody who never signed in (D7).
   * @param {string} origin of this page
   * @returns {Promise<string|null>} an address; null: it failed, which the state says
   */
  async inviteLink(origin) {
    let link = null;
    await this.#act(async () => {
      link = await inviteLink(this.#services.groups, origin);
    });
    return link;
  }

  async #act(act) {
    if (this.state.busy) return false;
    this.#state.update({ busy: true, actionError: null, note: '' });
    try {
      await act();
      return true;
    } catch (error) {
      this.#state.update({ actionError: refusalText(error) });
      return false;
    } finally {
      this.#state.update({ busy: false });
    }
  }

  /** Goes for good: the event that tells of it must not be taken for somebody else's doing. */
  async #go(act) {
    this.#leaving = true;
    const gone = await this.#act(act);
    this.#leaving = gone;
    if (gone) this.#state.update({ left: true });
    return gone;
  }

  async #change(patch) {
    this.#took((await this.#services.groups.change(this.#roomId, patch)).body);
  }

  #took(room) {
    if (!room) return;
    this.#room = room;
    this.#services.store.putRoom(room);
    this.#show();
  }

  #storeChanged(change) {
    const { store } = this.#services;
    if (change.type === 'user' && this.#room?.peer?.id === change.userId) return this.#show();
    const about = change.type === 'rooms' || change.type === 'me' || change.roomId === this.#roomId;
    if (!about) return undefined;
    if (change.type === 'removed') return this.#removed();
    const room = store.room(this.#roomId);
    if (!room) return undefined;
    this.#room = room;
    this.#state.update({ removed: false });
    return this.#show();
  }

  #removed() {
    this.#state.update(this.#leaving ? { left: true } : { removed: true, editing: false });
  }

  #show() {
    if (!this.#room) return;
    const { store, clock } = this.#services;
    const room = { ...this.#room, ...this.#pending };
    const user = room.peer && (store.user(room.peer.id) ?? room.peer);
    const face = user ? store.person(user) : {
      name: room.name, initials: initialsOf(room.name), colour: colourOf(room.id), avatarUrl: pictureOf(room.avatar_url),
    };
    const { name, initials, colour, avatarUrl } = face;
    this.#state.update({
      loading: false,
      room: Object.freeze({
        id: room.id, kind: room.kind, name, initials, colour, avatarUrl, topic: room.topic ?? '',
        public: Boolean(room.public), members: room.members_count, role: room.role,
        governs: room.kind === 'group' && governs(room.role), muted: Boolean(room.muted), pinned: Boolean(room.pinned),
        level: room.mention_level ?? 'all',
      }),
      person: user ? Object.freeze({
        id: user.id, login: user.login ?? '', online: Boolean(user.online), member: user.member !== false,
        seen: seenText(user, clock.now()),
      }) : null,
    });
  }
}

function seenText(user, now) {
  if (user.online) return texts.conversation.online;
  return user.last_seen_at ? lastSeenText(Date.parse(user.last_seen_at), now) : '';
}
