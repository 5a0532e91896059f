'use strict';

/**
 * The service worker's part that shows what the server pushes while no page is open (T1). A classic script: Firefox ESR
 * runs no module as a service worker.
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
      // One that leads nowhere only brings a page to the front.
      event.waitUntil(this.open(event.notification.data?.path ?? '/chats'));
    });
    scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(this.renew(event)));
    // Whoever signs out leaves nothing behind (A5).
    scope.addEventListener('message', (event) => {
      if (event.data?.type === 'forget') event.waitUntil(this.close(() => true));
    });
  }

  /** What a push says; nothing where it cannot be read. @param {PushMessageData|null} data */
  static contentOf(data) {
    try {
      return data?.json() ?? {};
    } catch {
      return {};
    }
  }

  /**
   * The notification for what a push says: one a chat, the newer in the place of the older.
   * @param {object} content @param {string} icon the app's own
   * @returns {{title: string, options: NotificationOptions}}
   */
  static noticeOf(content, icon) {
    if (content.type !== 'message') {
      const options = { body: content.text ?? '', tag: content.type ?? 'other', icon, data: { seq: 0, path: '/chats' } };
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

  /** Shows it, and closes what was read elsewhere. A browser wants each push to show something. */
  async show(content) {
    const { registration, hubbub } = this.#scope;
    const { title, options } = PushWorker.noticeOf(content, `${hubbub.base}icons/icon-192.png`);
    const closed = new Set(content.closed ?? []);
    await this.close(({ tag }) => closed.has(tag));
    const [before] = await registration.getNotifications({ tag: options.tag });
    // A page has shown it, or two pushes have overtaken each other: what is newer stays.
    if (before && (before.data?.seq ?? 0) > options.data.seq) {
      const { body, icon, data } = before;
      return registration.showNotification(before.title, { ...options, body, icon, data });
    }
    return registration.showNotification(title, options);
  }

  /** Brings a page to the front and has it go there, or opens one. @param {string} path */
  async open(path) {
    const { clients } = this.#scope;
    const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
    const page = pages.find(({ focused }) => focused) ?? pages.find(({ visibilityState }) => visibilityState === 'visible')
      ?? pages[0];
    if (!page) return clients.openWindow(path);
    page.postMessage({ type: 'open', path });
    return page.focus();
  }

  /** @param {(notification: Notification) => boolean} done */
  async close(done) {
    for (const one of await this.#scope.registration.getNotifications()) if (done(one)) one.close();
  }

  /** The push service has taken a subscription away: another in its place, which the server is told. */
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
