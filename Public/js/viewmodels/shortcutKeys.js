/**
 * Which key does what, everywhere in the app. Pure: a key and what is on screen in, the name of a shortcut out.
 *
 * Character keys can be switched off (WCAG 2.2, 2.1.4), and do nothing in a text field, to which an open chat takes
 * them wherever the focus is (`isUnclaimedText`). Menus and dialogs get all keys while they cover the page
 * (`mayBeShortcut`). Keys of browsers and screen readers are left alone. The search field
 * handles its own keys (`chatList.js`), so that none is lost while the later modules load.
 */

/** The time for the second letter after `g`, in milliseconds. */
const SEQUENCE = 1500;
const places = { c: 'chats', p: 'people', n: 'news', s: 'settings' };
const letters = { '?': 'help', n: 'compose' };

/**
 * @typedef {object} Key
 * @property {string} key
 * @property {boolean} control Ctrl, or Cmd on a Mac
 * @property {boolean} alt
 * @property {number} time of the press, in milliseconds
 * @property {'none'|'message'|'other'} field the focused text field: none, the composer, or another
 */

export class Shortcuts {
  #preferences;
  #began = -Infinity;

  /** @param {{get: (name: string) => string, set: (name: string, value: string) => void}} preferences */
  constructor(preferences) {
    this.#preferences = preferences;
  }

  /** Whether character keys are shortcuts. */
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
