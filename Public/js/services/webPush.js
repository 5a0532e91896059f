/** The Web Push subscription of this browser: with the push service, the worker and the server. */
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

  /** Whether this browser supports push messages. */
  async isPossible() {
    return Boolean((await this.#notifications.registration())?.pushManager);
  }

  /**
   * Subscribes, or repairs the subscription: one made with another key, or not registered by this session. Rejects with
   * `ApiError`, or the browser's error.
   * @returns {Promise<boolean>} false where this browser cannot
   */
  async subscribe() {
    // Two tabs at once would replace each other's subscription.
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

  /** Unsubscribes everywhere, as far as reachable. */
  async unsubscribe() {
    await this.forget();
    await this.#api.request('DELETE', '/push/subscription').catch(() => {});
  }

  /** Unsubscribes after the end of the session, with which the server has deleted its part. */
  async forget() {
    const subscription = await (await this.#notifications.registration())?.pushManager?.getSubscription()
      .catch(() => null);
    await subscription?.unsubscribe().catch(() => {});
  }

  /** Makes the server send a test notification. Rejects with `ApiError`. */
  test(text) {
    return this.#api.request('POST', '/push/test', { body: { text } });
  }
}

/** The key of a subscription, in the server's encoding. */
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
