/** Names of the kept collections: unsent messages, the newest messages of each chat, and single values. */
const STORES = ['outbox', 'messages', 'meta'];
/** What only this browser has is written through to the disk: a machine that loses its power keeps it. */
const DURABILITY = { outbox: 'strict' };
const NAME = 'hubbub';
const VERSION = 1;
/** How long the browser may take to open its storage before the page goes on without it: some never answer. */
const OPENING = 2000;

/**
 * Keeps values for as long as the page lives: what is used where IndexedDB is missing or fails.
 * Every storage has these methods, and none of them rejects.
 */
export class MemoryStorage {
  #stores = new Map(STORES.map((name) => [name, new Map()]));

  has(store, key) { return this.#stores.get(store).has(key); }
  async get(store, key) { return this.#stores.get(store).get(key); }
  async all(store) { return [...this.#stores.get(store).values()]; }
  async keys(store) { return [...this.#stores.get(store).keys()]; }
  async put(store, key, value) { this.#stores.get(store).set(key, value); }

  /** Replaces a value by what `change` makes of it; undefined stays away. */
  async update(store, key, change) {
    const value = change(this.#stores.get(store).get(key));
    if (value !== undefined) this.#stores.get(store).set(key, value);
  }

  async delete(store, key) { this.#stores.get(store).delete(key); }

  /** Forgets all of one collection, or everything. */
  async wipe(store) {
    for (const name of store ? [store] : STORES) this.#stores.get(name).clear();
  }
}

/**
 * Keeps values in IndexedDB. What it refuses (a full disk) is kept in memory, beside what is on disk; where it does
 * not open at all (private windows, blocked storage), everything is.
 */
export class BrowserStorage {
  #indexedDB;
  #timer;
  #database = null;
  /** What the disk did not take: it counts more than what the disk has. */
  #memory = new MemoryStorage();
  #works;
  #isFull = false;

  /** @param {IDBFactory|undefined} indexedDB @param {(act: () => void, time: number) => unknown} [timer] */
  constructor(indexedDB, timer = (act, time) => setTimeout(act, time)) {
    this.#indexedDB = indexedDB;
    this.#timer = timer;
    this.#works = Boolean(indexedDB);
  }

  /** Whether what is kept survives a reload. */
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
    // The copies of what the server has give way to what only this browser has.
    if (!done && this.#works && store !== 'messages' && await this.#run('messages', 'readwrite', (objects) => objects.clear())) {
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
   * @param {boolean} [atOnce] whether `act` asks for all that it wants before it returns. Then nobody waits for the
   *   answers with the commit: a page that goes before they come would take an uncommitted message along.
   * @returns {Promise<{result: any}|null>} null when it failed
   */
  async #run(store, mode, act, atOnce = true) {
    // A connection that the browser took away meanwhile is opened anew, once.
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
      const request = this.#indexedDB.open(NAME, VERSION);
      this.#timer(() => reject(new Error('the storage does not open')), OPENING);
      request.onupgradeneeded = () => {
        for (const name of STORES) request.result.createObjectStore(name);
      };
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error('another tab holds an older database open'));
      request.onsuccess = () => {
        const database = request.result;
        if (!this.#works) this.#openedLate(database);
        // Another tab upgrades, or the browser took the files away: open anew with the next use.
        database.onclose = () => { this.#database = null; };
        database.onversionchange = () => {
          database.close();
          database.onclose();
        };
        resolve(database);
      };
    });
    return this.#database;
  }

  /** It was given up already: what was kept in memory meanwhile goes to the disk. */
  async #openedLate(database) {
    this.#database = Promise.resolve(database);
    this.#works = true;
    for (const store of STORES) {
      for (const key of await this.#memory.keys(store)) await this.put(store, key, await this.#memory.get(store, key));
    }
  }
}

/** The result of a request, once its transaction is complete: only then is a write on disk. */
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
 * Small texts that must be there with the first paint and be safe with every key press: drafts (K3) and the theme.
 * Kept in local storage under one prefix, where other tabs change them too; in memory where that is refused.
 */
export class LocalTexts {
  #storage;
  #prefix;
  #memory = new Map();

  /** @param {Storage|null} storage @param {string} prefix */
  constructor(storage, prefix) {
    this.#storage = storage;
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
      // Refused: then only what is in memory is there.
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
      // None, full or refused: the text stays in memory, for as long as the page lives.
      this.#memory.set(name, text);
    }
  }

  wipe() {
    this.#memory.clear();
    try {
      const names = Array.from({ length: this.#storage?.length ?? 0 }, (_, index) => this.#storage.key(index));
      for (const name of names) if (name?.startsWith(this.#prefix)) this.#storage.removeItem(name);
    } catch {
      // Refused: then nothing was kept there either.
    }
  }
}
