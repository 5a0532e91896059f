/** Names of the kept collections: unsent messages, the newest messages of each chat, and single values. */
const STORES = ['outbox', 'messages', 'meta'];
const NAME = 'hubbub';
const VERSION = 1;

/**
 * Keeps values for as long as the page lives: what is used where IndexedDB is missing or fails.
 * Every storage has these five methods, and none of them rejects.
 */
export class MemoryStorage {
  #stores = new Map(STORES.map((name) => [name, new Map()]));

  async get(store, key) {
    return this.#stores.get(store).get(key);
  }

  async all(store) {
    return [...this.#stores.get(store).values()];
  }

  async put(store, key, value) {
    this.#stores.get(store).set(key, value);
  }

  async delete(store, key) {
    this.#stores.get(store).delete(key);
  }

  /** Forgets all of one collection, or everything. */
  async wipe(store) {
    for (const name of store ? [store] : STORES) this.#stores.get(name).clear();
  }
}

/** Keeps values in IndexedDB. After the first failure (private windows, a full disk) it goes on in memory. */
export class BrowserStorage {
  #indexedDB;
  #database = null;
  #memory = null;

  /** @param {IDBFactory|undefined} indexedDB */
  constructor(indexedDB) {
    this.#indexedDB = indexedDB;
    if (!indexedDB) this.#memory = new MemoryStorage();
  }

  /** Whether what is kept survives a reload. */
  get lasting() {
    return this.#memory === null;
  }

  get(store, key) {
    return this.#run(store, 'readonly', (objects) => objects.get(key), (memory) => memory.get(store, key));
  }

  all(store) {
    return this.#run(store, 'readonly', (objects) => objects.getAll(), (memory) => memory.all(store));
  }

  put(store, key, value) {
    const write = (objects) => objects.put(value, key);
    return this.#run(store, 'readwrite', write, (memory) => memory.put(store, key, value));
  }

  delete(store, key) {
    return this.#run(store, 'readwrite', (objects) => objects.delete(key), (memory) => memory.delete(store, key));
  }

  async wipe(store) {
    for (const name of store ? [store] : STORES) {
      await this.#run(name, 'readwrite', (objects) => objects.clear(), (memory) => memory.wipe(name));
    }
  }

  async #run(store, mode, act, instead) {
    if (!this.#memory) {
      try {
        const database = await this.#open();
        return await settled(database.transaction(store, mode), (transaction) => act(transaction.objectStore(store)));
      } catch {
        this.#memory ??= new MemoryStorage();
      }
    }
    return instead(this.#memory);
  }

  #open() {
    this.#database ??= new Promise((resolve, reject) => {
      const request = this.#indexedDB.open(NAME, VERSION);
      request.onupgradeneeded = () => {
        for (const name of STORES) request.result.createObjectStore(name);
      };
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error('another tab holds an older database open'));
      request.onsuccess = () => {
        const database = request.result;
        // Another tab upgrades, or the browser took the files away: open anew with the next use.
        database.onversionchange = () => {
          database.close();
          this.#database = null;
        };
        database.onclose = () => {
          this.#database = null;
        };
        resolve(database);
      };
    });
    return this.#database;
  }
}

/** The result of one request, once its transaction is complete: only then is a write on disk. */
function settled(transaction, act) {
  return new Promise((resolve, reject) => {
    const request = act(transaction);
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

/**
 * Small texts that must be there with the first paint and be safe with every key press: drafts (K3) and the theme.
 * Kept in local storage under one prefix; in memory where that is refused.
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
    this.#memory.set(name, text);
    try {
      if (text === '') this.#storage?.removeItem(this.#prefix + name);
      else this.#storage?.setItem(this.#prefix + name, text);
    } catch {
      // Full or refused: the text stays in memory, for as long as the page lives.
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

const MOST_KEPT = 50;

/** The newest messages of each chat that was open here, for the next time, before the server answers. */
export class KeptMessages {
  #storage;
  /** By room, then by seq; only of chats that were open since the page was loaded. */
  #tails = new Map();

  /** @param {MemoryStorage|BrowserStorage} storage */
  constructor(storage) {
    this.#storage = storage;
  }

  /** @returns {Promise<object[]>} ascending by seq */
  async of(roomId) {
    const tail = this.#tails.get(roomId);
    return tail ? ascending(tail) : (await this.#storage.get('messages', roomId)) ?? [];
  }

  keep(roomId, messages) {
    this.#tails.set(roomId, new Map(messages.slice(-MOST_KEPT).map((message) => [message.seq, message])));
  }

  /** A message came or changed. @returns {boolean} whether it is among those to be written */
  take(message, isNew) {
    const tail = this.#tails.get(message.room_id);
    if (!tail || !(isNew || tail.has(message.seq))) return false;
    tail.set(message.seq, message);
    return true;
  }

  /** Forgets all of a chat, also on disk. */
  drop(roomId) {
    this.#tails.delete(roomId);
    return this.#storage.delete('messages', roomId);
  }

  /** Forgets some of a chat, also on disk. @param {(message: object) => boolean} gone */
  async dropSome(roomId, gone) {
    const rest = (await this.of(roomId)).filter((message) => !gone(message));
    if (rest.length === 0) return this.drop(roomId);
    if (this.#tails.has(roomId)) this.keep(roomId, rest);
    return this.#storage.put('messages', roomId, rest);
  }

  /** Forgets what was not written. */
  clear() {
    this.#tails.clear();
  }

  write() {
    for (const [roomId, tail] of this.#tails) {
      this.#storage.put('messages', roomId, ascending(tail).slice(-MOST_KEPT));
    }
  }
}

function ascending(tail) {
  return [...tail.values()].sort((one, other) => one.seq - other.seq);
}
