const AT_ONCE = 2;

/** The messages quoted in replies: from the window, else loaded one by one, each once. */
export class Originals {
  #roomId;
  #services;
  #timeline;
  #onChange;
  /** By number: a message, null if this person cannot see it, undefined while it loads. */
  #known = new Map();
  #queue = [];
  #asking = 0;

  /**
   * @param {string} roomId
   * @param {object} services `messageApi`, `store`
   * @param {import('../models/timeline.js').Timeline} timeline
   * @param {() => void} onChange
   */
  constructor(roomId, services, timeline, onChange) {
    this.#roomId = roomId;
    this.#services = services;
    this.#timeline = timeline;
    this.#onChange = onChange;
  }

  /** @returns {object|null|undefined} */
  get = (seq) => {
    const shown = this.#timeline.get(seq);
    if (shown) return shown;
    if (this.#known.has(seq)) return this.#known.get(seq);
    const { low, high } = this.#timeline;
    if (seq >= low && seq <= high && this.#timeline.size > 0) return null;
    this.#known.set(seq, undefined);
    this.#queue.push(seq);
    this.#ask();
    return undefined;
  };

  /** A message outside of the window has changed. */
  update(message) {
    if (this.#known.has(message.seq)) this.#known.set(message.seq, message);
  }

  /** A message was deleted. */
  drop(seq) {
    if (this.#known.has(seq)) this.#known.set(seq, null);
  }

  /** Retries what failed to load. */
  retry() {
    for (const [seq, message] of this.#known) {
      if (message === undefined && !this.#queue.includes(seq)) this.#queue.push(seq);
    }
    this.#ask();
  }

  async #ask() {
    if (this.#asking >= AT_ONCE || this.#queue.length === 0) return;
    this.#asking += 1;
    const seq = this.#queue.shift();
    try {
      const { body } = await this.#services.messageApi.message(this.#roomId, seq);
      this.#services.store.meet(body.sender, { presence: false });
      this.#known.set(seq, body);
    } catch (error) {
      if (error.kind === 'not-found') this.#known.set(seq, null);
    }
    this.#asking -= 1;
    this.#onChange();
    this.#ask();
  }
}
