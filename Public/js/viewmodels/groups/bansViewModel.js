import { groupTexts } from '../../models/texts/groups.js';
import { personOf } from './peoplePickerViewModel.js';
import { ListModel } from '../listModel.js';

const words = groupTexts.bans;

/** The people who are banned from a group. Rows are `{id, name, login, initials, colour, avatarUrl, busy}`. */
export class BansViewModel extends ListModel {
  #roomId;
  #services;
  #banned = [];

  /** @param {string} roomId @param {object} services `groups`, `store` */
  constructor(roomId, services) {
    super({ loading: false, error: null, empty: false, note: '' });
    this.#roomId = roomId;
    this.#services = services;
  }

  open() {
    return this.loading(async () => {
      const all = [];
      let next = null;
      do {
        const answer = await this.#services.groups.bans(this.#roomId, next);
        all.push(...answer.body);
        next = answer.next;
      } while (next !== null);
      // A ban may contain its person.
      this.#banned = all.map((ban) => ban.user ?? ban);
      for (const user of this.#banned) this.#services.store.meet(user);
    }, words.loadFailed);
  }

  /** @param {{id: string, name: string}} row @returns {Promise<boolean>} never rejects */
  lift(row) {
    this.update({ error: null, note: '' });
    return this.acting([row.id], async () => {
      await this.#services.groups.lift(this.#roomId, row.id);
      this.#banned = this.#banned.filter(({ id }) => id !== row.id);
      this.update({ note: words.lifted(row.name) });
    });
  }

  build() {
    const { store } = this.#services;
    this.rows.replaceAll(this.#banned.map((user) => ({
      ...personOf(store, user), online: false, busy: this.isBusy(user.id),
    })));
    this.update({ empty: this.#banned.length === 0 && !this.state.loading && !this.state.error });
  }
}
