import { USUAL_HOURS, minuteOf, utcOffset } from '../../models/notifications.js';
import { Observable } from '../../models/observableArray.js';
import { notificationTexts as words } from '../../models/texts/notifications.js';
import { problemText } from '../../models/texts.js';

/**
 * What this device tells, and the hours in which nothing is told anywhere (T1, T2).
 * @typedef {object} NotificationsState
 * @property {'insecure'|'unsupported'|'default'|'granted'|'denied'} permission
 * @property {boolean} on this device shows notifications
 * @property {boolean|null} push also while no page is open; null: not known yet
 * @property {boolean} busy
 * @property {string} told what became of a test
 * @property {string|null} error
 * @property {{sending: boolean, receiving: boolean}} sounds
 * @property {{known: boolean, on: boolean, from: string, to: string, error: string|null}} quiet
 */

export class NotificationsViewModel {
  #services;
  #pending = null;
  #end;
  #state;

  /** @param {object} services `notifications`, `push`, `sounds`, `preferences`, `profile`, `store`, `clock` */
  constructor(services) {
    this.#services = services;
    const { notifications, preferences, store } = services;
    const sound = (name) => preferences.get(`sound-${name}`) !== 'off';
    this.#state = new Observable({
      permission: notifications.permission, on: this.#isOn(), push: null, busy: false, told: '', error: null,
      sounds: Object.freeze({ sending: sound('sending'), receiving: sound('receiving') }),
      quiet: Object.freeze({ known: false, on: false, from: USUAL_HOURS.from, to: USUAL_HOURS.to, error: null }),
    });
    this.#end = store.subscribe((change) => change.type === 'me' && this.#showQuiet());
    this.#showQuiet();
    if (this.state.on) this.#lookForPush();
  }

  /** @returns {NotificationsState} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#end();
  }

  /** Switches this device on or off; the browser asks the person the first time. Never rejects. */
  async allow(on) {
    if (this.state.busy) return;
    const { notifications, preferences, push } = this.#services;
    this.#state.update({ busy: true, on, told: '', error: null });
    if (!on) {
      preferences.set('notifications', '');
      await push.unsubscribe();
      await notifications.close(() => true);
      this.#state.update({ busy: false, push: null });
      return;
    }
    const permission = await notifications.ask();
    if (permission !== 'granted') {
      this.#state.update({ busy: false, on: false, permission, error: permission === 'default' ? words.refused : null });
      return;
    }
    preferences.set('notifications', 'on');
    this.#state.update({ permission });
    await this.#try(async () => this.#state.update({ push: await push.subscribe() }));
    if (this.state.push === null) this.#state.update({ push: false });
    this.#state.update({ busy: false });
  }

  /** Sends one here: by the push service where that is set up, else by the page itself. Never rejects. */
  async test() {
    if (this.state.busy) return;
    const { push, notifications } = this.#services;
    this.#state.update({ busy: true, told: words.testing, error: null });
    const done = await this.#try(async () => {
      if (this.state.push) await push.test(words.testText);
      else {
        const [title, body] = [words.testTitle, words.testText];
        await notifications.show({ tag: 'test', title, body, icon: null, seq: 0, path: null });
      }
    });
    this.#state.update({ busy: false, told: done ? words.tested : '' });
  }

  /** @param {'sending'|'receiving'} name @param {boolean} on */
  setSound(name, on) {
    const { preferences, sounds } = this.#services;
    preferences.set(`sound-${name}`, on ? '' : 'off');
    this.#state.update({ sounds: Object.freeze({ ...this.state.sounds, [name]: on }) });
    if (!on) return;
    // So that one hears what one has chosen.
    sounds.unlock();
    sounds.play(name);
  }

  /** Changes the hours, with what this browser's clock shows. @param {{on?: boolean, from?: string, to?: string}} change */
  async setQuiet(change) {
    const { profile, store, clock } = this.#services;
    const { on, from, to } = { ...this.state.quiet, ...change };
    if (Number.isNaN(minuteOf(from)) || Number.isNaN(minuteOf(to))) return;
    const hours = { on, from, to, utc_offset: utcOffset(clock.now()) };
    this.#pending = hours;
    this.#showQuiet(null);
    let error = null;
    try {
      const { body } = await profile.changeSettings({ do_not_disturb: hours });
      if (body) store.setMe({ ...store.me, ...body });
    } catch (failed) {
      error = `${words.quiet.failed} ${problemText(failed)}`;
    }
    if (this.#pending !== hours) return;
    this.#pending = null;
    this.#showQuiet(error);
  }

  #isOn() {
    const { notifications, preferences } = this.#services;
    return notifications.permission === 'granted' && preferences.get('notifications') === 'on';
  }

  async #lookForPush() {
    await this.#try(async () => this.#state.update({ push: await this.#services.push.subscribe() }));
    if (this.state.push === null) this.#state.update({ push: false });
  }

  /** @returns {Promise<boolean>} whether it worked; if not, the state says why */
  async #try(act) {
    try {
      await act();
      return true;
    } catch (error) {
      this.#state.update({ error: `${words.failed} ${reasonOf(error)}`.trim() });
      return false;
    }
  }

  #showQuiet(error = this.state.quiet.error) {
    const { me } = this.#services.store;
    const { on, from, to } = this.#pending ?? me?.settings?.do_not_disturb ?? USUAL_HOURS;
    this.#state.update({ quiet: Object.freeze({ known: me !== null, on, from, to, error }) });
  }
}

/** What the server or the browser has against it. */
function reasonOf(error) {
  if (error.kind === undefined) return String(error.message ?? '');
  return error.errors?.some(({ field }) => field === 'endpoint') ? words.foreign : problemText(error);
}
