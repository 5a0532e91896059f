/** Web Push of this browser: what the push service, the worker and the server must each know (T1). */
export class Push {
  #api;
  #notifications;
  #locks;

  /**
   * @param {object} services
   * @param {import('./api.js').Api} services.api
   * @param {import('./systemNotifications.js').SystemNotifications} services.notifications
   * @param {LockManager|null} services.locks
   */
  constructor({ api, notifications, locks }) {
    this.#api = api;
    this.#notifications = notifications;
    this.#locks = locks;
  }

  /** Whether this browser can be told something while no page is open. */
  async isPossible() {
    return Boolean((await this.#notifications.registration())?.pushManager);
  }

  /**
   * Subscribes, or mends what is there: a subscription that was made with another key, or of which this session has not
   * told the server. Rejects with `ApiError`, or what the browser says.
   * @returns {Promise<boolean>} false where this browser cannot
   */
  async subscribe() {
    // Two tabs that mend at once would take each other's subscription away.
    return this.#locks ? this.#locks.request('hubbub-push', () => this.#subscribe()) : this.#subscribe();
  }

  async #subscribe() {
    const manager = (await this.#notifications.registration())?.pushManager;
    if (!manager) return false;
    const { body } = await this.#api.request('GET', '/push');
    let subscription = await manager.getSubscription();
    if (subscription && keyOf(subscription) !== body.public_key) {
      await subscription.unsubscribe();
      subscription = null;
    }
    if (subscription && body.subscribed) return true;
    subscription ??= await manager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(body.public_key) });
    const { endpoint, keys } = subscription.toJSON();
    await this.#api.request('PUT', '/push/subscription', { body: { endpoint, keys } });
    return true;
  }

  /** Takes it back everywhere, as far as that can be reached. */
  async unsubscribe() {
    await this.forget();
    await this.#api.request('DELETE', '/push/subscription').catch(() => {});
  }

  /** The same where the session has ended, and with it what the server knew. */
  async forget() {
    const subscription = await (await this.#notifications.registration())?.pushManager?.getSubscription().catch(() => null);
    await subscription?.unsubscribe().catch(() => {});
  }

  /** Has the server send a notification with a text here. Rejects with `ApiError`. */
  test(text) {
    return this.#api.request('POST', '/push/test', { body: { text } });
  }
}

/** The key that a subscription was made with, as the server writes it. */
function keyOf(subscription) {
  const key = subscription.options?.applicationServerKey;
  if (!key) return null;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function bytesOf(text) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
