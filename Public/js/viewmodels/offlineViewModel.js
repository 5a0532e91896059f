import { KEPT_CHOICES, PAGE_CHOICES, keptCount, pageSize } from '../models/offlineSettings.js';
import { Observable } from '../models/observableArray.js';

/** How much of each chat is kept on this device, and asked for at once (O1). */
export class OfflineViewModel {
  #services;
  #state;

  /**
   * @param {object} services `preferences`, `storage`
   * @param {() => void} services.keepAnew called when another number of messages shall be kept
   */
  constructor(services) {
    this.#services = services;
    const { preferences, storage } = services;
    this.#state = new Observable({ kept: keptCount(preferences), page: pageSize(preferences), lasting: storage.lasting });
    // Whether it does, only trying tells.
    storage.put('meta', 'probe', true).then(() => this.#state.update({ lasting: storage.lasting }));
  }

  /** @returns {{kept: number, page: number, lasting: boolean}} `lasting`: false where this browser keeps nothing */
  get state() { return this.#state.state; }
  subscribe(listener) { return this.#state.subscribe(listener); }

  /** @param {number} count messages of each chat */
  setKept(count) {
    if (!KEPT_CHOICES.includes(count)) return;
    this.#services.preferences.set('kept_messages', String(count));
    this.#state.update({ kept: count });
    this.#services.keepAnew();
  }

  /** @param {number} count messages; chats that are opened from now on ask for so many */
  setPage(count) {
    if (!PAGE_CHOICES.includes(count)) return;
    this.#services.preferences.set('page_size', String(count));
    this.#state.update({ page: count });
  }
}
