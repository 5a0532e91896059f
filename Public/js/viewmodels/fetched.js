import { ageText } from '../models/format.js';
import { Observable } from '../models/observableArray.js';
import { newsTexts } from '../models/texts/news.js';
import { Retrying } from './retrying.js';

/**
 * One thing of GitHub's that a page shows: loading, there (perhaps an old one), missing, or an alert that tries again.
 */
export class Fetched {
  #api;
  #clock;
  #path;
  #make;
  #closed = false;
  #retrying;
  #state = new Observable({ loading: true, value: null, stale: null, alert: null, missing: false });

  /**
   * @param {object} services `api`, `clock`
   * @param {string} path below the API's base
   * @param {(body: object) => object} make what is shown, from what the API answered
   */
  constructor({ api, clock }, path, make) {
    this.#api = api;
    this.#clock = clock;
    this.#path = path;
    this.#make = make;
    this.#retrying = new Retrying(clock, (alert) => this.#state.update({ alert }), () => this.load());
  }

  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  /** Loads, or tries again. */
  async load() {
    this.#retrying.clear();
    this.#state.update({ loading: this.state.value === null });
    try {
      const answer = await this.#api.request('GET', this.#path, { timeout: 30_000 });
      if (this.#closed) return;
      const age = answer.fetchedAt === null ? newsTexts.storedSome
        : newsTexts.stored(ageText(answer.fetchedAt, this.#clock.now()));
      const value = Object.freeze(this.#make(answer.body));
      this.#state.update({ loading: false, value, stale: answer.stale ? age : null, missing: false });
    } catch (error) {
      if (this.#closed) return;
      this.#state.update({ loading: false, missing: error.kind === 'not-found' });
      if (error.kind !== 'not-found') this.#retrying.failed(error);
    }
  }

  /** The page is left. */
  close() {
    this.#closed = true;
    this.#retrying.stop();
  }
}
