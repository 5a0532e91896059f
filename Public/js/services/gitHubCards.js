/**
 * What references lead to, asked once for all that come in one moment, and kept for an hour. That there is no such
 * thing is kept too; that GitHub could not be asked is not.
 */

/** The server's limit, and the time that it keeps a card without asking GitHub. */
const MOST = 50;
const KEPT = 3_600_000;
/** Cards kept at once. */
const CAPACITY = 1000;
/** After a failure nothing is asked for so long, in milliseconds. */
const PAUSE = 15_000;

export class GitHubCards {
  #api;
  #clock;
  /** @type {Map<string, {thing: object|null, until: number}>} */
  #kept = new Map();
  /** @type {Map<string, Promise<object|null>>} */
  #asked = new Map();
  /** @type {Map<string, (thing: object|null) => void>} */
  #waiting = new Map();
  /** @type {string[]} */
  #batch = [];
  #silentUntil = 0;

  /** @param {{api: import('./api.js').Api, clock: {now: () => number, setTimeout: Function}}} services */
  constructor({ api, clock }) {
    this.#api = api;
    this.#clock = clock;
  }

  /** @param {string} reference @returns {object|null|undefined} undefined before it was asked for */
  known(reference) {
    const kept = this.#kept.get(reference);
    return kept && kept.until > this.#clock.now() ? kept.thing : undefined;
  }

  /**
   * @param {string} reference
   * @returns {Promise<object|null>} a `thing` of the API, or a person; null where there is none, or none can be had now
   */
  ask(reference) {
    const known = this.known(reference);
    if (known !== undefined || this.#clock.now() < this.#silentUntil) return Promise.resolve(known ?? null);
    const asked = this.#asked.get(reference);
    if (asked) return asked;
    if (this.#batch.length === 0) this.#clock.setTimeout(() => this.#send(), 0);
    this.#batch.push(reference);
    const answer = new Promise((resolve) => { this.#waiting.set(reference, resolve); });
    this.#asked.set(reference, answer);
    return answer;
  }

  #send() {
    const batch = this.#batch.splice(0);
    while (batch.length > 0) this.#request(batch.splice(0, MOST));
  }

  async #request(references) {
    let things = [];
    try {
      const { body, stale } = await this.#api.directory('/github/cards', { query: { refs: references.join(',') } });
      things = body.map(({ thing }) => thing);
      if (stale) this.#pause(PAUSE);
      references.forEach((reference, index) => {
        if (things[index] || !stale) this.#keep(reference, things[index] ?? null);
      });
    } catch (error) {
      this.#pause(error.retryAfter ?? PAUSE);
    }
    references.forEach((reference, index) => {
      this.#waiting.get(reference)?.(things[index] ?? null);
      this.#waiting.delete(reference);
      this.#asked.delete(reference);
    });
  }

  #pause(time) { this.#silentUntil = this.#clock.now() + time; }

  #keep(reference, thing) {
    this.#kept.delete(reference);
    this.#kept.set(reference, { thing, until: this.#clock.now() + KEPT });
    if (this.#kept.size > CAPACITY) this.#kept.delete(this.#kept.keys().next().value);
  }
}
