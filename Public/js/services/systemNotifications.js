/**
 * System notifications shown by a page: through the service worker if there is one, since phones allow no other way and
 * it also has those of pushes. Does not reject for errors that the caller cannot handle.
 */
export class SystemNotifications {
  #window;
  /** Notifications shown without a worker, by tag. */
  #own = new Map();

  /** Called with the path of a pressed notification that this page showed itself. */
  onPressed = (_path) => {};

  /** @param {typeof globalThis} window */
  constructor(window) {
    this.#window = window;
  }

  /** @returns {'insecure'|'unsupported'|'default'|'granted'|'denied'} */
  get permission() {
    if (!this.#window.isSecureContext) return 'insecure';
    return this.#window.Notification?.permission ?? 'unsupported';
  }

  /** Asks for permission; needs a user gesture. @returns {Promise<string>} the permission */
  async ask() {
    if (this.permission !== 'default') return this.permission;
    await this.#window.Notification.requestPermission();
    return this.permission;
  }

  /** @param {import('../models/notificationRules.js').Notice} notice */
  async show({ tag, title, body, icon, seq, path }) {
    if (this.permission !== 'granted') return;
    const options = { body, tag, renotify: false, icon: icon ?? undefined, data: { seq, path } };
    const registration = await this.registration();
    if (registration) return void await registration.showNotification(title, options).catch(() => {});
    try {
      const shown = new this.#window.Notification(title, options);
      shown.onclick = () => {
        shown.close();
        this.#window.focus();
        if (path) this.onPressed(path);
      };
      shown.onclose = () => {
        if (this.#own.get(tag) === shown) this.#own.delete(tag);
      };
      this.#own.set(tag, shown);
    } catch {
      // Browsers on phones require a worker.
    }
  }

  /** Closes the notifications that `done` selects. @param {(notice: {tag: string, seq: number}) => boolean} done */
  async close(done) {
    const registration = await this.registration();
    const shown = await registration?.getNotifications?.().catch(() => []) ?? [];
    for (const one of [...shown, ...this.#own.values()]) {
      if (done({ tag: one.tag, seq: one.data?.seq ?? 0 })) one.close();
    }
  }

  /** @returns {Promise<ServiceWorkerRegistration|null>} with a worker that runs */
  async registration() {
    const found = await this.#window.navigator.serviceWorker?.getRegistration().catch(() => null);
    return found?.active ? found : null;
  }
}
