import { chatTexts, failureText } from '../models/texts/conversation.js';
import { ChatChoice } from './chatChoice.js';

/** Where messages of a chat are forwarded to (C7), and the sending in their order. */
export class ForwardViewModel extends ChatChoice {
  #roomId;
  #services;
  #seqs;
  #sent = 0;

  /**
   * @param {string} roomId where the messages are
   * @param {object} services `messageApi`, `store`, `sync`, `newId`
   * @param {number[]} seqs the messages, in the order in which they arrive there
   */
  constructor(roomId, services, seqs) {
    super(services);
    this.#roomId = roomId;
    this.#services = services;
    this.#seqs = seqs;
  }

  /** How many messages go. */
  get count() {
    return this.#seqs.length;
  }

  /**
   * Sends all, one after another. What fails in the middle goes on there when it is tried again with the same chat.
   * @returns {Promise<boolean>} whether all are there
   */
  async send(roomId) {
    const { messageApi, sync, newId } = this.#services;
    if (this.state.busy) return false;
    if (sync.state.connection === 'offline') {
      this.change({ error: chatTexts.offline });
      return false;
    }
    this.change({ busy: true, error: '' });
    try {
      for (; this.#sent < this.#seqs.length; this.#sent += 1) {
        await messageApi.forward(roomId, { roomId: this.#roomId, seq: this.#seqs[this.#sent] }, newId());
      }
      return true;
    } catch (error) {
      this.change({ busy: false, error: failureText(chatTexts.forwardFailed, error) });
      return false;
    }
  }
}
