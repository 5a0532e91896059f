/** Toasts: messages of other chats, and errors. */
import { sharedTexts } from '../models/texts/shared.js';
import { announce, element, setText } from './dom.js';
import { bindList } from './boundList.js';
import { Avatar, icon, iconButton } from './parts.js';

/** @typedef {import('../viewmodels/types.js').Toast} Toast */

class ToastView {
  #avatar = null;
  #place = element('span', { class: 'place', dir: 'auto' });
  #text = element('span', { class: 'text', dir: 'auto' });
  node;

  /** @param {Toast} item @param {import('../viewmodels/shellViewModel.js').ShellViewModel} shell */
  constructor(item, shell) {
    const dismiss = () => shell.dismiss(item.id);
    this.update(item);
    const close = iconButton('close', sharedTexts.dismiss, dismiss);
    const body = item.roomId === null ? this.#notice() : this.#message(item, dismiss);
    this.node = element('li', { class: item.roomId === null ? 'toast failed' : 'toast' }, body, close);
    // Stays while it is hovered or focused.
    for (const type of ['pointerenter', 'focusin']) this.node.addEventListener(type, () => shell.hold(item.id));
    for (const type of ['pointerleave', 'focusout']) this.node.addEventListener(type, () => shell.release(item.id));
  }

  /** @param {Toast} item */
  update(item) {
    setText(this.#text, item.text);
    setText(this.#place, item.isGroup ? item.roomName : '');
    this.#place.hidden = !item.isGroup;
  }

  remove() {
    this.#avatar?.release();
  }

  #message(item, dismiss) {
    this.#avatar = new Avatar(36);
    this.#avatar.show({ ...item.sender, online: false });
    const name = element('span', { class: 'name', dir: 'auto' }, item.sender.name);
    announce(`${item.sender.name}${item.isGroup ? `, ${item.roomName}` : ''}: ${item.text}`);
    const href = `/chats/${item.roomId}?at=${item.seq}`;
    const who = element('span', { class: 'who' }, name, this.#place);
    return element('a', { href, onclick: dismiss }, this.#avatar.node, who, this.#text);
  }

  #notice() {
    announce(this.#text.textContent);
    return element('p', {}, icon('warning'), this.#text);
  }
}

/** @param {import('../viewmodels/shellViewModel.js').ShellViewModel} shell @param {HTMLElement} container */
export function bindToasts(shell, container) {
  bindList({ array: shell.toasts, container, create: (item) => new ToastView(item, shell) });
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    const toast = shell.toasts.items.at(-1);
    if (!toast) return;
    // Escape closed the toast; nothing else handles the key.
    event.preventDefault();
    shell.dismiss(toast.id);
  });
}
