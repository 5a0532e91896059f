import { Observable, ObservableArray } from '../../models/observableArray.js';
import { groupTexts } from '../../models/texts/groups.js';
import { problemText } from '../../models/texts.js';

const words = groupTexts.picker;
/** Milliseconds without a key press after which the search goes off. */
const PAUSE = 150;

/**
 * Choosing people of this instance by name: a field with a list below, and what was chosen before it.
 * `results` and `chosen` hold `{id, name, login, initials, colour, avatarUrl, online}`.
 */
export class PeoplePickerViewModel {
  #services;
  #exclude;
  #abort = null;
  #timer = null;
  #found = [];
  #end;
  #state = new Observable({ query: '', open: false, loading: false, error: null, active: null, message: '', count: 0 });

  /** People who were found and are not chosen yet. */
  results = new ObservableArray({ key: (person) => person.id });
  /** People in the order in which they were chosen. */
  chosen = new ObservableArray({ key: (person) => person.id });

  /**
   * @param {object} services `groups`, `store`, `clock`
   * @param {(userId: string) => boolean} [exclude] who is not offered, besides oneself
   */
  constructor(services, exclude = () => false) {
    this.#services = services;
    this.#exclude = exclude;
    this.#end = services.store.subscribe(({ type }) => {
      if (type === 'user') this.#show();
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
    this.#abort?.abort();
    this.#services.clock.clearTimeout(this.#timer);
  }

  /** The field was typed in. */
  input(query) {
    this.#state.update({ query, open: true, active: null });
    this.#services.clock.clearTimeout(this.#timer);
    this.#timer = this.#services.clock.setTimeout(() => this.#search(), PAUSE);
  }

  /** The list is asked for, by going into the field or by an arrow key. */
  open() {
    if (this.state.open) return;
    this.#state.update({ open: true });
    this.#search();
  }

  dismiss() {
    this.#services.clock.clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#state.update({ open: false, active: null, loading: false });
  }

  /** Walks the list, round and round; opens it where it is not. @param {1|-1} step */
  move(step) {
    if (!this.state.open) {
      this.#step = step;
      return this.open();
    }
    const { items } = this.results;
    if (items.length === 0) return undefined;
    const at = items.findIndex(({ id }) => id === this.state.active);
    const next = at < 0 ? (step > 0 ? 0 : items.length - 1) : (at + step + items.length) % items.length;
    return this.#state.update({ active: items[next].id });
  }

  /**
   * Chooses somebody of the list: the active one, or the only one. The list goes: what stands below it may be next.
   * @returns {object|null} who was chosen
   */
  pick(id = this.state.active ?? (this.results.length === 1 ? this.results.items[0].id : null)) {
    const person = this.results.items.find((candidate) => candidate.id === id);
    if (!person) return null;
    this.chosen.insert(this.chosen.length, person);
    this.#state.update({ query: '', count: this.chosen.length });
    this.dismiss();
    this.#show();
    return person;
  }

  /** @param {string} [id] the last one where none is named @returns {object|null} who was taken back */
  remove(id = this.chosen.items.at(-1)?.id) {
    const index = this.chosen.items.findIndex((person) => person.id === id);
    if (index < 0) return null;
    const person = this.chosen.items[index];
    this.chosen.removeAt(index);
    this.#state.update({ count: this.chosen.length });
    this.#show();
    return person;
  }

  /** Forgets who was chosen. */
  clear() {
    this.chosen.replaceAll([]);
    this.#state.update({ query: '', count: 0 });
    this.dismiss();
  }

  #lastQuery = null;
  /** An arrow key opened the list, and goes on to its first or last one. */
  #step = 0;

  async #search() {
    const { groups, store } = this.#services;
    this.#abort?.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const query = this.state.query.trim();
    this.#lastQuery = query;
    this.#state.update({ loading: true, error: null });
    try {
      const { body } = await groups.people(query, { signal });
      if (signal.aborted) return;
      this.#found = body;
      for (const user of body) store.meet(user);
      this.#state.update({ loading: false });
    } catch (error) {
      if (signal.aborted) return;
      this.#found = [];
      this.#state.update({ loading: false, error: `${words.failed} ${problemText(error)}` });
    }
    this.#show();
    const step = this.#step;
    this.#step = 0;
    if (step !== 0) this.move(step);
  }

  #show() {
    const { store } = this.#services;
    const chosen = new Set(this.chosen.items.map(({ id }) => id));
    const offered = this.#found.filter(({ id }) => id !== store.me?.id && !chosen.has(id) && !this.#exclude(id));
    this.results.replaceAll(offered.map((user) => personOf(store, user)));
    const { active, loading, error } = this.state;
    const nothing = offered.length === 0 && !loading && !error;
    const query = this.#lastQuery ?? '';
    this.#state.update({
      active: offered.some(({ id }) => id === active) ? active : null,
      message: nothing ? (query === '' ? words.everybody : words.nobody(query)) : '',
    });
  }
}

/** What shows of somebody in a list. */
export function personOf(store, user) {
  const known = store.user(user.id) ?? user;
  return { ...store.person(known), login: known.login ?? '', online: Boolean(known.online) };
}
