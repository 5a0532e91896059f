import { compareMembers, memberActions, plainText } from '../../models/groupRules.js';
import { onceSoon } from '../../models/observableArray.js';
import { list } from '../../models/texts.js';
import { groupTexts } from '../../models/texts/groups.js';
import { inviteInstead, wantsInvitation } from './inviteInstead.js';
import { personOf } from './peoplePickerViewModel.js';
import { refusalText } from './refusal.js';
import { ListModel } from '../listModel.js';
import { openDirect } from '../openDirect.js';

const words = groupTexts.members;
/** How many show before "show all", so that the sections below stay near. */
const FEW = 12;

/**
 * @typedef {object} MemberRow
 * @property {string} id
 * @property {string} name
 * @property {string} login '' where there is none
 * @property {string} initials
 * @property {number} colour
 * @property {string|null} avatarUrl
 * @property {boolean} online
 * @property {import('../../models/groupRules.js').Role} role
 * @property {boolean} me
 * @property {boolean} busy while an action runs
 * @property {string} actions names of the allowed actions, separated by blanks (a string, so that equal rows are equal)
 */

/**
 * The members of a group in pages, updated live: owner, admins, then by name.
 * @extends {ListModel<MemberRow>}
 */
export class MembersViewModel extends ListModel {
  #roomId;
  #services;
  #role;
  #members = new Map();
  #next = null;
  #buildSoon = onceSoon(() => !this.isClosed && this.build());
  #loadingAll = /** @type {Promise<void>|null} */ (null);
  #all = false;

  /**
   * @param {string} roomId
   * @param {object} services `groups`, `store`
   * @param {() => import('../../models/groupRules.js').Role|null} role the user's current role
   */
  constructor(roomId, services, role) {
    super({
      loading: true, loadingMore: false, error: null, query: '', folded: false, foundText: '', empty: '',
      note: '', actionError: null,
    });
    this.#roomId = roomId;
    this.#services = services;
    this.#role = role;
    this.onClose(services.store.subscribe((change) => this.#storeChanged(change)));
  }

  /** Whether a person is known to be a member. */
  has(userId) {
    return this.#members.has(userId);
  }

  /** Loads the first page, or retries a failed one. */
  async open() {
    await this.#load(null);
    if (this.state.query !== '') await this.#loadAll();
  }

  /** Shows all; further pages load near the end. */
  unfold() {
    this.#all = true;
    this.build();
    return this.nearEnd();
  }

  async nearEnd() {
    const { loading, loadingMore, error } = this.state;
    if (this.#all && !loading && !loadingMore && !error && this.#next !== null) await this.#load(this.#next);
  }

  /** Filters by name, which loads all members. */
  search(query) {
    this.update({ query });
    this.build();
    if (query.trim() !== '') return this.#loadAll();
    return undefined;
  }

  /**
   * Runs an action of a row except `write`, which navigates.
   * @param {import('../../models/groupRules.js').MemberAction} action
   * @param {MemberRow} row
   * @returns {Promise<boolean>} never rejects
   */
  async act(action, row) {
    const { groups } = this.#services;
    const room = this.#roomId;
    const ways = {
      makeAdmin: () => this.#give(row, 'admin'),
      makeMember: () => this.#give(row, 'member'),
      handOver: () => this.#give(row, 'owner'),
      remove: () => groups.removeMember(room, row.id).then(() => this.#gone(row, words.wasRemoved(row.name))),
      ban: () => groups.ban(room, row.id).then(() => this.#gone(row, words.wasBanned(row.name))),
    };
    return this.#act(row.id, ways[action]);
  }

  /** Opens the direct chat with a member. @returns {Promise<string|null>} its id */
  async write(row) {
    let roomId = null;
    await this.#act(row.id, async () => {
      roomId = await openDirect(this.#services, { userId: row.id });
    });
    return roomId;
  }

  /** Adds a person, or invites them: then the answer has no body. */
  async #putOrInvite(userId) {
    try {
      return await this.#services.groups.putMember(this.#roomId, userId);
    } catch (error) {
      if (!wantsInvitation(error)) throw error;
      await inviteInstead(this.#services, this.#roomId, userId);
      return { body: null };
    }
  }

  /**
   * Adds people one after the other; those whose settings want it are invited instead.
   * @param {{id: string, name: string}[]} people
   * @returns {Promise<{added: {id: string}[], invited: {id: string}[], failed: string|null}>} `failed`: who could not
   *   be added, and why
   */
  async add(people) {
    const added = [];
    const invited = [];
    const refused = [];
    let reason = '';
    for (const person of people) {
      try {
        const { body } = await this.#putOrInvite(person.id);
        if (!body) {
          invited.push(person);
          continue;
        }
        const { store } = this.#services;
        this.#put({ ...(store.user(person.id) ?? person), ...body }, body?.role ?? 'member');
        added.push(person);
      } catch (error) {
        refused.push(person.name);
        reason = refusalText(error);
      }
    }
    this.build();
    const notes = added.length > 0 ? [words.addedAll(added.length)] : [];
    if (invited.length > 0) notes.push(words.invited(list.format(invited.map(({ name }) => name))));
    const note = notes.join(' ');
    this.update({ note });
    return { added, invited, failed: refused.length > 0 ? words.addFailed(list.format(refused), reason) : null };
  }

  async #give(row, role) {
    await this.#services.groups.putMember(this.#roomId, row.id, role);
    this.#put(this.#members.get(row.id)?.user ?? row, role);
    this.update({ note: words.changed(row.name, role) });
  }

  #gone(row, note) {
    this.#members.delete(row.id);
    this.update({ note });
  }

  #act(userId, act) {
    this.update({ actionError: null, note: '' });
    // If another admin was faster, the event removes the row.
    return this.acting([userId], act, (error) => ({ actionError: refusalText(error) }));
  }

  #load(next) {
    return this.loading(async () => {
      const answer = await this.#services.groups.members(this.#roomId, next);
      if (this.isClosed) return;
      if (next === null) this.#members.clear();
      for (const user of answer.body) this.#put(user, user.role);
      this.#next = answer.next;
    }, words.loadFailed, { more: next !== null });
  }

  async #loadAll() {
    this.#loadingAll ??= (async () => {
      while (this.#next !== null && !this.isClosed && !this.state.error) await this.#load(this.#next);
    })();
    await this.#loadingAll;
    this.#loadingAll = null;
  }

  #put(user, role) {
    this.#services.store.meet(user);
    this.#members.set(user.id, { user, role });
  }

  #storeChanged(change) {
    if (change.type === 'member' && change.roomId === this.#roomId) {
      if (change.role === null) this.#members.delete(change.user.id);
      else this.#put(change.user, change.role);
      this.#buildSoon();
    }
    if (change.type === 'user' && this.#members.has(change.userId)) this.#buildSoon();
    if ((change.type === 'room' && change.roomId === this.#roomId) || change.type === 'me') this.#buildSoon();
    if (change.type === 'reset') this.open();
  }

  build() {
    const all = [...this.#members.values()].map(({ user, role }) => this.#rowOf(user, role)).sort(compareMembers);
    const query = plainText(this.state.query.trim());
    const shown = query === '' ? all
      : all.filter(({ name, login }) => plainText(name).includes(query) || plainText(login).includes(query));
    const folded = !this.#all && query === '' && (shown.length > FEW || this.#next !== null);
    this.rows.replaceAll(folded ? shown.slice(0, FEW) : shown);
    const done = this.#next === null && !this.state.loading;
    this.update({
      folded,
      foundText: query !== '' && done ? words.shown(shown.length) : '',
      empty: query !== '' && done && shown.length === 0 ? words.none(this.state.query.trim()) : '',
    });
  }

  /** @param {any} user @param {import('../../models/groupRules.js').Role} role @returns {MemberRow} */
  #rowOf(user, role) {
    const { store } = this.#services;
    const me = user.id === store.me?.id;
    const person = personOf(store, user);
    const actions = memberActions(this.#role(), role, me).join(' ');
    return { ...person, role, me, busy: this.isBusy(user.id), actions };
  }
}
