import { ChatStore } from '../models/chatStore.js';
import { newId } from '../models/format.js';
import { Api } from './api.js';
import { EventStream } from './eventStream.js';
import { Outbox } from './outbox.js';
import { Receipts } from './receipts.js';
import { SharedStream } from './sharedStream.js';
import { BrowserStorage, LocalTexts } from './storage.js';
import { ChatSync } from './sync.js';

/** Before what did not arrive is asked for again, and again. */
const PAUSES = [5000, 15_000, 60_000];

/**
 * Everything below the view models, joined together for one page. Nothing runs until `sync.start()`.
 * @param {typeof globalThis} window
 * @param {LockManager|null} [locks] null: the tabs of this browser do not know of each other
 */
export function createClient(window, locks = window.navigator.locks ?? null) {
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
  const sync = new ChatSync({ api, store, storage, drafts, preferences, stream, outbox, receipts, clock });

  window.addEventListener?.('online', () => sync.wake());
  window.addEventListener?.('offline', () => sync.wake());
  window.document?.addEventListener('visibilitychange', () => {
    if (window.document.visibilityState === 'visible') sync.wake();
  });

  /** Ends the session on the server, then wipes everything that this browser kept (A5). */
  async function signOut() {
    // Nobody was signed in any more: then there is only the wiping left.
    await sync.leave(() => api.signOut().catch((error) => {
      if (error.kind !== 'unauthenticated') throw error;
    }));
    preferences.wipe();
    const { forgetFiles } = await import('./serviceWorker.js');
    await forgetFiles(window);
  }

  /** Whether this tab is the one that acts for all of this browser. */
  const leads = () => !shared || stream.leads;

  return { api, store, storage, drafts, preferences, outbox, receipts, sync, clock, locks, signOut, leads };
}

/**
 * Does what needs the network and nobody waits for: what fails is tried again after growing pauses, and when the network is
 * back.
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
 * Fetches a module and all that it imports into the browser's own cache, one after the other: importing it afterwards asks
 * nobody. A module that does not arrive when it is imported, be it by another one, Firefox never asks for again while the
 * page is there, by whatever address the other is asked for (Chromium does); what does not arrive when it is fetched is
 * not remembered. Files' addresses hold their version, so the cache is never asked in vain.
 * @param {typeof globalThis} window
 * @param {string} address
 * @param {{isDeep?: boolean, seen?: Set<string>}} [options] `isDeep`: also what is imported when it is wanted
 * @returns {Promise<Set<string>>} the addresses. Rejects with `TypeError` where one did not arrive
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

/** What the engines, and `loadStyles`, say of a part that did not arrive. */
const MISSING = /imported module|module script|did not arrive/i;

/**
 * Hears of parts that somebody's press needed and that did not arrive; the next press asks for them again.
 * @param {typeof globalThis} window @param {() => void} tell
 */
export function onMissingPart(window, tell) {
  window.addEventListener('unhandledrejection', (event) => {
    if (!(event.reason instanceof TypeError && MISSING.test(event.reason.message))) return;
    event.preventDefault();
    tell();
  });
}

/** Does what need not be there with the next paint, so that it does not hold that up. Hidden pages do not paint. */
function afterPaint(window, act) {
  let isDone = false;
  const once = () => {
    if (!isDone) act();
    isDone = true;
  };
  window.requestAnimationFrame(() => window.setTimeout(once));
  window.setTimeout(once, 100);
}

/** A thing of the browser that may be refused: storage in strict settings throws when it is only looked at. */
function allowed(read) {
  try {
    return read() ?? null;
  } catch {
    return null;
  }
}
