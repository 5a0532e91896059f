/**
 * One message of the log. The day heading and the "New" line that a row's flags ask for stand before it, in the same
 * entry, so that they come and go with it. Unsent, stored and failed are one node with one identity.
 */
import { Avatar } from './avatar.js';
import { element, setAttribute, setText } from './dom.js';
import { StateSign } from './icons.js';
import { texts } from '../models/texts.js';

/** @typedef {import('../viewmodels/types.js').MessageRow} MessageRow */

/**
 * @typedef {object} MessageActions
 * @property {(key: string) => void} retry
 * @property {(key: string) => void} remove
 * @property {(button: HTMLElement) => void} chooseDate
 * @property {boolean} namesSenders in a chat of more than two
 */

export class MessageView {
  #actions;
  #item = null;
  #avatar = null;
  #sender = null;
  #day = null;
  #newLine = null;
  #failure = null;
  #sign = null;
  #edited = null;
  #text = element('span');
  #written = null;
  #time = element('time');
  #meta = element('span', { class: 'meta' }, this.#time);
  #body = element('div', { class: 'body', dir: 'auto' }, this.#text, this.#meta);
  #speaker = element('span', { class: 'visually-hidden' });
  #bubble = element('div', { class: 'bubble' }, this.#speaker, this.#body);

  /** The message itself, without its heading. */
  row = element('div', { class: 'message' }, this.#bubble);
  node = element('div', { class: 'entry' }, this.row);

  /** @param {MessageRow} item @param {MessageActions} actions */
  constructor(item, actions) {
    this.#actions = actions;
    if (item.own) {
      this.row.classList.add('own');
      this.#sign = new StateSign();
      this.#meta.append(this.#sign.node);
    }
    this.update(item);
  }

  /** Number of the message in its room, null until it is stored. */
  get seq() {
    return this.#item.seq;
  }

  get key() {
    return this.#item.key;
  }

  /** Marks where the "New" line is, for the first look at a chat. */
  get hasNewLine() {
    return this.#item.newLine;
  }

  /** @param {MessageRow} item */
  update(item) {
    this.#item = item;
    const { row } = this;
    setAttribute(row, 'data-seq', item.seq);
    setAttribute(row, 'data-client-id', item.clientId);
    setAttribute(row, 'data-state', item.state);
    setAttribute(row, 'data-first', item.firstOfSender);
    setAttribute(row, 'data-last', item.lastOfSender);
    setAttribute(this.#time, 'datetime', item.timeISO);
    setAttribute(this.#time, 'title', item.timeTitle);
    setText(this.#time, item.time);
    this.#showText(item);
    this.#sign?.show(item.state, item.stateText);
    this.#showSender(item);
    this.#showLeads(item);
    this.#showFailure(item);
  }

  /** Gives back what the row holds; called when it leaves the log. */
  remove() {
    this.#avatar?.release();
  }

  #showText(item) {
    const text = item.deleted ? texts.conversation.deleted : item.text;
    if (this.#written !== text) {
      this.#written = text;
      this.#text.replaceChildren(...withLinks(text));
    }
    if (this.#body.classList.contains('deleted') !== item.deleted) this.#body.classList.toggle('deleted', item.deleted);
    const edited = item.edited && !item.deleted;
    if (edited && !this.#edited) {
      this.#edited = element('span', {}, texts.conversation.edited);
      this.#time.before(this.#edited);
    } else if (!edited && this.#edited) {
      this.#edited.remove();
      this.#edited = null;
    }
  }

  #showSender(item) {
    setText(this.#speaker, item.firstOfSender ? `${item.own ? texts.views.you : item.sender.name}: ` : '');
    if (item.own) return;
    if (item.lastOfSender) {
      if (!this.#avatar) {
        this.#avatar = new Avatar(32);
        this.row.prepend(this.#avatar.node);
      }
      this.#avatar.show(item.sender);
    } else if (this.#avatar) {
      this.#avatar.release();
      this.#avatar.node.remove();
      this.#avatar = null;
    }
    const named = this.#actions.namesSenders && item.firstOfSender;
    if (named && !this.#sender) {
      this.#sender = element('div', { class: 'sender', dir: 'auto', 'aria-hidden': 'true' });
      this.#bubble.prepend(this.#sender);
    }
    if (named) setText(this.#sender, item.sender.name);
    else if (this.#sender) {
      this.#sender.remove();
      this.#sender = null;
    }
  }

  #showLeads(item) {
    if (item.firstOfDay && !this.#day) {
      const button = element('button', { type: 'button', title: texts.views.jumpToDate, 'aria-haspopup': 'dialog' });
      button.addEventListener('click', () => this.#actions.chooseDate(button));
      this.#day = element('h2', { class: 'day' }, button);
      this.node.prepend(this.#day);
    }
    if (item.firstOfDay) setText(this.#day.firstChild, item.dayLabel);
    else if (this.#day) {
      this.#day.remove();
      this.#day = null;
    }
    if (item.newLine && !this.#newLine) {
      this.#newLine = element('div', { class: 'new-line' }, element('span', {}, texts.conversation.newLine));
      this.row.before(this.#newLine);
    } else if (!item.newLine && this.#newLine) {
      this.#newLine.remove();
      this.#newLine = null;
    }
  }

  #showFailure(item) {
    if (item.failure === null) {
      this.#failure?.remove();
      this.#failure = null;
      return;
    }
    if (!this.#failure) {
      const { key } = item;
      const button = (label, act) =>
        element('button', { type: 'button', class: 'button small', onclick: () => act(key) }, label);
      this.#failure = element(
        'div',
        { class: 'failure' },
        element('span', { class: 'why' }),
        button(texts.conversation.retry, this.#actions.retry),
        button(texts.conversation.remove, this.#actions.remove),
      );
      this.row.append(this.#failure);
    }
    setText(this.#failure.firstChild, item.failure);
  }
}

/** Web addresses, without the punctuation that ends the sentence around them. */
const addresses = /\bhttps?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]/g;

/** A text as nodes, its web addresses as links. @param {string} text @returns {(string|HTMLElement)[]} */
function withLinks(text) {
  const parts = [];
  let end = 0;
  for (const { 0: href, index } of text.matchAll(addresses)) {
    const link = element('a', { class: 'link', href, target: '_blank', rel: 'noopener noreferrer' }, href);
    parts.push(text.slice(end, index), link);
    end = index + href.length;
  }
  parts.push(text.slice(end));
  return parts;
}
