import { ageText, colourOf, initialsOf, pictureOf } from '../models/format.js';
import { Observable, ObservableArray } from '../models/observableArray.js';
import { problemText, texts } from '../models/texts.js';
import { failureAlert, isRateLimit, rateLimitAlert, retryTime } from './peopleAlert.js';

const words = texts.people;
const SECOND = 1000;

/** A list of GitHub people, page after page (D1–D6). */
export class PeopleViewModel {
  #services;
  #state = new Observable({
    list: Object.freeze({ kind: 'users', subject: '' }), title: words.users, loadingFirst: true, loadingMore: false,
    stale: null, alert: null, empty: false, emptyText: '', end: false, pressError: null,
  });
  #end;
  #abort = new AbortController();
  #people = [];
  #next = null;
  #failed = null;
  #timer = null;
  #moreFailed = false;
  #pages = 0;
  #storedAt = null;
  #busy = null;
  #scheduled = false;

  /** @type {ObservableArray<import('./types.js').PersonRow>} */
  rows = new ObservableArray({ key: (row) => row.githubId });

  /** @param {object} services `api`, `store`, `clock` */
  constructor(services) {
    this.#services = services;
    this.#end = services.store.subscribe((change) => {
      if (change.type === 'user' || change.type === 'rooms') this.#buildSoon();
    });
  }

  /** @returns {import('./types.js').PeopleState} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#abort.abort();
    this.#services.clock.clearTimeout(this.#timer);
    this.#end();
  }

  /**
   * Shows another list: what is stored of it at once, then what GitHub has.
   * @param {import('./types.js').PeopleList} list
   */
  async open(list) {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#services.clock.clearTimeout(this.#timer);
    this.#people = [];
    this.#next = null;
    this.#failed = null;
    this.#moreFailed = false;
    this.#pages = 0;
    this.#storedAt = null;
    this.rows.replaceAll([]);
    this.#state.update({
      list: Object.freeze({ ...list }), title: titleOf(list), loadingFirst: true, loadingMore: false, stale: null,
      alert: null, empty: false, emptyText: emptyTextOf(list), end: false, pressError: null,
    });
    const { signal } = this.#abort;
    await Promise.all([this.#showStored(signal), this.#loadFirst(signal)]);
  }

  /** The end of the list comes near: loads the next page unless one is on its way. */
  async nearEnd() {
    // While the first page cannot be had anew, what is stored behind it stays readable (D3).
    const { loadingFirst, loadingMore } = this.state;
    if (loadingFirst || loadingMore || this.#moreFailed || this.#next === null) return;
    await this.#loadMore(this.#abort.signal);
  }

  /** Tries again what failed. */
  async retry() {
    this.#services.clock.clearTimeout(this.#timer);
    const { signal } = this.#abort;
    const failed = this.#failed;
    this.#failed = null;
    this.#moreFailed = false;
    this.#state.update({ alert: null, loadingFirst: failed === 'first' && this.#people.length === 0 });
    if (failed === 'more') await this.#loadMore(signal);
    else await this.#loadFirst(signal);
  }

  /**
   * Opens the chat with somebody, the present one or a new one (D6).
   * @param {import('./types.js').PersonRow} row
   * @returns {Promise<string|null>} the room's id; null when it failed, or another is being opened
   */
  async press(row) {
    const { api, store } = this.#services;
    if (this.#busy !== null) return null;
    const known = store.rooms().find((room) => room.kind === 'direct' && room.peer?.github_id === row.githubId);
    if (known) return known.id;
    this.#busy = row.githubId;
    this.#state.update({ pressError: null });
    this.#build();
    try {
      const { body } = await api.openDirect(row.login);
      store.putRoom(body);
      return body.id;
    } catch (error) {
      this.#state.update({ pressError: problemText(error) });
      return null;
    } finally {
      this.#busy = null;
      this.#build();
    }
  }

  async #showStored(signal) {
    // A search is not stored by GitHub's rules, nor worth it.
    if (this.state.list.kind === 'search') return;
    try {
      const path = pathOf(this.state.list);
      const answer = await this.#services.api.directory(`${path}?stored=1`, { signal });
      if (signal.aborted || answer.body.length === 0 || this.#people.length > 0) return;
      this.#next ??= answer.next;
      this.#storedAt = answer.fetchedAt;
      this.#show(answer.body);
      this.#state.update({ loadingFirst: false });
      if (this.state.alert) this.#showAge(answer.fetchedAt);
    } catch {
      // The list itself is on its way and says what is wrong.
    }
  }

  async #loadFirst(signal) {
    try {
      const answer = await this.#services.api.directory(pathOf(this.state.list), { signal });
      if (signal.aborted) return;
      // Later pages that were loaded from storage meanwhile stay behind the first.
      const first = new Set(answer.body.map((person) => person.github_id));
      const later = this.#pages > 0 ? this.#people.filter((person) => !first.has(person.github_id)) : [];
      if (later.length === 0) this.#next = answer.next;
      this.#show([...answer.body, ...later]);
      this.#failed = null;
      this.#succeeded(answer);
    } catch (error) {
      if (!signal.aborted) this.#failing('first', error);
    }
  }

  async #loadMore(signal) {
    this.#state.update({ loadingMore: true });
    try {
      const answer = await this.#services.api.directory(this.#next, { signal });
      if (signal.aborted) return;
      this.#next = answer.next;
      this.#pages += 1;
      const known = new Set(this.#people.map((person) => person.github_id));
      this.#show([...this.#people, ...answer.body.filter((person) => !known.has(person.github_id))]);
      this.#succeeded(answer);
    } catch (error) {
      if (!signal.aborted) this.#failing('more', error);
    }
  }

  #succeeded(answer) {
    const { stale, alert } = this.state;
    const firstFailed = this.#failed === 'first';
    this.#state.update({
      loadingFirst: false, loadingMore: false, alert: firstFailed ? alert : null, stale: firstFailed ? stale : null,
      empty: this.#people.length === 0, end: this.#next === null && this.#people.length > 0,
    });
    if (answer.stale) this.#showAge(answer.fetchedAt);
  }

  #failing(what, error) {
    this.#services.clock.clearTimeout(this.#timer);
    this.#failed = this.#failed ?? what;
    this.#moreFailed ||= what === 'more';
    this.#state.update({ loadingFirst: false, loadingMore: false });
    if (this.#people.length > 0 && what === 'first') this.#showAge(this.#storedAt);
    if (!isRateLimit(error)) return this.#state.update({ alert: failureAlert(error) });
    this.#count(error, retryTime(error, this.#services.clock.now()));
  }

  /** Counts down each second, then tries again. */
  #count(error, retryAt) {
    const { clock } = this.#services;
    const now = clock.now();
    if (now >= retryAt) return this.retry();
    this.#state.update({ alert: rateLimitAlert(error, retryAt, now) });
    this.#timer = clock.setTimeout(() => this.#count(error, retryAt), Math.min(SECOND, retryAt - now));
  }

  #showAge(fetchedAt) {
    const now = this.#services.clock.now();
    this.#state.update({ stale: fetchedAt === null ? words.storedSome : words.stored(ageText(fetchedAt, now)) });
  }

  #show(people) {
    const seen = new Set();
    this.#people = people.filter(({ github_id: id }) => !seen.has(id) && seen.add(id));
    this.#build();
  }

  #buildSoon() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#build();
    });
  }

  #build() {
    const users = this.#services.store.usersByGitHubId();
    this.rows.replaceAll(this.#people.map((person) => this.#rowOf(person, users.get(person.github_id))));
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

function pathOf({ kind, subject }) {
  const name = encodeURIComponent(subject);
  switch (kind) {
    case 'followers': return `/github/users/${name}/followers`;
    case 'following': return `/github/users/${name}/following`;
    case 'org': return `/github/orgs/${name}/members`;
    case 'search': return `/github/search/users?q=${name}`;
    default: return '/github/users';
  }
}

function titleOf({ kind, subject }) {
  const titles = {
    followers: words.followers, following: words.following, org: words.org, search: words.results,
  };
  return titles[kind]?.(subject) ?? words.users;
}

function emptyTextOf({ kind, subject }) {
  const said = {
    followers: words.emptyFollowers, following: words.emptyFollowing, org: words.emptyOrg, search: words.emptySearch,
  };
  return said[kind]?.(subject) ?? words.emptyUsers;
}
