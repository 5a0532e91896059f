import { Observable, ObservableArray } from '../../models/observableArray.js';
import { groupTexts } from '../../models/texts/groups.js';
import { problemText } from '../../models/format.js';

const words = groupTexts.picker;
/** The search starts so many milliseconds after the last key press. */
const PAUSE = 150;

/**
 * Chooses people of this instance by name: a field with a list below, after the people chosen.
 * `results` and `chosen` hold `{id, name, login, initials, colour, avatarUrl, online}`.
 */
export class PeoplePickerViewModel extends Observable {
  #services;
  #exclude;
  #abort = /** @type {AbortController|null} */ (null);
  #timer = null;
  #found = [];

  /** People found and not chosen. */
  results = new ObservableArray({ key: (person) => person.id });
  /** The chosen people, in order of choice. */
  chosen = new ObservableArray({ key: (person) => person.id });

  /**
   * @param {object} services `groups`, `store`, `clock`
   * @param {(userId: string) => boolean} [exclude] who is not offered, besides oneself
   */
  constructor(services, exclude = () => false) {
    super({ query: '', open: false, loading: false, error: null, active: null, message: '', count: 0 });
    this.#services = services;
    this.#exclude = exclude;
    this.onClose(services.store.subscribe(({ type }) => {
      if (type === 'user') this.#show();
    }));
  }

  close() {
    super.close();
    this.#abort?.abort();
    this.#services.clock.clearTimeout(this.#timer);
  }

  /** The field's text has changed. */
  input(query) {
    this.update({ query, open: true, active: null });
    this.#services.clock.clearTimeout(this.#timer);
    this.#timer = this.#services.clock.setTimeout(() => this.#search(), PAUSE);
  }

  /** Opens the list: the field got the focus, or an arrow key was pressed. */
  open() {
    if (this.state.open) return;
    this.update({ open: true });
    this.#search();
  }

  dismiss() {
    this.#services.clock.clearTimeout(this.#timer);
    this.#abort?.abort();
    this.update({ open: false, active: null, loading: false });
  }

  /** Moves through the list and wraps around; opens it if closed. @param {1|-1} step */
  move(step) {
    if (!this.state.open) {
      this.#step = step;
      return this.open();
    }
    const { items } = this.results;
    if (items.length === 0) return undefined;
    const at = items.findIndex(({ id }) => id === this.state.active);
    const next = at < 0 ? (step > 0 ? 0 : items.length - 1) : (at + step + items.length) % items.length;
    return this.update({ active: items[next].id });
  }

  /**
   * Chooses the active person, or the only one, and closes the list, which may cover what comes next.
   * @returns {object|null} who was chosen
   */
  pick(id = this.state.active ?? (this.results.length === 1 ? this.results.items[0].id : null)) {
    const person = this.results.items.find((candidate) => candidate.id === id);
    if (!person) return null;
    this.chosen.insert(this.chosen.length, person);
    this.update({ query: '', count: this.chosen.length });
    this.dismiss();
    this.#show();
    return person;
  }

  /** @param {string} [id] of the person to remove, the last one if left out @returns {object|null} the person */
  remove(id = this.chosen.items.at(-1)?.id) {
    const index = this.chosen.items.findIndex((person) => person.id === id);
    if (index < 0) return null;
    const person = this.chosen.items[index];
    this.chosen.removeAt(index);
    this.update({ count: this.chosen.length });
    this.#show();
    return person;
  }

  /** Clears the choice. */
  clear() {
    this.chosen.replaceAll([]);
    this.update({ query: '', count: 0 });
    this.dismiss();
  }

  #lastQuery = null;
  /** An arrow key opened the list, and moves to its first or last person. */
  #step = 0;

  async #search() {
    const { groups, store } = this.#services;
    this.#abort?.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const query = this.state.query.trim();
    this.#lastQuery = query;
    this.update({ loading: true, error: null });
    try {
      const { body } = await groups.people(query, { signal });
      if (signal.aborted) return;
      this.#found = body;
      for (const user of body) store.meet(user);
      this.update({ loading: false });
    } catch (error) {
      if (signal.aborted) return;
      this.#found = [];
      this.update({ loading: false, error: `${words.failed} ${problemText(error)}` });
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
    this.update({
      active: offered.some(({ id }) => id === active) ? active : null,
      message: nothing ? (query === '' ? words.everybody : words.nobody(query)) : '',
    });
  }
}

/** The members of a person that a list shows. */
export function personOf(store, user) {
  const known = store.user(user.id) ?? user;
  return { ...store.person(known), login: known.login ?? '', online: Boolean(known.online) };
}
