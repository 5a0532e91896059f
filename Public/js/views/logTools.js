/**
 * Listens for what opens menus, pins and the selection bar of an open chat: the right button, a long press, keys, and
 * the view model. The views themselves load at first use.
 */
import { AwaitedReferences } from './awaitedReferences.js';
import { Scope, isTouch, setAttribute } from './dom.js';
import { loadStyles } from './laterStyles.js';
import { plainLine } from '../models/format.js';
import { sharedTexts } from '../models/texts/shared.js';

/** The duration of a long press in milliseconds, and how far the finger may move, in CSS pixels. */
const longPress = 450;
const stray = 10;
/** The sheets of menus, dialogs, pins and notices. */
const loadToolStyles = () => loadStyles('menus', 'messageTools', 'messageLists', 'selecting');
const ownKeys = new Set(
  ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter', ' ', 'Escape', 'ContextMenu', 'F10']);

export class LogTools {
  #host;
  #makers;
  #scope = new Scope();
  #controls = null;
  #ready = null;
  #pinsBar = null;
  #selectionBar = null;
  #ended = false;

  /**
   * @param {object} host
   * @param {HTMLElement} host.log
   * @param {HTMLElement} host.scroller
   * @param {HTMLElement} host.frame holds the log; the bar of pins is inserted before it
   * @param {() => import('./messageRow.js').MessageView[]} host.views
   * @param {import('../viewmodels/conversationViewModel.js').ConversationViewModel} host.viewModel
   * @param {object} host.composer the view, with `node` and `focus()`
   * @param {import('../viewmodels/composerViewModel.js').ComposerViewModel} host.composerModel
   * @param {(seq: number) => void} host.jumpTo
   * @param {object} tools `actions()`, `forward(seqs)`: load view models at first use;
   *   `openCard(user, place)`, `whoIsNamed(word, seq)`, `references(host)`
   */
  constructor(host, tools) {
    this.#host = host;
    this.#makers = tools;
    const { log, scroller, viewModel } = host;
    const ready = () => this.#load().catch(() => {});
    for (const type of ['pointerover', 'focusin']) log.addEventListener(type, ready, { once: true });
    // The messages show before these tools are loaded: the pointer may rest on one already.
    if (log.matches(':hover, :focus-within')) ready();
    log.addEventListener('contextmenu', (event) => this.#contextMenu(event));
    log.addEventListener('pointerdown', (event) => this.#touch(event));
    log.addEventListener('dblclick', (event) => this.#doubleClick(event));
    log.addEventListener('click', (event) => this.#followHere(event));
    log.addEventListener('click', (event) => this.#openCard(event));
    scroller.addEventListener('keydown', (event) => this.#press(event));
    const references = new AwaitedReferences(host, () => tools.references(host));
    this.#scope.add(() => references.end());
    if (isTouch()) this.#awaitSwipes().catch(() => {});
    this.#scope.bind(viewModel.extras.pins, ({ current }) => current && this.#showPins());
    this.#scope.bind(viewModel, ({ selected }) => this.#showSelection(selected));
  }

  end() {
    this.#ended = true;
    this.#scope.end();
    this.#controls?.end();
    this.#pinsBar?.then((bar) => bar.end()).catch(() => {});
  }

  /** A link to a message of this chat scrolls there instead of opening the chat again. */
  #followHere(event) {
    const link = event.target instanceof Element ? event.target.closest('a.link') : null;
    const at = link && link.origin === location.origin && link.pathname === location.pathname
      ? Number(new URL(link.href).searchParams.get('at')) : 0;
    if (!at || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.#host.jumpTo(at);
  }

  /**
   * Loads the controls, then acts; the page reports it if they fail to load.
   * @param {(controls: object) => void} act
   */
  async #with(act) {
    act(this.#controls ?? await this.#load());
  }

  #load() {
    this.#ready ??= this.#make().catch((error) => {
      this.#ready = null;
      throw error;
    });
    return this.#ready;
  }

  async #make() {
    const { log, scroller, views, viewModel, composer, composerModel, jumpTo } = this.#host;
    const [{ LogControls }, actions] = await Promise.all([
      import('./chat/controls.js'), this.#makers.actions(), loadToolStyles(),
    ]);
    const quote = ({ seq, own, sender, text }) =>
      ({ seq, name: own ? sharedTexts.you : sender.name, text: plainLine(text) });
    this.#controls = new LogControls({
      log, scroller, views, viewModel, actions, jumpTo, openCard: (user) => this.#makers.openCard(user, {}),
      composer: {
        reply: (row) => composerModel.reply(quote(row)),
        edit: (row) => composerModel.edit({ seq: row.seq, text: row.text }),
        focus: () => composer.focus(),
        field: composer.field,
      },
      forward: (seqs, done) => this.#forward(seqs, done),
    });
    if (this.#ended) this.#controls.end();
    return this.#controls;
  }

  async #forward(seqs, done) {
    const [{ openForwardDialog }, viewModel] = await Promise.all([
      import('./chat/forwardDialog.js'), this.#makers.forward(seqs),
    ]);
    openForwardDialog(viewModel, done);
  }

  /** The row of a message that a pointer is on. @param {Event} event */
  #rowAt(event) {
    const node = event.target instanceof Element ? event.target.closest('.message') : null;
    return node && this.#host.views().find(({ row }) => row === node)?.item;
  }

  /** Replies, unless it was a button or a link that was pressed twice. */
  #doubleClick(event) {
    if (isTouch() || event.target.closest('a[href], button, [role="button"]')) return;
    if (!event.target.closest('.bubble')) return;
    const { viewModel } = this.#host;
    const row = this.#rowAt(event);
    if (!row || row.seq === null || row.deleted || viewModel.state.selected !== null) return;
    // The word that the second click selected was not meant.
    getSelection()?.empty();
    this.#with((controls) => controls.reply(row));
  }

  /** A finger's first swipe must not wait for a module. */
  async #awaitSwipes() {
    const { SwipeReply } = await import('./chat/swipeReply.js');
    const { log, viewModel } = this.#host;
    this.#scope.add(new SwipeReply(log, (event) => {
      const row = viewModel.state.selected === null ? this.#rowAt(event) : null;
      if (!row || row.seq === null || row.deleted) return null;
      return () => this.#with((controls) => controls.reply(row));
    }).end);
  }

  /** A face, a name or a mention leads to the card of its person. */
  #openCard(event) {
    const anchor = event.target instanceof Element
      ? event.target.closest('.message > .avatar, .message .sender, .message .mention') : null;
    const row = anchor && this.#rowAt(event);
    if (!row) return;
    const { composer } = this.#host;
    const user = anchor.matches('.mention') ? this.#makers.whoIsNamed(anchor.textContent, row) : row.sender;
    const show = (person) => person && this.#makers.openCard(person, { anchor, compose: composer });
    Promise.resolve(user).then(show).catch(() => {});
  }

  #contextMenu(event) {
    const row = event.target.closest('.message');
    const selection = getSelection();
    const selects = selection && !selection.isCollapsed && row?.contains(selection.anchorNode);
    // Selected text and links keep the browser's menu.
    if (!row || selects || event.target.closest('a[href]')) return;
    event.preventDefault();
    if (row.hasAttribute('data-menu')) return;
    const at = event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : null;
    this.#with((controls) => controls.openFor(event, at));
  }

  /** A long press opens the menu; the click that follows is swallowed. */
  #touch(event) {
    if (event.pointerType !== 'touch' || !event.isPrimary || !event.target.closest('.message')) return;
    const { log, viewModel } = this.#host;
    if (viewModel.state.selected !== null) return;
    const press = new Scope();
    const timer = setTimeout(() => {
      press.end();
      const swallow = (click) => {
        click.preventDefault();
        click.stopPropagation();
      };
      log.addEventListener('click', swallow, { capture: true, once: true });
      log.addEventListener('pointerdown', () => log.removeEventListener('click', swallow, true), { once: true });
      this.#with((controls) => controls.openFor(event, { x: event.clientX, y: event.clientY }));
    }, longPress);
    press.add(() => clearTimeout(timer));
    for (const type of ['pointerup', 'pointercancel', 'scroll']) press.listen(document, type, () => press.end(), true);
    press.listen(document, 'pointermove', (moved) => {
      if (Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) > stray) press.end();
    });
  }

  #press(event) {
    if (!ownKeys.has(event.key) || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'F10' && !event.shiftKey) return;
    const inRow = event.target.closest('.message') !== null;
    if ((event.key === 'Enter' || event.key === ' ') && event.target.matches('[role="button"]')) {
      event.preventDefault();
      return event.target.click();
    }
    // Buttons handle their own keys.
    if ((event.key === 'Enter' || event.key === ' ') && event.target.closest('button, a[href], input')) return;
    const fromOutside = event.target === this.#host.scroller && (event.key === 'ArrowUp' || event.key === 'ArrowDown');
    const selecting = this.#host.viewModel.state.selected !== null;
    if (!inRow && !fromOutside && !(selecting && event.key === 'Escape')) return;
    if (event.key === ' ' && !selecting) return;
    if (this.#controls) {
      if (this.#controls.press(event)) event.preventDefault();
    } else {
      event.preventDefault();
      this.#with((controls) => controls.press(event));
    }
  }

  #showPins() {
    this.#pinsBar ??= Promise.all([import('./chat/pinsBar.js'), loadToolStyles()]).then(([{ PinsBar }]) => {
      const bar = new PinsBar(this.#host.viewModel.extras.pins, this.#host.jumpTo);
      this.#host.frame.before(bar.node);
      return bar;
    });
    this.#pinsBar.catch(() => {
      this.#pinsBar = null;
    });
  }

  #showSelection(count) {
    const { composer, log } = this.#host;
    setAttribute(log, 'data-selecting', count !== null);
    if (count !== null) this.#openSelection(count);
    else if (this.#selectionBar) {
      const hadFocus = this.#selectionBar.node.contains(document.activeElement);
      this.#selectionBar.node.remove();
      this.#selectionBar = null;
      composer.node.hidden = false;
      if (hadFocus || document.activeElement === document.body) this.#host.scroller.focus({ preventScroll: true });
    }
  }

  async #openSelection(count) {
    if (this.#selectionBar) return this.#selectionBar.show(count);
    const [{ SelectionBar }, controls] = await Promise.all([import('./chat/selectionBar.js'), this.#load()]);
    const { viewModel, composer } = this.#host;
    const { selected } = viewModel.state;
    if (selected === null || this.#selectionBar || this.#ended) return;
    this.#selectionBar = new SelectionBar({
      copy: () => controls.copySelected(),
      forward: () => controls.forwardSelected(),
      remove: () => controls.removeSelected(),
      end: () => viewModel.select(null),
    });
    this.#selectionBar.show(selected);
    composer.node.after(this.#selectionBar.node);
    const { activeElement } = document;
    composer.node.hidden = true;
    // The keys go on in the log.
    const isLost = activeElement === document.body || composer.node.contains(activeElement);
    if (isLost) this.#host.scroller.focus({ preventScroll: true });
  }
}
