/**
 * Composition and routes: the only place that knows services, view models and views. The chat list is there from the
 * start; every other page arrives when its address is first gone to.
 */
import { texts } from './models/texts.js';
import { createClient, eventually, fetchAhead, onMissingPart } from './services/client.js';
import { ChatListViewModel } from './viewmodels/chatListViewModel.js';
import { ConnectionViewModel } from './viewmodels/connectionViewModel.js';
import { ShellViewModel, routeOf } from './viewmodels/shellViewModel.js';
import { ChatListView } from './views/chatList.js';
import { isTouch, mayBeShortcut } from './views/dom.js';
import { ShellView, change, nobodyChosen, notFound, nothingOpen, pageFailed, startFailed } from './views/shell.js';

/** How long after it can be used a page begins to prepare for being without a network, and to notify. */
const LATER_AFTER = 1500;
const root = /** @type {HTMLElement} */ (document.querySelector('#app'));
const pageData = /** @type {HTMLElement} */ (document.querySelector('meta[name="hubbub"]')).dataset;
const client = createClient(globalThis, navigator.locks ?? await locksOfWorker());
const narrow = matchMedia('(width < 600px)');
/** There is room for a chat's information beside the chat. */
const wide = matchMedia('(width >= 1280px)');

/** The pages of somebody who is signed in. */
class SignedIn {
  #shellModel = new ShellViewModel(client);
  #chatsModel = new ChatListViewModel(client);
  #shell = new ShellView(root, this.#shellModel, new ConnectionViewModel(client), client.preferences);
  /** What a row's menu and swipe do, and the search: both arrive when they are first wanted. */
  #actions = this.#helper(async () => (await import('./chatActions.js')).chatActions(client, {
    chats: this.#chatsModel,
    list: this.#chats,
    tell: (text) => this.#shellModel.tell(text),
    leave: (roomId) => this.#leave(roomId),
  }));
  #search = this.#helper(async () => {
    const navigate = (address, options) => this.navigate(address, options);
    return (this.#searching = await (await import('./search.js')).startSearch(client, { list: this.#chats, navigate }));
  });
  #chats = new ChatListView(this.#chatsModel, {
    actions: this.#actions, search: this.#search, letters: () => client.preferences.get('letters') !== 'off',
  });
  #shortcuts = null;
  #searching = null;
  #people = null;
  #groups = null;
  #news = null;
  /** The chat that is shown, also beside what a search found or beside its own information. */
  #open = { roomId: null, view: null };
  /** Counts navigations: a page that arrives late finds that another was asked for meanwhile. */
  #turn = 0;

  start() {
    client.sync.onSessionEnded = () => leave();
    if (history.state?.depth === undefined) history.replaceState({ depth: 0 }, '');
    addEventListener('popstate', () => this.#go());
    wide.addEventListener('change', () => location.pathname.endsWith('/info') && this.#go({ keepsFocus: true }));
    document.addEventListener('click', (event) => this.#click(event));
    addEventListener('keydown', (event) => this.#key(event));
    // A chat is likely to be opened by whoever points at one.
    this.#chats.node.addEventListener('pointerover', () => loadConversation().catch(() => {}), { once: true });
    onMissingPart(globalThis, () => this.#shellModel.tell(texts.problem.network));
    // A direct chat that was deleted on another device closes here, too (L4).
    // Where what was said has another place now, it leads there (D7).
    client.store.subscribe(({ type, roomId, kind, into }) => type === 'removed' && kind === 'direct' && this.#leave(roomId, into));
    if (isTouch()) setTimeout(() => this.#prepareForFingers(), 1000);
    return this.#go({ first: true });
  }

  /** A finger's first swipe must not wait for what follows it; the keyboard comes with the first touch of a field. */
  #prepareForFingers() {
    this.#actions();
    const start = ({ keepAboveKeyboard }) => keepAboveKeyboard(visualViewport, document.documentElement);
    // Without it, the browser itself brings the field into view.
    if (window.visualViewport) import('./views/keyboard.js').then(start).catch(() => {});
  }

  /** Begins what nobody waits for. */
  later() {
    const page = { shell: this.#shellModel, navigate: (address) => this.navigate(address) };
    const start = ({ startLater }) => startLater(client, page);
    const address = new URL('later.js', import.meta.url).href;
    const load = () => fetchAhead(globalThis, address).then(() => import('./later.js'));
    setTimeout(() => eventually(load, client.clock, globalThis).then(start).catch(() => {}), LATER_AFTER);
  }

  /**
   * @param {string} address
   * @param {{replace?: boolean, keepsFocus?: boolean}} [options] `keepsFocus` while somebody types what the page shows
   */
  navigate(address, { replace = false, keepsFocus = false } = {}) {
    const depth = history.state?.depth ?? 0;
    if (replace) history.replaceState({ depth }, '', address);
    else history.pushState({ depth: depth + 1 }, '', address);
    this.#go({ keepsFocus });
  }

  #click(event) {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.origin !== location.origin) return;
    if (link.target || 'outside' in link.dataset) return;
    event.preventDefault();
    if ('back' in link.dataset && (history.state?.depth ?? 0) > 0) history.back();
    else if (link.href !== location.href) this.navigate(link.pathname + link.search);
    else this.#shell.focus();
  }

  /** The keyboard's shortcuts come with the first key that could be one, and act when whoever is nearer has had it. */
  #key(event) {
    if (!mayBeShortcut(event)) return;
    this.#shortcuts ??= import('./shortcuts.js').then(({ makeShortcuts }) => makeShortcuts({
      preferences: client.preferences, chats: this.#chatsModel, list: this.#chats, navigate: (address) => this.navigate(address),
    }));
    setTimeout(() => this.#shortcuts?.then((press) => press(event), () => (this.#shortcuts = null)));
  }

  /**
   * Shows what the address names. @param {{first?: boolean, keepsFocus?: boolean}} [options] `first` after a load
   * @returns {Promise<boolean>} false where that did not arrive
   */
  async #go({ first = false, keepsFocus = false } = {}) {
    const turn = (this.#turn += 1);
    const route = routeOf(location.pathname + location.search);
    // Beside what a search finds, the open chat stays where there is room for both.
    if (route.query !== undefined && !narrow.matches) route.roomId = this.#open.roomId ?? undefined;
    const prepare = await this.#load(route).catch(() => null);
    if (turn !== this.#turn) return true;
    this.#shellModel.show(route.section ?? 'chats', route.roomId ?? null);
    this.#chatsModel.select(route.roomId ?? null);
    await change(root, prepare ?? (() => this.#single(pageFailed(() => this.#again()), null)), first);
    if (turn === this.#turn && !(first && prepare) && !keepsFocus) this.#shell.focus();
    return prepare !== null;
  }

  /** A page did not arrive, and is wanted all the same. Where the browser will not ask for it again, all comes anew. */
  async #again() {
    const arrived = await this.#go();
    if (!arrived && (await fetch(import.meta.url, { cache: 'no-store' }).catch(() => null))?.ok) location.reload();
  }

  /** Fetches what a route needs. @param {import('./viewmodels/shellViewModel.js').Route} route @returns {Promise<() => void>} shows it */
  async #load(route) {
    const { section, roomId, at, query, list, page, token, login } = route;
    if (page) return this.#loadGroups(page, roomId, token);
    if (login !== undefined) return this.#loadNews(route);
    switch (section) {
      case 'chats':
        return this.#loadChats(roomId, at, query);
      case 'people': {
        const navigate = (address, options) => this.navigate(address, options);
        this.#people ??= await (await import('./peoplePage.js')).makePeople(client, navigate);
        return () => {
          this.#people.open(list);
          this.#panes(this.#people, nobodyChosen(), 'list', section);
        };
      }
      case 'news':
        return this.#loadNews(route);
      case 'settings': {
        const { makeSettings } = await import('./settingsPage.js');
        const view = await makeSettings(client, {
          wear, registration: pageData.registration, gitHubSignIn: pageData.githubSignIn, languages: pageData.languages,
        });
        return () => this.#single(view, section);
      }
      default:
        return () => this.#single(notFound(), null);
    }
  }

  /** @param {string} [query] what is searched for @param {(() => object)|null} [makeSide] what stands beside the chat */
  async #loadChats(roomId, at, query, makeSide = null) {
    const search = query === undefined ? null : await this.#search();
    const keeps = roomId !== undefined && roomId === this.#open.roomId;
    const open = roomId && !keeps ? await loadConversation() : null;
    return () => {
      if (search) search.open(query);
      else if (!roomId) this.#searching?.close();
      const { view, ready, at: before } = keeps ? this.#open : (open?.(roomId, at) ?? { view: nothingOpen() });
      this.#panes(this.#chats, view, roomId && !search ? 'detail' : 'list', 'chats', makeSide?.());
      this.#open = { roomId: roomId ?? null, view, at };
      if (!keeps) ready?.();
      else if (at !== undefined) view.jumpTo(at);
      // From a place in the chat to the chat itself, as its row in the list leads.
      else if (before !== undefined && !search && !makeSide) view.toLatest();
    };
  }

  /** Fetches a page of groups. @returns {Promise<() => void>} shows it */
  async #loadGroups(page, roomId, token) {
    const { GroupPages } = await import('./groupPages.js');
    const pages = (this.#groups ??= new GroupPages(client, (address, options) => this.navigate(address, options)));
    const make = await pages.load(page, roomId ?? token);
    if (page === 'info' && wide.matches) return this.#loadChats(roomId, undefined, undefined, make);
    return () => this.#panes(this.#chats, make(), 'detail', 'chats');
  }

  /** Fetches News, or what it leads to. @returns {Promise<() => void>} shows it */
  async #loadNews(route) {
    const { newsPages } = await import('./newsPages.js');
    this.#news ??= await newsPages(client, {
      navigate: (address) => this.navigate(address),
      tell: (text) => this.#shellModel.tell(text),
    });
    return () => {
      const view = this.#news.view(route);
      this.#single(view, route.section);
      view.shown?.();
    };
  }

  /** Closes a chat if it is the open one. @param {string} roomId @param {string} [into] what opens in its place */
  #leave(roomId, into) {
    if (roomId === this.#open.roomId) this.navigate(into ? `/chats/${into}` : '/chats', { replace: true });
  }

  /** Loads once; what failed to arrive is told, and asked for again the next time. @param {() => Promise<object>} load */
  #helper(load) {
    let loading = null;
    return () => (loading ??= load().catch(() => {
      loading = null;
      this.#shellModel.tell(texts.problem.network);
      return null;
    }));
  }

  #panes(list, detail, open, section, side = null) {
    this.#open = { roomId: null, view: null };
    this.#shell.showList(list);
    this.#shell.showDetail(detail);
    this.#shell.showSide(side);
    this.#shell.arrange('panes', open, section);
  }

  #single(view, section) {
    this.#open = { roomId: null, view: null };
    this.#shell.showList(null);
    this.#shell.showDetail(view);
    this.#shell.showSide(null);
    this.#shell.arrange('page', 'detail', section);
  }
}

/** @returns {Promise<(roomId: string, at?: number) => {view: object, ready: () => void}>} opens a chat */
async function loadConversation() {
  const [{ prepare }] = await Promise.all([
    import('./conversation.js'),
    // What it imports is named here too, so that most of it is fetched in one round.
    import('./views/conversation.js'),
    import('./views/messageRow.js'),
    import('./viewmodels/conversationViewModel.js'),
    import('./viewmodels/messageWindow.js'),
    import('./viewmodels/composerViewModel.js'),
    import('./models/messageRows.js'),
  ]);
  return prepare(client);
}

/** @param {string} theme `light` or `dark`; everything else follows the system */
function wear(theme) {
  document.documentElement.dataset.theme = theme;
}

/** Where the browser has no locks, its tabs learn of each other by a worker that they share. */
async function locksOfWorker() {
  if (!globalThis.SharedWorker) return null;
  return (await import('./services/workerLocks.js')).workerLocks(globalThis).catch(() => null);
}

/** The session is over: back to the door, and here again afterwards. */
function leave() {
  location.replace(`/sign-in?return_to=${encodeURIComponent(location.pathname + location.search)}`);
}

async function start() {
  // Pages of the signed out have a script of their own; this one finds itself there only behind an old page.
  if (pageData.signedIn !== 'yes') {
    await import('./signedOut.js');
    return;
  }
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
