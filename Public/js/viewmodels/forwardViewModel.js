import { colourOf, initialsOf, pictureOf } from '../models/format.js';
import { Observable, ObservableArray } from '../models/observableArray.js';
import { chatTexts, failureText } from '../models/texts/conversation.js';

/** Where messages of a chat are forwarded to (C7): my chats, narrowed by what is typed, and the sending in their order. */
export class ForwardViewModel {
  #roomId;
  #services;
  #seqs;
  #sent = 0;
  #state = new Observable({ query: '', busy: false, error: '', empty: false });

  /** @type {ObservableArray<{id: string, name: string, initials: string, colour: number, avatarUrl: string|null}>} */
  rows = new ObservableArray({ key: (row) => row.id });

  /**
   * @param {string} roomId where the messages are
   * @param {object} services `messageApi`, `store`, `sync`, `newId`
   * @param {number[]} seqs the messages, in the order in which they arrive there
   */
  constructor(roomId, services, seqs) {
    this.#roomId = roomId;
    this.#services = services;
    this.#seqs = seqs;
    this.search('');
  }

  get state() {
    return this.#state.state;
  }

  /** How many messages go. */
  get count() {
    return this.#seqs.length;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  /** Narrows the list: every word has to begin a word of the name. */
  search(query) {
    const words = query.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
    const matches = ({ name }) => {
      const parts = name.toLocaleLowerCase().split(/[\s\-_.]+/u);
      return words.every((word) => parts.some((part) => part.startsWith(word)));
    };
    this.rows.replaceAll(this.#chats().filter(matches));
    this.#state.update({ query, empty: this.rows.length === 0, error: '' });
  }

  /**
   * Sends all, one after another. What fails in the middle goes on there when it is tried again with the same chat.
   * @returns {Promise<boolean>} whether all are there
   */
  async send(roomId) {
    const { messageApi, sync, newId } = this.#services;
    if (this.state.busy) return false;
    if (sync.state.connection === 'offline') {
      this.#state.update({ error: chatTexts.offline });
      return false;
    }
    this.#state.update({ busy: true, error: '' });
    try {
      for (; this.#sent < this.#seqs.length; this.#sent += 1) {
        await messageApi.forward(roomId, { roomId: this.#roomId, seq: this.#seqs[this.#sent] }, newId());
      }
      return true;
    } catch (error) {
      this.#state.update({ busy: false, error: failureText(chatTexts.forwardFailed, error) });
      return false;
    }
  }

  /** My chats, newest first. */
  #chats() {
    const { store } = this.#services;
    const at = (room) => room.last_message?.created_at ?? room.created_at;
    return store.rooms().filter((room) => room.role !== null)
      .sort((one, other) => (at(one) < at(other) ? 1 : -1))
      .map((room) => {
        const person = room.peer && store.person(room.peer);
        if (person) return { ...person, id: room.id };
        const { id, name } = room;
        return { id, name, initials: initialsOf(name), colour: colourOf(id), avatarUrl: pictureOf(room.avatar_url) };
      });
  }
}
