import { colourOf, initialsOf, pictureOf } from '../../models/format.js';
import { sharedTexts } from '../../models/texts/shared.js';
import { groupTexts } from '../../models/texts/groups.js';
import { refusalText } from './refusal.js';
import { ListModel } from '../listModel.js';

const words = groupTexts.rooms;
const PAUSE = 200;

/** Public rooms by name. Rows are `{id, name, topic, members, initials, colour, avatarUrl, joined, busy}`. */
export class PublicRoomsViewModel extends ListModel {
  #services;
  #rooms = [];
  #next = null;
  #abort = new AbortController();
  #timer = null;

  /** @param {object} services `groups`, `store`, `clock` */
  constructor(services) {
    super({
      query: '', loading: true, loadingMore: false, error: null, joining: false, joinError: null, empty: false,
      none: '', more: false,
    });
    this.#services = services;
    this.onClose(services.store.subscribe(({ type }) => {
      if (['room', 'rooms', 'removed'].includes(type)) this.build();
    }));
  }

  close() {
    super.close();
    this.#abort.abort();
    this.#services.clock.clearTimeout(this.#timer);
  }

  input(query) {
    this.update({ query });
    this.#services.clock.clearTimeout(this.#timer);
    this.#timer = this.#services.clock.setTimeout(() => this.open(), PAUSE);
  }

  /** Loads the first page of the search. */
  async open() {
    this.#services.clock.clearTimeout(this.#timer);
    this.#abort.abort();
    this.#abort = new AbortController();
    this.update({ joinError: null });
    await this.#load(null);
  }

  async nearEnd() {
    const { loading, loadingMore, error } = this.state;
    if (!loading && !loadingMore && !error && this.#next !== null) await this.#load(this.#next);
  }

  /** Joins. @param {{id: string}} row @returns {Promise<boolean>} never rejects */
  join(row) {
    if (this.state.joining) return Promise.resolve(false);
    this.update({ joining: true, joinError: null });
    return this.acting([row.id], async () => {
      const { body } = await this.#services.groups.join(row.id);
      this.#services.store.putRoom(body);
    }, (error) => {
      const known = { forbidden: words.banned, 'not-found': words.gone };
      return { joinError: known[error.kind] ?? refusalText(error) };
    }).finally(() => this.update({ joining: false }));
  }

  #load(next) {
    const { signal } = this.#abort;
    const query = this.state.query.trim();
    return this.loading(async () => {
      const answer = await this.#services.groups.publicRooms(query, next, { signal });
      if (signal.aborted) return undefined;
      const before = next === null ? [] : this.#rooms;
      const known = new Set(before.map(({ id }) => id));
      this.#rooms = [...before, ...answer.body.filter(({ id }) => !known.has(id))];
      this.#next = answer.next;
      const empty = this.#rooms.length === 0;
      return {
        more: this.#next !== null, empty: empty && query === '', none: empty && query !== '' ? words.none(query) : '',
      };
    }, words.loadFailed, { more: next !== null, signal });
  }

  build() {
    const { store } = this.#services;
    this.rows.replaceAll(this.#rooms.map((room) => {
      // The store is newer than the page for the user's own rooms.
      const own = store.room(room.id);
      const { id, name, topic, members_count: members, avatar_url: url } = own ?? room;
      return {
        id, name, topic: topic ?? '', members: sharedTexts.members(members), initials: initialsOf(name),
        colour: colourOf(id), avatarUrl: pictureOf(url), joined: own !== null, busy: this.isBusy(id),
      };
    }));
  }
}
