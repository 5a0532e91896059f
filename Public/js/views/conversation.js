/** An open chat: who it is with, the log, and the composer. */
import { Avatar } from './avatar.js';
import { ComposerView } from './composer.js';
import { Scope, announce, element, isTouch, setAttribute, setText } from './dom.js';
import { icon, mark } from './icons.js';
import { bindList } from './list.js';
import { LogScroller } from './log.js';
import { MessageView } from './messageRow.js';
import { texts } from '../models/texts.js';
import { chatTexts } from '../models/texts/conversation.js';

/** @typedef {import('../viewmodels/types.js').ConversationState} ConversationState */

/** So many arrivals at once are read out; more are a page, which is not. */
const spokenAtOnce = 3;

export class ConversationView {
  #viewModel;
  #scope = new Scope();
  #composer;
  #composerViewModel;
  #later;
  #tools = null;
  #ended = false;
  #log = element('div', { class: 'log', role: 'log', 'aria-live': 'off', 'aria-label': texts.conversation.label });
  #scroller;
  #list;
  /** The state that is on screen; the view model may be a microtask ahead. */
  #shown = null;
  #ticket = 0;

  #avatar = new Avatar(36);
  #name = element('a', { dir: 'auto' });
  #title = element('h1', { tabindex: '-1' }, this.#name);
  #subtitle = element('p', { class: 'subtitle' });
  #back = element(
    'a',
    { class: 'icon-button back', href: '/chats', 'aria-label': texts.views.back, 'data-back': true },
    icon('back'),
  );
  /** The connection's word goes here when this is the only pane. */
  bar = element(
    'header',
    { class: 'bar' },
    this.#back,
    this.#avatar.node,
    element('div', { class: 'who' }, this.#title, this.#subtitle),
  );
  #waitingText = element('p');
  #invite = element('button', { type: 'button', class: 'button small' }, texts.views.copyInvite);
  #waiting = element('div', { class: 'waiting', hidden: true }, icon('clock'), this.#waitingText, this.#invite);
  #busy = element(
    'div',
    { class: 'log-busy', role: 'progressbar', 'aria-label': texts.conversation.loading, hidden: true },
    element('div', { class: 'spinner' }),
  );
  #skeleton = element(
    'div',
    { class: 'log-skeleton', role: 'progressbar', 'aria-label': texts.conversation.loading, hidden: true },
    ...Array.from({ length: 6 }, () => element('i')),
  );
  #empty = element('div', { class: 'empty', hidden: true });
  /** Two buttons for one purpose, since one that changed its width would be a layout shift. */
  #below = element('button', { type: 'button', class: 'below', hidden: true }, icon('down'));
  #newBelowText = element('span');
  #newBelow = element('button', { type: 'button', class: 'below new', hidden: true }, icon('down'), this.#newBelowText);
  #problem = element('div', { class: 'alert', hidden: true });
  #frame;
  node;

  /**
   * @param {import('../viewmodels/conversationViewModel.js').ConversationViewModel} viewModel
   * @param {import('../viewmodels/composerViewModel.js').ComposerViewModel} composerViewModel
   * @param {() => Promise<object>} later what is fetched after the first paint; `completion()` of it makes the model of
   *   names to choose from
   */
  constructor(viewModel, composerViewModel, later) {
    this.#viewModel = viewModel;
    this.#composerViewModel = composerViewModel;
    this.#later = later;
    this.#composer = new ComposerView(composerViewModel, {
      complete: (field, apply) => this.#makeCompletion(field, apply),
      editLast: () => {
        const row = viewModel.lastOwn();
        if (row) composerViewModel.edit({ seq: row.seq, text: row.text });
        return row !== null;
      },
      jumpTo: (seq) => this.jumpTo(seq),
    });
    this.#scroller = new LogScroller(this.#log, () => this.#list?.views ?? [], (where) => this.#moved(where));
    this.#list = this.#bindRows();
    this.#scope.add(() => this.#list.end());
    this.#frame = element('div', { class: 'log-frame' }, this.#scroller.node, this.#skeleton, this.#empty, this.#busy);
    this.#frame.append(this.#below, this.#newBelow);
    this.node = element('div', { class: 'conversation' }, this.bar, this.#problem, this.#waiting, this.#frame);
    this.node.append(this.#composer.node);
    this.#invite.addEventListener('click', async () => {
      const [{ copyInvite }, tools] = await Promise.all([import('./chat/copyInvite.js'), later()]);
      await copyInvite(this.#invite, () => tools.invite());
    });

    setAttribute(this.#below, 'aria-label', texts.conversation.jumpToLatest);
    for (const button of [this.#below, this.#newBelow]) button.addEventListener('click', () => this.toLatest());
    this.#log.addEventListener('click', (event) => {
      this.#followHere(event);
      if (isTouch() && !getSelection()?.toString()) this.#composer.blur();
    });
    this.#scope.listen(window, 'focus', () => this.#scroller.tell());
    this.#scope.listen(window, 'blur', () => this.#scroller.tell());
    this.#scope.listen(document, 'visibilitychange', () => this.#scroller.tell());
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  /** Where a screen reader or the keyboard goes on after a navigation. */
  focus() {
    if (isTouch()) this.#title.focus({ preventScroll: true });
    else this.#composer.focus();
  }

  /** Takes what a first paint does without. @param {(host: object) => import('./logTools.js').LogTools} make */
  extend(make) {
    if (this.#ended) return;
    this.#tools = make({
      log: this.#log, scroller: this.#scroller.node, frame: this.#frame, views: () => this.#list.views,
      viewModel: this.#viewModel, composer: this.#composer, composerModel: this.#composerViewModel,
      jumpTo: (seq) => this.jumpTo(seq),
    });
    this.#scope.add(() => this.#tools.end());
  }

  /** Goes to a message and lets it glow; says so where it is not there any more. @param {number} seq */
  async jumpTo(seq) {
    if (!await this.#viewModel.jumpTo(seq)) this.tellGone();
  }

  /** The message that was to be shown is not there. */
  tellGone() { this.#fail(chatTexts.gone); }

  end() {
    this.#ended = true;
    this.#scope.end();
    this.#scroller.end();
    this.#avatar.release();
    this.#composer.end();
    this.#viewModel.close();
  }

  #bindRows() {
    const viewModel = this.#viewModel;
    const actions = {
      retry: (key) => {
        viewModel.retry(key);
        this.#composer.focus();
      },
      remove: (key) => {
        viewModel.remove(key);
        this.#composer.focus();
      },
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
      create: (item) => new MessageView(item, actions),
      around: (apply, changes) => {
        const follows = this.#shown?.atLatest ?? true;
        const end = (this.#list?.views.length ?? 0) - 1;
        this.#scroller.hold(apply, follows);
        if (follows && this.#ticket) this.#speak(changes, end);
      },
    });
  }

  /** Reads out what arrived at the end. */
  #speak(changes, end) {
    const arrived = changes.filter(({ type, index, item }) => type === 'insert' && index > end && !item.own);
    if (arrived.length > spokenAtOnce) return;
    for (const { item } of arrived) announce(`${item.sender.name}: ${item.text.slice(0, 300)}`);
  }

  /** @param {ConversationState} state */
  #show(state) {
    const before = this.#shown;
    this.#shown = state;
    setText(this.#name, state.title);
    setAttribute(this.#name, 'href', `/chats/${this.#viewModel.roomId}/info`);
    this.#title.hidden = state.missing;
    setText(this.#subtitle, state.subtitle);
    // Its place is kept until it is known that there is nothing to say: then the name stands in the middle.
    this.#subtitle.hidden = state.subtitle === '' && state.title !== '';
    setAttribute(this.#subtitle, 'data-typing', state.typing);
    this.#avatar.node.hidden = state.missing;
    if (state.face) this.#avatar.show(state.face);
    this.#waiting.hidden = !state.waiting;
    if (state.waiting) setText(this.#waitingText, texts.conversation.waiting(state.title));
    this.#skeleton.hidden = !state.loading;
    this.#busy.hidden = !(state.loadingEarlier || state.loadingLater);
    setAttribute(this.#busy, 'data-end', state.loadingLater ? 'below' : 'above');
    this.#composer.node.hidden = state.missing || state.selected !== null;
    if (['empty', 'missing', 'title'].some((name) => state[name] !== before?.[name])) this.#showEmpty(state);
    if (state.missing && !before?.missing) announce(texts.conversation.missing);
    if (state.error !== before?.error) this.#showProblem(state.error);
    if (state.place && state.place.ticket !== this.#ticket) this.#go(state.place);
    this.#showBelow();
  }

  /** @param {import('../viewmodels/types.js').Place} place */
  #go(place) {
    this.#ticket = place.ticket;
    const view =
      place.kind === 'new'
        ? this.#list.views.find((candidate) => candidate.hasNewLine)
        : this.#list.views.find((candidate) => candidate.key === place.key);
    if (place.kind === 'latest' || !view) this.#scroller.toEnd();
    else this.#scroller.toRow(view, place.kind === 'message');
  }

  #moved({ nearTop, nearBottom, atBottom, lastSeqVisible }) {
    const { state } = this.#viewModel;
    if (nearTop && state.hasEarlier && !state.loadingEarlier) this.#viewModel.loadEarlier();
    if (nearBottom && state.hasLater && !state.loadingLater) this.#viewModel.loadLater();
    const focused = document.hasFocus() && document.visibilityState === 'visible';
    this.#viewModel.visible({ lastSeqVisible, focused, atBottom });
    this.#showBelow();
  }

  #showBelow() {
    const state = this.#shown;
    if (!state) return;
    const nothing = state.loading || state.missing || state.empty;
    const away = !nothing && !(state.atLatest && this.#scroller.atBottom);
    const isNew = state.newBelowText !== '';
    this.#below.hidden = !away || isNew;
    this.#newBelow.hidden = !away || !isNew;
    setText(this.#newBelowText, state.newBelowText);
  }

  toLatest() {
    this.#viewModel.jumpToLatest();
    if (!isTouch()) this.#composer.focus();
  }

  #showEmpty(state) {
    this.#empty.hidden = !state.empty && !state.missing;
    this.#empty.replaceChildren();
    if (state.missing) {
      this.#empty.append(
        mark(),
        element('h1', { class: 'what' }, texts.conversation.missing),
        element('a', { class: 'button', href: '/chats' }, texts.views.toList),
      );
    } else if (state.empty) {
      this.#empty.append(
        element('p', { class: 'what' }, texts.views.noMessages),
        element('p', { class: 'how' }, texts.views.sayHello(state.title)),
      );
    }
  }

  #showProblem(error) {
    this.#problem.replaceChildren();
    if ((this.#problem.hidden = error === null)) return;
    const retry = element('button', { type: 'button', class: 'button small' }, texts.conversation.retry);
    retry.addEventListener('click', () => this.#viewModel.reload());
    this.#problem.append(icon('warning'), element('p', { class: 'what', role: 'alert' }, error), retry);
  }

  /** A link to a message of this chat goes there without opening the chat anew. */
  #followHere(event) {
    const link = event.target instanceof Element ? event.target.closest('a.link') : null;
    const at = link && link.origin === location.origin && link.pathname === location.pathname
      ? Number(new URL(link.href).searchParams.get('at')) : 0;
    if (!at || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.jumpTo(at);
  }

  async #fail(text) { (await import('./chat/notice.js')).notify(text, { failed: true }); }

  async #makeCompletion(field, apply) {
    const [{ CompletionView }, tools] = await Promise.all([import('./chat/completion.js'), this.#later()]);
    return new CompletionView(await tools.completion(), field, apply);
  }

  async #chooseDate(button) {
    (await import('./dateJump.js')).openDateJump(button, (date) => this.#viewModel.jumpToDate(date));
  }
}
