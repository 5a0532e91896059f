import { colourOf, initialsOf, pictureOf } from '../models/format.js';
import { PeoplePages } from '../models/peoplePages.js';

const PAGE = 100;

/** The people on this Hubbub: who is online by name, then everybody by name; or those whom a search finds. */
export class HerePeople {
  #services;
  #pages = new PeoplePages(({ id }) => id);
  #gitHub = new Set();
  #first = '';
  #rest = '';
  #failed = /** @type {string|null} */ (null);
  /** Whether a first page has come, or failed. */
  asked = false;
  #isNobody;

  /** @param {object} services `api`, `store` @param {string|null} query null: nobody; '': everybody */
  constructor(services, query) {
    this.#services = services;
    const words = query ? `&query=${encodeURIComponent(query)}` : '';
    this.#rest = `/users?limit=${PAGE}${words}`;
    this.#first = `/users?online=1&limit=${PAGE}${words}`;
    this.#pages.next = query === null ? null : this.#first;
    this.asked = query === null;
    this.#isNobody = query === null;
  }

  get length() { return this.#pages.length; }

  /** Whether further pages follow. */
  get hasMore() { return this.#pages.next !== null; }

  /** Whether a GitHub account is one of these people's. @param {number} githubId */
  has(githubId) { return this.#gitHub.has(githubId); }

  /** Looks who has come meanwhile, as far as the first pages tell. */
  async refresh(signal) {
    if (!this.asked || this.#isNobody || this.#failed) return;
    for (const path of [this.#first, this.#rest]) {
      const { body } = await this.#services.api.people(path, { signal });
      if (!signal.aborted) this.#put(path, body);
    }
  }

  /** Loads the next page; who is online may all be on the first, so that of all is loaded with it. */
  async more(signal) {
    const path = this.#pages.next;
    if (path === null) return;
    const { body, next } = await this.#services.api.people(path, { signal });
    if (signal.aborted) return;
    this.#put(path, body);
    const isOnlineEnd = next === null && path.includes('online=1');
    this.#pages.next = isOnlineEnd ? this.#rest : next;
    if (isOnlineEnd) await this.more(signal);
    else this.asked = true;
  }

  /** GitHub's list shows even if this one does not come. */
  giveUp() {
    this.asked = true;
    this.#failed = this.#pages.next;
    this.#pages.next = null;
  }

  /** Where it was given up, the next page is the one that failed. */
  resume() {
    this.#pages.next ??= this.#failed;
    this.#failed = null;
  }

  /** Fetches again a page whose people were forgotten. */
  async fill(path, signal) {
    const { body } = await this.#services.api.people(path, { signal });
    this.#put(path, body);
  }

  hold(first, last) { return this.#pages.hold(first, last); }

  #put(path, users) {
    const { store } = this.#services;
    const others = users.filter(({ id }) => id !== store.me?.id);
    for (const user of others) {
      store.meet(user);
      if (user.github_id) this.#gitHub.add(user.github_id);
    }
    this.#pages.put(path, others);
  }

  /** @param {string|number|null} busy whose chat is being opened */
  rows(busy) {
    return this.#pages.rows((/** @type {any} */ person) => {
      const user = this.#services.store.user(person.id) ?? person;
      const { login = '', name } = user;
      return {
        key: user.id, userId: user.id, githubId: user.github_id ?? null, login, name, type: 'User',
        initials: initialsOf(name || login), colour: colourOf(user.github_id ?? user.id),
        avatarUrl: pictureOf(user.avatar_url), member: true, online: Boolean(user.online), busy: busy === user.id,
      };
    });
  }
}
