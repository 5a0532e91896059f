import { colourOf, initialsOf, pictureOf } from '../models/format.js';
import { ObservableArray, onceSoon } from '../models/observableArray.js';
import { PeoplePages } from '../models/peoplePages.js';
import { fromStorage } from './peopleLists.js';

/** Lists that are kept as they were left, for the way back. */
const MOST_KEPT = 6;
/** Rows beyond the screen whose people are wanted. */
const AHEAD = 160;

/** The rows of the list that is shown: of all its people, of whom only those near the screen are held. */
export class PeopleRows {
  #store;
  #ask;
  #end;
  #pages = new PeoplePages();
  /** Lists by their paths, the one that was left last at the end. @type {Map<string, PeoplePages>} */
  #kept = new Map();
  #seen = { first: 0, last: 0 };
  #filling = new Set();
  #busy = null;
  #buildSoon = onceSoon(() => this.#build());

  /**
   * Rows of people who are held, and the numbers of those who are not.
   * @type {ObservableArray<import('./types.js').PersonRow|number>}
   */
  array = new ObservableArray({ key: (row) => (typeof row === 'number' ? row : row.githubId) });

  /**
   * @param {import('../models/chatStore.js').ChatStore} store knows who is here
   * @param {(path: string) => Promise<{body: object[]}>} ask for a page of the list that is shown; rejects when
   *   another is by then
   */
  constructor(store, ask) {
    this.#store = store;
    this.#ask = ask;
    this.#end = store.subscribe((change) => {
      if (change.type === 'user' || change.type === 'rooms') this.#buildSoon();
    });
  }

  close() {
    this.#end();
  }

  /** How many people there are, held or not. */
  get length() {
    return this.#pages.length;
  }

  /** How many pages there are. */
  get pages() {
    return this.#pages.count;
  }

  /** Where the page after the last one is; null at the end. @type {string|null} */
  get next() {
    return this.#pages.next;
  }

  set next(path) {
    this.#pages.next = path;
  }

  /** Who is being opened a chat with: GitHub's number. @type {number|null} */
  get busy() {
    return this.#busy;
  }

  set busy(githubId) {
    this.#busy = githubId;
    this.#build();
  }

  /** Goes from one list to another, which shows as it was left. @param {string|null} before @param {string} path */
  turn(before, path) {
    if (before !== null && this.#pages.length > 0) {
      this.#pages.hold(this.#seen.first, this.#seen.last, 0);
      this.#kept.set(before, this.#pages);
      for (const name of [...this.#kept.keys()].slice(0, -MOST_KEPT)) this.#kept.delete(name);
    }
    this.#seen = { first: 0, last: 0 };
    this.#filling.clear();
    this.#pages = this.#kept.get(path) ?? new PeoplePages();
    this.#kept.delete(path);
    this.#build();
  }

  /** Shows what a page holds, an old one or the next. @param {string} path @param {object[]} people */
  put(path, people) {
    this.#pages.put(path, people);
    this.#pages.hold(this.#seen.first - AHEAD, this.#seen.last + AHEAD);
    this.#build();
  }

  /**
   * These rows are on the screen: fetches again who is not held any more, and forgets who is far away.
   * @param {number} first @param {number} last
   */
  look(first, last) {
    this.#seen = { first, last };
    const { missing, forgot } = this.#pages.hold(first - AHEAD, last + AHEAD);
    for (const path of missing) this.#fill(path);
    if (forgot) this.#build();
  }

  /** Fetches the people of a page anew: from the server's storage, or where that has let them go, from GitHub. */
  async #fill(path) {
    const pages = this.#pages;
    if (this.#filling.has(path)) return;
    this.#filling.add(path);
    try {
      let { body } = await this.#ask(fromStorage(path));
      if (body.length === 0) ({ body } = await this.#ask(path));
      if (pages === this.#pages) this.put(path, body);
    } catch {
      // Whoever looks there again asks again.
    } finally {
      this.#filling.delete(path);
    }
  }

  #build() {
    const users = this.#store.usersByGitHubId();
    this.array.replaceAll(this.#pages.rows((person) => this.#rowOf(person, users.get(person.github_id))));
  }

  #rowOf(person, user) {
    const name = person.name ?? '';
    return {
      githubId: person.github_id,
      login: person.login,
      name,
      type: person.type,
      initials: initialsOf(name || person.login),
      colour: colourOf(person.github_id),
      avatarUrl: pictureOf(person.avatar_url),
      member: Boolean(user ? user.member : person.member),
      online: Boolean(user ? user.online : person.online),
      busy: this.#busy === person.github_id,
    };
  }
}
