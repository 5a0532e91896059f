import { hourText } from '../models/format.js';
import { Observable } from '../models/observableArray.js';
import { quotaTexts } from '../models/texts/quota.js';
import { problemText } from '../models/texts.js';

/** What is kept of a row: one resource of GitHub's. */
const rowOf = ({ resource, limit, remaining, reset_at: resetAt }) => Object.freeze({
  resource,
  name: quotaTexts.resources[resource] ?? resource,
  left: quotaTexts.left(remaining, limit),
  // What is full already does not become so.
  full: remaining < limit ? quotaTexts.full(hourText(Date.parse(resetAt))) : '',
  resetAt,
  share: limit > 0 ? remaining / limit : 0,
});

/** How much may be asked of GitHub, and as whom. */
export class QuotaViewModel {
  #services;
  #timer = null;
  #isClosed = false;
  #state = new Observable({ known: false, rows: Object.freeze([]), asks: '', limited: '', error: null });

  /** @param {object} services `api`, `clock` */
  constructor(services) {
    this.#services = services;
  }

  /**
   * @returns {{known: boolean, rows: {resource: string, name: string, left: string, full: string, resetAt: string,
   *   share: number}[], asks: string, limited: string, error: string|null}}
   */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#isClosed = true;
    this.#services.clock.clearTimeout(this.#timer);
  }

  /** Asks the server, which asks nobody; and again each minute while it is looked at. Does not reject. */
  async open() {
    const { api, clock } = this.#services;
    try {
      const { body, header } = await api.request('GET', '/github/quota');
      if (this.#isClosed) return;
      const until = Date.parse(header('Hubbub-Limited-Until') ?? '');
      const limited = until > clock.now() ? quotaTexts.limited(hourText(until)) : '';
      const asks = quotaTexts.asks[header('Hubbub-Asks-As')] ?? '';
      this.#state.update({ known: true, rows: Object.freeze(body.map(rowOf)), asks, limited, error: null });
    } catch (error) {
      if (this.#isClosed) return;
      this.#state.update({ error: `${quotaTexts.failed} ${problemText(error)}` });
    }
    this.#timer = clock.setTimeout(() => this.open(), 60_000);
  }
}
