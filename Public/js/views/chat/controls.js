/**
 * The controls of a log's messages, by pointer, touch and keyboard: menu and actions, selecting, moving between them.
 */
import { Scope, announce, element, isTouch } from '../dom.js';
import { copyText } from '../clipboard.js';
import { openMenu } from '../menu.js';
import { icon } from '../parts.js';
import { MessageBar } from './messageBar.js';
import { notify } from './notice.js';
import { chatTexts } from '../../models/texts/conversation.js';
import { list, texts } from '../../models/texts.js';

/** The name of a message's bar and menu. */
const actionsOf = ({ own, sender }) => (own ? chatTexts.actionsOfOwn : chatTexts.actionsOf(sender.name));
const dangerous = new Set(['remove', 'discard']);
const steps = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity };
const otherLabels = { retry: texts.problem.retry, discard: chatTexts.discard };

export class LogControls {
  #host;
  #scope = new Scope();
  #over = null;
  /** Where a range of selected messages begins. @type {number|null} */
  #from = null;
  #bar = new MessageBar({
    react: async (emoji) => {
      const { item } = this.#over;
      await this.react(item, emoji);
      if (this.#over) this.#bar.mark(this.#over.item);
    },
    reply: () => this.reply(this.#over.item),
    more: (byPointer) => this.open(this.#over, null, byPointer),
    frequent: () => this.#host.actions.frequentEmoji(3),
  });

  /**
   * @param {object} host
   * @param {HTMLElement} host.log
   * @param {HTMLElement} host.scroller
   * @param {() => import('../messageRow.js').MessageView[]} host.views
   * @param {import('../../viewmodels/conversationViewModel.js').ConversationViewModel} host.viewModel
   * @param {import('../../viewmodels/messageActions.js').MessageActions} host.actions
   * @param {object} host.composer `reply(row)`, `edit(row)`, `focus()`, `field`
   * @param {(seqs: number[], done: () => void) => void} host.forward
   * @param {(seq: number) => void} host.jumpTo
   * @param {(user: {id: string}) => void} host.openCard
   */
  constructor(host) {
    this.#host = host;
    const { log } = host;
    this.#scope.listen(log, 'pointerover', (event) => {
      if (event.pointerType === 'mouse') this.#hover(this.#viewOf(event.target));
    });
    this.#scope.listen(log, 'pointerleave', () => this.#hover(null));
    this.#scope.listen(log, 'focusin', (event) => this.#hover(this.#viewOf(event.target)));
    this.#scope.listen(log, 'click', (event) => this.#click(event), { capture: true });
    this.#scope.listen(log, 'pointerover', (event) => this.#nameReactors(event));
    this.#hover(this.#viewOf(log.querySelector('.message:hover') ?? document.activeElement));
  }

  end() { this.#scope.end(); }

  /** Opens the menu of the message at a point or an element. @param {Event} event */
  openFor(event, at) {
    const view = this.#viewOf(event.target);
    if (view) this.open(view, at);
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether it was handled */
  press(event) {
    const view = this.#viewOf(event.target);
    const onRow = view?.row === event.target;
    const menu = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
    if (view && (menu || (onRow && event.key === 'Enter'))) {
      if (this.#selecting && !menu) this.#toggle(view.item);
      else this.open(view, null);
    } else if (onRow && event.key === ' ' && this.#selecting) this.#toggle(view.item);
    else if (onRow && event.shiftKey && event.key.startsWith('Arrow')) this.#extend(view, event.key);
    else if (event.key in steps) this.#step(view, steps[event.key]);
    else if (view && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) this.#within(view, event);
    else if (event.key === 'Escape' && this.#selecting) this.#host.viewModel.select(null);
    else if (event.key === 'Escape' && view) (onRow ? this.#host.composer : view.row).focus();
    else return false;
    return true;
  }

  get #selecting() {
    return this.#host.viewModel.state.selected !== null;
  }

  #viewOf(target) {
    const row = target instanceof Element ? target.closest('.message') : null;
    return row ? this.#host.views().find((view) => view.row === row) ?? null : null;
  }

  /** The bar at the message that is pointed at, or has the focus: one for the whole log. */
  #hover(view) {
    if (view === this.#over && this.#bar.node.isConnected) return;
    this.#over = view;
    if (!view || this.#selecting) return this.#bar.node.remove();
    this.#bar.show(view, { label: actionsOf(view.item), scroller: this.#host.scroller });
  }

  /** Focuses the previous or next message; from outside of the log, the newest on screen. */
  #step(view, by) {
    const views = this.#host.views();
    const { bottom } = this.#host.scroller.getBoundingClientRect();
    const next = Math.abs(by) > 1 ? views.at(by < 0 ? 0 : -1)
      : view ? views[views.indexOf(view) + by]
      : views.findLast(({ row }) => row.getBoundingClientRect().top < bottom - 8);
    if (!next && by > 0) return this.#host.composer.focus();
    next?.row.focus({ preventScroll: true });
    next?.row.scrollIntoView({ block: 'nearest' });
  }

  /** Left and right move through the buttons and links of a message. */
  #within(view, event) {
    const stops = [view.row, ...view.row.querySelectorAll('a[href], button, [role="button"]')];
    const rtl = getComputedStyle(view.row).direction === 'rtl';
    const by = (event.key === 'ArrowRight') !== rtl ? 1 : -1;
    stops[(stops.indexOf(document.activeElement) + by + stops.length) % stops.length].focus({ preventScroll: true });
  }

  #click(event) {
    if (!this.#selecting) return;
    const view = this.#viewOf(event.target);
    if (!view || event.target.closest('.day')) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey && this.#from !== null && view.item.seq !== null) this.#selectTo(view.item.seq);
    else this.#toggle(view.item);
  }

  /** Selects all from where the last one was pressed. */
  #selectTo(seq) {
    const [low, high] = [Math.min(seq, this.#from), Math.max(seq, this.#from)];
    const { viewModel } = this.#host;
    viewModel.select(...viewModel.rows.items.map((row) => row.seq).filter((one) => one >= low && one <= high && one));
    this.#sayCount();
  }

  /** Takes the next message into the range, or on the way back this one out of it. */
  #extend(view, key) {
    const { viewModel } = this.#host;
    const { seq } = view.item;
    if (seq === null || !(key in steps)) return;
    if (!this.#selecting) {
      this.#from = seq;
      viewModel.select(seq);
    }
    this.#step(view, steps[key]);
    const next = this.#viewOf(document.activeElement)?.item.seq;
    if (!next || next === seq) return;
    if (Math.abs(next - this.#from) > Math.abs(seq - this.#from)) this.#selectTo(next);
    else this.#toggle(view.item, this.#from);
  }

  #toggle(item, from = item.seq) {
    if (item.seq === null) return;
    this.#from = from;
    this.#host.viewModel.select(item.seq);
    this.#sayCount();
  }

  #sayCount() {
    announce(chatTexts.selected(this.#host.viewModel.selectedRows().length));
  }

  /**
   * @param {import('../messageRow.js').MessageView} view
   * @param {{x: number, y: number}|null} at
   * @param {boolean} [byPointer] returns the focus to the field
   */
  open(view, at, byPointer = at !== null) {
    const { actions, composer, scroller } = this.#host;
    const { item } = view;
    if (item.state === 'unsent' && item.text === '') return;
    const ids = this.#selecting && item.seq !== null ? ['select'] : actions.offered(item);
    const items = ids.map((id) => ({
      label: this.#labelOf(id, item), icon: icon(id), danger: dangerous.has(id), act: () => this.#do(id, item.key),
    }));
    const mayReact = item.seq !== null && !item.deleted && !this.#selecting;
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const inRow = view.row.contains(focused) && focused !== this.#bar.more;
    const giveBack = isTouch() ? scroller : byPointer ? composer.field : inRow ? focused : view.row;
    openMenu({
      label: actionsOf(item), head: mayReact ? this.#emoji(item) : [], items, owner: view.row,
      beside: view.row.querySelector('.bubble'), fromStart: !item.own, at, giveBack, lift: scroller,
    });
  }

  #labelOf(id, item) {
    if (id === 'select' && item.selected) return chatTexts.deselect;
    return chatTexts[id] ?? otherLabels[id];
  }

  /** The line of emoji above the items. */
  #emoji(item) {
    const { actions } = this.#host;
    const mine = new Set(item.reactions.filter((one) => one.mine).map(({ emoji }) => emoji));
    const buttons = actions.frequentEmoji().map((emoji) => {
      const attributes = {
        type: 'button', role: 'menuitemcheckbox', tabindex: '-1', 'aria-label': chatTexts.reactWith(emoji),
        'aria-checked': String(mine.has(emoji)), onclick: () => this.react(item, emoji),
      };
      return element('button', attributes, emoji);
    });
    const choose = async () => {
      const { openEmojiPicker } = await import('./emojiPicker.js');
      openEmojiPicker(actions.frequentEmoji(16), (emoji) => this.react(item, emoji));
    };
    const more = element('button', {
      type: 'button', role: 'menuitem', tabindex: '-1', 'aria-label': chatTexts.moreEmoji, title: chatTexts.moreEmoji,
      onclick: choose,
    }, icon('add'));
    return [...buttons, more];
  }

  /** Answers a message. @param {import('../../viewmodels/types.js').MessageRow} row */
  reply(row) { this.#host.composer.reply(row); }

  /** Toggles a reaction; shows an error if that fails. */
  async react(item, emoji) {
    this.#say(await this.#host.actions.react(item, emoji));
  }

  async #do(id, key) {
    const { actions, composer, viewModel, openCard } = this.#host;
    // The message may have changed or gone while the menu was open.
    const row = actions.row(key);
    if (!row) return this.#say(chatTexts.gone);
    switch (id) {
      case 'reply': return this.reply(row);
      case 'edit': return composer.edit(row);
      case 'copyText': return this.#copy(actions.textOf([row]), chatTexts.copied);
      case 'copyLink': return this.#copy(actions.link(row), chatTexts.linkCopied);
      case 'forward': return this.#host.forward([row.seq], () => {});
      case 'pin': case 'unpin': return this.#say(await actions.pin(row, id === 'pin'));
      case 'original': return this.#host.jumpTo(row.replyTo.seq);
      case 'reactors': return (await import('./peopleDialog.js')).showReactors(actions.reactors(row), openCard);
      case 'readers': return (await import('./peopleDialog.js')).showReaders(actions.readers(row), openCard);
      case 'select': return this.#toggle(row);
      case 'remove': return this.remove([row]);
      case 'retry': return viewModel.retry(key);
      default: return viewModel.remove(key);
    }
  }

  /** Copies the selected messages, and ends the selection. */
  async copySelected() {
    const rows = this.#host.viewModel.selectedRows();
    await this.#copy(this.#host.actions.textOf(rows), chatTexts.copied);
    this.#host.viewModel.select(null);
  }

  forwardSelected() {
    const seqs = this.#host.viewModel.selectedRows().filter((row) => !row.deleted).map((row) => row.seq);
    if (seqs.length > 0) this.#host.forward(seqs, () => this.#host.viewModel.select(null));
  }

  async removeSelected() {
    if (await this.remove(this.#host.viewModel.selectedRows())) this.#host.viewModel.select(null);
  }

  /** Asks whether for everyone, then deletes. @returns {Promise<boolean>} whether all are deleted */
  async remove(rows) {
    const { actions, scroller } = this.#host;
    const { askForWhom } = await import('./deleteDialog.js');
    const whom = await askForWhom(rows.length, actions.mayDeleteForAll(rows));
    if (whom === null) return false;
    const failure = await actions.remove(rows, { forAll: whom === 'all' });
    this.#say(failure);
    if (document.activeElement === document.body) scroller.focus({ preventScroll: true });
    return failure === null;
  }

  async #copy(text, done) {
    const copied = await copyText(text);
    notify(copied ? done : chatTexts.copyFailed, { failed: !copied });
  }

  #say(failure) {
    if (failure) notify(failure, { failed: true });
  }

  /** Shows who reacted in the pill's tooltip on hover. */
  async #nameReactors(event) {
    const pill = event.target instanceof Element ? event.target.closest('.pill') : null;
    const view = pill && this.#viewOf(pill);
    const count = pill?.textContent;
    if (!view || pill.dataset.named === count) return;
    pill.dataset.named = count;
    const groups = await this.#host.actions.reactors(view.item);
    if (typeof groups === 'string') return delete pill.dataset.named;
    const people = groups.find(({ emoji }) => emoji === pill.dataset.emoji)?.people ?? [];
    const names = people.slice(0, 12).map((person) => person.name);
    pill.title = people.length > 12 ? chatTexts.andMore(names, people.length - 12) : list.format(names);
    return undefined;
  }
}
