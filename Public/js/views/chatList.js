/** The list of chats: one row each, newest first. */
import { texts } from '../models/texts.js';
import { Avatar } from './avatar.js';
import { Scope, element, setAttribute, setText } from './dom.js';
import { icon, mark } from './icons.js';
import { bindList } from './list.js';

/** @typedef {import('../viewmodels/types.js').ChatRow} ChatRow */

class ChatRowView {
  #avatar = new Avatar(40);
  #name = element('span', { class: 'name', dir: 'auto' });
  #time = element('time', { class: 'time' });
  #prefix = element('span');
  #preview = element('span', { dir: 'auto' });
  #typing = element('span', { class: 'typing', hidden: true });
  #count = element('span', { class: 'count', role: 'img', hidden: true });
  #muted = element('span', { role: 'img', 'aria-label': texts.chats.muted, hidden: true }, icon('muted'));
  #pinned = element('span', { role: 'img', 'aria-label': texts.chats.pinned, hidden: true }, icon('pinned'));
  #link = element(
    'a',
    { class: 'row' },
    this.#avatar.node,
    this.#name,
    this.#time,
    element('span', { class: 'preview' }, this.#typing, this.#prefix, this.#preview),
    element('span', { class: 'marks' }, this.#muted, this.#pinned, this.#count),
  );
  node = element('li', {}, this.#link);

  /** @param {ChatRow} item */
  constructor(item) {
    this.update(item);
  }

  /** @param {ChatRow} item */
  update(item) {
    this.#avatar.show(item);
    setAttribute(this.#link, 'href', `/chats/${item.id}`);
    setAttribute(this.#link, 'aria-current', item.selected ? 'page' : null);
    setAttribute(this.#link, 'data-unread', item.unread > 0);
    setText(this.#name, item.name);
    setText(this.#time, item.time);
    setAttribute(this.#time, 'datetime', item.timeISO);
    setAttribute(this.#time, 'title', item.timeTitle);
    this.#typing.hidden = item.typing === '';
    this.#prefix.hidden = item.typing !== '' || item.preview === '';
    this.#preview.hidden = item.typing !== '';
    setText(this.#typing, item.typing);
    setText(this.#prefix, item.previewState === 'failed' ? `${texts.states.failed}: ` : item.previewPrefix);
    setText(this.#preview, item.preview || texts.views.noMessages);
    setAttribute(this.#preview.parentElement, 'data-state', item.previewState);
    this.#count.hidden = item.unread === 0;
    setText(this.#count, item.unreadText);
    setAttribute(this.#count, 'aria-label', texts.chats.unreadLabel(item.unread));
    this.#count.classList.toggle('muted', item.muted);
    this.#muted.hidden = !item.muted;
    this.#pinned.hidden = !item.pinned;
  }

  remove() {
    this.#avatar.release();
  }
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

export class ChatListView {
  #scope = new Scope();
  #rows = element('ul', { class: 'rows', role: 'list', 'aria-label': texts.chats.label });
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
  #heading = element('h1', { tabindex: '-1' }, texts.chats.label);
  bar = element(
    'header',
    { class: 'bar' },
    this.#heading,
    element('span', { class: 'gap' }),
    newButton(),
  );
  node;

  /** @param {import('../viewmodels/chatListViewModel.js').ChatListViewModel} viewModel */
  constructor(viewModel) {
    const retry = element('button', { type: 'button', class: 'button small' }, texts.problem.retry);
    retry.addEventListener('click', () => viewModel.retry());
    this.#problem = element('div', { class: 'alert', hidden: true }, icon('warning'), this.#error, retry);
    const body = element('div', { class: 'scroller list-body' }, this.#skeleton, this.#rows, this.#empty);
    this.node = element('div', { class: 'list-view' }, this.bar, this.#problem, body);
    bindList({
      array: viewModel.rows,
      container: this.#rows,
      create: (item) => new ChatRowView(item),
      slides: true,
    });
    this.#scope.bind(viewModel, (state) => {
      this.#skeleton.hidden = !state.loading;
      this.#rows.hidden = state.loading || state.empty;
      this.#empty.hidden = !state.empty;
      this.#problem.hidden = state.error === null;
      setText(this.#error, state.error ?? '');
    });
  }

  focus() {
    this.#heading.focus({ preventScroll: true });
  }
}
