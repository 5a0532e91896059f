/**
 * One message of the log, with the day heading and the "New" line above it in the same entry. A message keeps its node
 * when it changes from unsent to stored or failed.
 */
import { element, set, setAttribute, setText } from './dom.js';
import { drawMarkdown } from './markdown.js';
import { QuoteView, ReactionsView, StateSign, isEmojiOnly } from './messageParts.js';
import { Avatar, button, icon } from './parts.js';
import { cardReference, linesNamed, repositoryOf } from '../models/markdown/addresses.js';
import { texts } from '../models/texts.js';
import { sharedTexts } from '../models/texts/shared.js';
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

/** References that have no card, or had none while GitHub was away: no place is kept for one. */
export const cardless = new Set();

/** A card shows so many lines of a file. */
const CARD_LINES = 10;

export class MessageView {
  #actions;
  #item = null;
  #sign = null;
  /** Parts that only some messages have, by name, made at first use. */
  #extras = new Map();
  #mentioned = '';
  #repository = null;
  /** @type {HTMLElement} */
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

  /** The `seq` of the message; null until it is stored. */
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

  /** The "New" line, to scroll to when the chat opens. */
  get hasNewLine() {
    return this.#item.newLine;
  }

  /** @param {MessageRow} item */
  update(item) {
    this.#item = item;
    const { row } = this;
    set(row, {
      'data-seq': item.seq, 'data-client-id': item.clientId, 'data-state': item.state, 'data-first': item.firstOfSender,
      'data-last': item.lastOfSender,
    });
    set(this.#time, { text: item.time, datetime: item.timeISO, title: item.timeTitle });
    this.#showText(item);
    this.#sign?.show(item.state, item.stateText);
    this.#showSender(item);
    this.#showSource(item);
    this.#showReactions(item);
    this.#showCheck(item);
    this.#showLeads(item);
    this.#showFailure(item);
  }

  /** Releases the row's resources; called when it leaves the log. */
  remove() {
    this.#extras.get('avatar')?.release();
  }

  /**
   * Makes or removes a part that only some messages have.
   * @template T
   * @param {string} name @param {unknown} wanted @param {() => T} make makes and inserts it
   * @returns {T|null} null if it is not wanted
   */
  #extra(name, wanted, make) {
    let part = this.#extras.get(name) ?? null;
    if (wanted && !part) {
      part = make();
      this.#extras.set(name, part);
    } else if (!wanted && part) {
      (part.node ?? part).remove();
      this.#extras.delete(name);
      part = null;
    }
    return part;
  }

  #showText(item) {
    const text = item.deleted ? chatTexts.deleted : item.text;
    const { mentioned, repository } = item;
    if (this.#written !== text || this.#mentioned !== mentioned || this.#repository !== repository) {
      this.#written = text;
      this.#mentioned = mentioned;
      this.#repository = repository;
      this.#draw(text, item);
    }
    if (this.#body.classList.contains('deleted') !== item.deleted) this.#body.classList.toggle('deleted', item.deleted);
    const beforeTime = (node) => {
      this.#time.before(node);
      return node;
    };
    const edited = this.#extra('edited', item.edited, () => beforeTime(element('span', {}, chatTexts.edited)));
    if (edited) setAttribute(edited, 'title', item.editedTitle);
    this.#extra('pinned', item.pinned, () => beforeTime(pinMark()));
  }

  /** Draws a text; again when names that it has are loaded. */
  #draw(text, { deleted, mentioned, repository }) {
    const isPlain = deleted || isEmojiOnly(text);
    const plain = { isBlock: false, nodes: [text], more: null };
    const place = { repository: repositoryOf(repository) };
    const { isBlock, nodes, more } = isPlain ? plain : drawMarkdown(text, mentioned, place);
    if (this.#text.matches('.rich') !== isBlock) {
      const next = isBlock ? element('div', { class: 'rich' }) : element('span');
      this.#text.replaceWith(next);
      this.#text = next;
    }
    this.#text.replaceChildren(...nodes);
    setAttribute(this.#body, 'data-emoji', isPlain && !deleted);
    this.#reserveCard(nodes);
    more?.then(() => {
      if (this.#written === text && this.#item.mentioned === mentioned) this.#draw(text, this.#item);
    }).catch(() => {});
  }

  /** The place of the card of a message that is one reference: as high as any card, so that nothing moves. */
  #reserveCard(nodes) {
    const [only] = nodes.length === 1 ? nodes : [];
    const reference = only instanceof HTMLAnchorElement ? cardReference(only.href) : null;
    const isWanted = reference && !cardless.has(reference);
    const place = this.#extra('card', isWanted, () => {
      const node = element('div', { class: 'lone-card' });
      this.#body.after(node);
      return node;
    });
    if (!place) return;
    setAttribute(place, 'data-reference', reference);
    place.style.setProperty('--lines', String(Math.min(linesNamed(reference), CARD_LINES)));
  }

  #showSource(item) {
    const aboveBody = (part) => {
      this.#body.before(part.node ?? part);
      return part;
    };
    const forwarded = this.#extra('forwarded', item.forwardedFrom, () =>
      aboveBody(element('div', { class: 'forwarded', dir: 'auto' })));
    if (forwarded) setText(forwarded, chatTexts.forwardedFrom(item.forwardedFrom));
    const quote = this.#extra('quote', item.replyTo, () =>
      aboveBody(new QuoteView((seq) => this.#actions.jumpTo(seq))));
    quote?.show(item.replyTo);
  }

  #showReactions(item) {
    const reactions = this.#extra('reactions', item.reactions.length > 0, () => {
      const view = new ReactionsView((emoji) => this.#actions.react(this.#item, emoji));
      this.#bubble.after(view.node);
      return view;
    });
    reactions?.show(item.reactions);
  }

  /** The checkbox of selection mode. The whole row is clickable (`chat/controls.js`). */
  #showCheck(item) {
    const check = this.#extra('check', item.selected !== null, () => {
      const attributes = { type: 'checkbox', class: 'check', tabindex: '-1', 'aria-label': chatTexts.select };
      const node = /** @type {HTMLInputElement} */ (element('input', attributes));
      this.row.prepend(node);
      return node;
    });
    if (check && check.checked !== item.selected) check.checked = item.selected;
  }

  #showSender(item) {
    setText(this.#speaker, item.firstOfSender ? `${item.own ? sharedTexts.you : item.sender.name}: ` : '');
    if (item.own) return;
    if (!item.lastOfSender) this.#extras.get('avatar')?.release();
    const avatar = this.#extra('avatar', item.lastOfSender, () => {
      const face = new Avatar(profileButton('avatar', element('span')));
      face.node.dataset.size = '32';
      this.#bubble.before(face.node);
      return face;
    });
    avatar?.show(item.sender);
    const profile = chatTexts.profileOf(item.sender.name);
    if (avatar) setAttribute(avatar.node, 'aria-label', profile);
    const sender = this.#extra('sender', this.#actions.namesSenders && item.firstOfSender, () => {
      const node = profileButton('sender');
      this.#bubble.prepend(node);
      return node;
    });
    if (sender) set(sender, { text: item.sender.name, 'data-colour': item.sender.colour, 'aria-label': profile });
  }

  #showLeads(item) {
    const day = this.#extra('day', item.firstOfDay, () => {
      const heading = dayHeading((button) => this.#actions.chooseDate(button));
      this.node.prepend(heading);
      return heading;
    });
    if (day) setText(day.firstChild, item.dayLabel);
    this.#extra('newLine', item.newLine, () => {
      const line = element('div', { class: 'new-line' }, element('span', {}, chatTexts.newLine));
      this.row.before(line);
      return line;
    });
  }

  #showFailure(item) {
    const failure = this.#extra('failure', item.failure !== null, () => {
      const { key } = item;
      const { retry, remove } = this.#actions;
      const node = element('div', { class: 'failure' }, element('span', { class: 'why' }),
        button(texts.problem.retry, () => retry(key), 'small'),
        button(chatTexts.discard, () => remove(key), 'small'));
      this.row.append(node);
      return node;
    });
    if (failure) setText(failure.firstChild, item.failure);
  }
}

/** A face or a name, which lead to a card of their person (`logTools.js`). */
function profileButton(look, ...content) {
  const attributes = { type: 'button', class: look, dir: 'auto', tabindex: '-1', 'aria-haspopup': 'dialog' };
  return element('button', attributes, ...content);
}

/**
 * The heading above the first row of a day; its words go into its button.
 * @param {(button: HTMLElement) => void} choose
 */
export function dayHeading(choose) {
  const attributes = { type: 'button', title: chatTexts.jumpToDate, 'aria-haspopup': 'dialog' };
  const button = element('button', { ...attributes, onclick: () => choose(button) });
  return element('h2', { class: 'day' }, button);
}

function pinMark() {
  const mark = icon('pinned');
  mark.classList.add('pin-mark');
  const words = element('span', { class: 'visually-hidden' }, chatTexts.pinnedMark);
  return element('span', { title: chatTexts.pinnedMark }, mark, words);
}
