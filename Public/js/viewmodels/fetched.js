import { ageText } from '../models/days.js';
import { Observable } from '../models/observableArray.js';
import { newsTexts } from '../models/texts/news.js';
import { Retrying } from './retrying.js';

/**
 * A GitHub object of a page: loading, shown (perhaps outdated), missing, or an alert that retries.
 */
export class Fetched extends Observable {
  #api;
  #clock;
  #path;
  #make;
  #retrying;

  /**
   * @param {object} services `api`, `clock`
   * @param {string} path below the API's base
   * @param {(body: object) => object} make maps the response to what is shown
   */
  constructor({ api, clock }, path, make) {
    super({ loading: true, value: null, stale: null, alert: null, missing: false });
    this.#api = api;
    this.#clock = clock;
    this.#path = path;
    this.#make = make;
    this.#retrying = new Retrying(clock, (alert) => this.update({ alert }), () => this.load());
  }

  /** Loads, or retries. */
  async load() {
    this.#retrying.clear();
    this.update({ loading: this.state.value === null });
    try {
      const answer = await this.#api.request('GET', this.#path, { timeout: 30_000 });
      if (this.isClosed) return;
      const age = answer.fetchedAt === null ? newsTexts.storedSome
        : newsTexts.stored(ageText(answer.fetchedAt, this.#clock.now()));
      const value = Object.freeze(this.#make(answer.body));
      this.update({ loading: false, value, stale: answer.stale ? age : null, missing: false });
    } catch (error) {
      if (this.isClosed) return;
      this.update({ loading: false, missing: error.kind === 'not-found' });
      if (error.kind !== 'not-found') this.#retrying.failed(error);
    }
  }

  /** The page is left. */
  close() {
    super.close();
    this.#retrying.stop();
  }
}
