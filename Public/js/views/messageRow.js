/**
 * One message of the log. The day heading and the "New" line that a row's flags ask for stand before it, in the same
 * entry, so that they come and go with it. Unsent, stored and failed are one node with one identity.
 */
import { Avatar } from './avatar.js';
import { element, setAttribute, setText } from './dom.js';
import { StateSign, icon } from './icons.js';
import { QuoteView, ReactionsView, isEmojiOnly, richText } from './messageParts.js';
import { texts } from '../models/texts.js';
import { chatTexts } from '../models/texts/conversation.js';

/** @typedef {import('../viewmodels/types.js').MessageRow} MessageRow */

/**
 * @typedef {object} MessageActions
 * @property {(key: string) => void} retry
 * @property {(key: string) => void} remove
 * @property {(button: HTMLElement) => void} chooseDate
 * @property {(seq: number) => void} jumpTo
 * @property {(item: MessageRow, emoji: string) => void} react
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
  #pinned = null;
  #quote = null;
  #forwarded = null;
  #reactions = null;
  #check = null;
  #mentioned = '';
  #text = element('span');
  #written = null;
  #time = element('time');
  #meta = element('span', { class: 'meta' }, this.#time);
  #body = element('div', { class: 'body', dir: 'auto' }, this.#text, this.#meta);
  #speaker = element('span', { class: 'visually-hidden' });
  #bubble = element('div', { class: 'bubble' }, this.#speaker, this.#body);

  /** The message itself, without its heading. */
  row = element('div', { class: 'message', role: 'article', tabindex: '-1' }, this.#bubble);
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

  /** What is shown. */
  get item() {
    return this.#item;
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
    this.#showSource(item);
    this.#showReactions(item);
    this.#showCheck(item);
    this.#showLeads(item);
    this.#showFailure(item);
  }

  /** Gives back what the row holds; called when it leaves the log. */
  remove() {
    this.#avatar?.release();
  }

  #showText(item) {
    const text = item.deleted ? texts.conversation.deleted : item.text;
    if (this.#written !== text || this.#mentioned !== item.mentioned) {
      this.#written = text;
      this.#mentioned = item.mentioned;
      this.#text.replaceChildren(...richText(text, item.mentioned));
      setAttribute(this.#body, 'data-emoji', isEmojiOnly(text));
    }
    if (this.#body.classList.contains('deleted') !== item.deleted) this.#body.classList.toggle('deleted', item.deleted);
    this.#edited = this.#showMark(this.#edited, item.edited, () => element('span', {}, texts.conversation.edited));
    if (this.#edited) setAttribute(this.#edited, 'title', item.editedTitle);
    this.#pinned = this.#showMark(this.#pinned, item.pinned, pinMark);
  }

  /** A word or a sign before the time. */
  #showMark(node, wanted, make) {
    if (wanted && !node) {
      const made = make();
      this.#time.before(made);
      return made;
    }
    if (!wanted) node?.remove();
    return wanted ? node : null;
  }

  #showSource(item) {
    if (item.forwardedFrom && !this.#forwarded) {
      this.#forwarded = element('div', { class: 'forwarded', dir: 'auto' });
      this.#body.before(this.#forwarded);
    }
    if (item.forwardedFrom) setText(this.#forwarded, chatTexts.forwardedFrom(item.forwardedFrom));
    else if (this.#forwarded) {
      this.#forwarded.remove();
      this.#forwarded = null;
    }
    if (item.replyTo && !this.#quote) {
      this.#quote = new QuoteView((seq) => this.#actions.jumpTo(seq));
      this.#body.before(this.#quote.node);
    }
    if (item.replyTo) this.#quote.show(item.replyTo);
    else if (this.#quote) {
      this.#quote.node.remove();
      this.#quote = null;
    }
  }

  #showReactions(item) {
    if (item.reactions.length > 0) {
      if (!this.#reactions) {
        this.#reactions = new ReactionsView((emoji) => this.#actions.react(this.#item, emoji));
        this.#bubble.after(this.#reactions.node);
      }
      this.#reactions.show(item.reactions);
    } else if (this.#reactions) {
      this.#reactions.node.remove();
      this.#reactions = null;
    }
  }

  /** While messages are being selected. The whole row is what is pressed (`chat/controls.js`). */
  #showCheck(item) {
    if (item.selected === null) {
      this.#check?.remove();
      this.#check = null;
      return;
    }
    if (!this.#check) {
      const attributes = { type: 'checkbox', class: 'check', tabindex: '-1', 'aria-label': chatTexts.select };
      this.#check = /** @type {HTMLInputElement} */ (element('input', attributes));
      this.row.prepend(this.#check);
    }
    if (this.#check.checked !== item.selected) this.#check.checked = item.selected;
  }

  #showSender(item) {
    setText(this.#speaker, item.firstOfSender ? `${item.own ? texts.views.you : item.sender.name}: ` : '');
    if (item.own) return;
    if (item.lastOfSender) {
      if (!this.#avatar) {
        this.#avatar = new Avatar(32);
        this.#bubble.before(this.#avatar.node);
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
    if (named) {
      setText(this.#sender, item.sender.name);
      setAttribute(this.#sender, 'data-colour', item.sender.colour);
    } else if (this.#sender) {
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

function pinMark() {
  const mark = icon('pinned');
  mark.classList.add('pin-mark');
  return element('span', { title: chatTexts.pinnedMark }, mark, element('span', { class: 'visually-hidden' }, chatTexts.pinnedMark));
}
