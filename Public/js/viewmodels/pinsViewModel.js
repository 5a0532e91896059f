import { plainLine } from '../models/format.js';
import { Observable } from '../models/observableArray.js';

/** @type {readonly any[]} */
const NONE = Object.freeze([]);

/** The pinned messages of a chat, last pinned first, and the one that the bar shows. */
export class PinsViewModel extends Observable {
  #roomId;
  #services;
  #find;
  #messages = [];
  #index = 0;
  #loading = false;
  #failed = false;
  #early = [];

  /**
   * @param {string} roomId
   * @param {object} services `messageApi`, `store`
   * @param {(seq: number) => object|null} find a message that is in the window
   */
  constructor(roomId, services, find) {
    super({ items: NONE, index: 0, current: null });
    this.#roomId = roomId;
    this.#services = services;
    this.#find = find;
  }

  /** Reloads the pins. */
  async load() {
    this.#loading = true;
    this.#failed = false;
    this.#early = [];
    try {
      const { body, eventId } = await this.#services.messageApi.pins(this.#roomId);
      this.#messages = body;
      for (const message of body) this.#services.store.meet(message.sender, { presence: false });
      for (const [event, data, id] of this.#early) if (eventId === null || id > eventId) await this.#take(event, data);
    } catch {
      this.#failed = true;
    }
    this.#loading = false;
    this.#show();
  }

  /** The connection is back: loads what failed to load. */
  retry() {
    if (this.#failed && !this.#loading) this.load();
  }

  /** Applies an event about the chat's pins. */
  async applied(event, data, id) {
    if (this.#loading) this.#early.push([event, data, id]);
    await this.#take(event, data);
    this.#show();
  }

  /** A message was changed or deleted. @param {object} message */
  changed(message) {
    const index = this.#messages.findIndex(({ seq }) => seq === message.seq);
    if (index < 0) return;
    if (message.deleted_at) this.#messages.splice(index, 1);
    else this.#messages[index] = message;
    this.#show();
  }

  /** The message to jump to; the bar then shows the one pinned before it. @returns {number|null} */
  next() {
    const { current, items } = this.state;
    if (!current) return null;
    this.#index = (this.#index + 1) % items.length;
    this.#show();
    return current.seq;
  }

  async #take(event, { seq, pinned_at: pinnedAt }) {
    const others = this.#messages.filter((message) => message.seq !== seq);
    if (event === 'pin.removed') {
      this.#messages = others;
      return;
    }
    const known = this.#find(seq) ?? await this.#ask(seq);
    if (!known || known.deleted_at) return;
    this.#messages = [{ ...known, pinned_at: pinnedAt }, ...this.#messages.filter((message) => message.seq !== seq)];
    this.#index = 0;
  }

  async #ask(seq) {
    try {
      return (await this.#services.messageApi.message(this.#roomId, seq)).body;
    } catch {
      return null;
    }
  }

  #show() {
    const { store } = this.#services;
    const shown = this.#messages.filter((message) => !message.deleted_at);
    if (this.#index >= shown.length) this.#index = 0;
    const items = Object.freeze(shown.map((message) => Object.freeze({
      seq: message.seq, name: store.person(message.sender).name, text: plainLine(message.text),
    })));
    this.update({ items: items.length ? items : NONE, index: this.#index, current: items[this.#index] ?? null });
  }
}
