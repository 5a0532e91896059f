import { chatTexts, failureText } from '../models/texts/conversation.js';
import { ChatChoice } from './chatChoice.js';

/** Forwards messages to a chosen chat, in order. */
export class ForwardViewModel extends ChatChoice {
  #roomId;
  #services;
  #seqs;
  #ids = new Map();
  #done = new Set();

  /**
   * @param {string} roomId where the messages are
   * @param {object} services `messageApi`, `store`, `sync`, `newId`
   * @param {number[]} seqs of the messages, in order
   */
  constructor(roomId, services, seqs) {
    super(services);
    this.#roomId = roomId;
    this.#services = services;
    this.#seqs = seqs;
  }

  /** The number of messages. */
  get count() {
    return this.#seqs.length;
  }

  /**
   * Sends the comment and then the messages to each chosen chat, one after another. After a failure, a retry continues
   * where it stopped and sends nothing twice.
   * @param {string} [comment]
   * @returns {Promise<boolean>} whether all are sent
   */
  async send(comment = '') {
    const { sync } = this.#services;
    if (this.state.busy || this.chosen.size === 0) return false;
    if (sync.state.connection === 'offline') {
      this.change({ error: chatTexts.offline });
      return false;
    }
    this.change({ busy: true, error: '' });
    try {
      for (const roomId of this.chosen.keys()) await this.#sendTo(roomId, comment.trim());
      return true;
    } catch (error) {
      this.change({ busy: false, error: failureText(chatTexts.forwardFailed, error) });
      return false;
    }
  }

  async #sendTo(roomId, comment) {
    const { messageApi } = this.#services;
    if (comment !== '') await this.#once(`${roomId} comment`, (id) => messageApi.send(roomId, comment, id));
    for (const seq of this.#seqs) {
      await this.#once(`${roomId} ${seq}`, (id) => messageApi.forward(roomId, { roomId: this.#roomId, seq }, id));
    }
  }

  /** The same id at each try: an answer that was lost brings no second message. */
  async #once(step, send) {
    if (this.#done.has(step)) return;
    if (!this.#ids.has(step)) this.#ids.set(step, this.#services.newId());
    await send(this.#ids.get(step));
    this.#done.add(step);
  }
}
