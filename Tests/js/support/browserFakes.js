/** Fakes of browser objects: locks, storage, event streams. */

/** Web Locks in one process: one holder per name, in the order of requests. */
export class FakeLocks {
  #queues = new Map();
  #held = new Map();

  request(name, options, act = options) {
    const steal = act !== options && options.steal;
    return new Promise((resolve, reject) => {
      const run = () => {
        const holder = { reject };
        this.#held.set(name, holder);
        Promise.resolve().then(act).then(resolve, reject).finally(() => {
          if (this.#held.get(name) === holder) this.#pass(name);
        });
      };
      if (steal) {
        this.#held.get(name)?.reject(new Error('AbortError'));
        run();
      } else if (this.#held.has(name)) {
        this.#queues.set(name, [...(this.#queues.get(name) ?? []), run]);
      } else run();
    });
  }

  async query() {
    return { held: [...this.#held.keys()].map((name) => ({ name })) };
  }

  /** Closes the tab that holds it. */
  drop(name) {
    this.#pass(name);
  }

  #pass(name) {
    this.#held.delete(name);
    const [next, ...rest] = this.#queues.get(name) ?? [];
    this.#queues.set(name, rest);
    next?.();
  }
}

/**
 * The part of IndexedDB that the app uses. `broken`: opening fails; `silent`: it never answers; `full`: writes fail;
 * `gone`: the page has been closed and cannot commit. `durability`: the last one requested for each collection.
 */
export class FakeIndexedDB {
  stores = new Map();
  broken = false;
  silent = false;
  full = false;
  gone = false;
  durability = {};
  opened = [];
  requests = [];
  #busy = Promise.resolve();

  open() {
    const request = {};
    this.requests.push(request);
    if (!this.silent) setImmediate(() => this.answer(request));
    return request;
  }

  answer(request) {
    if (this.broken) {
      request.error = new Error('refused');
      return request.onerror();
    }
    request.result = this.#database();
    this.opened.push(request.result);
    if (this.stores.size === 0) request.onupgradeneeded();
    return request.onsuccess();
  }

  #database() {
    return {
      closed: false,
      close() { this.closed = true; },
      createObjectStore: (name) => this.stores.set(name, new Map()),
      transaction: (name, mode, { durability }) => {
        if (this.broken) throw new Error('gone');
        this.durability[name] = durability;
        return this.#transaction(this.stores.get(name));
      },
    };
  }

  /**
   * Runs transactions one after the other. Requests are answered in order; a failed one rolls the transaction back. If
   * the page is `gone`, only explicit commits take effect.
   */
  #transaction(values) {
    let committed = false;
    const transaction = { commit() { committed = true; } };
    const waiting = [];
    let before;
    let end;
    const step = () => {
      before ??= new Map(values);
      const next = waiting.shift();
      if (!next || next.failure || (this.gone && !committed)) end();
      if (this.gone && !committed) return undefined;
      if (!next) return transaction.oncomplete();
      if (next.failure) {
        values.clear();
        for (const [key, value] of before) values.set(key, value);
        transaction.error = next.failure;
        return transaction.onabort();
      }
      next.request.result = next.act();
      next.request.onsuccess?.();
      return setImmediate(step);
    };
    this.#busy.then(() => setImmediate(step));
    this.#busy = new Promise((resolve) => { end = resolve; });
    const ask = (act, failure = null) => {
      if (committed) throw new Error('TransactionInactiveError');
      const request = {};
      waiting.push({ request, act, failure });
      return request;
    };
    transaction.objectStore = () => ({
      transaction,
      get: (key) => ask(() => structuredClone(values.get(key))),
      getAllKeys: () => ask(() => [...values.keys()]),
      put: (value, key) => ask(() => values.set(key, structuredClone(value)) && undefined,
        this.full ? new Error('QuotaExceededError') : null),
      delete: (key) => ask(() => values.delete(key) && undefined),
      clear: () => ask(() => values.clear()),
    });
    return transaction;
  }
}

/** An `EventSource` that a test drives. */
export class FakeEventSource {
  static made = [];

  constructor(url) {
    this.url = url;
    this.closed = false;
    this.listeners = new Map();
    FakeEventSource.made.push(this);
  }

  static get last() {
    return FakeEventSource.made.at(-1);
  }

  addEventListener(name, listener) {
    this.listeners.set(name, listener);
  }

  close() {
    this.closed = true;
  }

  emit(name, data = {}, id = '') {
    this.listeners.get(name)?.({ data: JSON.stringify(data), lastEventId: String(id) });
  }
}

/** Local storage; `full` refuses writes. */
export class FakeLocalStorage {
  #values = new Map();
  full = false;

  get length() {
    return this.#values.size;
  }

  key(index) {
    return [...this.#values.keys()][index] ?? null;
  }

  getItem(name) {
    return this.#values.get(name) ?? null;
  }

  setItem(name, value) {
    if (this.full) throw new Error('QuotaExceededError');
    this.#values.set(name, value);
  }

  removeItem(name) {
    this.#values.delete(name);
  }
}
