/**
 * What an open chat's log leads to, fetched when it is first wanted: menus, pins, the bar of selected messages. Here
 * stands only what hears of it: the right button, a long press, keys, and the view model.
 */
import { Scope, setAttribute } from './dom.js';
import { loadStyles } from './laterStyles.js';
import { texts } from '../models/texts.js';

/** Milliseconds of a press that is long, and how far a finger may stray meanwhile. */
const longPress = 450;
const stray = 10;
/** The sheets of menus, dialogs, pins and notices. */
const loadToolStyles = () => loadStyles('menus', 'messageTools', 'messageLists');
const ownKeys = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Enter', ' ', 'Escape', 'ContextMenu', 'F10']);

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
   * @param {HTMLElement} host.frame where the log stands; the bar of pins comes before it
   * @param {() => import('./messageRow.js').MessageView[]} host.views
   * @param {import('../viewmodels/conversationViewModel.js').ConversationViewModel} host.viewModel
   * @param {object} host.composer the view, with `node` and `focus()`
   * @param {import('../viewmodels/composerViewModel.js').ComposerViewModel} host.composerModel
   * @param {(seq: number) => void} host.jumpTo
   * @param {object} tools `actions()`, `forward(seqs)`: view models that are fetched when they are wanted
   */
  constructor(host, tools) {
    this.#host = host;
    this.#makers = tools;
    const { log, scroller, viewModel } = host;
    for (const type of ['pointerover', 'focusin']) log.addEventListener(type, () => this.#load().catch(() => {}), { once: true });
    log.addEventListener('contextmenu', (event) => this.#contextMenu(event));
    log.addEventListener('pointerdown', (event) => this.#touch(event));
    scroller.addEventListener('keydown', (event) => this.#press(event));
    this.#scope.bind(viewModel.extras.pins, ({ current }) => current && this.#showPins());
    this.#scope.bind(viewModel, ({ selected }) => this.#showSelection(selected));
  }

  end() {
    this.#ended = true;
    this.#scope.end();
    this.#controls?.end();
    this.#pinsBar?.then((bar) => bar.end()).catch(() => {});
  }

  /** Fetches what it takes, and does it; the page says so where it does not arrive. @param {(controls: object) => void} act */
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
    const quote = (row) => ({ seq: row.seq, name: row.own ? texts.views.you : row.sender.name, text: row.text.slice(0, 200) });
    this.#controls = new LogControls({
      log, scroller, views, viewModel, actions, jumpTo,
      composer: {
        reply: (row) => composerModel.reply(quote(row)),
        edit: (row) => composerModel.edit({ seq: row.seq, text: row.text }),
        focus: () => composer.focus(),
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

  #contextMenu(event) {
    const row = event.target.closest('.message');
    const selection = getSelection();
    const selects = selection && !selection.isCollapsed && row?.contains(selection.anchorNode);
    // What is selected, and links, have the browser's own menu.
    if (!row || selects || event.target.closest('a[href]')) return;
    event.preventDefault();
    if (row.hasAttribute('data-menu')) return;
    const at = event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : null;
    this.#with((controls) => controls.openFor(event, at));
  }

  /** A finger that stays where it is opens the menu; the click that follows does nothing. */
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
    // A button's own keys stay its own.
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
    composer.node.hidden = true;
  }
}
