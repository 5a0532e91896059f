/**
 * Which key does what, everywhere in the app (H4). Pure: a key and what is on screen in, the name of a shortcut out.
 *
 * Keys that are characters can be switched off (WCAG 2.2, 2.1.4), and do nothing where something is being written. What covers
 * the page, such as menus and dialogs, has all keys to itself (`mayBeShortcut`). Browsers' and screen readers' own keys are
 * left alone. The keys of the search are its field's own (`chatList.js`), since they must not go elsewhere while the rest
 * arrives.
 */

/** How long after `g` a second letter counts, in milliseconds. */
const SEQUENCE = 1500;
const places = { c: 'chats', p: 'people', n: 'news', s: 'settings' };
const letters = { '?': 'help', n: 'compose', m: 'message' };

/**
 * @typedef {object} Key
 * @property {string} key
 * @property {boolean} control Ctrl, or Cmd on a Mac
 * @property {boolean} alt
 * @property {number} time of the press, in milliseconds
 * @property {'none'|'message'|'other'} field what is being written in: nothing, the message's field, or another
 */

export class Shortcuts {
  #preferences;
  #began = -Infinity;

  /** @param {{get: (name: string) => string, set: (name: string, value: string) => void}} preferences */
  constructor(preferences) {
    this.#preferences = preferences;
  }

  /** Whether single characters are shortcuts. */
  get letters() {
    return this.#preferences.get('letters') !== 'off';
  }

  set letters(on) {
    this.#preferences.set('letters', on ? '' : 'off');
  }

  /** @param {Key} press @returns {string|null} */
  of(press) {
    const { key, control, alt, field, time } = press;
    const began = this.#began;
    this.#began = -Infinity;
    if (control) return key === '/' && !alt ? 'help' : null;
    if (alt) return field === 'other' ? null : { ArrowUp: 'previous', ArrowDown: 'next' }[key] ?? null;
    if (key === 'Escape') return field === 'other' ? null : 'back';
    if (field !== 'none' || !this.letters) return null;
    if (time - began < SEQUENCE && Object.hasOwn(places, key)) return places[key];
    if (key === 'g') this.#began = time;
    return Object.hasOwn(letters, key) ? letters[key] : null;
  }
}
