'use strict';

/**
 * Replaces Web Locks on insecure origins: a shared worker holds the locks of all tabs, so that one tab reads the stream
 * and one sends the outbox. A worker is not told that a tab has crashed, so it pings all holders and waiters; the locks
 * held also say which tabs are alive.
 */
class LockKeeper {
  static ASK_EVERY = 5000;
  /** How many pings a tab may miss. A count, not a time: after sleep, the worker runs before the tabs can answer. */
  static PATIENCE = 4;

  /** By name: the holder, then the waiters, each `{port, id}`. */
  #queues = new Map();
  /** By port: the pings since its last answer. */
  #asked = new Map();

  /**
   * `again` asks for a lock that this tab held before: it keeps the lock unless another tab has it now.
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

  /** Pings each holder and waiter. A tab that has missed too many pings counts as gone until it answers. */
  check() {
    const ports = new Set([...this.#queues.values()].flat().map(({ port }) => port));
    const silent = new Set();
    for (const port of ports) {
      const asked = this.#asked.get(port) ?? 0;
      if (asked >= LockKeeper.PATIENCE) silent.add(port);
      this.#asked.set(port, asked + 1);
      port.postMessage({ type: 'ping' });
    }
    // All at once, so that no lock passes from one gone tab to another.
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

  /** Drops the entries of tabs. @param {(entry: {port: MessagePort, id: number}) => void} [tell] is called for each */
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
