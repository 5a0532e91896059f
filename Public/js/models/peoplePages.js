/**
 * The pages of one list of people, as they were loaded. Of tens of thousands of people only those near the screen are
 * held; of the others there is the number, which says that they are there, who they are, and in which order.
 */

/** Pages whose people are held. */
const MOST_HELD = 12;

/**
 * A person of the directory as the API gives it.
 * @typedef {{github_id: number, login: string, name?: string}} DirectoryPerson
 */

export class PeoplePages {
  /** @type {{path: string, ids: (number|string)[], people: Map<number|string, DirectoryPerson>|null}[]} */
  #pages = [];
  #idOf;

  /** @param {(person: any) => number|string} idOf what tells people apart */
  constructor(idOf = (person) => person.github_id) { this.#idOf = idOf; }

  /** The path of the next page; null at the end. @type {string|null} */
  next = /** @type {string|null} */ (null);

  /** The number of pages. */
  get count() {
    return this.#pages.length;
  }

  /** The number of people, held or not. */
  get length() {
    return this.#pages.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  /**
   * Replaces a page, or adds it at the end. Leaves out people who moved here from an earlier page because the list
   * changed between two requests.
   * @param {string} path identifies the page
   * @param {DirectoryPerson[]} people
   */
  put(path, people) {
    const found = this.#pages.findIndex((page) => page.path === path);
    const index = found < 0 ? this.#pages.length : found;
    const seen = new Set(this.#pages.slice(0, index).flatMap(({ ids }) => ids));
    const fresh = people.filter((person) => !seen.has(this.#idOf(person)) && seen.add(this.#idOf(person)));
    this.#pages[index] = {
      path,
      ids: fresh.map(this.#idOf),
      people: new Map(fresh.map((person) => [this.#idOf(person), person])),
    };
    for (const page of this.#pages.slice(index + 1)) {
      if (page.ids.some((id) => seen.has(id))) page.ids = page.ids.filter((id) => !seen.has(id));
    }
  }

  /**
   * All people in order: a row for those held, the GitHub id of the others.
   * @template T
   * @param {(person: DirectoryPerson) => T} rowOf
   * @returns {(T|number|string)[]}
   */
  rows(rowOf) {
    const rows = [];
    for (const { ids, people } of this.#pages) {
      for (const id of ids) rows.push(people ? rowOf(/** @type {DirectoryPerson} */ (people.get(id))) : id);
    }
    return rows;
  }

  /**
   * Forgets people that are far from the rows `first` to `last`.
   * @param {number} most pages whose people are held
   * @returns {{missing: string[], forgot: boolean}} the pages at these rows whose people are not held
   */
  hold(first, last, most = MOST_HELD) {
    let start = 0;
    const distances = this.#pages.map((page) => {
      const end = start + page.ids.length;
      const distance = Math.max(0, first - end + 1, start - last);
      start = end;
      return { page, distance };
    });
    const held = distances.filter(({ page }) => page.people).sort((one, other) => one.distance - other.distance);
    const far = held.slice(most).filter(({ distance }) => distance > 0);
    for (const { page } of far) page.people = null;
    const missing = distances.filter(({ page, distance }) => distance === 0 && !page.people && page.ids.length > 0);
    return { missing: missing.map(({ page }) => page.path), forgot: far.length > 0 };
  }
}
