import { handleOf } from '../models/mentions.js';
import { Observable } from '../models/observableArray.js';

const MOST = 8;
/** A token before the caret: `@` and a name, or `:` and a shortcode, at the start of a word. */
const TOKEN = /(?:^|[\s(])([@:])([\p{L}\p{N}_+-]{0,40})$/u;
/** `#` and what follows it, several words too: a number ends at a space, and a heading has a space first. */
const ISSUE = /(?:^|[\s(])#((?:\d+|(?!\d+\s)[\p{L}\p{N}][^\n#]{0,59})?)$/u;
/** A complete shortcode. */
const CLOSED = /(?:^|[\s(]):([a-z0-9_+-]{1,40}):$/;
const CLOSED_LIST = Object.freeze({ open: false, kind: null, items: Object.freeze([]), active: 0 });

/** @typedef {{searchShortcodes: Function, shortcode: Function}} EmojiTable */

/**
 * Completes people, emoji and issues in the composer.
 * @typedef {'people'|'emoji'|'issues'} CompletionKind
 * @typedef {{open: boolean, kind: CompletionKind|null, items: readonly any[], active: number}} CompletionState
 * @extends {Observable<CompletionState>}
 */
export class CompletionViewModel extends Observable {
  #sources;
  #token = /** @type {{start: number, caret: number, text: string}|null} */ (null);
  #dismissed = /** @type {number|null} */ (null);
  #people = /** @type {Promise<any[]>|null} */ (null);
  #emoji = /** @type {Promise<EmojiTable|null>|null} */ (null);
  #issues = /** @type {Promise<import('./issueFinder.js').IssueFinder|null>|null} */ (null);

  /**
   * @param {object} sources
   * @param {() => Promise<object[]>} sources.members who can be mentioned
   * @param {() => Promise<EmojiTable>} sources.emoji the table, when it is needed
   * @param {() => string|null} sources.repository of the room
   * @param {() => Promise<import('./issueFinder.js').IssueFinder>} sources.issues when they are needed
   * @param {import('../models/chatStore.js').ChatStore} sources.store
   */
  constructor(sources) {
    super(CLOSED_LIST);
    this.#sources = sources;
  }

  /**
   * The text or the caret changed. @param {string} text @param {number} caret
   * @returns {Promise<{text: string, caret: number}|null>} the new text if a shortcode was completed
   */
  async typed(text, caret) {
    const before = text.slice(Math.max(0, caret - 60), caret);
    const closed = CLOSED.exec(before);
    if (closed) {
      this.#hide();
      const emoji = (await this.#table())?.shortcode(closed[1]);
      return emoji ? replaced(text, caret - closed[1].length - 2, caret, emoji) : null;
    }
    const [, sign, word] = TOKEN.exec(before) ?? this.#issueBefore(text, caret) ?? [];
    if (!sign || (sign === ':' && word.length < 2)) return this.#hide();
    const start = caret - word.length - 1;
    // Escape closed the list for this word.
    if (this.#dismissed === start) return this.#hide({ forget: false });
    this.#dismissed = null;
    const token = { start, caret, text };
    this.#token = token;
    if (sign === '#') return this.#suggestIssues(token, word);
    const items = sign === '@' ? await this.#findPeople(word) : await this.#findEmoji(word);
    // The text has changed meanwhile; a later call shows its results.
    if (this.#token !== token) return null;
    this.#offer(sign === '@' ? 'people' : 'emoji', items);
    return null;
  }

  #offer(kind, items, active = 0) {
    if (items.length === 0) this.update(CLOSED_LIST);
    else this.update({ open: true, kind, items: Object.freeze(items), active });
  }

  /** `#` and the words behind it, in a room with a repository. */
  #issueBefore(text, caret) {
    const start = Math.max(caret - 100, 0, text.lastIndexOf('\n', caret - 1) + 1);
    const [whole, word] = ISSUE.exec(text.slice(start, caret)) ?? [];
    return whole === undefined || !this.#sources.repository?.() ? null : [whole, '#', word];
  }

  async #suggestIssues(token, word) {
    this.#issues ??= this.#sources.issues().catch(() => (this.#issues = null));
    const finder = await this.#issues;
    /** The same ones stay as they are, and the active one stays active when others come. */
    const show = (found) => {
      if (this.#token !== token) return false;
      const { kind, items, active } = this.state;
      const isSame = kind === 'issues' && found.length > 0 && `${found.map(keyOf)}` === `${items.map(keyOf)}`;
      const stays = kind === 'issues' && active > 0 ? found.findIndex(({ key }) => key === items[active].key) : 0;
      if (!isSame) this.#offer('issues', found, Math.max(0, stays));
      return true;
    };
    if (finder) await finder.find({ ...token, word }, show);
    else show([]);
    return null;
  }

  /** Moves the active item. @param {1|-1} by */
  move(by) {
    const { items, active } = this.state;
    this.update({ active: (active + by + items.length) % items.length });
  }

  /** @param {number} [index] of the item, the active one if left out @returns {{text: string, caret: number}|null} */
  accept(index = this.state.active) {
    const item = this.state.items[index];
    if (!item || !this.#token) return null;
    const { start, caret, text } = this.#token;
    this.#hide();
    return replaced(text, start, caret, item.insert);
  }

  /** Closes the list for this word. */
  dismiss() {
    this.#dismissed = this.#token?.start ?? null;
    this.#hide({ forget: false });
  }

  /** The field lost the focus, or was emptied. */
  close() {
    this.#hide();
  }

  #hide({ forget = true } = {}) {
    if (forget) this.#dismissed = null;
    this.#token = null;
    this.update(CLOSED_LIST);
    return null;
  }

  async #findPeople(word) {
    this.#people ??= this.#sources.members().catch(() => {
      this.#people = null;
      return [];
    });
    const { store } = this.#sources;
    const wanted = word.toLocaleLowerCase();
    const found = [];
    for (const user of await this.#people) {
      const handle = handleOf(user);
      if (user.id === store.me?.id || handle === '') continue;
      const names = [handle, ...`${user.name ?? ''}`.split(/\s+/u)].map((name) => name.toLocaleLowerCase());
      if (!names.some((name) => name.startsWith(wanted))) continue;
      found.push({ key: user.id, person: store.person(user), label: user.name || handle, detail: `@${handle}`,
        insert: `@${handle} `, first: names[0].startsWith(wanted) });
    }
    return found.sort((one, other) => Number(other.first) - Number(one.first)).slice(0, MOST);
  }

  async #findEmoji(word) {
    const found = (await this.#table())?.searchShortcodes(word, MOST) ?? [];
    return found.map(({ emoji, name }) => ({ key: name, emoji, label: `:${name}:`, detail: '', insert: `${emoji} ` }));
  }

  /** Null if it fails to load; the next emoji name retries. */
  #table() {
    this.#emoji ??= this.#sources.emoji().catch(() => (this.#emoji = null));
    return this.#emoji;
  }
}

const keyOf = ({ key }) => key;

function replaced(text, start, end, by) {
  return { text: text.slice(0, start) + by + text.slice(end).replace(by.endsWith(' ') ? /^ / : /^$/, ''),
    caret: start + by.length };
}
