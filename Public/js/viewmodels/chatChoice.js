import { colourOf, initialsOf, pictureOf } from '../models/format.js';
import { Observable, ObservableArray } from '../models/observableArray.js';

/** My chats to choose one from, narrowed by what is typed. What is done with the chosen one is a subclass's business. */
export class ChatChoice {
  #store;
  #state = new Observable({ query: '', busy: false, error: '', empty: false });

  /** @type {ObservableArray<{id: string, name: string, initials: string, colour: number, avatarUrl: string|null}>} */
  rows = new ObservableArray({ key: (row) => row.id });

  /** @param {{store: object}} services */
  constructor({ store }) {
    this.#store = store;
    this.search('');
  }

  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  /** For subclasses: replaces members of the state. @param {object} patch */
  change(patch) {
    this.#state.update(patch);
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

  /** My chats, newest first. */
  #chats() {
    const store = this.#store;
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
