import { ChatStore } from '../models/chatStore.js';
import { newId } from '../models/format.js';
import { Api } from './api.js';
import { EventStream } from './eventStream.js';
import { Outbox } from './outbox.js';
import { Receipts } from './receipts.js';
import { SharedStream } from './sharedStream.js';
import { BrowserStorage, LocalTexts } from './storage.js';
import { ChatSync } from './sync.js';

/**
 * The services of a signed-in page; `locks`: null if the browser has none.
 * @typedef {ReturnType<typeof createClient>} Client
 */

/** The pauses before a failed request is repeated, in milliseconds. */
const PAUSES = [5000, 15_000, 60_000];

/**
 * Composes everything below the view models for one page. Nothing runs until `sync.start()`.
 * @param {typeof globalThis} window
 * @param {LockManager|null} [locks] null: the tabs of this browser do not know of each other
 * @param {string} [limits] of the server, for `setLimits` by the pages that check them
 */
export function createClient(window, locks = window.navigator.locks ?? null, limits = '') {
  const clock = {
    now: () => Date.now(),
    setTimeout: (act, time) => window.setTimeout(act, time),
    clearTimeout: (id) => window.clearTimeout(id),
    afterPaint: (act) => afterPaint(window, act),
  };
  const random = Math.random;
  const makeId = () => newId((bytes) => window.crypto.getRandomValues(bytes));
  const local = allowed(() => window.localStorage);

  const api = new Api({ fetch: (...input) => window.fetch(...input), clock });
  const store = new ChatStore();
  const storage = new BrowserStorage(allowed(() => window.indexedDB));
  const drafts = new LocalTexts(local, 'draft');
  const preferences = new LocalTexts(local, 'preference');
  const own = new EventStream({
    EventSource: window.EventSource, api, clock, random, isOnLine: () => window.navigator.onLine !== false,
  });
  const openChannel = (name) => new window.BroadcastChannel(name);
  const shared = locks !== null && window.BroadcastChannel !== undefined;
  const stream = shared ? new SharedStream({ stream: own, api, locks, openChannel, clock }) : own;
  const receipts = new Receipts({ api, store, clock });
  const outbox = new Outbox({
    api, storage, clock, random, locks, newId: makeId, connection: () => sync.state.connection,
  });
  /** @type {ChatSync} */
  const sync = new ChatSync({ api, store, storage, drafts, preferences, stream, outbox, receipts, clock });

  window.addEventListener?.('online', () => sync.wake());
  window.addEventListener?.('offline', () => sync.wake());
  window.document?.addEventListener('visibilitychange', () => {
    if (window.document.visibilityState === 'visible') sync.wake();
  });

  /** Ends the session on the server, then wipes everything stored in this browser. */
  async function signOut() {
    // The session was over already: only the wiping is left.
    await sync.leave(() => api.signOut().catch((error) => {
      if (error.kind !== 'unauthenticated') throw error;
    }));
    preferences.wipe();
    const { forgetFiles } = await import('./serviceWorker.js');
    await forgetFiles(window);
  }

  /** Whether this tab acts for all tabs of the browser. */
  const leads = () => !(stream instanceof SharedStream) || stream.leads;

  return { api, store, storage, drafts, preferences, outbox, receipts, sync, clock, locks, limits, signOut, leads };
}

/**
 * Runs a request in the background. Tries again after growing pauses if it fails, and when the network is back.
 * @template T
 * @param {() => Promise<T>} load
 * @param {import('../viewmodels/types.js').Clock} clock
 * @param {EventTarget} window
 * @returns {Promise<T>} never rejects
 */
export function eventually(load, clock, window) {
  return new Promise((resolve) => {
    let tries = 0;
    let timer = null;
    const attempt = () => {
      clock.clearTimeout(timer);
      window.removeEventListener('online', attempt);
      load().then(resolve, () => {
        timer = clock.setTimeout(attempt, PAUSES[Math.min(tries, PAUSES.length - 1)]);
        window.addEventListener('online', attempt);
        tries += 1;
      });
    };
    attempt();
  });
}

/**
 * Fetches a module and everything it imports into the browser's cache, one after the other, so that importing it needs
 * no network. Firefox never retries a module whose import failed while the page lives (Chromium does), not even when
 * another module imports it; a failed `fetch` is not remembered. Addresses contain the version, so the cache is valid.
 * @param {typeof globalThis} window
 * @param {string} address
 * @param {{isDeep?: boolean, seen?: Set<string>}} options `isDeep`: also dynamic imports
 * @returns {Promise<Set<string>>} the addresses. Rejects with `TypeError` if a fetch fails
 */
export async function fetchAhead(window, address, { isDeep = false, seen = new Set() } = {}) {
  if (seen.has(address)) return seen;
  seen.add(address);
  const answer = await window.fetch(address);
  if (!answer.ok) throw new TypeError(`${address} did not arrive`);
  const imports = isDeep ? /\b(?:from |import\()'(\.[^']+)'/g : /\bfrom '(\.[^']+)'/g;
  for (const [, other] of (await answer.text()).matchAll(imports)) {
    await fetchAhead(window, new URL(other, address).href, { isDeep, seen });
  }
  return seen;
}

/** The errors of engines, and of `loadStyles`, for a part that failed to load. */
const MISSING = /imported module|module script|did not arrive/i;

/**
 * Reports parts that an action needed and that failed to load. The next action fetches them again.
 * @param {typeof globalThis} window @param {() => void} tell
 */
export function onMissingPart(window, tell) {
  window.addEventListener('unhandledrejection', (event) => {
    if (!(event.reason instanceof TypeError && MISSING.test(event.reason.message))) return;
    event.preventDefault();
    tell();
  });
}

/** Runs work after the next paint, so that it does not delay it. Hidden pages do not paint. */
function afterPaint(window, act) {
  let isDone = false;
  const once = () => {
    if (!isDone) act();
    isDone = true;
  };
  window.requestAnimationFrame(() => window.setTimeout(once));
  window.setTimeout(once, 100);
}

/** Reads a browser object that may be blocked: with strict settings, storage throws on access. */
function allowed(read) {
  try {
    return read() ?? null;
  } catch {
    return null;
  }
}

/** Where the browser has no locks, its tabs learn of each other by a worker that they share. */
export async function locksOfWorker(window) {
  if (!window.SharedWorker) return null;
  return (await import('./workerLocks.js')).workerLocks(window).catch(() => null);
}
