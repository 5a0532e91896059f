import { Observable } from '../../models/observableArray.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { problemText } from '../../models/texts.js';

/** Read receipts and last seen, both mutual (S6). A switch moves at once, and back if the server did not take it. */
export class PrivacyViewModel {
  #services;
  #pending = {};
  #end;
  #state = new Observable({ known: false, read_receipts: true, last_seen: true, error: null });

  /** @param {object} services `profile`, `store` */
  constructor(services) {
    this.#services = services;
    this.#end = services.store.subscribe((change) => {
      if (change.type === 'me') this.#show();
    });
    this.#show();
  }

  /** @returns {{known: boolean, read_receipts: boolean, last_seen: boolean, error: string|null}} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#end();
  }

  /** @param {'read_receipts'|'last_seen'} name @param {boolean} value */
  async set(name, value) {
    const { profile, store } = this.#services;
    this.#pending = { ...this.#pending, [name]: value };
    this.#state.update({ error: null });
    this.#show();
    try {
      const { body } = await profile.changeSettings({ [name]: value });
      if (body) store.setMe({ ...store.me, ...body });
    } catch (error) {
      this.#state.update({ error: `${settingsTexts.privacy.failed} ${problemText(error)}` });
    }
    if (this.#pending[name] === value) {
      const { [name]: _done, ...rest } = this.#pending;
      this.#pending = rest;
    }
    this.#show();
  }

  #show() {
    const settings = { read_receipts: true, last_seen: true, ...this.#services.store.me?.settings, ...this.#pending };
    const known = this.#services.store.me !== null;
    this.#state.update({ known, read_receipts: settings.read_receipts, last_seen: settings.last_seen });
  }
}
