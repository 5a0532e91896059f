/** The tools above the people: the search field, and the choice of the list. */
import { texts } from '../models/texts.js';
import { sharedTexts } from '../models/texts/shared.js';
import { peopleTexts } from '../models/texts/people.js';
import { element, setAttribute } from './dom.js';
import { searchForm } from './parts.js';

/** @typedef {import('../viewmodels/types.js').PeopleList} PeopleList */

/** The search starts so many milliseconds after the last key press. */
const searchPause = 300;
/** The lists that need a login or organisation. */
const ofSomebody = ['followers', 'following', 'org'];

/** The address of a list, which can be bookmarked and shared. @param {PeopleList} list */
export function addressOf({ kind, subject }) {
  const name = encodeURIComponent(subject);
  switch (kind) {
    case 'followers':
    case 'following':
      return `/people/${name}/${kind}`;
    case 'org':
      return `/orgs/${name}`;
    case 'search':
      return `/people?q=${name}`;
    default:
      return '/people';
  }
}

export class PeopleTools {
  #list;
  #navigate;
  #pause = 0;
  /** The kind of list whose subject is being asked for; null otherwise. */
  #asking = null;
  #search = searchForm(texts.people.search);
  #tabs = {
    users: element('a', { href: '/people' }, peopleTexts.usersTab),
    followers: element('button', { type: 'button' }, peopleTexts.followersTab),
    following: element('button', { type: 'button' }, peopleTexts.followingTab),
    org: element('button', { type: 'button' }, peopleTexts.orgTab),
  };
  #subject = /** @type {HTMLInputElement} */ (
    element('input', {
      class: 'input', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', required: true,
    })
  );
  #form = element('form', { class: 'subject', hidden: true }, this.#subject,
    element('button', { class: 'button' }, sharedTexts.show));
  node;

  /**
   * @param {() => PeopleList} list that is shown
   * @param {(address: string, options?: {replace?: boolean, keepsFocus?: boolean}) => void} navigate
   */
  constructor(list, navigate) {
    this.#list = list;
    this.#navigate = navigate;
    const switcher = element('div', { class: 'switcher', role: 'group', 'aria-label': peopleTexts.listKinds });
    switcher.append(...Object.values(this.#tabs));
    this.node = element('div', { class: 'people-tools' }, this.#search.form, switcher, this.#form);
    this.#listen();
  }

  /** The page's address names this list. @param {PeopleList} list */
  open(list) {
    this.#asking = null;
    const query = list.kind === 'search' ? list.subject : '';
    if (this.#search.field.value.trim() !== query) this.#search.field.value = query;
    this.show();
  }

  /** Shows the kind of list and its subject. */
  show() {
    const list = this.#list();
    const kind = this.#asking ?? list.kind;
    for (const [name, tab] of Object.entries(this.#tabs)) {
      setAttribute(tab, 'aria-current', this.#asking === null && name === list.kind ? 'page' : null);
      if (name !== 'users') setAttribute(tab, 'aria-expanded', String(name === kind));
    }
    const needsSubject = ofSomebody.includes(kind);
    this.#form.hidden = !needsSubject;
    if (!needsSubject) return;
    const label = kind === 'org' ? peopleTexts.ofOrg : peopleTexts.ofLogin;
    setAttribute(this.#subject, 'aria-label', label);
    setAttribute(this.#subject, 'placeholder', label);
    if (this.#asking === null) this.#subject.value = list.subject;
    else if (list.kind !== this.#asking) this.#subject.value = '';
  }

  #listen() {
    this.#search.field.addEventListener('input', () => {
      clearTimeout(this.#pause);
      this.#pause = setTimeout(() => this.#find(), searchPause);
    });
    this.#search.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#find();
    });
    for (const kind of ofSomebody) this.#tabs[kind].addEventListener('click', () => this.#ask(kind));
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      const subject = this.#subject.value.trim().replace(/^@/, '');
      if (subject) this.#navigate(addressOf({ kind: this.#asking ?? this.#list().kind, subject }));
    });
    this.#form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.#asking === null) return;
      const tab = this.#tabs[this.#asking];
      this.#asking = null;
      this.show();
      tab.focus();
    });
  }

  #find() {
    clearTimeout(this.#pause);
    const query = this.#search.field.value.trim();
    const list = this.#list();
    if (query === (list.kind === 'search' ? list.subject : '')) return;
    const address = query === '' ? '/people' : addressOf({ kind: 'search', subject: query });
    this.#navigate(address, { replace: list.kind === 'search', keepsFocus: true });
  }

  /** Switching between followers and following keeps the login. */
  #ask(kind) {
    const list = this.#list();
    const both = ['followers', 'following'];
    if (both.includes(kind) && both.includes(list.kind) && list.subject) {
      this.#navigate(addressOf({ kind, subject: list.subject }));
      return;
    }
    this.#asking = kind;
    this.show();
    this.#subject.focus();
    this.#subject.select();
  }
}
