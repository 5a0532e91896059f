import { colourOf, initialsOf, pictureOf } from '../../models/format.js';
import { Observable, ObservableArray } from '../../models/observableArray.js';
import { groupTexts } from '../../models/texts/groups.js';
import { problemText } from '../../models/texts.js';
import { refusalText } from './refusal.js';

const words = groupTexts.rooms;
const PAUSE = 200;

/** Public rooms by name, and joining them (R1). */
export class PublicRoomsViewModel {
  #services;
  #rooms = [];
  #next = null;
  #abort = new AbortController();
  #timer = null;
  #joining = null;
  #end;
  #state = new Observable({
    query: '', loading: true, loadingMore: false, error: null, joinError: null, empty: false, none: '', more: false,
  });

  /** `{id, name, topic, members, initials, colour, avatarUrl, joined, busy}` */
  rows = new ObservableArray({ key: (row) => row.id });

  /** @param {object} services `groups`, `store`, `clock` */
  constructor(services) {
    this.#services = services;
    this.#end = services.store.subscribe(({ type }) => {
      if (['room', 'rooms', 'removed'].includes(type)) this.#build();
    });
  }

  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#end();
    this.#abort.abort();
    this.#services.clock.clearTimeout(this.#timer);
  }

  input(query) {
    this.#state.update({ query });
    this.#services.clock.clearTimeout(this.#timer);
    this.#timer = this.#services.clock.setTimeout(() => this.open(), PAUSE);
  }

  /** Loads the first page of what is searched for. */
  async open() {
    this.#services.clock.clearTimeout(this.#timer);
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#state.update({ loading: this.#rooms.length === 0, error: null, joinError: null });
    await this.#load(null);
  }

  async nearEnd() {
    const { loading, loadingMore, error } = this.state;
    if (!loading && !loadingMore && !error && this.#next !== null) await this.#load(this.#next);
  }

  /** Joins. @param {{id: string}} row @returns {Promise<boolean>} never rejects */
  async join(row) {
    if (this.#joining !== null) return false;
    this.#joining = row.id;
    this.#state.update({ joinError: null });
    this.#build();
    try {
      const { body } = await this.#services.groups.join(row.id);
      this.#services.store.putRoom(body);
      return true;
    } catch (error) {
      const known = { forbidden: words.banned, 'not-found': words.gone };
      this.#state.update({ joinError: known[error.kind] ?? refusalText(error) });
      return false;
    } finally {
      this.#joining = null;
      this.#build();
    }
  }

  async #load(next) {
    const { signal } = this.#abort;
    const query = this.state.query.trim();
    this.#state.update({ loadingMore: next !== null });
    try {
      const answer = await this.#services.groups.publicRooms(query, next, { signal });
      if (signal.aborted) return;
      const known = new Set(next === null ? [] : this.#rooms.map(({ id }) => id));
      this.#rooms = [...(next === null ? [] : this.#rooms), ...answer.body.filter(({ id }) => !known.has(id))];
      this.#next = answer.next;
      const empty = this.#rooms.length === 0;
      this.#state.update({
        loading: false, loadingMore: false, more: this.#next !== null, empty: empty && query === '',
        none: empty && query !== '' ? words.none(query) : '',
      });
    } catch (error) {
      if (signal.aborted) return;
      this.#state.update({ loading: false, loadingMore: false, error: `${words.loadFailed} ${problemText(error)}` });
    }
    this.#build();
  }

  #build() {
    const { store } = this.#services;
    this.rows.replaceAll(this.#rooms.map((room) => {
      // One's own rooms are known better than the page that was loaded.
      const own = store.room(room.id);
      const { id, name, topic, members_count: members, avatar_url: url } = own ?? room;
      return {
        id, name, topic: topic ?? '', members: groupTexts.info.members(members), initials: initialsOf(name),
        colour: colourOf(id), avatarUrl: pictureOf(url), joined: own !== null, busy: this.#joining === id,
      };
    }));
  }
}
