import { Observable, ObservableArray } from '../../models/observableArray.js';
import { groupTexts } from '../../models/texts/groups.js';
import { problemText } from '../../models/texts.js';
import { personOf } from './peoplePickerViewModel.js';

const words = groupTexts.bans;

/** Who is banned from a group, and lifting it (R1). Loaded when it is looked at. */
export class BansViewModel {
  #roomId;
  #services;
  #banned = [];
  #busy = new Set();
  #state = new Observable({ loading: false, error: null, empty: false, note: '' });

  /** `{id, name, login, initials, colour, avatarUrl, busy}` */
  rows = new ObservableArray({ key: (row) => row.id });

  /** @param {string} roomId @param {object} services `groups`, `store` */
  constructor(roomId, services) {
    this.#roomId = roomId;
    this.#services = services;
  }

  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  async open() {
    this.#state.update({ loading: this.#banned.length === 0, error: null });
    try {
      const all = [];
      let next = null;
      do {
        const answer = await this.#services.groups.bans(this.#roomId, next);
        all.push(...answer.body);
        next = answer.next;
      } while (next !== null);
      // A ban may come with its person inside.
      this.#banned = all.map((ban) => ban.user ?? ban);
      for (const user of this.#banned) this.#services.store.meet(user);
      this.#state.update({ loading: false });
    } catch (error) {
      this.#state.update({ loading: false, error: `${words.loadFailed} ${problemText(error)}` });
    }
    this.#build();
  }

  /** @param {{id: string, name: string}} row @returns {Promise<boolean>} never rejects */
  async lift(row) {
    if (this.#busy.has(row.id)) return false;
    this.#busy.add(row.id);
    this.#state.update({ error: null, note: '' });
    this.#build();
    try {
      await this.#services.groups.lift(this.#roomId, row.id);
      this.#banned = this.#banned.filter(({ id }) => id !== row.id);
      this.#state.update({ note: words.lifted(row.name) });
      return true;
    } catch (error) {
      this.#state.update({ error: problemText(error) });
      return false;
    } finally {
      this.#busy.delete(row.id);
      this.#build();
    }
  }

  #build() {
    const { store } = this.#services;
    this.rows.replaceAll(this.#banned.map((user) => ({
      ...personOf(store, user), online: false, busy: this.#busy.has(user.id),
    })));
    this.#state.update({ empty: this.#banned.length === 0 && !this.state.loading && !this.state.error });
  }
}
