import { utcOffset } from '../models/notificationRules.js';

/**
 * Keeps the do-not-disturb hours at this person's local time. The server stores a UTC offset, which changes with summer
 * time or a journey.
 */
export class QuietClock {
  #services;
  /** The offset sent last. Each is sent once, so that devices in two time zones do not overwrite each other forever. */
  #sent = /** @type {number|null} */ (null);

  /** @param {object} services `profile`, `store`, `sync`, `clock` */
  constructor(services) {
    this.#services = services;
    services.store.subscribe(({ type }) => type === 'me' && this.look());
    services.sync.subscribe(() => this.look());
    this.look();
  }

  /** Stores the current offset if it differs. The next page retries a failure. Never rejects. */
  async look() {
    const { profile, store, sync, clock } = this.#services;
    const hours = store.me?.settings?.do_not_disturb;
    const offset = utcOffset(clock.now());
    // The hours are sent as a whole, so stored ones, which may be outdated, must not be used.
    if (sync.state.connection !== 'online' || !hours?.on) return;
    if (hours.utc_offset === offset || this.#sent === offset) return;
    this.#sent = offset;
    try {
      const { body } = await profile.changeSettings({ do_not_disturb: { ...hours, utc_offset: offset } });
      if (body) store.setMe({ ...store.me, ...body });
    } catch {
      // The hours stay unchanged until then.
    }
  }
}
