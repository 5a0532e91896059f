import { chatQuestion } from '../../models/chatQuestions.js';
import { lastSeenText } from '../../models/days.js';
import { colourOf, initialsOf, pictureOf, problemText } from '../../models/format.js';
import { governs } from '../../models/groupRules.js';
import { groupTexts } from '../../models/texts/groups.js';
import { sharedTexts } from '../../models/texts/shared.js';
import { roomComplaints, roomProblem, trimmed } from './createGroupViewModel.js';
import { removalText } from '../conversationHeader.js';
import { inviteLink } from './inviteLink.js';
import { refusalText } from './refusal.js';
import { FormModel } from '../formModel.js';

/** The state before anything is loaded. */
const NOTHING_KNOWN = Object.freeze({
  loading: true, error: null, missing: false, removed: false, removedText: '', left: false, room: null, person: null,
  editing: false, mineError: null, note: '', actionError: null,
});

/**
 * The information of a group, or of a direct chat with its `person`.
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

/** The information page of a group or a direct chat: its members, one's own settings, and leaving. */
export class RoomInfoViewModel extends FormModel {
  #roomId;
  #services;
  #room = /** @type {any|null} */ (null);
  #leaving = false;
  #pending = {};

  /**
   * @param {string} roomId
   * @param {object} services `groups`, `store`, `clock`
   */
  constructor(roomId, services) {
    super({ name: '', topic: '' }, NOTHING_KNOWN);
    this.#roomId = roomId;
    this.#services = services;
    this.#room = services.store.room(roomId);
    this.onClose(services.store.subscribe((change) => this.#storeChanged(change)));
    this.#show();
  }

  get roomId() {
    return this.#roomId;
  }

  /** The user's current role. */
  get role() {
    return this.#room?.role ?? null;
  }

  /** Loads it from the server; shows the store's state meanwhile. */
  async open() {
    this.update({ error: null, loading: this.#room === null });
    try {
      const { body } = await this.#services.groups.room(this.#roomId);
      const { store } = this.#services;
      this.#room = store.room(this.#roomId) ?? body;
      store.meet(body.peer);
      this.update({ loading: false });
    } catch (error) {
      const missing = error.kind === 'not-found' && this.#room === null;
      const text = missing || this.#room ? null : `${sharedTexts.notLoaded} ${problemText(error)}`;
      this.update({ loading: false, missing, error: text });
    }
    this.#show();
  }

  edit() {
    const { name, topic } = this.#room;
    this.reset({ name, topic: topic ?? '' });
    this.update({ editing: true, note: '' });
  }

  stopEditing() {
    this.update({ editing: false });
  }

  /** @returns {Promise<boolean>} never rejects */
  save() {
    const values = trimmed(this.state.values);
    return this.submitting(roomComplaints(values), async () => {
      await this.#change(values);
      this.update({ editing: false, note: sharedTexts.saved });
    }, roomProblem);
  }

  /**
   * Changes one's own mute, pin or mention level. The switch moves at once, and back if the server refuses.
   * @param {'muted'|'pinned'|'mention_level'} name @param {boolean|string} value
   */
  async setMine(name, value) {
    this.#pending = { ...this.#pending, [name]: value };
    this.update({ mineError: null });
    this.#show();
    try {
      await this.#change({ [name]: value });
    } catch (error) {
      this.update({ mineError: `${sharedTexts.notSaved} ${problemText(error)}` });
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

  /** The confirmation before leaving, clearing or deleting. @param {'leave'|'clear'|'delete'} name */
  question(name) {
    return chatQuestion(this.#room, name, this.state.room.name);
  }

  /** Leaves the group. @returns {Promise<boolean>} never rejects */
  leave() {
    return this.#go(() => this.#services.groups.leave(this.#roomId));
  }

  /** Deletes the chat for oneself. */
  hide() {
    return this.#go(() => this.#services.groups.hide(this.#roomId));
  }

  /** Clears the history for oneself. */
  clear() {
    return this.#act(async () => {
      await this.#services.groups.clear(this.#roomId);
      this.update({ note: groupTexts.person.cleared });
    });
  }

  /**
   * The link for a person without an account.
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
    this.update({ busy: true, actionError: null, note: '' });
    try {
      await act();
      return true;
    } catch (error) {
      this.update({ actionError: refusalText(error) });
      return false;
    } finally {
      this.update({ busy: false });
    }
  }

  /** Leaves: the event of it must not count as a removal by others. */
  async #go(act) {
    this.#leaving = true;
    const gone = await this.#act(act);
    this.#leaving = gone;
    if (gone) this.update({ left: true });
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
    if (change.type === 'removed') return this.#removed(change.removal);
    const room = store.room(this.#roomId);
    if (!room) return undefined;
    this.#room = room;
    this.update({ removed: false });
    return this.#show();
  }

  #removed(removal) {
    const removedText = removal.by ? removalText(removal, this.#services.store) : '';
    this.update(this.#leaving ? { left: true } : { removed: true, removedText, editing: false });
  }

  #show() {
    if (!this.#room) return;
    const { store, clock } = this.#services;
    const room = { ...this.#room, ...this.#pending };
    const user = room.peer && (store.user(room.peer.id) ?? room.peer);
    const face = user ? store.person(user) : {
      name: room.name, initials: initialsOf(room.name), colour: colourOf(room.id),
      avatarUrl: pictureOf(room.avatar_url),
    };
    const { name, initials, colour, avatarUrl } = face;
    this.update({
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
  if (user.online) return sharedTexts.online;
  return user.last_seen_at ? lastSeenText(Date.parse(user.last_seen_at), now) : '';
}
