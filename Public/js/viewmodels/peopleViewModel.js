import { Observable } from '../models/observableArray.js';
import { peopleTexts } from '../models/texts/people.js';
import { problemText } from '../models/format.js';
import { openDirect } from './openDirect.js';
import { failureAlert, isRateLimit, rateLimitAlert, retryTime, staleText } from './peopleAlert.js';
import {
  emptyTextOf, fromAnywhere, fromStorage, hereOf, isSameList, listAt, missingOf, pathOf, titleOf,
} from './peopleLists.js';
import { PeopleRows } from './peopleRows.js';

const SECOND = 1000;
/** The first pause before GitHub is retried; doubled each time, up to the longest. */
const RETRY = { first: 15 * SECOND, longest: 240 * SECOND };
const STARTING = {
  loadingMore: false, notice: null, alert: null, missing: null, empty: false, end: false, endText: '', found: '',
  pressError: null, movedTo: null,
};

/**
 * A list of GitHub people, page after page.
 * @extends {Observable<import('./types.js').PeopleState>}
 */
export class PeopleViewModel extends Observable {
  #services;
  #abort = new AbortController();
  #rows;
  #failed = /** @type {'first'|'more'|null} */ (null);
  #hereFailed = false;
  #timer = null;
  #wait = RETRY.first;
  #moreFailed = false;
  #storedAt = null;
  /** The people here have come, or failed. */
  #herePages = Promise.resolve();

  /** @param {object} services `api`, `store`, `clock` */
  constructor(services) {
    super({
      ...STARTING, list: Object.freeze({ kind: 'users', subject: '' }), title: '', loadingFirst: true, emptyText: '',
    });
    this.#services = services;
    this.#rows = new PeopleRows(services, (path) => this.#ask(path, this.#abort.signal));
  }

  /** @type {import('../models/observableArray.js').ObservableArray<import('./types.js').PersonRow|number|string>} */
  get rows() {
    return this.#rows.array;
  }

  close() {
    super.close();
    this.#abort.abort();
    this.#services.clock.clearTimeout(this.#timer);
    this.#rows.close();
  }

  /**
   * Shows another list: cached or stored people at once, then GitHub's.
   * @param {import('./types.js').PeopleList} list
   */
  async open(list) {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#services.clock.clearTimeout(this.#timer);
    this.#rows.turn(this.state.title === '' ? null : pathOf(this.state.list), pathOf(list), hereOf(list));
    this.#failed = null;
    this.#moreFailed = false;
    this.#hereFailed = false;
    this.#storedAt = null;
    this.#wait = RETRY.first;
    const isKnown = this.#rows.length > 0;
    this.update({
      ...STARTING, list: Object.freeze({ ...list }), title: titleOf(list), emptyText: emptyTextOf(list),
      loadingFirst: !isKnown, end: isKnown && !this.#rows.hasMore,
    });
    const { signal } = this.#abort;
    this.#herePages = isKnown ? this.refresh() : this.#loadHere(signal);
    await Promise.all([isKnown ? null : this.#showStored(signal), this.#loadFirst(signal)]);
  }

  /** Shows who has come to this Hubbub since the list was opened; what is there stays if that fails. */
  refresh() {
    return this.#rows.here.refresh(this.#abort.signal).then(() => this.#rows.show(), () => {});
  }

  /** The end of the list is near: loads the next page unless a request is running. */
  async nearEnd() {
    // While the first page fails to reload, the stored pages after it stay readable.
    const { loadingFirst, loadingMore } = this.state;
    if (loadingFirst || loadingMore || this.#moreFailed) return;
    if (this.#rows.here.hasMore) await this.#loadHere(this.#abort.signal);
    else if (this.#rows.next !== null) await this.#loadMore(this.#abort.signal);
  }

  /**
   * These rows are on the screen: reloads people that are not held, and drops those far away.
   * @param {number} first @param {number} last
   */
  look(first, last) {
    this.#rows.look(first, last);
  }

  /** Retries what failed. */
  async retry() {
    this.#services.clock.clearTimeout(this.#timer);
    const { signal } = this.#abort;
    const failed = this.#failed;
    this.#failed = null;
    this.#moreFailed = false;
    this.update({ alert: null, loadingFirst: failed === 'first' && this.#rows.length === 0 });
    if (this.#hereFailed) {
      this.#hereFailed = false;
      this.#rows.here.resume();
      this.#herePages = this.#loadHere(signal);
    }
    if (failed === 'more') await this.#loadMore(signal);
    else await this.#loadFirst(signal);
  }

  /**
   * Opens the chat with a person, creating it if needed.
   * @param {import('./types.js').PersonRow} row
   * @returns {Promise<string|null>} the room's id; null on failure, or while another is being opened
   */
  async press(row) {
    if (this.#rows.busy !== null) return null;
    this.#rows.busy = row.key;
    this.update({ pressError: null });
    try {
      const { userId, login, githubId } = row;
      return await openDirect(this.#services, userId ? { userId } : { login, githubId: githubId ?? undefined });
    } catch (error) {
      this.update({ pressError: problemText(error) });
      return null;
    } finally {
      this.#rows.busy = null;
    }
  }

  async #showStored(signal) {
    // Searches are not stored.
    if (this.state.list.kind === 'search') return;
    try {
      const path = pathOf(this.state.list);
      const answer = await this.#ask(fromStorage(path), signal);
      await this.#herePages;
      if (signal.aborted || answer.body.length === 0 || this.#rows.length > 0) return;
      this.#rows.next ??= answer.next && fromAnywhere(answer.next);
      this.#storedAt = answer.fetchedAt;
      this.#rows.put(path, answer.body);
      this.update({ loadingFirst: false });
      if (this.state.alert) this.#showAge();
    } catch {
      // The list itself is loading and reports its errors.
    }
  }

  /** The next page of the people here; GitHub's are awaited behind them. */
  async #loadHere(signal) {
    const { here } = this.#rows;
    const isFirst = !here.asked;
    if (!here.hasMore) return;
    this.update({ loadingMore: !isFirst });
    try {
      await here.more(signal);
    } catch (error) {
      if (signal.aborted) return;
      here.giveUp();
      this.#failing('here', error);
    }
    if (signal.aborted) return;
    this.#rows.show();
    const waits = isFirst && this.state.loadingFirst;
    if (here.length > 0) this.update({ loadingFirst: false, loadingMore: waits });
    if (!waits) this.update({ loadingMore: false, end: !this.#rows.hasMore });
  }

  async #loadFirst(signal) {
    const path = pathOf(this.state.list);
    try {
      const answer = await this.#ask(path, signal);
      await this.#herePages;
      if (signal.aborted) return;
      // Later pages loaded meanwhile stay after the first.
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
    this.update({ loadingMore: true });
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
    const { isEmpty, hasMore } = this.#rows;
    this.update({
      loadingFirst: false, loadingMore: false, alert: firstFailed || this.#hereFailed ? alert : null, missing: null,
      notice: firstFailed ? notice : null, empty: isEmpty, end: !hasMore && !isEmpty, ...this.#results(answer),
    });
    // Reported already, and retried.
    if (firstFailed) return;
    if (answer.stale) return this.#stale(answer);
    this.#wait = RETRY.first;
    this.#services.clock.clearTimeout(this.#timer);
  }

  /** The result count of a search, and whether it is complete. */
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

  /** The login was renamed: renames the list. */
  #follow(answer, asked) {
    const list = listAt(answer.header?.('Content-Location') ?? '');
    const { list: before } = this.state;
    if (!list || isSameList(list, before) || pathOf(before) !== asked) return;
    const path = pathOf(list);
    this.#rows.turn(null, path, hereOf(list));
    this.#rows.put(path, answer.body);
    this.#rows.next = answer.next;
    this.update({
      list: Object.freeze(list), movedTo: list, title: titleOf(list), emptyText: emptyTextOf(list),
      notice: peopleTexts.renamed(before.subject, list.subject),
    });
  }

  /** The list is stale: says so once, and retries by itself. */
  #stale(answer) {
    const { clock } = this.#services;
    const { now } = clock;
    const reason = answer.header?.('Hubbub-Stale-Reason') ?? '';
    clock.clearTimeout(this.#timer);
    this.#failed ??= 'first';
    this.update({ notice: staleText(reason, answer.fetchedAt, now()) });
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
    if (what === 'here') this.#hereFailed = true;
    else this.#failed = this.#failed ?? what;
    this.#moreFailed ||= what === 'more';
    if (what !== 'here') this.update({ loadingFirst: false, loadingMore: false });
    const isMissing = error.kind === 'not-found' && what === 'first';
    if (isMissing && this.#rows.length === 0) return this.update({ missing: missingOf(this.state.list) });
    if (this.#rows.length > 0 && what === 'first') this.#showAge();
    if (!isRateLimit(error)) return this.update({ alert: failureAlert(error) });
    this.#count(error, retryTime(error, this.#services.clock.now()));
  }

  /** Counts down each second, then retries. */
  #count(error, retryAt) {
    const { clock } = this.#services;
    const now = clock.now();
    if (now >= retryAt) return this.retry();
    this.update({ alert: rateLimitAlert(error, retryAt, now) });
    this.#timer = clock.setTimeout(() => this.#count(error, retryAt), Math.min(SECOND, retryAt - now));
  }

  #showAge() {
    this.update({ notice: staleText('', this.#storedAt, this.#services.clock.now()) });
  }
}
