'use strict';

/**
 * The part of the service worker that shows push messages while no page is open. A classic script, because Firefox ESR
 * runs no modules as service workers.
 */
class PushWorker {
  #scope;

  /** @param {ServiceWorkerGlobalScope} scope */
  constructor(scope) {
    this.#scope = scope;
  }

  listen() {
    const scope = this.#scope;
    scope.addEventListener('push', (event) => event.waitUntil(this.show(PushWorker.contentOf(event.data))));
    scope.addEventListener('notificationclick', (event) => {
      event.notification.close();
      // A notification without a target only focuses a page.
      event.waitUntil(this.open(event.notification.data?.path ?? '/chats'));
    });
    scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(this.renew(event)));
    // Nothing stays after sign-out.
    scope.addEventListener('message', (event) => {
      if (event.data?.type === 'forget') event.waitUntil(this.close(() => true));
    });
  }

  /** The content of a push message; empty if it is unreadable. @param {PushMessageData|null} data */
  static contentOf(data) {
    try {
      return data?.json() ?? {};
    } catch {
      return {};
    }
  }

  /**
   * The notification for a push message: one for each chat, the newer replaces the older.
   * @param {object} content @param {string} icon the app's own
   * @returns {{title: string, options: NotificationOptions}}
   */
  static noticeOf(content, icon) {
    if (content.type !== 'message') {
      const data = { seq: 0, path: '/chats' };
      const options = { body: content.text ?? '', tag: content.type ?? 'other', icon, data };
      return { title: 'Hubbub', options };
    }
    const { room_id: tag, seq, sender, room, text, created_at: at } = content;
    return {
      title: room ?? sender,
      options: {
        body: room ? `${sender}: ${text}` : text, tag, renotify: false, icon: content.icon ?? icon,
        timestamp: Date.parse(at) || undefined, data: { seq, path: `/chats/${tag}` },
      },
    };
  }

  /** Shows it, and closes notifications read elsewhere. Browsers require that each push shows something. */
  async show(content) {
    const { registration, hubbub } = this.#scope;
    const { title, options } = PushWorker.noticeOf(content, `${hubbub.base}icons/icon-192.png`);
    const closed = new Set(content.closed ?? []);
    await this.close(({ tag }) => closed.has(tag));
    const [before] = await registration.getNotifications({ tag: options.tag });
    // A page has shown it, or pushes arrived out of order: the newer one stays.
    if (before && (before.data?.seq ?? 0) > options.data.seq) {
      const { body, icon, data } = before;
      return registration.showNotification(before.title, { ...options, body, icon, data });
    }
    return registration.showNotification(title, options);
  }

  /** Focuses a page and navigates it, or opens one. @param {string} path */
  async open(path) {
    const { clients } = this.#scope;
    const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
    const page = pages.find(({ focused }) => focused)
      ?? pages.find(({ visibilityState }) => visibilityState === 'visible')
      ?? pages[0];
    if (!page) return clients.openWindow(path);
    page.postMessage({ type: 'open', path });
    return page.focus();
  }

  /** @param {(notification: Notification) => boolean} done */
  async close(done) {
    for (const one of await this.#scope.registration.getNotifications()) if (done(one)) one.close();
  }

  /** Replaces a subscription that the push service has cancelled, and registers it with the server. */
  async renew({ oldSubscription, newSubscription }) {
    const { registration, fetch } = this.#scope;
    const key = oldSubscription?.options?.applicationServerKey;
    const options = { userVisibleOnly: true, applicationServerKey: key };
    const subscription = newSubscription ?? (key ? await registration.pushManager.subscribe(options) : null);
    // Otherwise the next page mends it.
    if (!subscription) return;
    const { endpoint, keys } = subscription.toJSON();
    await fetch('/api/v1/push/subscription', {
      method: 'PUT', credentials: 'same-origin', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ endpoint, keys }),
    });
  }
}

if (self.hubbub) new PushWorker(self).listen();
