/** The frame of all pages of a signed-in user: navigation, panes, connection status, toasts. */
import { texts } from '../models/texts.js';
import { announce, announcerNode, element, motionAllowed, setAttribute, setText } from './dom.js';
import { Avatar, button, emptyPlace, gap, icon, mark } from './parts.js';

/**
 * A view in a pane. `bar` is its header, which holds the connection status.
 * @typedef {{node: HTMLElement, bar?: HTMLElement, focus?: () => void, end?: () => void}} PaneView
 */

const sections = /** @type {const} */ (['chats', 'people', 'news', 'settings']);
const narrow = matchMedia('(width < 600px)');
export const listWidthName = 'list-width';
const listWidths = { least: 320, most: 380, usual: 340 };

export class ShellView {
  #root;
  #tabs = new Map();
  #unread = element('span', { class: 'count', 'aria-hidden': 'true', hidden: true });
  #face = new Avatar(36);
  #me = element(
    'a',
    { class: 'me', href: '/settings', 'aria-label': texts.views.profile, hidden: true },
    this.#face.node,
  );
  #connection = element('p', { class: 'connection', role: 'status', 'aria-label': texts.connection.label });
  #said = null;
  #listPane = element('section', { class: 'pane list-pane' });
  #detailPane = element('section', { class: 'pane detail-pane' });
  #sidePane = element('section', { class: 'pane side-pane', hidden: true });
  #resizer;
  /** @type {PaneView|null} */
  #side = null;
  /** @type {PaneView|null} */
  #list = null;
  /** @type {PaneView|null} */
  #detail = null;

  /**
   * @param {HTMLElement} root the element of the page that holds everything
   * @param {import('../viewmodels/shellViewModel.js').ShellViewModel} shell
   * @param {import('../viewmodels/connectionViewModel.js').ConnectionViewModel} connection
   * @param {{get: (name: string) => string, set: (name: string, value: string) => void}} preferences
   */
  constructor(root, shell, connection, preferences) {
    this.#root = root;
    this.#resizer = makeResizer(preferences);
    const toasts = element('ul', { class: 'toasts', role: 'list' });
    bindToastsLater(shell, toasts);
    root.replaceChildren(
      this.#makeNavigation(),
      element('main', { class: 'main', id: 'main', tabindex: '-1' }, this.#listPane, this.#detailPane, this.#sidePane),
      element('aside', { 'aria-label': texts.views.notifications }, toasts, announcerNode),
    );
    const bind = (viewModel, show) => {
      viewModel.subscribe(show);
      show(viewModel.state);
    };
    bind(shell, (state) => this.#showShell(state));
    bind(connection, (state) => this.#showConnection(state));
    narrow.addEventListener('change', () => this.#placeConnection());
  }

  /**
   * Shows a view in the list pane. It is kept when another one replaces it: lists keep their scroll position.
   * @param {PaneView|null} view
   */
  showList(view) {
    if (view === this.#list) return;
    this.#list = view;
    this.#listPane.replaceChildren(...(view ? [view.node, this.#resizer] : []));
  }

  /** Shows a view in the detail pane and ends the one before. @param {PaneView} view */
  showDetail(view) {
    if (view === this.#detail) return;
    const before = this.#detail;
    this.#detail = view;
    this.#detailPane.replaceChildren(view.node);
    before?.end?.();
  }

  /**
   * Shows a view beside the detail pane, or (null) none, and ends the one before.
   * @param {PaneView|null} view
   */
  showSide(view) {
    if (view === this.#side) return;
    const before = this.#side;
    this.#side = view;
    this.#sidePane.hidden = view === null;
    setAttribute(this.#root, 'data-side', view !== null);
    this.#sidePane.replaceChildren(...(view ? [view.node] : []));
    before?.end?.();
  }

  /**
   * @param {'panes'|'page'} frame list and detail, or one page beside the navigation
   * @param {'list'|'detail'} open which of the two shows if there is room for one only
   * @param {string|null} section the current section of the navigation
   */
  arrange(frame, open, section) {
    setAttribute(this.#root, 'data-frame', frame);
    setAttribute(this.#root, 'data-open', open);
    for (const [name, tab] of this.#tabs) setAttribute(tab, 'aria-current', name === section ? 'page' : null);
    this.#placeConnection();
  }

  /** Focuses the page after a navigation. */
  focus() {
    const open = this.#root.dataset.frame === 'page' || this.#root.dataset.open === 'detail';
    (this.#side ?? (open ? this.#detail : this.#list))?.focus?.();
  }

  #makeNavigation() {
    const list = element('ul', { role: 'list' });
    for (const name of sections) {
      const label = element('span', { class: 'label' }, texts.sections[name]);
      const tab = element('a', { class: 'tab', href: `/${name}` }, icon(name), label);
      if (name === 'chats') tab.append(this.#unread);
      this.#tabs.set(name, tab);
      list.append(element('li', {}, tab));
    }
    const skip = element('a', { class: 'skip button primary', href: '#main' }, texts.views.skip);
    skip.addEventListener('click', (event) => {
      event.preventDefault();
      this.focus();
    });
    return element('nav', { class: 'navigation', 'aria-label': texts.views.navigation }, skip, mark(), list, this.#me);
  }

  #showShell(state) {
    if (document.title !== state.title) document.title = state.title;
    this.#unread.hidden = state.totalUnread === 0;
    setText(this.#unread, texts.chats.unread(state.totalUnread));
    badge(state.totalUnread);
    this.#me.hidden = state.me === null;
    if (state.me) this.#face.show({ ...state.me, online: false });
  }

  #showConnection(state) {
    setAttribute(this.#connection, 'data-state', state.state);
    setText(this.#connection, state.text);
    if (state.said !== this.#said && state.said) announce(state.said.text);
    this.#said = state.said;
  }

  /** Moves the connection status beside the title of the visible pane. */
  #placeConnection() {
    const page = this.#root.dataset.frame === 'page';
    const detail = page || (narrow.matches && this.#root.dataset.open === 'detail');
    const bar = (detail ? this.#detail?.bar : null) ?? this.#list?.bar ?? this.#detail?.bar;
    if (!bar || this.#connection.parentElement === bar) return;
    const gap = bar.querySelector(':scope > .gap');
    if (gap) gap.before(this.#connection);
    else bar.append(this.#connection);
  }
}

/** Loads the module of toasts with the first one. */
function bindToastsLater(shell, container) {
  const stop = shell.toasts.subscribe(async () => {
    stop();
    try {
      const [{ bindToasts }, { loadStyles }] = await Promise.all([import('./toasts.js'), import('./laterStyles.js')]);
      await loadStyles('toasts');
      bindToasts(shell, container);
    } catch {
      // It failed to load: the next toast retries.
      bindToastsLater(shell, container);
    }
  });
}

let badged = null;

/** Sets the badge of the installed app. @param {number} count */
function badge(count) {
  if (!navigator.setAppBadge || count === badged) return;
  badged = count;
  // 0 removes it. Rejects if the app is not installed.
  navigator.setAppBadge(count).catch(() => {});
}

/** The separator between list and conversation; `listWidth.js` makes it move. */
function makeResizer(preferences) {
  const handle = element('div', {
    class: 'resizer', role: 'separator', tabindex: '0', 'aria-label': texts.views.resizeList,
    'aria-orientation': 'vertical', 'aria-valuemin': listWidths.least, 'aria-valuemax': listWidths.most,
  });
  setListWidth(handle, Number(preferences.get(listWidthName)) || listWidths.usual);
  return handle;
}

/** @param {HTMLElement} handle @param {number} wanted */
export function setListWidth(handle, wanted) {
  const width = Math.max(listWidths.least, Math.min(listWidths.most, Math.round(wanted)));
  document.documentElement.style.setProperty('--list', `${width}px`);
  setAttribute(handle, 'aria-valuenow', width);
}

/** A pane with a notice. @returns {PaneView} */
export function notice(level, title, hint, ...actions) {
  const bar = element('header', { class: 'bar' }, gap());
  const { node, what } = emptyPlace({ sign: mark(), level, title, hint, actions });
  const pane = element('div', { class: 'notice' }, bar, node);
  return { node: pane, bar, focus: () => what.focus({ preventScroll: true }) };
}

/** The detail pane beside the chat list, while no chat is open. */
export const nothingOpen = () => notice('h2', texts.views.chooseTitle, texts.views.chooseHint);

/** The app failed to load. */
export function startFailed() {
  const again = button(texts.views.reload, () => location.reload(), 'primary');
  return notice('h1', texts.views.startFailed, texts.views.startFailedHint, again);
}

/** A page failed to load. @param {() => void} retry */
export function pageFailed(retry) {
  const again = button(texts.problem.retry, retry, 'primary');
  return notice('h1', texts.views.partFailed, texts.views.partFailedHint, again);
}

/** Changes panes, on phones with a view transition if motion is allowed. */
export async function change(root, update, first) {
  const before = root.dataset.open;
  if (first || !narrow.matches || !motionAllowed() || !document.startViewTransition) {
    update();
    return;
  }
  const transition = document.startViewTransition(() => {
    update();
    document.documentElement.dataset.direction =
      before === root.dataset.open ? 'none' : root.dataset.open === 'detail' ? 'forward' : 'back';
  });
  // A transition may be replaced by the next one.
  transition.ready.catch(() => {});
  await transition.updateCallbackDone;
}

/** The link within the app that a click follows; null if the browser handles the click. @param {MouseEvent} event */
export function linkWithin(event) {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented || link.origin !== location.origin) return null;
  return link.target || 'outside' in link.dataset ? null : link;
}
