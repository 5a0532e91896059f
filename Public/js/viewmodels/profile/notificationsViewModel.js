import { USUAL_HOURS, minuteOf, utcOffset } from '../../models/notificationRules.js';
import { Observable } from '../../models/observableArray.js';
import { notificationTexts as words } from '../../models/texts/notifications.js';
import { problemText } from '../../models/format.js';
import { texts } from '../../models/texts.js';
import { sharedTexts } from '../../models/texts/shared.js';

/**
 * The notifications of this device, and the do-not-disturb hours of the account.
 * @typedef {object} NotificationsState
 * @property {'insecure'|'unsupported'|'default'|'granted'|'denied'} permission
 * @property {boolean} on this device shows notifications
 * @property {boolean|null} push also while no page is open; null: not known yet
 * @property {boolean} busy
 * @property {string} told the outcome of a test
 * @property {string|null} error
 * @property {{sending: boolean, receiving: boolean}} sounds
 * @property {{known: boolean, on: boolean, from: string, to: string, error: string|null}} quiet
 */

/** @extends {Observable<NotificationsState>} */
export class NotificationsViewModel extends Observable {
  #services;
  #pending = /** @type {{on: boolean, from: string, to: string, utc_offset: number}|null} */ (null);

  /** @param {object} services `notifications`, `push`, `sounds`, `preferences`, `profile`, `store`, `clock` */
  constructor(services) {
    const { notifications, preferences, store } = services;
    const sound = (name) => preferences.get(`sound-${name}`) !== 'off';
    super({
      permission: notifications.permission, on: isOn(services), push: null, busy: false, told: '', error: null,
      sounds: Object.freeze({ sending: sound('sending'), receiving: sound('receiving') }),
      quiet: Object.freeze({ known: false, on: false, from: USUAL_HOURS.from, to: USUAL_HOURS.to, error: null }),
    });
    this.#services = services;
    this.onClose(store.subscribe((change) => change.type === 'me' && this.#showQuiet()));
    this.#showQuiet();
    if (this.state.on) this.#lookForPush();
  }

  /** Switches this device on or off; the browser asks for permission the first time. Never rejects. */
  async allow(on) {
    if (this.state.busy) return;
    const { notifications, preferences, push } = this.#services;
    this.update({ busy: true, on, told: '', error: null });
    if (!on) {
      preferences.set('notifications', '');
      await push.unsubscribe();
      await notifications.close(() => true);
      this.update({ busy: false, push: null });
      return;
    }
    const permission = await notifications.ask();
    if (permission !== 'granted') {
      this.update({ busy: false, on: false, permission, error: permission === 'default' ? words.refused : null });
      return;
    }
    preferences.set('notifications', 'on');
    this.update({ permission });
    await this.#try(async () => this.update({ push: await push.subscribe() }));
    if (this.state.push === null) this.update({ push: false });
    this.update({ busy: false });
  }

  /** Shows a test: through the push service if it is set up, else from the page. Never rejects. */
  async test() {
    if (this.state.busy) return;
    const { push, notifications } = this.#services;
    this.update({ busy: true, told: words.testing, error: null });
    const done = await this.#try(async () => {
      if (this.state.push) await push.test(words.testText);
      else {
        const [title, body] = [texts.appName, words.testText];
        await notifications.show({ tag: 'test', title, body, icon: null, seq: 0, path: null });
      }
    });
    this.update({ busy: false, told: done ? words.tested : '' });
  }

  /** @param {'sending'|'receiving'} name @param {boolean} on */
  setSound(name, on) {
    const { preferences, sounds } = this.#services;
    preferences.set(`sound-${name}`, on ? '' : 'off');
    this.update({ sounds: Object.freeze({ ...this.state.sounds, [name]: on }) });
    if (!on) return;
    // Plays the chosen sound.
    sounds.unlock();
    sounds.play(name);
  }

  /** Changes the hours, with this browser's UTC offset. @param {{on?: boolean, from?: string, to?: string}} change */
  async setQuiet(change) {
    const { profile, store, clock } = this.#services;
    const { on, from, to } = Object.assign({}, this.state.quiet, change);
    if (Number.isNaN(minuteOf(from)) || Number.isNaN(minuteOf(to))) return;
    const hours = { on, from, to, utc_offset: utcOffset(clock.now()) };
    this.#pending = hours;
    this.#showQuiet(null);
    let error = null;
    try {
      const { body } = await profile.changeSettings({ do_not_disturb: hours });
      if (body) store.setMe({ ...store.me, ...body });
    } catch (failed) {
      error = `${sharedTexts.notSaved} ${problemText(failed)}`;
    }
    if (this.#pending !== hours) return;
    this.#pending = null;
    this.#showQuiet(error);
  }

  async #lookForPush() {
    await this.#try(async () => this.update({ push: await this.#services.push.subscribe() }));
    if (this.state.push === null) this.update({ push: false });
  }

  /** @returns {Promise<boolean>} whether it worked; if not, the state says why */
  async #try(act) {
    try {
      await act();
      return true;
    } catch (error) {
      this.update({ error: `${words.failed} ${reasonOf(error)}`.trim() });
      return false;
    }
  }

  #showQuiet(error = this.state.quiet.error) {
    const { me } = this.#services.store;
    const { on, from, to } = this.#pending ?? me?.settings?.do_not_disturb ?? USUAL_HOURS;
    this.update({ quiet: Object.freeze({ known: me !== null, on, from, to, error }) });
  }
}

/** The error of the server or the browser. */
function reasonOf(error) {
  if (error.kind === undefined) return String(error.message ?? '');
  return error.errors?.some(({ field }) => field === 'endpoint') ? words.foreign : problemText(error);
}

/** Whether this device shows notifications. */
function isOn({ notifications, preferences }) {
  return notifications.permission === 'granted' && preferences.get('notifications') === 'on';
}
