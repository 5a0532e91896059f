import { scriptAddress } from './serviceWorker.js';

const STARTING = 2000;

/**
 * Replaces Web Locks on insecure origins: the part of the interface that the app uses.
 * @param {typeof globalThis} window
 * @returns {Promise<{request: Function, query: () => Promise<{held: {name: string}[]}>}>} rejects if no worker starts
 */
export async function workerLocks(window) {
  const { pathname } = new URL('../../worker/locks.js', import.meta.url);
  const { port } = new window.SharedWorker(scriptAddress(window, pathname), { name: 'hubbub-locks' });
  const locks = new WorkerLocks(port);
  window.addEventListener('pagehide', () => locks.leave());
  window.addEventListener('pageshow', ({ persisted }) => persisted && locks.comeBack());
  await new Promise((resolve, reject) => {
    window.setTimeout(() => reject(new Error('the worker does not start')), STARTING);
    locks.query().then(resolve);
  });
  return locks;
}

/** The tab's side of `LockKeeper`. */
export class WorkerLocks {
  #port;
  #waiting = new Map();
  #lastId = 0;

  /** @param {MessagePort} port */
  constructor(port) {
    this.#port = port;
    port.onmessage = ({ data }) => this.#received(data);
  }

  /** As in Web Locks: rejects when the lock is stolen. */
  request(name, options, act = options) {
    const steal = act !== options && Boolean(options.steal);
    return new Promise((resolve, reject) => {
      this.#ask({ type: 'request', name, steal }, { act, resolve, reject });
    });
  }

  /** @returns {Promise<{held: {name: string}[]}>} */
  query() {
    return new Promise((resolve) => {
      this.#ask({ type: 'query' }, { resolve });
    });
  }

  /** This tab is closed. */
  leave() {
    this.#port.postMessage({ type: 'bye' });
  }

  /**
   * The page came back from the back/forward cache: keeps the locks that no other tab has taken, and waits for the
   * rest.
   */
  comeBack() {
    for (const waiting of this.#waiting.values()) this.#askAgain(waiting);
  }

  #ask(message, waiting) {
    this.#lastId += 1;
    const asked = { ...message, id: this.#lastId };
    this.#waiting.set(this.#lastId, { ...waiting, asked, holds: false });
    this.#port.postMessage(asked);
  }

  #askAgain({ asked, holds }) {
    this.#port.postMessage(holds ? { ...asked, type: 'again' } : asked);
  }

  async #received({ type, id, names }) {
    if (type === 'ping') return this.#port.postMessage({ type: 'alive' });
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    if (type === 'dropped') return this.#askAgain(waiting);
    if (type !== 'granted') this.#waiting.delete(id);
    if (type === 'held') return waiting.resolve({ held: names.map((name) => ({ name })) });
    if (type === 'stolen') return waiting.reject(new Error('another tab took the lock'));
    // The lock is its own again.
    if (waiting.holds) return undefined;
    waiting.holds = true;
    try {
      waiting.resolve(await waiting.act());
    } catch (error) {
      waiting.reject(error);
    }
    if (this.#waiting.delete(id)) this.#port.postMessage({ type: 'release', id });
    return undefined;
  }
}
