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
 * Loads a module that nobody waits for: what does not arrive is asked for again after growing pauses, and when the network
 * is back. Browsers keep it in mind that an address gave nothing, so each further try has an address of its own.
 * @template Module
 * @param {(suffix: string) => Promise<Module>} load imports it; the suffix belongs at the end of the address
 * @param {import('../viewmodels/types.js').Clock} clock
 * @param {EventTarget} window
 * @returns {Promise<Module>} never rejects
 */
export function eventually(load, clock, window) {
  return new Promise((resolve) => {
    let tries = 0;
    let timer = null;
    const attempt = () => {
      clock.clearTimeout(timer);
      window.removeEventListener('online', attempt);
      load(tries === 0 ? '' : `?${tries}`).then(resolve, () => {
        timer = clock.setTimeout(attempt, PAUSES[Math.min(tries, PAUSES.length - 1)]);
        window.addEventListener('online', attempt);
        tries += 1;
      });
    };
    attempt();
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
