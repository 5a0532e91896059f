'use strict';

/**
 * The service worker's part that keeps the program's files, so that it opens without a network (O1). A classic script:
 * Firefox ESR runs no module as a service worker. The server tells in `self.hubbub` which version of the files is the
 * present one: addresses hold that version, so whatever is kept under one is right for good.
 */
class OfflineWorker {
  /** How long a page's own answer is waited for while there is a kept one. */
  static PAGE_LIMIT = 2000;
  /** How many files are fetched at once: what the person does meanwhile comes first. */
  static AT_ONCE = 4;
  static CACHE = 'hubbub-';
  /** Where the two kinds of pages are kept: any address of the kind gives the same page. */
  static SHELLS = { app: '/chats', conversation: '/chats/-' };
  static SECTIONS = ['chats', 'people', 'orgs', 'news', 'settings', 'search', 'rooms', 'github'];

  #scope;
  #version;
  #base;
  #files;
  #filling = null;
  /** Counts the times that everything was forgotten: what began before must not keep anything after. */
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
      // Browsers that can be told so do not wake the worker for the API.
      event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' })?.catch(() => {});
      event.waitUntil(this.fill());
    });
    scope.addEventListener('activate', (event) => {
      event.waitUntil(Promise.all([scope.clients.claim(), this.tidy()]));
    });
    scope.addEventListener('message', (event) => {
      if (event.data?.type === 'keep') event.waitUntil(this.fill().then(() => this.tidy()));
      // Chromium may forget the wish of the installation while the former worker is busy.
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
   * What is done with a request: `page` of somebody who is signed in, `door` (sign-in and sign-up), `asset`, or nothing.
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

  /** Which of the kept pages shows an address. @param {string} pathname @returns {'app'|'conversation'} */
  static shellOf(pathname) {
    return /^\/chats\/[^/]+$/.test(pathname) ? 'conversation' : 'app';
  }

  /**
   * Which caches have had their time: of other versions that no open page uses.
   * @param {string[]} names of all caches @param {string} version @param {string[]} held names of held locks
   */
  static outdated(names, version, held) {
    return names.filter((name) => {
      if (!name.startsWith(OfflineWorker.CACHE)) return false;
      const of = name.slice(OfflineWorker.CACHE.length);
      return of !== version && !held.includes(`hubbub-assets:${of}`);
    });
  }

  /** Keeps what is not kept yet, the pages last: where they are, everything is. Never rejects. */
  fill() {
    this.#filling ??= this.#fill().catch(() => {}).finally(() => {
      this.#filling = null;
    });
    return this.#filling;
  }

  /** Nobody is signed in any more: no page is shown from here, and nothing tells that somebody was. */
  async forget() {
    this.#era += 1;
    const { caches } = this.#scope;
    const names = (await caches.keys()).filter((name) => name.startsWith(OfflineWorker.CACHE));
    await Promise.all(names.map((name) => caches.delete(name)));
  }

  /** A file from any version that is kept: a page from before an update goes on with what it began with. */
  async asset(request) {
    return await this.#kept(request.url) ?? this.#scope.fetch(request);
  }

  /**
   * The network's answer unless it takes too long or fails, and a page is kept. Not by a navigation preload: one that
   * nobody has read to its end counts as work of this worker, and a worker with work is not replaced by a newer one.
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
      // It may still come; nobody reads it.
      answer.then((response) => response.body?.cancel()).catch(() => {});
      return shell;
    }
    first ??= await answer;
    // Nothing waits for an answer that may never come: a worker that waits cannot be replaced by a newer one.
    event.waitUntil(this.#learn(pathname, first.clone()));
    return first;
  }

  /** Who sees the door is not signed in. */
  async door(event) {
    const response = await this.#scope.fetch(event.request);
    if (response.status === 200) event.waitUntil(Promise.all([this.forget(), this.#withdraw()]));
    return response;
  }

  /** What was told to somebody who is not signed in any more is taken back. */
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

  /** From this version, else from another one. */
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
        // Under an older version's address the server gives what it has now: it would be kept under a wrong name.
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
   * Lets go of other versions, once this one is whole and no newer one is on its way: a worker that is being replaced
   * must not take away what its successor has fetched.
   */
  async tidy() {
    const { caches, navigator, registration } = this.#scope;
    if (registration.installing || registration.waiting) return;
    // The pages are kept last: where they are, everything is.
    if (!await (await caches.open(this.#name)).match(OfflineWorker.SHELLS.app)) return;
    const held = ((await navigator.locks?.query())?.held ?? []).map(({ name }) => name);
    const outdated = OfflineWorker.outdated(await caches.keys(), this.#version, held);
    await Promise.all(outdated.map((name) => caches.delete(name)));
  }

  /** Keeps a page if it is one of somebody who is signed in, and of this version. */
  async #keepShell(cache, address, response, era) {
    if (response.status !== 200) return;
    const text = await response.clone().text();
    if (!text.includes('data-signed-in="yes"') || !text.includes(this.#base) || era !== this.#era) return;
    await cache.put(address, response);
    // Forgotten while it was being written.
    if (era !== this.#era) await this.forget();
  }
}

if (self.hubbub) new OfflineWorker(self, self.hubbub).listen();
