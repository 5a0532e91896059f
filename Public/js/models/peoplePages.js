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
  /** @type {{path: string, ids: number[], people: Map<number, DirectoryPerson>|null}[]} */
  #pages = [];

  /** Where the page after the last one is; null at the end. @type {string|null} */
  next = null;

  /** How many pages there are. */
  get count() {
    return this.#pages.length;
  }

  /** How many people there are, held or not. */
  get length() {
    return this.#pages.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  /**
   * Puts what a page holds in its place, or a new page at the end. Lists move between two questions: somebody who is on
   * an earlier page already is not shown a second time.
   * @param {string} path the page's address, which names it
   * @param {DirectoryPerson[]} people
   */
  put(path, people) {
    const found = this.#pages.findIndex((page) => page.path === path);
    const index = found < 0 ? this.#pages.length : found;
    const seen = new Set(this.#pages.slice(0, index).flatMap(({ ids }) => ids));
    const fresh = people.filter(({ github_id: id }) => !seen.has(id) && seen.add(id));
    this.#pages[index] = {
      path,
      ids: fresh.map(({ github_id: id }) => id),
      people: new Map(fresh.map((person) => [person.github_id, person])),
    };
    for (const page of this.#pages.slice(index + 1)) {
      if (page.ids.some((id) => seen.has(id))) page.ids = page.ids.filter((id) => !seen.has(id));
    }
  }

  /**
   * Everybody in order: a row for those who are held, the number of those who are not.
   * @template T
   * @param {(person: DirectoryPerson) => T} rowOf
   * @returns {(T|number)[]}
   */
  rows(rowOf) {
    const rows = [];
    for (const { ids, people } of this.#pages) {
      for (const id of ids) rows.push(people ? rowOf(people.get(id)) : id);
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
