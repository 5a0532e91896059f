import { colourOf, initialsOf, pictureOf } from '../models/format.js';
import { Observable, ObservableArray } from '../models/observableArray.js';

/** A list of the user's chats, filtered by a query. A subclass says what choosing one does. */
export class ChatChoice extends Observable {
  #store;

  /** Names of the chosen chats, by their ids in the order of choosing. @type {Map<string, string>} */
  chosen = new Map();
  /**
   * @type {ObservableArray<{id: string, name: string, initials: string, colour: number, avatarUrl: string|null,
   *   chosen: boolean}>}
   */
  rows = new ObservableArray({ key: (row) => row.id });

  /** @param {{store: object}} services */
  constructor({ store }) {
    super({ query: '', busy: false, error: '', empty: false, count: 0 });
    this.#store = store;
    this.search('');
  }

  /** For subclasses: replaces members of the state. @param {object} patch */
  change(patch) {
    this.update(patch);
  }

  /** Chooses a chat beside others, or lets go of it. @param {{id: string, name: string}} row */
  toggle({ id, name }) {
    if (this.state.busy) return;
    if (!this.chosen.delete(id)) this.chosen.set(id, name);
    this.search(this.state.query);
    this.update({ count: this.chosen.size });
  }

  /** Filters the list: every word has to be the prefix of a word of the name. */
  search(query) {
    const words = query.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
    const matches = ({ name }) => {
      const parts = name.toLocaleLowerCase().split(/[\s\-_.]+/u);
      return words.every((word) => parts.some((part) => part.startsWith(word)));
    };
    this.rows.replaceAll(this.#chats().filter(matches).map((row) => ({ ...row, chosen: this.chosen.has(row.id) })));
    this.update({ query, empty: this.rows.length === 0, error: '' });
  }

  /** The user's chats, newest first. */
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
