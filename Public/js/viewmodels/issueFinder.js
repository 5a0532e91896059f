import { matchesIssue, wordsOf } from '../models/issueFilter.js';
import { issueRow } from '../models/issueRow.js';
import { isCodeAt } from '../models/writing/codeAt.js';

const MOST = 8;
/** Milliseconds after which GitHub may have something new; the server asks it no more often than every few minutes. */
const FRESH = 60_000;
/** After a failure, such as a repository that is not public. */
const SILENT = 300_000;

/**
 * Finds issues and pull requests of a room's repository for what is typed behind `#`. What is known here shows at
 * once, then what the server has stored, then what GitHub has.
 */
export class IssueFinder {
  #sources;
  #repository = /** @type {string|null} */ (null);
  /** What was seen of the repository. @type {Map<number, {number: number, words: string[], thing: any}>} */
  #known = new Map();
  #freshUntil = -Infinity;
  /** The request that may go to GitHub, while it is under way. */
  #asking = /** @type {Promise<void>|null} */ (null);
  /** What found nothing: nothing longer does. */
  #nothing = /** @type {string|null} */ (null);

  /**
   * @param {object} sources
   * @param {{request: Function}} sources.api
   * @param {() => string|null} sources.repository of the room
   * @param {() => boolean} sources.isOffline
   * @param {() => number} sources.now milliseconds
   */
  constructor(sources) {
    this.#sources = sources;
  }

  /**
   * @param {{text: string, start: number, word: string}} token where `#` stands, and what follows it
   * @param {(items: object[]) => boolean} show may be called several times; false: nobody waits any more
   */
  async find({ text, start, word }, show) {
    const repository = this.#sources.repository();
    if (!repository || this.#sources.isOffline() || isCodeAt(text, start)) return show([]);
    if (repository !== this.#repository) this.#begin(repository);
    if (this.#findsNothing(word)) return show([]);
    if (!show(this.#seen(word))) return;
    const asking = this.#refresh(word);
    try {
      const stored = await this.#ask(word, true);
      // Until GitHub has answered, an empty list says nothing.
      if (!show(stored) || (!asking && this.#note(word, stored))) return;
      if (!asking) return;
      await asking;
      // The request to GitHub may have been for what was typed before.
      if (show(this.#seen(word))) {
        const found = await this.#ask(word, true);
        this.#note(word, found);
        show(found);
      }
    } catch {
      // Whoever writes goes on without it.
      show([]);
    }
  }

  #begin(repository) {
    this.#repository = repository;
    this.#known = new Map();
    this.#freshUntil = -Infinity;
    this.#asking = null;
    this.#nothing = null;
  }

  #findsNothing(word) {
    const before = this.#nothing;
    if (before === null || this.#sources.now() >= this.#freshUntil) return false;
    return word.startsWith(before) && /^\d+$/.test(word) === /^\d+$/.test(before);
  }

  /** Remembers a word without any match. */
  #note(word, found) {
    if (found.length === 0 && /[\p{L}\p{N}]/u.test(word)) this.#nothing = word;
    return found.length === 0;
  }

  /** What is known here and matches, as the server orders it: the number itself, then those that changed last. */
  #seen(word) {
    return [...this.#known.values()].filter((issue) => matchesIssue(issue, word))
      .sort((one, other) => Number(`${other.number}` === word) - Number(`${one.number}` === word)
        || (other.thing.updated_at ?? '').localeCompare(one.thing.updated_at ?? '') || other.number - one.number)
      .slice(0, MOST).map(({ thing }) => issueRow(thing));
  }

  /** Lets the server ask GitHub. @returns {Promise<void>|null} null if what is stored is fresh */
  #refresh(word) {
    const { now } = this.#sources;
    if (this.#asking || now() < this.#freshUntil) return this.#asking;
    const repository = this.#repository;
    const asking = this.#ask(word, false).then(() => FRESH, () => SILENT).then((time) => {
      if (this.#repository !== repository) return;
      this.#freshUntil = now() + time;
      this.#asking = null;
      this.#nothing = null;
    });
    this.#asking = asking;
    return asking;
  }

  async #ask(word, isStored) {
    const repository = /** @type {string} */ (this.#repository);
    const [owner, name] = repository.split('/').map(encodeURIComponent);
    const query = { limit: MOST, ...(word && { q: word }), ...(isStored && { stored: 1 }) };
    const { body } = await this.#sources.api.request('GET', `/github/repos/${owner}/${name}/issues`, { query });
    if (this.#repository === repository) {
      for (const thing of body) {
        this.#known.set(thing.number, { number: thing.number, words: wordsOf(thing.title), thing });
      }
    }
    return body.map(issueRow);
  }
}
