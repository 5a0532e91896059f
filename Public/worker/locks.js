'use strict';

/**
 * Locks for the tabs of a browser that has none (insecure origins): a worker that all tabs share keeps them, so that one
 * tab reads the stream and one sends the outbox. Nobody tells a worker that a tab has crashed, so while somebody waits,
 * those who hold are asked whether they are still there.
 */
class LockKeeper {
  static ASK_EVERY = 5000;
  static SILENCE = 20_000;

  #now;
  /** By name: who holds it first, then who waits, each `{port, id}`. */
  #queues = new Map();
  #heard = new Map();

  /** @param {() => number} now */
  constructor(now) {
    this.#now = now;
  }

  /** @param {MessagePort} port of a tab @param {{type: string, id?: number, name?: string, steal?: boolean}} message */
  receive(port, { type, id, name, steal = false }) {
    this.#heard.set(port, this.#now());
    if (type === 'request') this.#request({ port, id }, name, steal);
    if (type === 'release') this.#remove((one) => one.port === port && one.id === id);
    if (type === 'query') {
      port.postMessage({ type: 'held', id, names: [...this.#queues.keys()] });
    }
    if (type === 'bye') this.#leave(port);
  }

  /** Asks those who hold what others wait for; who has not answered for long has lost it. */
  check() {
    const now = this.#now();
    for (const [{ port }, next] of [...this.#queues.values()]) {
      if (!next || !this.#heard.has(port)) continue;
      if (now - this.#heard.get(port) > LockKeeper.SILENCE) this.#leave(port);
      else port.postMessage({ type: 'ping' });
    }
  }

  #request(waiting, name, steal) {
    const queue = this.#queues.get(name) ?? [];
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
    // Its silence counts from when it has something to lose.
    this.#heard.set(port, this.#now());
    port.postMessage({ type: 'granted', id });
  }

  /** A tab that is gone, or asleep: should it come back, it learns that it holds nothing any more. */
  #leave(port) {
    this.#heard.delete(port);
    this.#remove((one) => one.port === port, ({ id }) => port.postMessage({ type: 'stolen', id }));
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

if (typeof onconnect !== 'undefined') {
  const keeper = new LockKeeper(() => Date.now());
  addEventListener('connect', ({ ports: [port] }) => {
    port.onmessage = ({ data }) => keeper.receive(port, data);
  });
  setInterval(() => keeper.check(), LockKeeper.ASK_EVERY);
}
