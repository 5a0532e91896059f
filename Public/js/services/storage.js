/** Names of the kept collections: unsent messages, the newest messages of each chat, and single values. */
const STORES = ['outbox', 'messages', 'meta'];
/** Data that only this browser has is flushed to disk, so that it survives a power failure. */
const DURABILITY = { outbox: 'strict' };
const NAME = 'hubbub';
const VERSION = 1;
/** How long to wait for the browser to open its storage, which may never answer. */
const OPENING = 2000;

/**
 * Keeps values while the page lives; used if IndexedDB is missing or fails. Every storage has these methods, and none
 * of them rejects.
 */
export class MemoryStorage {
  /** @type {Record<string, Map<string, any>>} */
  #stores = Object.fromEntries(STORES.map((name) => [name, new Map()]));

  has(store, key) { return this.#stores[store].has(key); }
  async get(store, key) { return this.#stores[store].get(key); }
  async all(store) { return [...this.#stores[store].values()]; }
  async keys(store) { return [...this.#stores[store].keys()]; }
  async put(store, key, value) { this.#stores[store].set(key, value); }

  /** Replaces a value by what `change` makes of it; undefined stays away. */
  async update(store, key, change) {
    const value = change(this.#stores[store].get(key));
    if (value !== undefined) this.#stores[store].set(key, value);
  }

  async delete(store, key) { this.#stores[store].delete(key); }

  /** Deletes one collection, or everything. */
  async wipe(store) {
    for (const name of store ? [store] : STORES) this.#stores[name].clear();
  }
}

/**
 * Keeps values in IndexedDB. Values that it refuses (disk full) stay in memory; all do if it does not open (private
 * windows, blocked storage).
 */
export class BrowserStorage {
  #indexedDB;
  #timer;
  /** @type {Promise<IDBDatabase>|null} */
  #database = null;
  /** Values that were not written. They take precedence over the stored ones. */
  #memory = new MemoryStorage();
  #works;
  #isFull = false;

  /** @param {IDBFactory|undefined} indexedDB @param {(act: () => void, time: number) => unknown} [timer] */
  constructor(indexedDB, timer = (act, time) => setTimeout(act, time)) {
    this.#indexedDB = indexedDB;
    this.#timer = timer;
    this.#works = Boolean(indexedDB);
  }

  /** Whether stored values survive a reload. */
  get lasting() { return this.#works && !this.#isFull; }

  async get(store, key) {
    if (this.#memory.has(store, key)) return this.#memory.get(store, key);
    return (await this.#run(store, 'readonly', (objects) => objects.get(key)))?.result;
  }

  async all(store) {
    const keys = await this.keys(store);
    const values = await Promise.all(keys.map((key) => this.get(store, key)));
    return values.filter((value) => value !== undefined);
  }

  async keys(store) {
    const onDisk = await this.#run(store, 'readonly', (objects) => objects.getAllKeys());
    return [...new Set([...onDisk?.result ?? [], ...await this.#memory.keys(store)])];
  }

  async put(store, key, value) {
    const write = () => this.#run(store, 'readwrite', (objects) => objects.put(value, key));
    let done = await write();
    // Copies of server data make room for data that only this browser has.
    if (!done && this.#works && store !== 'messages'
        && await this.#run('messages', 'readwrite', (objects) => objects.clear())) {
      done = await write();
    }
    this.#isFull = !done;
    return done ? this.#memory.delete(store, key) : this.#memory.put(store, key, value);
  }

  /** Replaces a value by what `change` makes of it, in one transaction; undefined: it stays as it is. */
  async update(store, key, change) {
    if (this.#memory.has(store, key)) return this.#memory.update(store, key, change);
    const done = await this.#run(store, 'readwrite', (objects) => {
      const reading = objects.get(key);
      reading.onsuccess = () => {
        const value = change(reading.result);
        if (value !== undefined) objects.put(value, key);
        objects.transaction.commit?.();
      };
      return reading;
    }, false);
    if (done || this.#works) return undefined;
    return this.#memory.update(store, key, change);
  }

  async delete(store, key) {
    await this.#memory.delete(store, key);
    await this.#run(store, 'readwrite', (objects) => objects.delete(key));
  }

  async wipe(store) {
    await this.#memory.wipe(store);
    for (const name of store ? [store] : STORES) await this.#run(name, 'readwrite', (objects) => objects.clear());
  }

  /**
   * @param {boolean} [atOnce] whether `act` makes all its requests before it returns. Then the transaction is committed
   *   at once: a page that closes before the results would otherwise lose a message.
   * @returns {Promise<{result: any}|null>} null when it failed
   */
  async #run(store, mode, act, atOnce = true) {
    // Reopens a connection that the browser closed, once.
    for (let round = 0; round < 2 && this.#works; round += 1) {
      const database = await this.#open().catch(() => null);
      if (!database) break;
      let transaction;
      try {
        transaction = database.transaction(store, mode, { durability: DURABILITY[store] ?? 'relaxed' });
      } catch {
        this.#database = null;
        continue;
      }
      try {
        return { result: await settled(transaction, () => act(transaction.objectStore(store)), atOnce) };
      } catch {
        return null;
      }
    }
    this.#works = false;
    return null;
  }

  #open() {
    this.#database ??= new Promise((resolve, reject) => {
      const request = /** @type {IDBFactory} */ (this.#indexedDB).open(NAME, VERSION);
      this.#timer(() => reject(new Error('the storage does not open')), OPENING);
      request.onupgradeneeded = () => {
        for (const name of STORES) request.result.createObjectStore(name);
      };
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error('another tab holds an older database open'));
      request.onsuccess = () => {
        const database = request.result;
        if (!this.#works) this.#openedLate(database);
        // Another tab upgrades, or the browser deleted the files: reopens at the next use.
        const forget = () => { this.#database = null; };
        database.onclose = forget;
        database.onversionchange = () => {
          database.close();
          forget();
        };
        resolve(database);
      };
    });
    return this.#database;
  }

  /** Storage opened late: writes what was kept in memory meanwhile. */
  async #openedLate(database) {
    this.#database = Promise.resolve(database);
    this.#works = true;
    for (const store of STORES) {
      for (const key of await this.#memory.keys(store)) await this.put(store, key, await this.#memory.get(store, key));
    }
  }
}

/** The result of a request once its transaction is complete, which is when a write is on disk. */
function settled(transaction, act, atOnce) {
  return new Promise((resolve, reject) => {
    const request = act();
    if (atOnce) transaction.commit?.();
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

/**
 * Small values for the first paint, stored at every key press: drafts and the theme. Kept in local storage under one
 * prefix, where other tabs change them too; in memory if it is blocked.
 */
export class LocalTexts {
  #storage;
  #prefix;
  #memory = new Map();

  /** @param {Storage|null} storage null where it is blocked: its use then throws @param {string} prefix */
  constructor(storage, prefix) {
    this.#storage = /** @type {Storage} */ (storage);
    this.#prefix = `hubbub.${prefix}.`;
  }

  /** @returns {string} '' when there is none */
  get(name) {
    if (this.#memory.has(name)) return this.#memory.get(name);
    try {
      return this.#storage?.getItem(this.#prefix + name) ?? '';
    } catch {
      return '';
    }
  }

  /** @returns {Map<string, string>} all that are not empty, by name */
  all() {
    const texts = new Map();
    try {
      const length = this.#storage?.length ?? 0;
      for (let index = 0; index < length; index += 1) {
        const key = this.#storage.key(index);
        if (key?.startsWith(this.#prefix)) texts.set(key.slice(this.#prefix.length), this.#storage.getItem(key));
      }
    } catch {
      // Blocked: only the values in memory exist.
    }
    for (const [name, text] of this.#memory) texts.set(name, text);
    for (const [name, text] of texts) if (text === '') texts.delete(name);
    return texts;
  }

  set(name, text) {
    this.#memory.delete(name);
    try {
      if (text === '') this.#storage.removeItem(this.#prefix + name);
      else this.#storage.setItem(this.#prefix + name, text);
    } catch {
      // Missing, full or blocked: the value stays in memory while the page lives.
      this.#memory.set(name, text);
    }
  }

  wipe() {
    this.#memory.clear();
    try {
      const names = Array.from({ length: this.#storage?.length ?? 0 }, (_, index) => this.#storage.key(index));
      for (const name of names) if (name?.startsWith(this.#prefix)) this.#storage.removeItem(name);
    } catch {
      // Blocked: nothing was stored there either.
    }
  }
}
