import { pictureOf } from '../models/format.js';
import { Observable } from '../models/observableArray.js';

/** With more chats than this, it is no first visit. */
const FEW = 2;

/**
 * What a newcomer is invited to, once: notifications, a picture, GitHub; what is done already is left out.
 * @typedef {'notifications'|'picture'|'gitHub'} Invitation
 * @extends {Observable<{items: readonly Invitation[]}>} none: nothing is shown
 */
export class WelcomeViewModel extends Observable {
  #services;
  #isOpen = false;

  /** @param {any} services `store`, `preferences`, `offersGitHub`, `mayNotify()`: whether that can be asked for */
  constructor(services) {
    super({ items: [] });
    this.#services = services;
    const { store } = services;
    this.onClose(store.subscribe((/** @type {{type: string, userId?: string}} */ { type, userId }) => {
      if (type === 'me' || type === 'rooms' || (type === 'user' && userId === store.me?.id)) this.open();
    }));
  }

  /** Looks what there is to invite to, once the person and their chats are known. */
  open() {
    const { store, offersGitHub, mayNotify } = this.#services;
    if (this.isClosed || !store.me || store.baseEventId === null) return;
    if (!this.#isOpen && store.rooms().length > FEW) return this.dismiss();
    this.#isOpen = true;
    const { me } = store;
    /** @type {(Invitation|false)[]} */
    const items = [
      mayNotify() && 'notifications', pictureOf(me.avatar_url) === null && 'picture',
      offersGitHub && !me.login && 'gitHub',
    ];
    const wanted = /** @type {Invitation[]} */ (items.filter(Boolean));
    if (wanted.length === 0) this.dismiss();
    else this.update({ items: wanted });
  }

  /** Never again on this device. */
  dismiss() {
    this.#services.preferences.set('welcome', 'done');
    this.update({ items: [] });
    this.close();
  }
}
