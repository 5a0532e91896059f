import { scriptAddress } from './serviceWorker.js';

const STARTING = 2000;

/**
 * Locks among the tabs of a browser that has none of its own (insecure origins): as much of Web Locks as is used here.
 * @param {typeof globalThis} window
 * @returns {Promise<{request: Function, query: () => Promise<{held: {name: string}[]}>}>} rejects where no worker starts
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

  /** As in Web Locks: rejects when another stole it. */
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

  /** This tab goes. */
  leave() {
    this.#port.postMessage({ type: 'bye' });
  }

  /** The page was gone to again, as it was left: it goes on with what nobody else has taken, and waits for the rest. */
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
    // Its own again.
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
