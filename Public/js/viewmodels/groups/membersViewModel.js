import { compareMembers, memberActions, plainText } from '../../models/groupRules.js';
import { Observable, ObservableArray, onceSoon } from '../../models/observableArray.js';
import { groupTexts } from '../../models/texts/groups.js';
import { problemText } from '../../models/texts.js';
import { personOf } from './peoplePickerViewModel.js';
import { refusalText } from './refusal.js';

const words = groupTexts.members;
/** So many show until all are asked for, so that what stands below the list stays near. */
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
 * @property {boolean} busy something is being done with them
 * @property {string} actions names of what may be done, by blanks (a text, so that equal rows are equal)
 */

/** The members of a group, page after page, live (R1). */
export class MembersViewModel {
  #roomId;
  #services;
  #role;
  #members = new Map();
  #busy = new Set();
  #next = null;
  #end;
  #buildSoon = onceSoon(() => !this.#closed && this.#build());
  #closed = false;
  #loadingAll = null;
  #all = false;
  #state = new Observable({
    loading: true, loadingMore: false, error: null, query: '', folded: false, foundText: '', empty: '',
    note: '', actionError: null,
  });

  /** @type {ObservableArray<MemberRow>} owner, admins, then by name */
  rows = new ObservableArray({ key: (row) => row.id });

  /**
   * @param {string} roomId
   * @param {object} services `groups`, `store`
   * @param {() => string|null} role one's own, as it is now
   */
  constructor(roomId, services, role) {
    this.#roomId = roomId;
    this.#services = services;
    this.#role = role;
    this.#end = services.store.subscribe((change) => this.#storeChanged(change));
  }

  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#closed = true;
    this.#end();
  }

  /** Whether somebody is known to be in the group. */
  has(userId) {
    return this.#members.has(userId);
  }

  /** Loads the first page, or anew what failed. */
  async open() {
    this.#state.update({ loading: this.#members.size === 0, error: null });
    await this.#load(null);
    if (this.state.query !== '') await this.#loadAll();
  }

  /** Shows all, further pages as their place comes near. */
  unfold() {
    this.#all = true;
    this.#build();
    return this.nearEnd();
  }

  async nearEnd() {
    const { loading, loadingMore, error } = this.state;
    if (this.#all && !loading && !loadingMore && !error && this.#next !== null) await this.#load(this.#next);
  }

  /** Shows those whose name has the words; for that, all members must be there. */
  search(query) {
    this.#state.update({ query });
    this.#build();
    if (query.trim() !== '') return this.#loadAll();
    return undefined;
  }

  /**
   * Does one of the row's actions except `write`, which is a matter of navigation.
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
    return this.#while(row.id, ways[action]);
  }

  /** The direct chat with a member. @returns {Promise<string|null>} its id */
  async write(row) {
    const { groups, store } = this.#services;
    const known = store.rooms().find(({ kind, peer }) => kind === 'direct' && peer?.id === row.id);
    if (known) return known.id;
    let roomId = null;
    await this.#while(row.id, async () => {
      const { body } = await groups.openDirect(row.id);
      store.putRoom(body);
      roomId = body.id;
    });
    return roomId;
  }

  /**
   * Adds people one after the other. @param {{id: string, name: string}[]} people
   * @returns {Promise<{added: {id: string}[], failed: string|null}>} `failed` says who could not be added and why
   */
  async add(people) {
    const added = [];
    const refused = [];
    let reason = '';
    for (const person of people) {
      try {
        const { body } = await this.#services.groups.putMember(this.#roomId, person.id);
        const { store } = this.#services;
        this.#put({ ...(store.user(person.id) ?? person), ...body }, body?.role ?? 'member');
        added.push(person);
      } catch (error) {
        refused.push(person.name);
        reason = refusalText(error);
      }
    }
    this.#build();
    const note = added.length > 0 ? words.addedAll(added.length) : '';
    this.#state.update({ note });
    return { added, failed: refused.length > 0 ? words.addFailed(refused.join(', '), reason) : null };
  }

  async #give(row, role) {
    await this.#services.groups.putMember(this.#roomId, row.id, role);
    this.#put(this.#members.get(row.id)?.user ?? row, role);
    this.#state.update({ note: words.changed(row.name, role) });
  }

  #gone(row, note) {
    this.#members.delete(row.id);
    this.#state.update({ note });
  }

  async #while(userId, act) {
    if (this.#busy.has(userId)) return false;
    this.#busy.add(userId);
    this.#state.update({ actionError: null, note: '' });
    this.#build();
    try {
      await act();
      return true;
    } catch (error) {
      // Somebody else was quicker: then the row goes by itself.
      this.#state.update({ actionError: refusalText(error) });
      return false;
    } finally {
      this.#busy.delete(userId);
      this.#build();
    }
  }

  async #load(next) {
    this.#state.update({ loadingMore: next !== null, error: null });
    try {
      const answer = await this.#services.groups.members(this.#roomId, next);
      if (this.#closed) return;
      if (next === null) this.#members.clear();
      for (const user of answer.body) this.#put(user, user.role);
      this.#next = answer.next;
      this.#state.update({ loading: false, loadingMore: false });
    } catch (error) {
      const text = `${words.loadFailed} ${problemText(error)}`;
      this.#state.update({ loading: false, loadingMore: false, error: text });
    }
    if (!this.#closed) this.#build();
  }

  async #loadAll() {
    this.#loadingAll ??= (async () => {
      while (this.#next !== null && !this.#closed && !this.state.error) await this.#load(this.#next);
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

  #build() {
    const all = [...this.#members.values()].map(({ user, role }) => this.#rowOf(user, role)).sort(compareMembers);
    const query = plainText(this.state.query.trim());
    const shown = query === '' ? all
      : all.filter(({ name, login }) => plainText(name).includes(query) || plainText(login).includes(query));
    const folded = !this.#all && query === '' && (shown.length > FEW || this.#next !== null);
    this.rows.replaceAll(folded ? shown.slice(0, FEW) : shown);
    const done = this.#next === null && !this.state.loading;
    this.#state.update({
      folded,
      foundText: query !== '' && done ? words.shown(shown.length) : '',
      empty: query !== '' && done && shown.length === 0 ? words.none(this.state.query.trim()) : '',
    });
  }

  #rowOf(user, role) {
    const { store } = this.#services;
    const me = user.id === store.me?.id;
    const person = personOf(store, user);
    const actions = memberActions(this.#role(), role, me).join(' ');
    return { ...person, role, me, busy: this.#busy.has(user.id), actions };
  }
}
