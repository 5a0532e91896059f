import { problemText } from '../../models/format.js';
import { Observable } from '../../models/observableArray.js';
import { sharedTexts } from '../../models/texts/shared.js';

const DEFAULTS = { read_receipts: true, last_seen: true, added_by: 'everybody' };

/**
 * Read receipts and last seen, both mutual, and who may add this person to groups. A choice moves at once, and back if
 * the server refuses.
 */
export class PrivacyViewModel extends Observable {
  #services;
  #pending = {};

  /** @param {object} services `profile`, `store` */
  constructor(services) {
    super({ known: false, ...DEFAULTS, error: null });
    this.#services = services;
    this.onClose(services.store.subscribe((change) => {
      if (change.type === 'me') this.#show();
    }));
    this.#show();
  }

  /** @param {'read_receipts'|'last_seen'|'added_by'} name @param {boolean|'everybody'|'known'|'nobody'} value */
  async set(name, value) {
    const { profile, store } = this.#services;
    this.#pending = { ...this.#pending, [name]: value };
    this.update({ error: null });
    this.#show();
    try {
      const { body } = await profile.changeSettings({ [name]: value });
      if (body) store.setMe({ ...store.me, ...body });
    } catch (error) {
      this.update({ error: `${sharedTexts.notSaved} ${problemText(error)}` });
    }
    if (this.#pending[name] === value) {
      const { [name]: _done, ...rest } = this.#pending;
      this.#pending = rest;
    }
    this.#show();
  }

  #show() {
    const settings = { ...DEFAULTS, ...this.#services.store.me?.settings, ...this.#pending };
    const known = this.#services.store.me !== null;
    this.update({
      known, read_receipts: settings.read_receipts, last_seen: settings.last_seen, added_by: settings.added_by,
    });
  }
}
