import { utcOffset } from '../models/notifications.js';

/**
 * Keeps the hours of do-not-disturb at the wall clock where this person is (T2): the server reckons with an offset, which
 * a change to summer time or a journey changes.
 */
export class QuietClock {
  #services;
  /** The offset that this page has sent: another device elsewhere may send its own, and the two must not go on for ever. */
  #sent = null;

  /** @param {object} services `profile`, `store`, `sync`, `clock` */
  constructor(services) {
    this.#services = services;
    services.store.subscribe(({ type }) => type === 'me' && this.look());
    services.sync.subscribe(() => this.look());
    this.look();
  }

  /** Stores the offset of now, where another one is stored. What fails is tried with the next page. Never rejects. */
  async look() {
    const { profile, store, sync, clock } = this.#services;
    const hours = store.me?.settings?.do_not_disturb;
    const offset = utcOffset(clock.now());
    // The hours are sent whole: none that this browser kept, and the server may have others for by now.
    if (sync.state.connection !== 'online' || !hours?.on) return;
    if (hours.utc_offset === offset || this.#sent === offset) return;
    this.#sent = offset;
    try {
      const { body } = await profile.changeSettings({ do_not_disturb: { ...hours, utc_offset: offset } });
      if (body) store.setMe({ ...store.me, ...body });
    } catch {
      // Until then the hours are as they were.
    }
  }
}
