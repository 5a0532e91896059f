/**
 * Composes services, view models and views, and maps addresses to pages. The chat list loads at the start, every other
 * page when its address is first visited.
 */
import { texts } from './models/texts.js';
import { createClient, eventually, fetchAhead, locksOfWorker, onMissingPart } from './services/client.js';
import { ChatListViewModel } from './viewmodels/chatListViewModel.js';
import { ConnectionViewModel } from './viewmodels/connectionViewModel.js';
import { ShellViewModel, besideStill, routeOf } from './viewmodels/shellViewModel.js';
import { ChatListView } from './views/chatList.js';
import { isTouch, mayBeShortcut } from './views/dom.js';
import { ShellView, change, linkWithin, nothingOpen, pageFailed, startFailed } from './views/shell.js';

/** How long after the page is interactive offline support and notifications start, in milliseconds. */
const LATER_AFTER = 1500;
const root = /** @type {HTMLElement} */ (document.querySelector('#app'));
const pageData = /** @type {HTMLElement} */ (document.querySelector('meta[name="hubbub"]')).dataset;
const client = createClient(globalThis, navigator.locks ?? await locksOfWorker(globalThis), pageData.limits);
const narrow = matchMedia('(width < 600px)');
/** Wide enough for a chat's information beside the chat. */
const wide = matchMedia('(width >= 1280px)');

/** The pages of a signed-in user. */
class SignedIn {
  /**
   * @param {string} address
   * @param {{replace?: boolean, keepsFocus?: boolean, beside?: string}} options `keepsFocus` while somebody types what
   *   the page shows; `beside` the list of people at this address, which stays where there is room for both
   */
  navigate = (address, { replace = false, keepsFocus = false, beside } = {}) => {
    const depth = (history.state?.depth ?? 0) + (replace ? 0 : 1);
    const state = { depth, beside: beside ?? besideStill(address, location, history) };
    history[replace ? 'replaceState' : 'pushState'](state, '', address);
    this.#go({ keepsFocus });
  };
  #shellModel = new ShellViewModel(client);
  #chatsModel = new ChatListViewModel(client);
  #shell = new ShellView(root, this.#shellModel, new ConnectionViewModel(client), client.preferences);
  /** A row's menu and swipe, and the search. Both load at first use. */
  #actions = this.#helper(async () => (await import('./pages/rowActions.js')).chatActions(client, {
    chats: this.#chatsModel, list: this.#chats, tell: (text) => this.#shellModel.tell(text),
    leave: (roomId) => this.#leave(roomId),
  }));
  #search = this.#helper(async () => {
    const { startSearch } = await import('./pages/searchPage.js');
    return (this.#searching = await startSearch(client, { list: this.#chats, navigate: this.navigate }));
  });
  #chats = new ChatListView(this.#chatsModel, {
    actions: this.#actions, search: this.#search, letters: () => client.preferences.get('letters') !== 'off',
  });
  #shortcuts = null;
  #searching = null;
  #people = null;
  #groups = null;
  #news = null;
  /** The open chat, also beside search results or its own information. */
  #open = { roomId: null, view: null };
  /** Counts navigations, so that a page that loads too late does not replace a newer one. */
  #turn = 0;
  start() {
    client.sync.onSessionEnded = () => leave();
    if (history.state?.depth === undefined) history.replaceState({ depth: 0 }, '');
    addEventListener('popstate', () => this.#go());
    wide.addEventListener('change', () => location.pathname.endsWith('/info') && this.#go({ keepsFocus: true }));
    document.addEventListener('click', (event) => this.#click(event));
    addEventListener('keydown', (event) => this.#key(event));
    // Whoever points at a chat will probably open it.
    this.#chats.node.addEventListener('pointerover', () => loadConversation(this.navigate).catch(() => {}),
      { once: true });
    onMissingPart(globalThis, () => this.#shellModel.tell(texts.problem.network));
    // A direct chat deleted elsewhere closes here too, or opens the chat it was merged into.
    client.store.subscribe(({ type, roomId, kind, into }) => {
      if (type === 'removed' && kind === 'direct') this.#leave(roomId, into);
    });
    if (isTouch()) setTimeout(() => this.#prepareForFingers(), 1000);
    return this.#go({ first: true });
  }

  /** Loads what the first swipe and the first touch of a field need. */
  #prepareForFingers() {
    this.#actions();
    const start = ({ keepAboveKeyboard }) => keepAboveKeyboard(visualViewport, document.documentElement);
    // If it fails to load, the browser itself scrolls the field into view.
    if (window.visualViewport) import('./views/keyboard.js').then(start).catch(() => {});
  }

  /** Starts background work. */
  later() {
    const page = { shell: this.#shellModel, navigate: this.navigate };
    const start = ({ startLater }) => startLater(client, page);
    const address = new URL('pages/later.js', import.meta.url).href;
    const load = () => fetchAhead(globalThis, address).then(() => import('./pages/later.js'));
    setTimeout(() => eventually(load, client.clock, globalThis).then(start).catch(() => {}), LATER_AFTER);
  }

  #click(event) {
    const link = linkWithin(event);
    if (!link) return;
    event.preventDefault();
    if ('back' in link.dataset && (history.state?.depth ?? 0) > 0) history.back();
    else if (link.href !== location.href) this.navigate(link.pathname + link.search);
    else this.#shell.focus();
  }

  /** Shortcuts load at the first key that could be one, and run after all other handlers of the key. */
  #key(event) {
    if (!mayBeShortcut(event)) return;
    this.#shortcuts ??= import('./pages/pageShortcuts.js').then(({ makeShortcuts }) => makeShortcuts({
      preferences: client.preferences, chats: this.#chatsModel, list: this.#chats, navigate: this.navigate,
    }));
    setTimeout(() => this.#shortcuts?.then((press) => press(event), () => (this.#shortcuts = null)));
  }

  /**
   * Shows the page of the address. @param {{first?: boolean, keepsFocus?: boolean}} [options]
   * @returns {Promise<boolean>} false if the page failed to load
   */
  async #go({ first = false, keepsFocus = false } = {}) {
    const turn = (this.#turn += 1);
    const route = routeOf(location.pathname + location.search);
    // The open chat stays beside search results if there is room for both.
    if (route.query !== undefined && !narrow.matches) route.roomId = this.#open.roomId ?? undefined;
    const prepare = await this.#load(route).catch(() => null);
    if (turn !== this.#turn) return true;
    this.#shellModel.show(route.section ?? 'chats', route.roomId ?? null);
    this.#chatsModel.select(route.roomId ?? null);
    await change(root, prepare ?? (() => this.#single(pageFailed(() => this.#again()), null)), first);
    const stays = keepsFocus || (first && prepare && (!route.roomId || document.activeElement !== document.body));
    if (turn === this.#turn && !stays) this.#shell.focus();
    return prepare !== null;
  }

  /** Retries a page that failed to load. If the browser does not fetch a failed module again, reloads everything. */
  async #again() {
    const arrived = await this.#go();
    if (!arrived && (await fetch(import.meta.url, { cache: 'no-store' }).catch(() => null))?.ok) location.reload();
  }

  /** @param {import('./viewmodels/shellViewModel.js').Route} route @returns {Promise<() => void>} shows the page */
  async #load(route) {
    const { section, roomId, at, query, list, page, token, login } = route;
    if (page) return this.#loadGroups(page, roomId, token);
    if (login !== undefined) return this.#loadNews(route);
    switch (section) {
      case 'chats':
        return this.#loadChats(roomId, at, query);
      case 'people': {
        const people = await this.#loadPeople();
        return () => {
          people.open(list);
          this.#panes(people, people.unchosen, 'list', section);
          this.#entitle(people);
        };
      }
      case 'news':
        return this.#loadNews(route);
      case 'settings': {
        const { makeSettings } = await import('./pages/settingsPage.js');
        const view = await makeSettings(client, {
          wear, registration: pageData.registration, gitHubSignIn: pageData.githubSignIn, languages: pageData.languages,
        });
        return () => this.#single(view, section);
      }
      default: {
        const { notFound } = await import('./views/notFound.js');
        return () => this.#single(notFound(), null);
      }
    }
  }

  /** @param {string} [query] of the search @param {(() => object)|null} [makeSide] the view beside the chat */
  async #loadChats(roomId, at, query, makeSide = null) {
    const search = query === undefined ? null : await this.#search();
    const open = roomId ? await loadConversation(this.navigate) : null;
    const beside = roomId && !search && !narrow.matches ? history.state?.beside : undefined;
    const people = beside && await this.#loadPeople();
    return () => {
      // Decided only now: another page, whose transition began before, may have closed the chat.
      const keeps = roomId !== undefined && roomId === this.#open.roomId;
      people?.open(routeOf(beside).list);
      if (search) search.open(query);
      else if (!roomId) this.#searching?.close();
      /** @type {{view: any, ready?: () => void, at?: number}} */
      const { view, ready, at: before } = keeps ? this.#open : (open?.(roomId, at) ?? { view: nothingOpen() });
      const place = roomId && !search ? 'detail' : 'list';
      this.#panes(people ?? this.#chats, view, place, people ? 'people' : 'chats', makeSide?.());
      if (search) this.#entitle(search);
      this.#open = { roomId: roomId ?? null, view, at };
      if (!keeps) ready?.();
      else if (at !== undefined) view.jumpTo(at);
      // A link to the chat itself, opened while the chat shows one of its older messages.
      else if (before !== undefined && !search && !makeSide) view.toLatest();
    };
  }

  async #loadPeople() {
    return (this.#people ??= await (await import('./pages/peoplePage.js')).makePeople(client, this.navigate));
  }

  /** Loads a page of groups. @returns {Promise<() => void>} shows it */
  async #loadGroups(page, roomId, token) {
    const { GroupPages } = await import('./pages/groupPages.js');
    const pages = (this.#groups ??= new GroupPages(client, this.navigate));
    const make = await pages.load(page, roomId ?? token);
    if (page === 'info' && wide.matches) return this.#loadChats(roomId, undefined, undefined, make);
    return () => this.#panes(this.#chats, make(), 'detail', 'chats');
  }

  /** Loads News or a page that it links to. @returns {Promise<() => void>} shows it */
  async #loadNews(route) {
    const { newsPages } = await import('./pages/newsPages.js');
    this.#news ??= await newsPages(client, {
      navigate: this.navigate, tell: (text) => this.#shellModel.tell(text),
    });
    return () => {
      const view = this.#news.view(route);
      this.#single(view, route.section);
      view.shown?.();
    };
  }

  /** Closes a chat if it is the open one. @param {string} roomId @param {string} [into] the chat to open instead */
  #leave(roomId, into) {
    if (roomId === this.#open.roomId) this.navigate(into ? `/chats/${into}` : '/chats', { replace: true });
  }

  /** Loads a module once. Shows an error on failure and retries at the next use. @param {() => Promise<object>} load */
  #helper(load) {
    let loading = null;
    return () => (loading ??= load().catch(() => {
      loading = null;
      this.#shellModel.tell(texts.problem.network);
      return null;
    }));
  }

  /** Sets the document's title to that of the page, also when the page learns it later. */
  #entitle(view) {
    const turn = this.#turn;
    view.onTitle = () => turn === this.#turn && this.#shellModel.entitle(view.title);
    view.onTitle();
  }

  #panes(list, detail, open, section, side = null, frame = /** @type {'panes'|'page'} */ ('panes')) {
    this.#open = { roomId: null, view: null };
    this.#shell.showList(list);
    this.#shell.showDetail(detail);
    this.#shell.showSide(side);
    this.#shell.arrange(frame, open, section);
    if ('title' in detail) this.#entitle(detail);
  }

  #single(view, section) {
    this.#panes(null, view, 'detail', section, null, 'page');
  }
}

/** @returns {Promise<(roomId: string, at?: number) => {view: object, ready: () => void}>} opens a chat */
async function loadConversation(navigate) {
  const [{ prepare }] = await Promise.all([
    import('./pages/chatPage.js'),
    // Its imports are listed here too, so that most of them load in one round trip.
    import('./views/conversationView.js'),
    import('./views/messageRow.js'),
    import('./viewmodels/conversationViewModel.js'),
    import('./viewmodels/messageWindow.js'),
    import('./viewmodels/composerViewModel.js'),
    import('./models/messageRows.js'),
  ]);
  return prepare(client, navigate);
}

/** @param {string} theme `light` or `dark`; any other value follows the system */
function wear(theme) { document.documentElement.dataset.theme = theme; }

/** The session has ended: goes to the sign-in page, and back here afterwards. */
function leave() {
  location.replace(`/sign-in?ended=yes&return_to=${encodeURIComponent(location.pathname + location.search)}`);
}

async function start() {
  // Signed-out pages have their own script; this one runs there only if the page is outdated.
  if (pageData.signedIn !== 'yes') return import('./signedOut.js');
  wear(client.preferences.get('theme'));
  const app = new SignedIn();
  try {
    const shown = app.start();
    client.sync.start();
    await shown;
  } catch (error) {
    root.dataset.frame = 'bare';
    const failed = startFailed();
    root.replaceChildren(failed.node);
    failed.focus();
    throw error;
  }
  performance.mark('interactive');
  app.later();
}
start();
