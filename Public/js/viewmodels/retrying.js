/**
 * The alert over something that could not be loaded: a rate limit with a countdown that ends in a retry, or a failure
 * with a debug line and a retry button.
 */
import { failureAlert, isRateLimit, rateLimitAlert, retryTime } from './peopleAlert.js';

const SECOND = 1000;

export class Retrying {
  #clock;
  #show;
  #retry;
  #timer = null;

  /**
   * @param {object} clock
   * @param {(alert: object|null) => void} show
   * @param {() => void} retry
   */
  constructor(clock, show, retry) {
    this.#clock = clock;
    this.#show = show;
    this.#retry = retry;
  }

  /** @param {import('../services/api.js').ApiError} error */
  failed(error) {
    this.#clock.clearTimeout(this.#timer);
    if (isRateLimit(error)) this.#count(error, retryTime(error, this.#clock.now()));
    else this.#show(failureAlert(error));
  }

  /** Removes the alert. */
  clear() {
    this.stop();
    this.#show(null);
  }

  /** The page is hidden: stops retrying. */
  stop() {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #count(error, retryAt) {
    const now = this.#clock.now();
    if (now >= retryAt) {
      this.#retry();
      return;
    }
    this.#show(rateLimitAlert(error, retryAt, now));
    this.#timer = this.#clock.setTimeout(() => this.#count(error, retryAt), Math.min(SECOND, retryAt - now));
  }
}
