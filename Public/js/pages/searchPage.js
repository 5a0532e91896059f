/**
 * Composes the search: the field above the chats, its results, and the keys. Fetched at first use.
 */
import { SearchViewModel } from '../viewmodels/searchViewModel.js';
import { limits, setLimits } from '../models/limits.js';
import { searchTexts } from '../models/texts/search.js';
import { isComposing } from '../views/dom.js';
import { iconButton } from '../views/parts.js';
import { loadStyles } from '../views/laterStyles.js';
import { SearchView } from '../views/searchView.js';

/** A query is sent so many milliseconds after the last key press. */
const pause = 120;

/** @param {string} query @returns {string} the address of a search, which can be kept and shared */
const addressOf = (query) => (query === '' ? '/search' : `/search?q=${encodeURIComponent(query)}`);

/** The field and its results while they are in use. */
class Search {
  #model;
  #view;
  #list;
  #navigate;
  #timer = 0;
  /** The address before the search, to which Escape leads back. */
  #before = '/chats';
  #isOpen = false;
  /** Ends the search without a keyboard. */
  #clear = iconButton('close', searchTexts.clear, () => this.#leave(), { class: 'clear', hidden: true });

  constructor(client, { list, navigate }) {
    setLimits(client.limits);
    this.#list = list;
    this.#navigate = navigate;
    this.#model = new SearchViewModel(client);
    this.#view = new SearchView(this.#model, {
      press: async (person) => {
        const room = await this.#model.press(person);
        if (room) navigate(`/chats/${room}`);
      },
      add: (word) => this.#add(word),
    });
    const { field } = list;
    field.maxLength = limits.query;
    field.addEventListener('input', () => this.#typed());
    field.form.addEventListener('submit', () => this.#ask());
    field.after(this.#clear);
    field.addEventListener('keydown', (event) => this.#pressed(event));
    this.#view.node.addEventListener('keydown', (event) => this.#pressed(event));
    if (field.value !== '') this.#typed();
  }

  get isOpen() {
    return this.#isOpen;
  }

  /** Of the page. */
  get title() {
    return searchTexts.titleOf(this.#list.field.value.trim());
  }

  /** Focuses the field, from any page. */
  enter() {
    const { field } = this.#list;
    if (!field.checkVisibility()) this.#navigate('/search', { keepsFocus: true });
    this.#whenVisible(() => {
      field.focus();
      field.select();
    });
  }

  /** Shows the query of an address. @param {string} query */
  open(query) {
    const { field } = this.#list;
    if (field.value.trim() !== query) field.value = query;
    this.#isOpen = true;
    this.#clear.hidden = false;
    this.#model.search(query);
    this.#list.showResults(this.#view.node);
  }

  /** Shows the chats again. */
  close() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#clear.hidden = true;
    clearTimeout(this.#timer);
    this.#list.field.value = '';
    this.#model.search('');
    this.#list.showResults(null);
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), pause);
  }

  #ask() {
    clearTimeout(this.#timer);
    const query = this.#list.field.value.trim();
    const isThere = location.pathname === '/search';
    if (!isThere) this.#before = location.pathname;
    if (isThere && location.search === addressOf(query).slice('/search'.length)) return;
    if (query === '' && !isThere) return this.close();
    this.#navigate(addressOf(query), { replace: isThere, keepsFocus: true });
  }

  #add(word) {
    const { field } = this.#list;
    const text = field.value;
    const start = word.startsWith('has:') ? text.replace(/has:\S*$/iu, '') : text;
    field.value = `${start}${start === '' || start.endsWith(' ') ? '' : ' '}${word}${word.endsWith(':') ? '' : ' '}`;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    this.#typed();
  }

  #pressed(event) {
    if (event.defaultPrevented || isComposing(event) || event.altKey || event.ctrlKey || event.metaKey) return;
    const { field } = this.#list;
    if (event.key === 'Escape') return this.#escape(event);
    const targets = this.#isOpen ? this.#view.targets : [];
    const at = targets.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const inField = document.activeElement === field;
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      if (!this.#isOpen) this.#list.focusRow(0);
      else targets[Math.min(at + 1, targets.length - 1)]?.focus();
    } else if (event.key === 'ArrowUp' && !inField) {
      event.preventDefault();
      (at > 0 ? targets[at - 1] : field).focus();
    } else if ((event.key === 'Home' || event.key === 'End') && !inField && at >= 0) {
      event.preventDefault();
      targets.at(event.key === 'Home' ? 0 : -1).focus();
    } else if (event.key === 'Enter' && inField && this.#isOpen) {
      event.preventDefault();
      // Opens the first result; does nothing while the results load.
      if (field.value.trim() === this.#model.state.query && !this.#model.state.loading) targets[0]?.click();
      else this.#ask();
    }
  }

  /** Clears and closes the search, and returns to the address before it. */
  #escape(event) {
    const { field } = this.#list;
    if (!this.#isOpen && field.value === '') {
      field.blur();
      return;
    }
    event.preventDefault();
    this.#leave();
  }

  #leave() {
    const { field } = this.#list;
    const isThere = location.pathname === '/search';
    this.close();
    field.value = '';
    if (isThere) this.#navigate(this.#before, { replace: true });
    else field.focus();
  }

  /** Calls back once the list is on screen, which may wait for a page. */
  #whenVisible(act, tries = 20) {
    if (this.#list.field.checkVisibility() || tries === 0) act();
    else requestAnimationFrame(() => this.#whenVisible(act, tries - 1));
  }
}

/**
 * @param {object} client
 * @param {object} page
 * @param {import('../views/chatList.js').ChatListView} page.list
 * @param {(address: string, options?: object) => void} page.navigate
 */
export async function startSearch(client, page) {
  await loadStyles('search');
  return new Search(client, page);
}
