import { Observable } from '../models/observableArray.js';
import { KEPT_CHOICES, PAGE_CHOICES, keptCount, pageSize } from '../models/keptMessages.js';

/** How many messages of each chat are stored on this device, and loaded at once. */
export class OfflineViewModel extends Observable {
  #services;

  /**
   * @param {import('./types.js').Client & {keepAnew: () => void}} services `keepAnew` is called when the number of
   *   messages to keep has changed
   */
  constructor(services) {
    const { preferences, storage } = services;
    super({ kept: keptCount(preferences), page: pageSize(preferences), lasting: storage.lasting });
    this.#services = services;
    // Only a write shows whether storage works.
    storage.put('meta', 'probe', true).then(() => this.update({ lasting: storage.lasting }));
  }

  /** @param {number} count messages of each chat */
  setKept(count) {
    if (!KEPT_CHOICES.includes(count)) return;
    this.#services.preferences.set('kept_messages', String(count));
    this.update({ kept: count });
    this.#services.keepAnew();
  }

  /** @param {number} count messages of a page, in chats opened from now on */
  setPage(count) {
    if (!PAGE_CHOICES.includes(count)) return;
    this.#services.preferences.set('page_size', String(count));
    this.update({ page: count });
  }
}
