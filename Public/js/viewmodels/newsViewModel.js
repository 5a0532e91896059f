import { ageText } from '../models/days.js';
import { hourText, spanText } from '../models/format.js';
import { byTime, rowsOf } from '../models/newsRows.js';
import { Observable, ObservableArray, onceSoon } from '../models/observableArray.js';
import { sharedTexts } from '../models/texts/shared.js';
import { newsTexts } from '../models/texts/news.js';
import { Retrying } from './retrying.js';

const PAGE = 50;
/** The most items: GitHub does not keep more. */
const MOST = 300;
const SECOND = 1000;
/** The polling interval until GitHub states one. */
const USUAL_INTERVAL = 60_000;

/**
 * The feed: stored items at once, then GitHub's; further pages near the end; newer items held back while somebody reads
 * further down. GitHub is polled at the server's interval while the feed is visible.
 */
export class NewsViewModel extends Observable {
  #services;
  #retrying;
  /** Newest first. */
  #items = [];
  /** Items that arrived while somebody reads further down. */
  #held = [];
  #expanded = new Set();
  #next = null;
  #failed = /** @type {'first'|'more'|null} */ (null);
  #fetchedAt = null;
  #interval = USUAL_INTERVAL;
  #opened = false;
  #atTop = true;
  #timer = null;
  #sayTimer = null;
  #loading = /** @type {Promise<void>|null} */ (null);
  #buildSoon = onceSoon(() => this.#build());

  /** @type {ObservableArray<import('../models/newsRows.js').NewsRow>} */
  rows = new ObservableArray({ key: (row) => row.key, equals: sameRow });

  /** @param {object} services `api`, `store`, `clock` */
  constructor(services) {
    super({
      feed: null, loadingFirst: true, loadingMore: false, refreshing: false, stale: null, alert: null, empty: false,
      end: false, newer: 0, said: '',
    });
    this.#services = services;
    this.#retrying = new Retrying(services.clock, (alert) => this.update({ alert }), () => this.retry());
    services.store.subscribe(({ type }) => {
      if (type === 'user' || type === 'rooms') this.#buildSoon();
    });
  }

  /** The feed is visible: shows stored items, and polls for newer ones. */
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

  /** The feed is hidden: stops polling. */
  hide() {
    const { clock } = this.#services;
    clock.clearTimeout(this.#timer);
    clock.clearTimeout(this.#sayTimer);
    this.#timer = null;
    this.#retrying.stop();
    this.update({ said: '' });
  }

  /** Whether the newest items are in view, so that newer ones may be inserted above. @param {boolean} atTop */
  scrolled(atTop) {
    this.#atTop = atTop;
    if (atTop && this.#held.length > 0) this.showNewer();
  }

  /** Shows the items held back. */
  showNewer() {
    this.#take(this.#held);
    this.#held = [];
    this.update({ newer: 0 });
    this.#build();
  }

  /** Shows or hides the other items of a run. @param {string} key of its card */
  toggle(key) {
    if (!this.#expanded.delete(key)) this.#expanded.add(key);
    this.#build();
  }

  /** The end is near: loads older items unless a request is running. */
  async nearEnd() {
    const { loadingFirst, loadingMore } = this.state;
    if (loadingFirst || loadingMore || this.#failed !== null || this.#next === null) return;
    await this.#loadMore();
  }

  /** Polls if that is possible, and says when it is the next time. */
  async refresh() {
    const { clock } = this.#services;
    if (this.#due() <= clock.now() || this.#failed !== null) {
      this.#say('');
      this.showNewer();
      await this.#loadFirst();
    }
    const wait = this.#due() - clock.now();
    if (wait > 0 && this.#failed === null) this.#say(newsTexts.upToDate(spanText(wait)));
  }

  /** Retries what failed. */
  async retry() {
    const failed = this.#failed;
    this.#retrying.clear();
    this.#failed = null;
    if (failed === 'more') {
      await this.#loadMore();
    } else {
      this.update({ loadingFirst: this.#items.length === 0 });
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
      this.update({ loadingFirst: false });
      if (this.state.alert) this.#showAge(null);
    } catch {
      // The feed itself is loading, and reports its errors.
    }
  }

  #loadFirst() { return (this.#loading ??= this.#askFirst()); }

  async #askFirst() {
    this.update({ refreshing: true });
    try {
      const answer = await this.#services.api.request('GET', '/news', { query: { limit: PAGE }, timeout: 30_000 });
      this.#learn(answer);
      this.#receive(answer);
      this.#failed = null;
      this.#retrying.clear();
      this.update({
        empty: this.#items.length === 0, stale: null, end: this.#next === null && this.#items.length > 0,
      });
      if (answer.stale) this.#showAge(answer);
    } catch (error) {
      this.#failed = 'first';
      if (this.#items.length > 0) this.#showAge(null);
      this.#retrying.failed(error);
    } finally {
      this.#loading = null;
      this.update({ loadingFirst: false, refreshing: false });
      this.#pollLater();
    }
  }

  async #loadMore() {
    this.update({ loadingMore: true });
    try {
      const answer = await this.#services.api.request('GET', this.#next, { timeout: 30_000 });
      this.#next = answer.next;
      this.#take(answer.body);
      this.#build();
      this.update({ end: this.#next === null });
    } catch (error) {
      this.#failed = 'more';
      this.#retrying.failed(error);
    } finally {
      this.update({ loadingMore: false });
    }
  }

  /** Reloads the first page. New items show, or are held back while somebody reads further down. */
  #receive(answer) {
    const known = new Set([...this.#items, ...this.#held].map(({ id }) => id));
    const newer = answer.body.filter(({ id }) => !known.has(id));
    if (this.#items.length === 0) this.#next = answer.next;
    if (this.#items.length > 0 && !this.#atTop) {
      this.#held = [...newer, ...this.#held];
      this.update({ newer: this.#held.length });
      return;
    }
    this.#take([...newer, ...this.#held]);
    this.#held = [];
    this.update({ newer: 0 });
    this.#build();
  }

  /** Takes the members besides the items. */
  #learn(answer) {
    const seconds = Number(answer.header?.('Hubbub-Poll-Interval'));
    if (seconds > 0) this.#interval = seconds * SECOND;
    this.#fetchedAt = answer.fetchedAt ?? this.#fetchedAt;
    this.update({ feed: answer.header?.('Hubbub-Feed') ?? this.state.feed });
  }

  /** Inserts items in order, also late ones, which GitHub may report hours later. */
  #take(items) {
    const known = new Set(this.#items.map(({ id }) => id));
    const fresh = items.filter(({ id }) => !known.has(id) && known.add(id));
    if (fresh.length === 0) return;
    this.#items = [...this.#items, ...fresh].sort(byTime);
    if (this.#items.length <= MOST) return;
    this.#items.length = MOST;
    this.#next = null;
    this.update({ end: true });
  }

  #due() {
    return (this.#fetchedAt ?? 0) + this.#interval;
  }

  /** Polls while visible, at the same interval if the server only has stored items. */
  #pollLater() {
    const { clock } = this.#services;
    clock.clearTimeout(this.#timer);
    if (this.#failed === 'first') return;
    const wait = Math.max(this.#due() - clock.now(), this.state.stale === null ? SECOND : this.#interval);
    this.#timer = clock.setTimeout(() => this.#loadFirst(), wait);
  }

  /** The age of stale items, and the reason. */
  #showAge(answer) {
    const { clock } = this.#services;
    const age = this.#fetchedAt === null ? null : ageText(this.#fetchedAt, clock.now());
    const resetAt = Date.parse(answer?.header?.('Hubbub-Reset-At') ?? '');
    const said = age === null ? newsTexts.storedSome : newsTexts.stored(age);
    const until = Number.isNaN(resetAt) ? '' : sharedTexts.limitedUntil(hourText(resetAt));
    this.update({ stale: [said, until].filter(Boolean).join('. ') });
  }

  /** Shows a note for some seconds. */
  #say(said) {
    const { clock } = this.#services;
    clock.clearTimeout(this.#sayTimer);
    this.update({ said });
    if (said) this.#sayTimer = clock.setTimeout(() => this.update({ said: '' }), 8 * SECOND);
  }

  #build() {
    const users = this.#services.store.usersByGitHubId();
    const there = new Map(this.#items.map(({ actor }) => [actor.github_id, Boolean(actor.online)]));
    const isOnline = (id) => (users.has(id) ? Boolean(users.get(id).online) : Boolean(there.get(id)));
    this.rows.replaceAll(rowsOf(this.#items, { now: this.#services.clock.now(), expanded: this.#expanded, isOnline }));
  }
}

/** Whether two rows look the same. Rows are plain values. */
function sameRow(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
