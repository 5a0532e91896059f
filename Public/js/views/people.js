/** The GitHub directory: which list, its alert, and a row per person. */
import { texts } from '../models/texts.js';
import { PeopleAlert } from './peopleAlert.js';
import { Avatar } from './avatar.js';
import { skeletonRows } from './chatList.js';
import { Scope, element, setAttribute, setText } from './dom.js';
import { icon } from './icons.js';
import { bindList } from './list.js';

/**
 * @typedef {import('../viewmodels/types.js').PersonRow} PersonRow
 * @typedef {import('../viewmodels/types.js').PeopleList} PeopleList
 */

/** Milliseconds without a key press after which a search goes off. */
const searchPause = 300;

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

class PersonRowView {
  #item;
  #avatar = new Avatar(40);
  #name = element('span', { class: 'name', dir: 'auto' });
  #login = element('span', { class: 'preview' });
  #place = element('span', { class: 'place member' });
  #button;
  node;

  /** @param {PersonRow} item @param {(item: PersonRow) => void} press */
  constructor(item, press) {
    this.#button = element('button', { type: 'button', class: 'row person', onclick: () => press(this.#item) });
    this.#button.append(this.#avatar.node, this.#name, this.#login, this.#place);
    this.node = element('li', {}, this.#button);
    this.update(item);
  }

  /** @param {PersonRow} item */
  update(item) {
    this.#item = item;
    setAttribute(this.node, 'data-github-id', item.githubId);
    this.#avatar.show(item);
    setText(this.#name, item.name || item.login);
    this.#login.hidden = item.name === '';
    setText(this.#login, item.login);
    setAttribute(this.#button, 'data-single', item.name === '');
    setAttribute(this.#button, 'aria-busy', item.busy ? 'true' : null);
    this.#place.hidden = !item.member && !item.online;
    setText(this.#place, item.online ? texts.person.online : texts.people.member);
    this.#place.classList.toggle('online', item.online);
  }

  remove() {
    this.#avatar.release();
  }
}

export class PeopleView {
  #viewModel;
  #navigate;
  #scope = new Scope();
  #pause = 0;
  #observer;
  /** The kind whose subject is being asked for; null while the shown list's own kind stands. */
  #asking = null;

  #heading = element('h1', { tabindex: '-1' }, texts.people.label);
  #search = /** @type {HTMLInputElement} */ (
    element('input', {
      type: 'search',
      class: 'input',
      'aria-label': texts.people.search,
      placeholder: texts.people.search,
      autocomplete: 'off',
      spellcheck: 'false',
      enterkeyhint: 'search',
    })
  );
  #tabs = {
    users: element('a', { href: '/people' }, texts.views.usersTab),
    followers: element('button', { type: 'button' }, texts.views.followersTab),
    following: element('button', { type: 'button' }, texts.views.followingTab),
    org: element('button', { type: 'button' }, texts.views.orgTab),
  };
  #subject = /** @type {HTMLInputElement} */ (
    element('input', {
      class: 'input',
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
      required: true,
    })
  );
  #subjectForm = element(
    'form',
    { class: 'subject', hidden: true },
    this.#subject,
    element('button', { class: 'button' }, texts.views.show),
  );
  #stale = element('span', { class: 'stale' });
  #alert;
  #pressError = element('p', { class: 'alert-line', role: 'alert', hidden: true });
  #rows = element('ul', { class: 'rows', role: 'list', 'aria-label': texts.people.label });
  #skeleton = skeletonRows(texts.people.loading, 10);
  #emptyText = element('p', { class: 'how' });
  #empty = element('div', { class: 'empty', hidden: true }, this.#emptyText);
  #more = element(
    'div',
    { class: 'more', role: 'progressbar', 'aria-label': texts.people.loadingMore, hidden: true },
    element('div', { class: 'spinner' }),
  );
  #end = element('p', { class: 'list-end', hidden: true }, texts.people.end);
  #sentinel = element('div', { class: 'sentinel' });
  #body = element('div', { class: 'scroller list-body' });
  bar = element('header', { class: 'bar' }, this.#heading, element('span', { class: 'gap' }), this.#stale);
  node;

  /**
   * @param {import('../viewmodels/peopleViewModel.js').PeopleViewModel} viewModel
   * @param {(address: string, options?: {replace?: boolean, keepsFocus?: boolean}) => void} navigate
   */
  constructor(viewModel, navigate) {
    this.#viewModel = viewModel;
    this.#navigate = navigate;
    this.#alert = new PeopleAlert(() => viewModel.retry());
    const switcher = element('div', { class: 'switcher', role: 'group', 'aria-label': texts.views.listKinds });
    switcher.append(...Object.values(this.#tabs));
    const search = element('form', { class: 'search', role: 'search' }, icon('search'), this.#search);
    const tools = element('div', { class: 'people-tools' }, search, switcher, this.#subjectForm);
    this.#body.append(this.#skeleton, this.#rows, this.#empty, this.#more, this.#end, this.#sentinel);
    this.node = element('div', { class: 'list-view' }, this.bar, tools, this.#alert.node, this.#pressError, this.#body);
    this.#listen(search);
    bindList({
      array: viewModel.rows,
      container: this.#rows,
      create: (item) => new PersonRowView(item, (row) => this.#press(row)),
    });
    this.#observer = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && viewModel.nearEnd(), {
      root: this.#body,
      rootMargin: '0px 0px 800px',
    });
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  focus() {
    this.#heading.focus({ preventScroll: true });
  }

  /** Shows the list that the page's address names. @param {PeopleList} list */
  open(list) {
    const shown = this.#viewModel.state.list;
    this.#asking = null;
    if (shown?.kind !== list.kind || shown.subject !== list.subject || !this.#opened) {
      this.#body.scrollTop = 0;
      this.#viewModel.open(list);
    }
    this.#opened = true;
    const query = list.kind === 'search' ? list.subject : '';
    if (this.#search.value.trim() !== query) this.#search.value = query;
    this.#showTabs();
  }

  #opened = false;

  #listen(search) {
    this.#search.addEventListener('input', () => {
      clearTimeout(this.#pause);
      this.#pause = setTimeout(() => this.#find(), searchPause);
    });
    search.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#find();
    });
    for (const kind of ['followers', 'following', 'org']) {
      this.#tabs[kind].addEventListener('click', () => this.#ask(kind));
    }
    this.#subjectForm.addEventListener('submit', (event) => {
      event.preventDefault();
      const subject = this.#subject.value.trim().replace(/^@/, '');
      if (subject) this.#navigate(addressOf({ kind: this.#asking ?? this.#viewModel.state.list.kind, subject }));
    });
    this.#subjectForm.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.#asking === null) return;
      const tab = this.#tabs[this.#asking];
      this.#asking = null;
      this.#showTabs();
      tab.focus();
    });
  }

  #find() {
    clearTimeout(this.#pause);
    const query = this.#search.value.trim();
    const { list } = this.#viewModel.state;
    if (query === (list.kind === 'search' ? list.subject : '')) return;
    const address = query === '' ? '/people' : addressOf({ kind: 'search', subject: query });
    this.#navigate(address, { replace: list.kind === 'search', keepsFocus: true });
  }

  /** Between followers and following of one login no question is needed. */
  #ask(kind) {
    const { list } = this.#viewModel.state;
    const both = ['followers', 'following'];
    if (both.includes(kind) && both.includes(list.kind) && list.subject) {
      this.#navigate(addressOf({ kind, subject: list.subject }));
      return;
    }
    this.#asking = kind;
    this.#showTabs();
    this.#subject.focus();
    this.#subject.select();
  }

  #showTabs() {
    const { list } = this.#viewModel.state;
    const kind = this.#asking ?? list.kind;
    for (const [name, tab] of Object.entries(this.#tabs)) {
      setAttribute(tab, 'aria-current', this.#asking === null && name === list.kind ? 'page' : null);
      if (name !== 'users') setAttribute(tab, 'aria-expanded', String(name === kind));
    }
    const needsSubject = ['followers', 'following', 'org'].includes(kind);
    this.#subjectForm.hidden = !needsSubject;
    if (!needsSubject) return;
    const label = kind === 'org' ? texts.views.ofOrg : texts.views.ofLogin;
    setAttribute(this.#subject, 'aria-label', label);
    setAttribute(this.#subject, 'placeholder', label);
    if (this.#asking === null) this.#subject.value = list.subject;
    else if (list.kind !== this.#asking) this.#subject.value = '';
  }

  /** @param {import('../viewmodels/types.js').PeopleState} state */
  #show(state) {
    const loading = state.loadingFirst;
    this.#skeleton.hidden = !loading;
    this.#rows.hidden = loading || state.empty;
    this.#empty.hidden = loading || !state.empty;
    setText(this.#emptyText, state.emptyText);
    this.#more.hidden = !state.loadingMore;
    this.#end.hidden = loading || state.empty || !state.end;
    setText(this.#heading, state.title);
    setText(this.#stale, state.stale ?? '');
    this.#alert.show(state.alert);
    this.#pressError.hidden = state.pressError === null;
    setText(this.#pressError, state.pressError ?? '');
    this.#showTabs();
    // Observing anew makes the observer look again after each page: the end may still be near.
    this.#observer.unobserve(this.#sentinel);
    if (!loading && !state.loadingMore && !state.end && !state.alert) this.#observer.observe(this.#sentinel);
  }

  async #press(row) {
    const room = await this.#viewModel.press(row);
    if (room) this.#navigate(`/chats/${room}`);
  }
}
