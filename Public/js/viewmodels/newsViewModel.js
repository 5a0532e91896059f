import { ageText, hourText, spanText } from '../models/format.js';
import { byTime, rowsOf } from '../models/newsRows.js';
import { Observable, ObservableArray, onceSoon } from '../models/observableArray.js';
import { newsTexts } from '../models/texts/news.js';
import { Retrying } from './retrying.js';

const PAGE = 50;
/** As many as GitHub keeps, and as many rows as a document carries with ease. */
const MOST = 300;
const SECOND = 1000;
/** How often GitHub may be asked, until it says. */
const USUAL_INTERVAL = 60_000;

/**
 * The feed (N1, N2, N4): what is stored at once, then what GitHub has; pages as one comes near the end; newer items held
 * back while one reads. GitHub is asked as often as the server says, while somebody looks, and not otherwise.
 */
export class NewsViewModel {
  #services;
  #state = new Observable({
    feed: null, loadingFirst: true, loadingMore: false, refreshing: false, stale: null, alert: null, empty: false,
    end: false, newer: 0, said: '',
  });
  #retrying;
  /** Newest first. */
  #items = [];
  /** Came while somebody reads further down. */
  #held = [];
  #expanded = new Set();
  #next = null;
  #failed = null;
  #fetchedAt = null;
  #interval = USUAL_INTERVAL;
  #opened = false;
  #atTop = true;
  #timer = null;
  #sayTimer = null;
  #busy = false;
  #buildSoon = onceSoon(() => this.#build());

  /** @type {ObservableArray<import('../models/newsRows.js').NewsRow>} */
  rows = new ObservableArray({ key: (row) => row.key, equals: sameRow });

  /** @param {object} services `api`, `store`, `clock` */
  constructor(services) {
    this.#services = services;
    this.#retrying = new Retrying(services.clock, (alert) => this.#state.update({ alert }), () => this.retry());
    services.store.subscribe(({ type }) => {
      if (type === 'user' || type === 'rooms') this.#buildSoon();
    });
  }

  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  /** Somebody looks: shows what is there, and asks for newer as often as that may be. */
  async show() {
    this.#services.clock.clearTimeout(this.#timer);
    if (this.#opened && this.#failed === null) {
      this.#build();
      this.#pollLater();
      return;
    }
    if (this.#opened) {
      await this.retry();
      return;
    }
    this.#opened = true;
    await Promise.all([this.#showStored(), this.#loadFirst()]);
  }

  /** Nobody looks any more. */
  hide() {
    const { clock } = this.#services;
    clock.clearTimeout(this.#timer);
    clock.clearTimeout(this.#sayTimer);
    this.#timer = null;
    this.#retrying.stop();
    this.#state.update({ said: '' });
  }

  /** Whether the newest items are in view: then newer ones may come above them. @param {boolean} atTop */
  scrolled(atTop) {
    this.#atTop = atTop;
    if (atTop && this.#held.length > 0) this.showNewer();
  }

  /** Shows what was held back. */
  showNewer() {
    this.#take(this.#held);
    this.#held = [];
    this.#state.update({ newer: 0 });
    this.#build();
  }

  /** Shows or hides the others of a run. @param {string} key of its card */
  toggle(key) {
    if (!this.#expanded.delete(key)) this.#expanded.add(key);
    this.#build();
  }

  /** The end comes near: loads older items, unless some are on their way. */
  async nearEnd() {
    const { loadingFirst, loadingMore } = this.state;
    if (loadingFirst || loadingMore || this.#failed !== null || this.#next === null) return;
    await this.#loadMore();
  }

  /** Asks for newer items, or says when that may be done. */
  async refresh() {
    const { clock } = this.#services;
    const wait = this.#due() - clock.now();
    if (wait > 0 && this.#failed === null) {
      this.#say(newsTexts.upToDate(spanText(wait)));
      return;
    }
    this.#say('');
    this.showNewer();
    await this.#loadFirst();
  }

  /** Tries again what failed. */
  async retry() {
    const failed = this.#failed;
    this.#retrying.clear();
    this.#failed = null;
    if (failed === 'more') {
      await this.#loadMore();
    } else {
      this.#state.update({ loadingFirst: this.#items.length === 0 });
      await this.#loadFirst();
    }
  }

  async #showStored() {
    try {
      const answer = await this.#services.api.request('GET', '/news', { query: { limit: PAGE, stored: 1 } });
      if (answer.body.length === 0 || this.#items.length > 0) return;
      this.#next ??= answer.next;
      this.#learn(answer);
      this.#take(answer.body);
      this.#build();
      this.#state.update({ loadingFirst: false });
      if (this.state.alert) this.#showAge(null);
    } catch {
      // The feed itself is on its way and says what is wrong.
    }
  }

  async #loadFirst() {
    if (this.#busy) return;
    this.#busy = true;
    this.#state.update({ refreshing: true });
    try {
      const answer = await this.#services.api.request('GET', '/news', { query: { limit: PAGE }, timeout: 30_000 });
      this.#learn(answer);
      this.#receive(answer);
      this.#failed = null;
      this.#retrying.clear();
      this.#state.update({
        empty: this.#items.length === 0, stale: null, end: this.#next === null && this.#items.length > 0,
      });
      if (answer.stale) this.#showAge(answer);
    } catch (error) {
      this.#failed = 'first';
      if (this.#items.length > 0) this.#showAge(null);
      this.#retrying.failed(error);
    } finally {
      this.#busy = false;
      this.#state.update({ loadingFirst: false, refreshing: false });
      this.#pollLater();
    }
  }

  async #loadMore() {
    this.#state.update({ loadingMore: true });
    try {
      const answer = await this.#services.api.request('GET', this.#next, { timeout: 30_000 });
      this.#next = answer.next;
      this.#take(answer.body);
      this.#build();
      this.#state.update({ end: this.#next === null });
    } catch (error) {
      this.#failed = 'more';
      this.#retrying.failed(error);
    } finally {
      this.#state.update({ loadingMore: false });
    }
  }

  /** The first page anew: what is not known yet shows, or waits while somebody reads further down. */
  #receive(answer) {
    const known = new Set([...this.#items, ...this.#held].map(({ id }) => id));
    const newer = answer.body.filter(({ id }) => !known.has(id));
    if (this.#items.length === 0) this.#next = answer.next;
    if (this.#items.length > 0 && !this.#atTop) {
      this.#held = [...newer, ...this.#held];
      this.#state.update({ newer: this.#held.length });
      return;
    }
    this.#take([...newer, ...this.#held]);
    this.#held = [];
    this.#state.update({ newer: 0 });
    this.#build();
  }

  /** What the server says besides the items. */
  #learn(answer) {
    const seconds = Number(answer.header?.('Hubbub-Poll-Interval'));
    if (seconds > 0) this.#interval = seconds * SECOND;
    this.#fetchedAt = answer.fetchedAt ?? this.#fetchedAt;
    this.#state.update({ feed: answer.header?.('Hubbub-Feed') ?? this.state.feed });
  }

  /** Puts items into their places: late ones too, which GitHub tells of hours afterwards. */
  #take(items) {
    const known = new Set(this.#items.map(({ id }) => id));
    const fresh = items.filter(({ id }) => !known.has(id) && known.add(id));
    if (fresh.length === 0) return;
    this.#items = [...this.#items, ...fresh].sort(byTime);
    if (this.#items.length <= MOST) return;
    this.#items.length = MOST;
    this.#next = null;
    this.#state.update({ end: true });
  }

  #due() {
    return (this.#fetchedAt ?? 0) + this.#interval;
  }

  /** While somebody looks; a server that serves what is stored is asked at the same pace. */
  #pollLater() {
    const { clock } = this.#services;
    clock.clearTimeout(this.#timer);
    if (this.#failed === 'first') return;
    const wait = Math.max(this.#due() - clock.now(), this.state.stale === null ? SECOND : this.#interval);
    this.#timer = clock.setTimeout(() => this.#loadFirst(), wait);
  }

  /** How old it is, and why (N4). */
  #showAge(answer) {
    const { clock } = this.#services;
    const age = this.#fetchedAt === null ? null : ageText(this.#fetchedAt, clock.now());
    const resetAt = Date.parse(answer?.header?.('Hubbub-Reset-At') ?? '');
    const said = age === null ? newsTexts.storedSome : newsTexts.stored(age);
    const until = Number.isNaN(resetAt) ? '' : newsTexts.limitedUntil(hourText(resetAt));
    this.#state.update({ stale: [said, until].filter(Boolean).join('. ') });
  }

  /** Says something for some seconds. */
  #say(said) {
    const { clock } = this.#services;
    clock.clearTimeout(this.#sayTimer);
    this.#state.update({ said });
    if (said) this.#sayTimer = clock.setTimeout(() => this.#state.update({ said: '' }), 8 * SECOND);
  }

  #build() {
    const users = this.#services.store.usersByGitHubId();
    const there = new Map(this.#items.map(({ actor }) => [actor.github_id, Boolean(actor.online)]));
    const isOnline = (id) => (users.has(id) ? Boolean(users.get(id).online) : Boolean(there.get(id)));
    this.rows.replaceAll(rowsOf(this.#items, { now: this.#services.clock.now(), expanded: this.#expanded, isOnline }));
  }
}

/** Whether two rows look the same: rows are plain values. */
function sameRow(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
