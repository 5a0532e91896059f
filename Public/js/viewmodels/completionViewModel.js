import { Observable } from '../models/observableArray.js';
import { handleOf } from '../models/mentions.js';

const MOST = 8;
/** What is being typed: `@` and a name, or `:` and at least one letter, at the start of a word and before the caret. */
const TOKEN = /(?:^|[\s(])([@:])([\p{L}\p{N}_+-]{0,40})$/u;
/** A whole shortcode, closed by its colon. */
const CLOSED = /(?:^|[\s(]):([a-z0-9_+-]{1,40}):$/;
const CLOSED_LIST = Object.freeze({ open: false, kind: null, items: Object.freeze([]), active: 0 });

/** Completion of people and emoji while a message is written (K4). */
export class CompletionViewModel {
  #sources;
  #state = new Observable(CLOSED_LIST);
  #token = null;
  #dismissed = null;
  #people = null;
  #emoji = null;

  /**
   * @param {object} sources
   * @param {() => Promise<object[]>} sources.members who can be mentioned
   * @param {() => Promise<{searchEmoji: Function, emojiNamed: Function}>} sources.emoji the table, when it is needed
   * @param {import('../models/chatStore.js').ChatStore} sources.store
   */
  constructor(sources) {
    this.#sources = sources;
  }

  /** @returns {{open: boolean, kind: 'people'|'emoji'|null, items: readonly object[], active: number}} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  /**
   * The text or the caret changed. @param {string} text @param {number} caret
   * @returns {Promise<{text: string, caret: number}|null>} another text, where a shortcode was closed
   */
  async update(text, caret) {
    const before = text.slice(Math.max(0, caret - 60), caret);
    const closed = CLOSED.exec(before);
    if (closed) {
      this.#hide();
      const emoji = (await this.#table())?.emojiNamed(closed[1]);
      return emoji ? replaced(text, caret - closed[1].length - 2, caret, emoji) : null;
    }
    const [, sign, word] = TOKEN.exec(before) ?? [];
    if (!sign || (sign === ':' && word.length < 2)) return this.#hide();
    const start = caret - word.length - 1;
    // Closed by Escape: it stays closed for this word.
    if (this.#dismissed === start) return this.#hide({ forget: false });
    this.#dismissed = null;
    const token = { start, caret, text };
    this.#token = token;
    const items = sign === '@' ? await this.#findPeople(word) : await this.#findEmoji(word);
    // Typed on meanwhile: a later call answers.
    if (this.#token !== token) return null;
    const kind = sign === '@' ? 'people' : 'emoji';
    if (items.length === 0) this.#state.update(CLOSED_LIST);
    else this.#state.update({ open: true, kind, items: Object.freeze(items), active: 0 });
    return null;
  }

  /** Moves the choice. @param {1|-1} by */
  move(by) {
    const { items, active } = this.state;
    this.#state.update({ active: (active + by + items.length) % items.length });
  }

  /** @param {number} [index] of the item, the chosen one if left out @returns {{text: string, caret: number}|null} */
  accept(index = this.state.active) {
    const item = this.state.items[index];
    if (!item || !this.#token) return null;
    const { start, caret, text } = this.#token;
    this.#hide();
    return replaced(text, start, caret, item.insert);
  }

  /** Escape: not for this word. */
  dismiss() {
    this.#dismissed = this.#token?.start ?? null;
    this.#hide({ forget: false });
  }

  /** The field is left, or emptied. */
  close() {
    this.#hide();
  }

  #hide({ forget = true } = {}) {
    if (forget) this.#dismissed = null;
    this.#token = null;
    this.#state.update(CLOSED_LIST);
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
    const found = (await this.#table())?.searchEmoji(word, MOST) ?? [];
    return found.map(({ emoji, name }) => ({ key: name, emoji, label: `:${name}:`, detail: '', insert: `${emoji} ` }));
  }

  /** Null where it does not arrive: typing goes on without, and the next name asks for it again. */
  #table() {
    this.#emoji ??= this.#sources.emoji().catch(() => (this.#emoji = null));
    return this.#emoji;
  }
}

function replaced(text, start, end, by) {
  return { text: text.slice(0, start) + by + text.slice(end).replace(by.endsWith(' ') ? /^ / : /^$/, ''), caret: start + by.length };
}
