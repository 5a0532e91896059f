import { previewOf } from '../models/format.js';
import { Observable } from '../models/observableArray.js';

const NONE = Object.freeze([]);

/** The pinned messages of a chat (R3): the bar's current one, and all of them, last pinned first. */
export class PinsViewModel {
  #roomId;
  #services;
  #find;
  #messages = [];
  #index = 0;
  #loading = false;
  #early = [];
  #state = new Observable({ items: NONE, index: 0, current: null });

  /**
   * @param {string} roomId
   * @param {object} services `messageApi`, `store`
   * @param {(seq: number) => object|null} find a message that is in the window
   */
  constructor(roomId, services, find) {
    this.#roomId = roomId;
    this.#services = services;
    this.#find = find;
  }

  /** @returns {{items: readonly {seq: number, name: string, text: string}[], index: number, current: object|null}} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  /** Reads them anew. What failed shows no bar: messages come first. */
  async load() {
    this.#loading = true;
    this.#early = [];
    try {
      const { body, eventId } = await this.#services.messageApi.pins(this.#roomId);
      this.#messages = body;
      for (const message of body) this.#services.store.meet(message.sender, { presence: false });
      for (const [event, data, id] of this.#early) if (eventId === null || id > eventId) await this.#take(event, data);
    } catch {
      // The next reload asks again.
    }
    this.#loading = false;
    this.#show();
  }

  /** An event about pins of this chat. */
  async applied(event, data, id) {
    if (this.#loading) this.#early.push([event, data, id]);
    await this.#take(event, data);
    this.#show();
  }

  /** A message was changed, deleted or hidden. @param {object} message */
  changed(message) {
    const index = this.#messages.findIndex(({ seq }) => seq === message.seq);
    if (index < 0) return;
    if (message.deleted_at) this.#messages.splice(index, 1);
    else this.#messages[index] = message;
    this.#show();
  }

  /** The one to go to now; the bar shows the one pinned before it next. @returns {number|null} */
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
      seq: message.seq, name: store.person(message.sender).name, text: previewOf(message.text),
    })));
    this.#state.update({ items: items.length ? items : NONE, index: this.#index, current: items[this.#index] ?? null });
  }
}
