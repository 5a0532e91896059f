import { colourOf, initialsOf, pictureOf } from '../models/format.js';
import { ObservableArray, onceSoon } from '../models/observableArray.js';
import { PeoplePages } from '../models/peoplePages.js';
import { HerePeople } from './herePeople.js';
import { fromStorage } from './peopleLists.js';

/** How many lists are kept for going back. */
const MOST_KEPT = 6;
/** How many rows beyond the screen keep their people. */
const AHEAD = 160;

/** The row between the people on this Hubbub and GitHub's. */
const DIVIDER = /** @type {any} */ (Object.freeze({ key: 'github', divider: true }));

/** The rows of the current list: people on this Hubbub, then GitHub's. Only people near the screen are held. */
export class PeopleRows {
  #services;
  #ask;
  #end;
  #pages = new PeoplePages();
  #here;
  /** Lists by path, the most recent last. @type {Map<string, {pages: PeoplePages, here: HerePeople}>} */
  #kept = new Map();
  #seen = { first: 0, last: 0 };
  #filling = new Set();
  #busy = /** @type {number|string|null} */ (null);
  #buildSoon = onceSoon(() => this.#build());

  /**
   * Rows of the people held, and the numbers of the others.
   * @type {ObservableArray<import('./types.js').PersonRow|number|string>}
   */
  array = new ObservableArray({ key: (row) => (typeof row === 'object' ? row.key : row) });

  /**
   * @param {object} services `api`, `store`, which knows the members of this instance
   * @param {(path: string) => Promise<{body: object[]}>} ask loads a page of the current list; rejects if the list
   *   has changed meanwhile
   */
  constructor(services, ask) {
    this.#services = services;
    this.#ask = ask;
    this.#here = new HerePeople(services, null);
    this.#end = services.store.subscribe((change) => {
      if (change.type === 'user' || change.type === 'rooms') this.#buildSoon();
    });
  }

  close() {
    this.#end();
  }

  /** The people on this Hubbub. */
  get here() {
    return this.#here;
  }

  /** The number of GitHub's people, held or not. */
  get length() {
    return this.#pages.length;
  }

  /** The number of pages. */
  get pages() {
    return this.#pages.count;
  }

  /** The address of the next page; null at the end. @type {string|null} */
  get next() {
    return this.#pages.next;
  }

  set next(path) {
    this.#pages.next = path;
  }

  /** Whether nobody is in the list. */
  get isEmpty() {
    return this.#pages.length === 0 && this.#here.length === 0;
  }

  /** Whether further pages follow. */
  get hasMore() {
    return this.#here.hasMore || this.#pages.next !== null;
  }

  /** The key of the row of the person whose chat is being opened. @type {number|string|null} */
  get busy() {
    return this.#busy;
  }

  set busy(key) {
    this.#busy = key;
    this.#build();
  }

  /**
   * Switches to another list, or back to a kept one.
   * @param {string|null} before @param {string} path @param {string|null} query of people here; null for none
   */
  turn(before, path, query) {
    if (before !== null && this.#pages.length > 0) {
      this.#pages.hold(this.#seen.first, this.#seen.last, 0);
      this.#kept.set(before, { pages: this.#pages, here: this.#here });
      for (const name of [...this.#kept.keys()].slice(0, -MOST_KEPT)) this.#kept.delete(name);
    }
    this.#seen = { first: 0, last: 0 };
    this.#filling.clear();
    const kept = this.#kept.get(path);
    this.#pages = kept?.pages ?? new PeoplePages();
    this.#here = kept?.here ?? new HerePeople(this.#services, query);
    this.#kept.delete(path);
    this.#build();
  }

  /** Shows the people of a page. @param {string} path @param {object[]} people */
  put(path, people) {
    this.#pages.put(path, people);
    this.#pages.hold(this.#seen.first - AHEAD, this.#seen.last + AHEAD);
    this.#build();
  }

  /**
   * These rows are on the screen: reloads people that are not held, and drops those far away.
   * @param {number} first @param {number} last
   */
  look(first, last) {
    const here = this.#here.hold(first - AHEAD, last + AHEAD);
    for (const path of here.missing) this.#filled(path, (signal) => this.#here.fill(path, signal));
    const before = this.#here.length > 0 ? this.#here.length + 1 : 0;
    this.#seen = { first: first - before, last: last - before };
    const { missing, forgot } = this.#pages.hold(this.#seen.first - AHEAD, this.#seen.last + AHEAD);
    for (const path of missing) this.#filled(path, () => this.#fill(path));
    if (forgot || here.forgot) this.#build();
  }

  /** Shows what has come of the people here. */
  show() { this.#build(); }

  /** Reloads the people of a page: from the server's storage, or from GitHub if they are not stored. */
  async #fill(path) {
    const pages = this.#pages;
    let { body } = await this.#ask(fromStorage(path));
    if (body.length === 0) ({ body } = await this.#ask(path));
    if (pages === this.#pages) this.put(path, body);
  }

  async #filled(path, fill) {
    if (this.#filling.has(path)) return;
    this.#filling.add(path);
    try {
      await fill(new AbortController().signal);
      this.#build();
    } catch {
      // Scrolling there again retries.
    } finally {
      this.#filling.delete(path);
    }
  }

  #build() {
    const users = this.#services.store.usersByGitHubId();
    const here = this.#here.rows(this.#busy);
    // Who is here is not shown a second time among GitHub's, which come once everybody here does.
    const others = this.#here.hasMore || !this.#here.asked ? [] : this.#pages
      .rows((person) => this.#rowOf(person, users.get(person.github_id)))
      .filter((row) => !this.#here.has(typeof row === 'object' ? row.githubId : row));
    this.array.replaceAll(here.length > 0 && others.length > 0 ? [...here, DIVIDER, ...others] : [...here, ...others]);
  }

  #rowOf(person, user) {
    const name = person.name ?? '';
    return {
      key: person.github_id,
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
