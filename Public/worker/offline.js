'use strict';

/**
 * The part of the service worker that caches the app's files, so that it opens offline. A classic script, because
 * Firefox ESR runs no modules as service workers. The server states the current version in `self.hubbub`. Addresses
 * contain the version, so a cached file never becomes stale.
 */
class OfflineWorker {
  /** How long to wait for the network while there is a cached page, in milliseconds. */
  static PAGE_LIMIT = 2000;
  /** How many files are fetched at once; few, so that the page's own requests come first. */
  static AT_ONCE = 4;
  static CACHE = 'hubbub-';
  /** The cache keys of the two kinds of pages: all addresses of a kind have the same page. */
  static SHELLS = { app: '/chats', conversation: '/chats/-' };
  static SECTIONS = ['chats', 'people', 'orgs', 'news', 'settings', 'search', 'rooms', 'github'];

  #scope;
  #version;
  #base;
  #files;
  #filling = null;
  /** Counts sign-outs: work that began before one must not cache anything after it. */
  #era = 0;

  /** @param {ServiceWorkerGlobalScope} scope @param {{version: string, base: string, files: string[]}} assets */
  constructor(scope, { version, base, files }) {
    this.#scope = scope;
    this.#version = version;
    this.#base = base;
    this.#files = files;
  }

  listen() {
    const scope = this.#scope;
    scope.addEventListener('install', (event) => {
      scope.skipWaiting();
      // Browsers with static routing do not wake the worker for the API.
      event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' })?.catch(() => {});
      event.waitUntil(this.fill());
    });
    scope.addEventListener('activate', (event) => {
      event.waitUntil(Promise.all([scope.clients.claim(), this.tidy()]));
    });
    scope.addEventListener('message', (event) => {
      if (event.data?.type === 'keep') event.waitUntil(this.fill().then(() => this.tidy()));
      // Chromium may drop skipWaiting() of the installation while the former worker is busy.
      if (event.data?.type === 'take over') scope.skipWaiting();
      if (event.data?.type === 'forget') event.waitUntil(this.forget());
    });
    scope.addEventListener('fetch', (event) => {
      const kind = OfflineWorker.kindOf(event.request, scope.location.origin);
      if (kind === 'asset') event.respondWith(this.asset(event.request));
      else if (kind === 'page') event.respondWith(this.page(event));
      else if (kind === 'door') event.respondWith(this.door(event));
    });
  }

  /**
   * The kind of a request: `page` (signed in), `door` (sign-in and sign-up), `asset`, or null for any other.
   * @param {Request} request @param {string} origin @returns {'page'|'door'|'asset'|null}
   */
  static kindOf({ method, mode, url }, origin) {
    const { origin: at, pathname } = new URL(url);
    if (method !== 'GET' || at !== origin) return null;
    const [, first, second] = pathname.split('/');
    if (first === 'assets' && second) return 'asset';
    if (mode !== 'navigate') return null;
    if (first === 'sign-in' || first === 'sign-up') return 'door';
    return pathname === '/' || OfflineWorker.SECTIONS.includes(first) ? 'page' : null;
  }

  /** The cached page for an address. @param {string} pathname @returns {'app'|'conversation'} */
  static shellOf(pathname) {
    return /^\/chats\/[^/]+$/.test(pathname) ? 'conversation' : 'app';
  }

  /**
   * The outdated caches: those of other versions that no open page uses.
   * @param {string[]} names of all caches @param {string} version @param {string[]} held names of held locks
   */
  static outdated(names, version, held) {
    return names.filter((name) => {
      if (!name.startsWith(OfflineWorker.CACHE)) return false;
      const of = name.slice(OfflineWorker.CACHE.length);
      return of !== version && !held.includes(`hubbub-assets:${of}`);
    });
  }

  /** Caches missing files, the pages last: a cached page means a complete version. Never rejects. */
  fill() {
    this.#filling ??= this.#fill().catch(() => {}).finally(() => {
      this.#filling = null;
    });
    return this.#filling;
  }

  /** After sign-out: deletes the cached pages, and every trace of the person. */
  async forget() {
    this.#era += 1;
    const { caches } = this.#scope;
    const names = (await caches.keys()).filter((name) => name.startsWith(OfflineWorker.CACHE));
    await Promise.all(names.map((name) => caches.delete(name)));
  }

  /** A file from any cached version: a page opened before an update keeps its own version. */
  async asset(request) {
    return await this.#kept(request.url) ?? this.#scope.fetch(request);
  }

  /**
   * The network's response, or the cached page if that takes too long or fails. Without navigation preload: an unread
   * preload counts as work of this worker, and a busy worker is not replaced by a newer one.
   */
  async page(event) {
    const { pathname } = new URL(event.request.url);
    const answer = this.#scope.fetch(event.request);
    const late = new Promise((resolve) => {
      this.#scope.setTimeout(() => resolve(null), OfflineWorker.PAGE_LIMIT);
    });
    let first = await Promise.race([answer.catch(() => null), late]);
    const shell = first && first.status < 500 ? undefined : await this.#shell(pathname);
    if (shell) {
      // A late response is ignored.
      answer.then((response) => response.body?.cancel()).catch(() => {});
      return shell;
    }
    first ??= await answer;
    // Does not wait for a response that may never come: a busy worker cannot be replaced by a newer one.
    event.waitUntil(this.#learn(pathname, first.clone()));
    return first;
  }

  /** The sign-in page means that nobody is signed in. */
  async door(event) {
    const response = await this.#scope.fetch(event.request);
    if (response.status === 200) event.waitUntil(Promise.all([this.forget(), this.#withdraw()]));
    return response;
  }

  /** Closes the notifications of a person who has signed out. */
  async #withdraw() {
    for (const notice of await this.#scope.registration.getNotifications?.() ?? []) notice.close();
  }

  async #learn(pathname, response) {
    // Sent to sign in. The root sends everybody somewhere.
    if (response.type === 'opaqueredirect' && pathname !== '/') return this.forget();
    const era = this.#era;
    const cache = await this.#scope.caches.open(this.#name);
    const address = OfflineWorker.SHELLS[OfflineWorker.shellOf(pathname)];
    if (await cache.match(address)) await this.#keepShell(cache, address, response, era);
    return undefined;
  }

  async #shell(pathname) {
    return this.#kept(OfflineWorker.SHELLS[OfflineWorker.shellOf(pathname)]);
  }

  /** From this version, else from another. */
  async #kept(address) {
    const { caches } = this.#scope;
    const names = (await caches.keys()).filter((name) => name.startsWith(OfflineWorker.CACHE));
    names.sort((one, other) => Number(other === this.#name) - Number(one === this.#name));
    for (const name of names) {
      const found = await (await caches.open(name)).match(address, { ignoreVary: true });
      if (found) return found;
    }
    return undefined;
  }

  get #name() { return OfflineWorker.CACHE + this.#version; }

  async #fill() {
    const { caches, fetch, location } = this.#scope;
    const era = this.#era;
    const cache = await caches.open(this.#name);
    const kept = new Set((await cache.keys()).map(({ url }) => new URL(url, location.origin).pathname));
    const missing = this.#files.map((file) => this.#base + file).filter((address) => !kept.has(address));
    const lane = async () => {
      for (let address = missing.shift(); address !== undefined; address = missing.shift()) {
        const response = await fetch(address);
        // The server answers an older version's address with current files, which must not be cached there.
        if (!response.headers.get('Cache-Control')?.includes('immutable')) throw new Error(`${address} is outdated`);
        if (era !== this.#era) throw new Error('forgotten meanwhile');
        await cache.put(address, response);
      }
    };
    await Promise.all(Array.from({ length: OfflineWorker.AT_ONCE }, lane));
    for (const address of Object.values(OfflineWorker.SHELLS)) {
      if (!kept.has(address)) await this.#keepShell(cache, address, await fetch(address, { redirect: 'manual' }), era);
    }
  }

  /**
   * Deletes other versions once this one is complete and no newer one is being installed: a worker that is being
   * replaced must not delete its successor's files.
   */
  async tidy() {
    const { caches, navigator, registration } = this.#scope;
    if (registration.installing || registration.waiting) return;
    // The pages are cached last, so a cached page means a complete version.
    if (!await (await caches.open(this.#name)).match(OfflineWorker.SHELLS.app)) return;
    const held = ((await navigator.locks?.query())?.held ?? []).map(({ name }) => name);
    const outdated = OfflineWorker.outdated(await caches.keys(), this.#version, held);
    await Promise.all(outdated.map((name) => caches.delete(name)));
  }

  /** Caches a page if it is a signed-in page of this version. */
  async #keepShell(cache, address, response, era) {
    if (response.status !== 200) return;
    const text = await response.clone().text();
    if (!text.includes('data-signed-in="yes"') || !text.includes(this.#base) || era !== this.#era) return;
    await cache.put(address, response);
    // Signed out while it was being written.
    if (era !== this.#era) await this.forget();
  }
}

if (self.hubbub) new OfflineWorker(self, self.hubbub).listen();
