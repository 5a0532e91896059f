/** The list of chats: one row each, pinned ones and then the newest first, below the field that searches. */
import { texts } from '../models/texts.js';
import { Avatar } from './avatar.js';
import { Scope, element, rem, setAttribute, setText } from './dom.js';
import { icon, mark } from './icons.js';
import { WindowedList } from './list.js';

/** @typedef {import('../viewmodels/types.js').ChatRow} ChatRow */

/** As in rows.css. */
const rowHeight = rem(3.75);
/** Rows by their nodes, for events that are listened to in one place for all. */
const rowViews = new WeakMap();

class ChatRowView {
  #avatar = new Avatar(40);
  #name = element('span', { class: 'name', dir: 'auto' });
  #time = element('time', { class: 'time' });
  #prefix = element('span', { class: 'prefix' });
  #preview = element('span', { dir: 'auto' });
  #typing = element('span', { class: 'typing', dir: 'auto', hidden: true });
  #mention = sign('mention', texts.chats.mentioned, '@');
  #count = element('span', { class: 'count', role: 'img', hidden: true });
  #muted = sign('', texts.chats.muted, icon('muted'));
  #pinned = sign('', texts.chats.pinned, icon('pinned'));
  /** What is pressed to open the chat, and what moves under a finger. */
  link = element(
    'a',
    { class: 'row', draggable: 'false' },
    this.#avatar.node,
    this.#name,
    this.#time,
    element('span', { class: 'preview' }, this.#typing, this.#prefix, this.#preview),
    element('span', { class: 'marks' }, this.#muted, this.#pinned, this.#mention, this.#count),
  );
  /** Opens the menu; keys have their own way to it. */
  button = element('button', { type: 'button', class: 'row-button', tabindex: '-1', 'aria-haspopup': 'menu' });
  node = element('li', {}, this.link, this.button);
  /** @type {ChatRow} */
  item;
  /** Whether a finger moves it, or its actions show: then it stays, wherever it is. */
  swiped = false;

  /** @param {ChatRow} item */
  constructor(item) {
    this.button.append(icon('chevron'));
    rowViews.set(this.node, this);
    this.update(item);
  }

  /** @param {ChatRow} item */
  update(item) {
    this.item = item;
    this.#avatar.show(item);
    setAttribute(this.link, 'href', `/chats/${item.id}`);
    setAttribute(this.link, 'aria-current', item.selected ? 'page' : null);
    setAttribute(this.link, 'data-unread', item.unread > 0);
    setAttribute(this.node, 'data-last-pinned', item.lastPinned);
    setAttribute(this.button, 'aria-label', texts.chats.actions(item.name));
    setText(this.#name, item.name);
    setText(this.#time, item.time);
    setAttribute(this.#time, 'datetime', item.timeISO);
    setAttribute(this.#time, 'title', item.timeTitle);
    this.#showPreview(item);
    this.#count.hidden = item.unread === 0;
    setText(this.#count, item.unreadText);
    setAttribute(this.#count, 'aria-label', texts.chats.unreadLabel(item.unread));
    this.#count.classList.toggle('muted', item.quiet);
    this.#mention.hidden = !item.mentioned;
    this.#muted.hidden = !item.muted;
    this.#pinned.hidden = !item.pinned;
  }

  #showPreview(item) {
    this.#typing.hidden = item.typing === '';
    this.#prefix.hidden = item.typing !== '' || item.preview === '';
    this.#preview.hidden = item.typing !== '';
    setText(this.#typing, item.typing);
    setText(this.#prefix, item.previewState === 'failed' ? `${texts.states.failed}: ` : item.previewPrefix);
    setText(this.#preview, item.preview || texts.views.noMessages);
    setAttribute(this.#preview.parentElement, 'data-state', item.previewState);
  }

  isHeld() {
    return this.swiped;
  }

  remove() {
    this.#avatar.release();
  }
}

/** A small picture in a row that says something. */
function sign(name, label, drawing) {
  return element('span', { class: name || null, role: 'img', 'aria-label': label, hidden: true }, drawing);
}

/** Rows in the real row's size for a list that is not there yet. @param {string} label @param {number} count */
export function skeletonRows(label, count) {
  const row = () => element('div', { class: 'skeleton' }, element('i'), element('i'), element('i'));
  const attributes = { class: 'rows', role: 'progressbar', 'aria-label': label };
  return element('div', attributes, ...Array.from({ length: count }, row));
}

/** Offers people to write to, a new group, and public rooms; what it opens arrives when it is first pressed. */
function newButton() {
  const label = texts.views.newChat;
  const attributes = { type: 'button', class: 'icon-button', 'aria-label': label, title: label, 'aria-haspopup': 'menu' };
  const button = element('button', attributes, icon('compose'));
  button.addEventListener('click', async () => (await import('./groups/newMenu.js')).openNewMenu(button));
  return button;
}

/**
 * What the list can do that arrives when it is first asked for; null when it did not arrive.
 * @typedef {object} ListHelpers
 * @property {() => Promise<{openMenu: (row: ChatRowView, at: {x: number, y: number}|null) => void,
 *   touch: (row: ChatRowView, event: PointerEvent) => void}|null>} actions the menu and the swipe
 * @property {() => Promise<{enter: () => void}|null>} search the field and what it finds
 * @property {() => boolean} letters whether single characters are shortcuts
 */

export class ChatListView {
  #viewModel;
  #helpers;
  #scope = new Scope();
  #list;
  rows = element('ul', { class: 'rows chat-rows', role: 'list', 'aria-label': texts.chats.label });
  #skeleton = skeletonRows(texts.views.loadingChats, 8);
  #empty = element(
    'div',
    { class: 'empty', hidden: true },
    mark(),
    element('p', { class: 'what' }, texts.views.noChats),
    element('p', { class: 'how' }, texts.views.noChatsHint),
    element('a', { class: 'button primary', href: '/people' }, texts.views.find),
  );
  #error = element('p', { class: 'what', role: 'alert' });
  #problem;
  #body;
  #heading = element('h1', { tabindex: '-1' }, texts.chats.label);
  /** The field that searches everything; what it finds shows in the place of the rows. */
  field = /** @type {HTMLInputElement} */ (
    element('input', {
      type: 'search',
      class: 'input',
      'aria-label': texts.people.search,
      'aria-keyshortcuts': '/ Control+K',
      placeholder: texts.people.search,
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
      enterkeyhint: 'search',
    })
  );
  #results = element('div', { class: 'results', hidden: true });
  bar = element(
    'header',
    { class: 'bar' },
    this.#heading,
    element('span', { class: 'gap' }),
    newButton(),
  );
  node;

  /**
   * @param {import('../viewmodels/chatListViewModel.js').ChatListViewModel} viewModel
   * @param {ListHelpers} helpers
   */
  constructor(viewModel, helpers) {
    this.#viewModel = viewModel;
    this.#helpers = helpers;
    const retry = element('button', { type: 'button', class: 'button small' }, texts.problem.retry);
    retry.addEventListener('click', () => viewModel.retry());
    this.#problem = element('div', { class: 'alert', hidden: true }, icon('warning'), this.#error, retry);
    this.#body = element('div', { class: 'scroller list-body' }, this.#skeleton, this.rows, this.#empty);
    const search = element('form', { class: 'search', role: 'search' }, icon('search'), this.field);
    const tools = element('div', { class: 'list-tools' }, search);
    this.node = element('div', { class: 'list-view' }, this.bar, tools, this.#problem, this.#body, this.#results);
    this.#list = new WindowedList({
      array: viewModel.rows,
      container: this.rows,
      scroller: this.#body,
      create: (item) => new ChatRowView(item),
      key: (item) => item.id,
      height: rowHeight,
    });
    this.#listen(search);
    this.#scope.bind(viewModel, (state) => {
      this.#skeleton.hidden = !state.loading;
      this.rows.hidden = state.loading || state.empty;
      this.#empty.hidden = !state.empty;
      this.#problem.hidden = state.error === null;
      setText(this.#error, state.error ?? '');
    });
  }

  focus() {
    this.#heading.focus({ preventScroll: true });
  }

  /**
   * Shows what a search found in the place of the rows, or the rows again.
   * @param {HTMLElement|null} node
   */
  showResults(node) {
    if (node && node.parentElement !== this.#results) this.#results.replaceChildren(node);
    this.#results.hidden = node === null;
    this.#body.hidden = node !== null;
  }

  /** Gives the focus to the row at that place, or to the heading where there are none. @param {number} index */
  focusRow(index) {
    if (this.#viewModel.rows.length === 0) this.focus();
    else this.#list.reach(index, (view) => view?.link.focus({ preventScroll: true }));
  }

  #listen(search) {
    search.addEventListener('submit', (event) => event.preventDefault());
    this.field.addEventListener('focus', () => this.#helpers.search());
    addEventListener('keydown', async (event) => {
      if (!goesToSearch(event) || (event.key === '/' && !this.#helpers.letters())) return;
      event.preventDefault();
      // Keys that follow must not go elsewhere while the rest arrives.
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
      // While that was on its way, who knows where the finger went.
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

/** Whether a key goes to the field that searches: Ctrl+K anywhere, `/` where nothing is being written. */
function goesToSearch(event) {
  if (event.defaultPrevented || event.isComposing || event.altKey || document.querySelector('dialog[open]')) return false;
  const { target } = event;
  const writes = target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
  const command = event.ctrlKey || event.metaKey;
  return command ? event.key.toLowerCase() === 'k' && !event.shiftKey : event.key === '/' && !writes;
}
