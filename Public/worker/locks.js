'use strict';

/**
 * Locks for the tabs of a browser that has none (insecure origins): a worker that all tabs share keeps them, so that one
 * tab reads the stream and one sends the outbox. Nobody tells a worker that a tab has crashed, so all who hold something or
 * wait for it are asked whether they are still there: what is held says, too, which tabs live.
 */
class LockKeeper {
  static ASK_EVERY = 5000;
  /** How often a tab may be asked in vain. Not a time: a computer that was asleep wakes before its tabs can answer. */
  static PATIENCE = 4;

  /** By name: who holds it first, then who waits, each `{port, id}`. */
  #queues = new Map();
  /** By port: how often it was asked since it was last heard. */
  #asked = new Map();

  /**
   * `again` asks for a lock that this tab held before: it goes on with it, unless somebody else has it now.
   * @param {MessagePort} port of a tab @param {{type: string, id?: number, name?: string, steal?: boolean}} message
   */
  receive(port, { type, id, name, steal = false }) {
    this.#asked.set(port, 0);
    if (type === 'request') this.#request({ port, id }, name, steal);
    if (type === 'again') this.#again({ port, id }, name);
    if (type === 'release') this.#remove((one) => one.port === port && one.id === id);
    if (type === 'query') {
      port.postMessage({ type: 'held', id, names: [...this.#queues.keys()] });
    }
    if (type === 'bye') this.#leave(new Set([port]));
  }

  /** Asks each tab that holds or waits; who has not answered for long is taken to be gone, until he says otherwise. */
  check() {
    const ports = new Set([...this.#queues.values()].flat().map(({ port }) => port));
    const silent = new Set();
    for (const port of ports) {
      const asked = this.#asked.get(port) ?? 0;
      if (asked >= LockKeeper.PATIENCE) silent.add(port);
      this.#asked.set(port, asked + 1);
      port.postMessage({ type: 'ping' });
    }
    // All at once, so that nothing passes from one of them to another.
    this.#leave(silent, ({ port, id }) => port.postMessage({ type: 'dropped', id }));
  }

  #again(former, name) {
    const [holder] = this.#queues.get(name) ?? [];
    if (!holder || isSame(holder, former)) this.#request(former, name, false);
    else former.port.postMessage({ type: 'stolen', id: former.id });
  }

  #request(waiting, name, steal) {
    const queue = this.#queues.get(name) ?? [];
    if (queue.some((one) => isSame(one, waiting))) return;
    this.#queues.set(name, queue);
    if (steal && queue.length > 0) {
      const [robbed] = queue.splice(0, 1);
      robbed.port.postMessage({ type: 'stolen', id: robbed.id });
    }
    if (steal) queue.unshift(waiting);
    else queue.push(waiting);
    if (queue[0] === waiting) this.#grant(waiting);
  }

  #grant({ port, id }) {
    port.postMessage({ type: 'granted', id });
  }

  /** Tabs that are gone, or asleep. @param {(entry: {port: MessagePort, id: number}) => void} [tell] for when they wake */
  #leave(ports, tell) {
    for (const port of ports) this.#asked.delete(port);
    this.#remove(({ port }) => ports.has(port), tell);
  }

  #remove(isGone, tell = () => {}) {
    for (const [name, queue] of [...this.#queues]) {
      const rest = queue.filter((one) => !isGone(one));
      queue.filter(isGone).forEach(tell);
      if (rest.length === 0) this.#queues.delete(name);
      else this.#queues.set(name, rest);
      if (rest.length > 0 && rest[0] !== queue[0]) this.#grant(rest[0]);
    }
  }
}

function isSame(one, other) {
  return one.port === other.port && one.id === other.id;
}

if (typeof onconnect !== 'undefined') {
  const keeper = new LockKeeper();
  addEventListener('connect', ({ ports: [port] }) => {
    port.onmessage = ({ data }) => keeper.receive(port, data);
  });
  setInterval(() => keeper.check(), LockKeeper.ASK_EVERY);
}
