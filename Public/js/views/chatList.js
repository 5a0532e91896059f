/** The chat list: pinned chats first, then newest first, below the search field. */
import { texts } from '../models/texts.js';
import { Scope, element, fill, isComposing, isField, makeOneStop, rem, setText } from './dom.js';
import { WindowedList } from './windowedList.js';
import {
  RowView, emptyPlace, gap, iconButton, mark, pageHeading, problemAlert, searchForm, skeletonRows,
} from './parts.js';

/** @typedef {import('../viewmodels/types.js').ChatRow} ChatRow */

/** As in rows.css. */
const rowHeight = rem(3.75);
/** Row views by their nodes, for delegated events. */
const rowViews = new WeakMap();

class ChatRowView extends RowView {
  /** The link that opens the chat, and moves with a swipe. */
  link = this.parts.link;
  /** Opens the menu; the keyboard has its own shortcut. */
  button = this.parts.button;
  /** Whether it is swiped or its swipe actions show; such a row stays in the document. */
  swiped = false;

  /** @param {ChatRow} item */
  constructor(item) {
    super('chat-row');
    const { mentioned, muted, pinned } = texts.chats;
    for (const [name, label] of Object.entries({ mention: mentioned, muted, pinned })) {
      this.parts[name].setAttribute('aria-label', label);
    }
    rowViews.set(this.node, this);
    this.update(item);
  }

  /** @param {ChatRow} item */
  update(item) {
    this.item = item;
    this.face.show(item);
    const isTyping = item.typing !== '';
    fill(this.parts, {
      node: { 'data-last-pinned': item.lastPinned },
      link: {
        href: `/chats/${item.id}`, 'aria-current': item.selected ? 'page' : null, 'data-unread': item.unread > 0,
      },
      button: { 'aria-label': texts.chats.actions(item.name) },
      name: item.name,
      time: { text: item.time, datetime: item.timeISO, title: item.timeTitle },
      line: { 'data-state': item.previewState },
      typing: { text: item.typing, hidden: !isTyping },
      prefix: {
        text: item.previewState === 'failed' ? `${texts.states.failed}: ` : item.previewPrefix,
        hidden: isTyping || item.preview === '',
      },
      preview: { text: item.preview || texts.views.noMessages, hidden: isTyping },
      muted: { hidden: !item.muted },
      pinned: { hidden: !item.pinned },
      mention: { hidden: !item.mentioned },
      count: { text: item.unreadText, 'aria-label': texts.chats.unreadLabel(item.unread), hidden: item.unread === 0 },
    });
    this.parts.count.classList.toggle('muted', item.quiet);
  }

  isHeld() {
    return this.swiped;
  }
}

/** The button for a new chat, a new group, and public rooms. Its menu loads at the first press. */
function newButton() {
  const label = texts.views.newChat;
  const open = async () => (await import('./groups/newMenu.js')).openNewMenu(button);
  const button = iconButton('compose', label, open, { title: label, 'aria-haspopup': 'menu' });
  return button;
}

/**
 * Actions of the list that load at first use; null if they fail to load.
 * @typedef {object} ListHelpers
 * @property {() => Promise<{openMenu: (row: ChatRowView, at: {x: number, y: number}|null) => void,
 *   touch: (row: ChatRowView, event: PointerEvent) => void}|null>} actions the menu and the swipe
 * @property {() => Promise<{enter: () => void}|null>} search the search field and its results
 * @property {() => boolean} letters whether single characters are shortcuts
 */

export class ChatListView {
  #viewModel;
  #helpers;
  #scope = new Scope();
  #list;
  rows = element('ul', { class: 'rows chat-rows', role: 'list', 'aria-label': texts.sections.chats });
  #skeleton = skeletonRows(texts.views.loadingChats, 8);
  #empty = emptyPlace({
    sign: mark(), title: texts.views.noChats, hint: texts.views.noChatsHint,
    actions: [element('a', { class: 'button primary', href: '/people' }, texts.views.find)],
  }).node;
  #problem;
  #body = element('div', { class: 'scroller list-body' }, this.#skeleton, this.rows, this.#empty);
  #heading = pageHeading(texts.sections.chats);
  #search = searchForm(texts.people.search, { 'aria-keyshortcuts': '/ Control+K', autocapitalize: 'none' });
  /** The search field; its results replace the rows. */
  field = this.#search.field;
  #results = element('div', { class: 'results', hidden: true });
  bar = element('header', { class: 'bar' }, this.#heading, gap(), newButton());
  node;

  /**
   * @param {import('../viewmodels/chatListViewModel.js').ChatListViewModel} viewModel
   * @param {ListHelpers} helpers
   */
  constructor(viewModel, helpers) {
    this.#viewModel = viewModel;
    this.#helpers = helpers;
    this.#problem = problemAlert(() => viewModel.retry(), texts.problem.retry);
    const tools = element('div', { class: 'list-tools' }, this.#search.form);
    this.node = element('div', { class: 'list-view' }, this.bar, tools, this.#problem.node, this.#body, this.#results);
    this.#list = new WindowedList({
      array: viewModel.rows,
      container: this.rows,
      scroller: this.#body,
      create: (item) => new ChatRowView(item),
      key: (item) => item.id,
      height: rowHeight,
    });
    makeOneStop(this.rows, 'a');
    this.#listen();
    this.#scope.bind(viewModel, (state) => {
      this.#skeleton.hidden = !state.loading;
      this.rows.hidden = state.loading || state.empty;
      this.#empty.hidden = !state.empty;
      this.#problem.node.hidden = state.error === null;
      setText(this.#problem.what, state.error ?? '');
    });
  }

  focus() {
    this.#heading.focus({ preventScroll: true });
  }

  /**
   * Shows search results in place of the rows, or (null) the rows again.
   * @param {HTMLElement|null} node
   */
  showResults(node) {
    if (node && node.parentElement !== this.#results) this.#results.replaceChildren(node);
    this.#results.hidden = node === null;
    this.#body.hidden = node !== null;
  }

  /** Focuses a row, or the heading if there are none. @param {number} index */
  focusRow(index) {
    if (this.#viewModel.rows.length === 0) this.focus();
    else this.#list.reach(index, (view) => view?.link.focus({ preventScroll: true }));
  }

  #listen() {
    this.#search.form.addEventListener('submit', (event) => event.preventDefault());
    this.field.addEventListener('focus', () => this.#helpers.search());
    addEventListener('keydown', async (event) => {
      if (!goesToSearch(event) || (event.key === '/' && !this.#helpers.letters())) return;
      event.preventDefault();
      // The next keys must go to the field while the search loads.
      if (this.field.checkVisibility()) this.field.select();
      else (await this.#helpers.search())?.enter();
    });
    this.rows.addEventListener('contextmenu', (event) => {
      const row = rowOf(event);
      if (!row) return;
      event.preventDefault();
      const byKey = event.button !== 2 && event.pointerType === '';
      this.#openMenu(row, byKey ? null : { x: event.clientX, y: event.clientY });
    });
    this.rows.addEventListener('click', (event) => {
      const row = rowOf(event);
      if (row?.button.contains(/** @type {Node} */ (event.target))) this.#openMenu(row, null);
    });
    this.rows.addEventListener('keydown', (event) => this.#pressed(event));
    this.rows.addEventListener('pointerdown', async (event) => {
      const row = event.pointerType === 'touch' ? rowOf(event) : null;
      if (!row) return;
      const asked = performance.now();
      const actions = await this.#helpers.actions();
      // Too late: the finger may have moved while the actions loaded.
      if (performance.now() - asked < 50) actions?.touch(row, event);
    });
  }

  async #openMenu(row, at) {
    (await this.#helpers.actions())?.openMenu(row, at);
  }

  #pressed(event) {
    const row = rowOf(event);
    if (!row || event.defaultPrevented) return;
    const index = this.#viewModel.rows.indexOfKey(row.item.id);
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: Infinity }[event.key];
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (to !== undefined && plain) {
      event.preventDefault();
      this.focusRow(to);
    } else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault();
      this.#openMenu(row, null);
    }
  }
}

/** @returns {ChatRowView|null} */
function rowOf(event) {
  return rowViews.get(event.target instanceof Element ? event.target.closest('li') : null) ?? null;
}

/** Whether a key focuses the search field: Ctrl+K anywhere, `/` outside of text fields. */
function goesToSearch(event) {
  if (event.defaultPrevented || isComposing(event) || event.altKey) return false;
  if (document.querySelector('dialog[open]')) return false;
  const command = event.ctrlKey || event.metaKey;
  if (command) return event.key.toLowerCase() === 'k' && !event.shiftKey;
  return event.key === '/' && !isField(document.activeElement);
}
