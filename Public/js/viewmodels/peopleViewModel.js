import { Observable } from '../models/observableArray.js';
import { peopleTexts } from '../models/texts/people.js';
import { problemText } from '../models/texts.js';
import { failureAlert, isRateLimit, rateLimitAlert, retryTime, staleText } from './peopleAlert.js';
import {
  emptyTextOf, fromAnywhere, fromStorage, isSameList, listAt, missingOf, pathOf, titleOf,
} from './peopleLists.js';
import { PeopleRows } from './peopleRows.js';

const SECOND = 1000;
/** How soon GitHub is tried again by itself while it does not answer; twice as long each time, up to the longest. */
const RETRY = { first: 15 * SECOND, longest: 240 * SECOND };
const STARTING = {
  loadingMore: false, notice: null, alert: null, missing: null, empty: false, end: false, endText: '', found: '',
  pressError: null, movedTo: null,
};

/** A list of GitHub people, page after page (D1–D6). */
export class PeopleViewModel {
  #services;
  #state = new Observable({
    ...STARTING, list: Object.freeze({ kind: 'users', subject: '' }), title: '', loadingFirst: true, emptyText: '',
  });
  #abort = new AbortController();
  #rows;
  #failed = null;
  #timer = null;
  #wait = RETRY.first;
  #moreFailed = false;
  #storedAt = null;

  /** @param {object} services `api`, `store`, `clock` */
  constructor(services) {
    this.#services = services;
    this.#rows = new PeopleRows(services.store, (path) => this.#ask(path, this.#abort.signal));
  }

  /** @type {import('../models/observableArray.js').ObservableArray<import('./types.js').PersonRow|number>} */
  get rows() {
    return this.#rows.array;
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
    this.#rows.close();
  }

  /**
   * Shows another list: what was shown of it before or what is stored, at once; then what GitHub has.
   * @param {import('./types.js').PeopleList} list
   */
  async open(list) {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#services.clock.clearTimeout(this.#timer);
    this.#rows.turn(this.state.title === '' ? null : pathOf(this.state.list), pathOf(list));
    this.#failed = null;
    this.#moreFailed = false;
    this.#storedAt = null;
    this.#wait = RETRY.first;
    const isKnown = this.#rows.length > 0;
    this.#state.update({
      ...STARTING, list: Object.freeze({ ...list }), title: titleOf(list), emptyText: emptyTextOf(list),
      loadingFirst: !isKnown, end: isKnown && this.#rows.next === null,
    });
    const { signal } = this.#abort;
    await Promise.all([isKnown ? null : this.#showStored(signal), this.#loadFirst(signal)]);
  }

  /** The end of the list comes near: loads the next page unless one is on its way. */
  async nearEnd() {
    // While the first page cannot be had anew, what is stored behind it stays readable (D3).
    const { loadingFirst, loadingMore } = this.state;
    if (loadingFirst || loadingMore || this.#moreFailed || this.#rows.next === null) return;
    await this.#loadMore(this.#abort.signal);
  }

  /**
   * These rows are on the screen: fetches again who is not held any more, and forgets who is far away.
   * @param {number} first @param {number} last
   */
  look(first, last) {
    this.#rows.look(first, last);
  }

  /** Tries again what failed. */
  async retry() {
    this.#services.clock.clearTimeout(this.#timer);
    const { signal } = this.#abort;
    const failed = this.#failed;
    this.#failed = null;
    this.#moreFailed = false;
    this.#state.update({ alert: null, loadingFirst: failed === 'first' && this.#rows.length === 0 });
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
    if (this.#rows.busy !== null) return null;
    const known = store.rooms().find((room) => room.kind === 'direct' && room.peer?.github_id === row.githubId);
    if (known) return known.id;
    this.#rows.busy = row.githubId;
    this.#state.update({ pressError: null });
    try {
      const { body } = await api.openDirect(row.login, row.githubId);
      store.putRoom(body);
      return body.id;
    } catch (error) {
      this.#state.update({ pressError: problemText(error) });
      return null;
    } finally {
      this.#rows.busy = null;
    }
  }

  async #showStored(signal) {
    // A search is not stored by GitHub's rules, nor worth it.
    if (this.state.list.kind === 'search') return;
    try {
      const path = pathOf(this.state.list);
      const answer = await this.#ask(fromStorage(path), signal);
      if (signal.aborted || answer.body.length === 0 || this.#rows.length > 0) return;
      this.#rows.next ??= answer.next && fromAnywhere(answer.next);
      this.#storedAt = answer.fetchedAt;
      this.#rows.put(path, answer.body);
      this.#state.update({ loadingFirst: false });
      if (this.state.alert) this.#showAge();
    } catch {
      // The list itself is on its way and says what is wrong.
    }
  }

  async #loadFirst(signal) {
    const path = pathOf(this.state.list);
    try {
      const answer = await this.#ask(path, signal);
      if (signal.aborted) return;
      // Later pages that were loaded meanwhile stay behind the first.
      this.#rows.put(path, answer.body);
      if (this.#rows.pages === 1) this.#rows.next = answer.next;
      this.#failed = null;
      this.#succeeded(answer);
      this.#follow(answer, path);
    } catch (error) {
      if (!signal.aborted) this.#failing('first', error);
    }
  }

  async #loadMore(signal) {
    this.#state.update({ loadingMore: true });
    const path = this.#rows.next;
    try {
      const answer = await this.#ask(path, signal);
      if (signal.aborted) return;
      this.#rows.put(path, answer.body);
      this.#rows.next = answer.next;
      this.#succeeded(answer);
    } catch (error) {
      if (!signal.aborted) this.#failing('more', error);
    }
  }

  #ask(path, signal) {
    return this.#services.api.directory(path, { signal });
  }

  #succeeded(answer) {
    const { alert, notice } = this.state;
    const firstFailed = this.#failed === 'first';
    const next = this.#rows.next;
    const isEmpty = this.#rows.length === 0;
    this.#state.update({
      loadingFirst: false, loadingMore: false, alert: firstFailed ? alert : null, missing: null,
      notice: firstFailed ? notice : null, empty: isEmpty, end: next === null && !isEmpty, ...this.#results(answer),
    });
    // It is said already, and tried again.
    if (firstFailed) return;
    if (answer.stale) return this.#stale(answer);
    this.#wait = RETRY.first;
    this.#services.clock.clearTimeout(this.#timer);
  }

  /** What a search says about itself: how many it found, and whether these are all. */
  #results(answer) {
    const total = Number(answer.header?.('Hubbub-Total') ?? NaN);
    if (Number.isNaN(total)) return {};
    const isIncomplete = answer.header('Hubbub-Incomplete') === '1';
    const shown = this.#rows.length;
    const isCut = this.#rows.next === null && total > shown && !isIncomplete;
    return {
      found: (isIncomplete ? peopleTexts.foundAtLeast : peopleTexts.found)(total),
      endText: isIncomplete ? peopleTexts.incomplete : isCut ? peopleTexts.cut(shown, total) : '',
    };
  }

  /** The login has another name by now: so has the list. */
  #follow(answer, asked) {
    const list = listAt(answer.header?.('Content-Location') ?? '');
    const { list: before } = this.state;
    if (!list || isSameList(list, before) || pathOf(before) !== asked) return;
    const path = pathOf(list);
    this.#rows.turn(null, path);
    this.#rows.put(path, answer.body);
    this.#rows.next = answer.next;
    this.#state.update({
      list: Object.freeze(list), movedTo: list, title: titleOf(list), emptyText: emptyTextOf(list),
      notice: peopleTexts.renamed(before.subject, list.subject),
    });
  }

  /** What is shown is older than it should be: says so once, and tries again by itself. */
  #stale(answer) {
    const { clock } = this.#services;
    const { now } = clock;
    const reason = answer.header?.('Hubbub-Stale-Reason') ?? '';
    clock.clearTimeout(this.#timer);
    this.#failed ??= 'first';
    this.#state.update({ notice: staleText(reason, answer.fetchedAt, now()) });
    if (reason === 'not-found') return;
    if (isRateLimit({ kind: reason })) {
      const resetAt = Date.parse(answer.header('Hubbub-Reset-At') ?? '');
      const error = { kind: reason, resetAt: Number.isNaN(resetAt) ? null : resetAt, retryAfter: null };
      this.#count(error, retryTime(error, now()));
      return;
    }
    this.#timer = clock.setTimeout(() => this.retry(), this.#wait);
    this.#wait = Math.min(RETRY.longest, this.#wait * 2);
  }

  #failing(what, error) {
    this.#services.clock.clearTimeout(this.#timer);
    this.#failed = this.#failed ?? what;
    this.#moreFailed ||= what === 'more';
    this.#state.update({ loadingFirst: false, loadingMore: false });
    const isMissing = error.kind === 'not-found' && what === 'first';
    if (isMissing && this.#rows.length === 0) return this.#state.update({ missing: missingOf(this.state.list) });
    if (this.#rows.length > 0 && what === 'first') this.#showAge();
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

  #showAge() {
    this.#state.update({ notice: staleText('', this.#storedAt, this.#services.clock.now()) });
  }
}
