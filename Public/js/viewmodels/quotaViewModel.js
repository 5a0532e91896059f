import { hourText, problemText } from '../models/format.js';
import { Observable } from '../models/observableArray.js';
import { quotaTexts } from '../models/texts/quota.js';
import { sharedTexts } from '../models/texts/shared.js';

/** A row: one rate-limited resource of GitHub. */
const rowOf = ({ resource, limit, remaining, reset_at: resetAt }) => Object.freeze({
  resource,
  name: quotaTexts.resources[resource] ?? resource,
  left: quotaTexts.left(remaining, limit),
  // A full quota has no reset time.
  full: remaining < limit ? quotaTexts.full(hourText(Date.parse(resetAt))) : '',
  resetAt,
  share: limit > 0 ? remaining / limit : 0,
});

/** The quota of requests to GitHub, and the account that it belongs to. */
export class QuotaViewModel extends Observable {
  #services;
  #timer = null;

  /** @param {object} services `api`, `clock` */
  constructor(services) {
    super({ known: false, rows: Object.freeze([]), asks: '', limited: '', error: null });
    this.#services = services;
  }

  close() {
    super.close();
    this.#services.clock.clearTimeout(this.#timer);
  }

  /** Loads the quota, again each minute while it is visible. Costs no request to GitHub. Does not reject. */
  async open() {
    const { api, clock } = this.#services;
    try {
      const { body, header } = await api.request('GET', '/github/quota');
      if (this.isClosed) return;
      const until = Date.parse(header('Hubbub-Limited-Until') ?? '');
      const limited = until > clock.now() ? sharedTexts.limitedUntil(hourText(until)) : '';
      const asks = quotaTexts.asks[header('Hubbub-Asks-As')] ?? '';
      this.update({ known: true, rows: Object.freeze(body.map(rowOf)), asks, limited, error: null });
    } catch (error) {
      if (this.isClosed) return;
      this.update({ error: `${sharedTexts.notLoaded} ${problemText(error)}` });
    }
    this.#timer = clock.setTimeout(() => this.open(), 60_000);
  }
}
