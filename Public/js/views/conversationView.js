/** An open chat: who it is with, the log, and the composer. */
import { ComposerView } from './composer.js';
import { Scope, announce, clone, element, fill, isTouch, isUnclaimedText, setText } from './dom.js';
import { bindList } from './boundList.js';
import { holdForTools } from './heldEvents.js';
import { LogScroller } from './log.js';
import { MessageView } from './messageRow.js';
import { Avatar, backLink, button, mark, problemAlert } from './parts.js';
import { plainLine } from '../models/format.js';
import { texts } from '../models/texts.js';
import { sharedTexts } from '../models/texts/shared.js';
import { chatTexts } from '../models/texts/conversation.js';

/** @typedef {import('../viewmodels/types.js').ConversationState} ConversationState */

/** The most arrivals announced at once; more are a page, which is not announced. */
const spokenAtOnce = 3;

export class ConversationView {
  #viewModel;
  #scope = new Scope();
  #composer;
  #composerViewModel;
  #later;
  #tools = null;
  /** Of a line that is not a message, fetched before there is one. */
  #ChangeView = null;
  #ended = false;
  #placeLeft;
  #log = element('div', { class: 'log', role: 'log', 'aria-live': 'off', 'aria-label': sharedTexts.messages });
  #scroller;
  #list;
  /** The state that is on screen; the view model may be a microtask ahead. */
  #shown = null;
  #ticket = 0;

  #parts = clone('conversation');
  #avatar = new Avatar(this.#parts.face);
  #problem = problemAlert(() => this.#viewModel.reload(), texts.problem.retry);
  /** Holds the connection status if this is the only pane. */
  bar = this.#parts.bar;
  node = this.#parts.node;

  /**
   * @param {import('../viewmodels/conversationViewModel.js').ConversationViewModel} viewModel
   * @param {import('../viewmodels/composerViewModel.js').ComposerViewModel} composerViewModel
   * @param {() => Promise<object>} later loads the rest after the first paint
   * @param {{begin: () => {seq: number, top: number}|null, leave: (place: object|null) => void}} placeLeft where the
   *   chat was left, while it opens; and where it is left now
   */
  constructor(viewModel, composerViewModel, later, placeLeft) {
    this.#placeLeft = placeLeft;
    this.#viewModel = viewModel;
    this.#composerViewModel = composerViewModel;
    this.#later = later;
    this.#composer = new ComposerView(composerViewModel, {
      writing: async (parts) => (await later()).writing(parts),
      editLast: () => {
        const row = viewModel.lastOwn();
        if (row) composerViewModel.edit({ seq: row.seq, text: row.text });
        return row !== null;
      },
      toMessages: () => this.#scroller.focusLast(),
      jumpTo: (seq) => this.jumpTo(seq),
      pickEmoji: async (choose) => (await later()).pickEmoji(choose),
    });
    this.#scroller = new LogScroller(this.#log, () => this.#list?.views ?? [], (where) => this.#moved(where));
    holdForTools(this.#scroller.node, () => (this.#tools ? null : later()));
    this.#list = this.#bindRows();
    this.#scope.add(() => this.#list.end());
    const { frame, waiting, title, below, newBelow, skeleton, busy } = this.#parts;
    frame.prepend(this.#scroller.node);
    this.bar.prepend(backLink('/chats', sharedTexts.back));
    this.bar.after(this.#problem.node);
    this.node.append(this.#composer.node);
    const invite = button(sharedTexts.copyInvite, async () => {
      const [{ copyInvite }, tools] = await Promise.all([import('./chat/copyInvite.js'), later()]);
      await copyInvite(invite, () => tools.invite());
    }, 'small');
    waiting.append(invite);
    title.firstElementChild.setAttribute('href', `/chats/${viewModel.roomId}/info`);
    below.setAttribute('aria-label', chatTexts.jumpToLatest);
    for (const node of [skeleton, busy]) node.setAttribute('aria-label', chatTexts.loadingMessages);
    for (const node of [below, newBelow]) node.addEventListener('click', () => this.toLatest());
    this.#log.addEventListener('click', (event) => {
      // A reaction pressed by pointer returns the focus to the field; by keyboard it keeps it.
      const onPill = event.target instanceof Element && event.target.closest('button[data-emoji]');
      if (!isTouch() && event.detail > 0 && onPill) this.#composer.focus();
      if (isTouch() && !getSelection()?.toString()) this.#composer.blur();
    });
    this.#scope.listen(document, 'keydown', (event) => {
      if (this.#composer.node.checkVisibility() && isUnclaimedText(event)) this.#composer.focus();
    });
    this.#scope.listen(window, 'focus', () => this.#scroller.tell());
    this.#scope.listen(window, 'blur', () => this.#scroller.tell());
    this.#scope.listen(document, 'visibilitychange', () => this.#scroller.tell());
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  /** Takes the focus after a navigation. */
  focus() {
    if (isTouch()) this.#parts.title.focus({ preventScroll: true });
    else this.#composer.focus();
  }

  /** Adds the log's tools after the first paint. @param {(host: object) => import('./logTools.js').LogTools} make */
  extend(make) {
    if (this.#ended) return;
    this.#tools = make({
      log: this.#log, scroller: this.#scroller.node, frame: this.#parts.frame,
      views: () => this.#list.views.filter(({ item }) => item.kind === 'message'),
      viewModel: this.#viewModel, composer: this.#composer, composerModel: this.#composerViewModel,
      jumpTo: (seq) => this.jumpTo(seq),
    });
    this.#scope.add(() => this.#tools.end());
  }

  /** Lets lines that are not messages be shown. */
  showChanges(View) { this.#ChangeView = View; }

  /** Scrolls to a message and highlights it; says so if it is gone. @param {number} seq */
  async jumpTo(seq) {
    if (!await this.#viewModel.jumpTo(seq)) this.tellGone();
  }

  /** Says that the message to be shown is gone. */
  tellGone() { this.#fail(chatTexts.gone); }

  end() {
    if (this.#ticket) this.#placeLeft.leave(this.#scroller.place);
    this.#ended = true;
    this.#scope.end();
    this.#scroller.end();
    this.#avatar.release();
    this.#composer.end();
    this.#viewModel.close();
  }

  #bindRows() {
    const viewModel = this.#viewModel;
    const thenWrite = (act) => (key) => { act(key); this.#composer.focus(); };
    const actions = {
      retry: thenWrite((key) => viewModel.retry(key)),
      remove: thenWrite((key) => viewModel.remove(key)),
      chooseDate: (button) => this.#chooseDate(button),
      jumpTo: (seq) => this.jumpTo(seq),
      react: async (item, emoji) => {
        await this.#later();
        const failure = await viewModel.extras.react(item.seq, emoji);
        if (failure) this.#fail(failure);
      },
      get namesSenders() {
        return viewModel.state.peer === null;
      },
    };
    return bindList({
      array: viewModel.rows,
      container: this.#log,
      create: (item) => new (item.kind === 'message' ? MessageView : this.#ChangeView)(item, actions),
      around: (apply, changes) => {
        const follows = this.#shown?.atLatest ?? true;
        const end = (this.#list?.views.length ?? 0) - 1;
        this.#scroller.hold(apply, follows);
        if (follows && this.#ticket) this.#speak(changes, end);
      },
    });
  }

  /** Announces arrivals at the end. */
  #speak(changes, end) {
    const arrived = changes.filter(({ type, index, item }) =>
      type === 'insert' && index > end && (item.kind === 'message' ? !item.own : item.isNews));
    if (arrived.length > spokenAtOnce) return;
    for (const { item } of arrived) announce(item.sender ? `${item.sender.name}: ${plainLine(item.text)}` : item.text);
  }

  /** @param {ConversationState} state */
  #show(state) {
    const before = this.#shown;
    this.#shown = state;
    fill(this.#parts, {
      name: state.title,
      title: { hidden: state.missing },
      // Its space is kept until the subtitle is known to be empty; then the name is centred.
      subtitle: {
        text: state.subtitle, 'data-typing': state.typing,
        hidden: state.missing || (state.subtitle === '' && state.title !== ''),
      },
      face: { hidden: state.missing },
      node: { 'data-missing': state.missing },
      waiting: { hidden: !state.waiting || state.missing },
      waitingText: state.waiting ? sharedTexts.waiting(state.title) : '',
      skeleton: { hidden: !state.loading },
      busy: {
        hidden: !state.page || state.page === 'all', 'data-end': state.page === 'later' ? 'below' : 'above',
      },
    });
    if (state.face) this.#avatar.show(state.face);
    const said = ['empty', 'missing', 'missingText', 'title', 'alone'];
    if (said.some((name) => state[name] !== before?.[name])) this.#showEmpty(state);
    if (state.missing && !before?.missing) announce(state.missingText);
    this.#composer.node.hidden = state.missing || state.selected !== null;
    this.#problem.node.hidden = state.error === null;
    setText(this.#problem.what, state.error ?? '');
    if (state.place && state.place.ticket !== this.#ticket) this.#go(state.place);
    // Who reached an end meanwhile was not heard: only one page loads at a time.
    if (before?.page && !state.page && state.error === null) this.#scroller.settleSoon();
    this.#showBelow();
  }

  /** @param {import('../viewmodels/types.js').Place} place */
  #go(place) {
    this.#ticket = place.ticket;
    const left = this.#placeLeft.begin();
    const back = left && this.#list.views.find(({ seq }) => seq >= left.seq);
    if (back) return this.#scroller.toRow(back, left.top);
    const view =
      place.kind === 'new'
        ? this.#list.views.find((candidate) => candidate.hasNewLine)
        : this.#list.views.find((candidate) => candidate.key === place.key);
    if (place.kind === 'latest' || !view) this.#scroller.toEnd();
    else this.#scroller.toRow(view);
    if (view && place.kind === 'message') this.#scroller.markRow(view, this.#markWords(view));
  }

  /** Marks what a search found in a message, as its address says. @returns {() => void} takes the marks away */
  #markWords({ seq, row }) {
    const address = new URLSearchParams(location.search);
    const words = Number(address.get('at')) === seq ? address.getAll('found') : [];
    if (words.length === 0) return () => {};
    const marks = import('./chat/foundWords.js').then(({ markWords }) => markWords(row, words)).catch(() => null);
    return () => marks.then((unmark) => unmark?.());
  }

  #moved({ nearTop, nearBottom, ...where }) {
    const { state } = this.#viewModel;
    if (nearTop && state.hasEarlier) this.#viewModel.loadEarlier();
    if (nearBottom && state.hasLater) this.#viewModel.loadLater();
    const focused = document.hasFocus() && document.visibilityState === 'visible';
    this.#viewModel.visible({ ...where, focused });
    this.#showBelow();
  }

  #showBelow() {
    const state = this.#shown;
    if (!state) return;
    const nothing = state.loading || state.missing || state.empty;
    const away = !nothing && !(state.atLatest && this.#scroller.atBottom);
    const isNew = state.newBelowText !== '';
    fill(this.#parts, {
      below: { hidden: !away || isNew },
      newBelow: { hidden: !away || !isNew },
      newBelowText: state.newBelowText,
    });
  }

  toLatest() {
    this.#viewModel.jumpToLatest();
    if (!isTouch()) this.#composer.focus();
  }

  #showEmpty(state) {
    const { empty } = this.#parts;
    empty.hidden = !state.empty && !state.missing;
    empty.replaceChildren();
    if (state.missing) {
      const heading = element('h1', { class: 'what', tabindex: '-1' }, state.missingText);
      empty.append(mark(), heading, element('a', { class: 'button', href: '/chats' }, texts.views.toList));
      // The field, which may have the focus, is about to go.
      if (this.node.contains(document.activeElement)) heading.focus();
    } else if (state.empty && state.alone) {
      const { roomId } = this.#viewModel;
      import('./chat/company.js').then(({ offerCompany }) => (
        offerCompany(empty, roomId, async () => (await this.#later()).groupLink()))).catch(() => {});
    } else if (state.empty) {
      empty.append(
        element('p', { class: 'what' }, texts.views.noMessages),
        element('p', { class: 'how' }, chatTexts.sayHello(state.title)),
      );
    }
  }

  async #fail(text) { (await import('./chat/notice.js')).notify(text, { failed: true }); }

  async #chooseDate(button) {
    (await import('./dateJump.js')).openDateJump(button, (date) => this.#viewModel.jumpToDate(date));
  }
}
