/**
 * Composition and routes: the only place that knows services, view models and views. The chat list is there from the
 * start; every other page arrives when its address is first gone to.
 */
import { createClient } from './services/client.js';
import { ChatListViewModel } from './viewmodels/chatListViewModel.js';
import { ConnectionViewModel } from './viewmodels/connectionViewModel.js';
import { ShellViewModel } from './viewmodels/shellViewModel.js';
import { ChatListView } from './views/chatList.js';
import { motionAllowed } from './views/dom.js';
import { ShellView, nobodyChosen, notFound, nothingOpen, startFailed } from './views/shell.js';

const root = /** @type {HTMLElement} */ (document.querySelector('#app'));
const pageData = /** @type {HTMLElement} */ (document.querySelector('meta[name="hubbub"]')).dataset;
const client = createClient(globalThis);
const narrow = matchMedia('(width < 600px)');
/** There is room for a chat's information beside the chat. */
const wide = matchMedia('(width >= 1280px)');

/**
 * What an address names.
 * @typedef {object} Route
 * @property {'chats'|'people'|'news'|'settings'|null} section
 * @property {string} [roomId]
 * @property {'info'|'rooms'|'create'|'invite'} [page] a page of groups
 * @property {string} [token] of an invitation
 * @property {number} [at] seq of a message to go to
 * @property {import('./viewmodels/types.js').PeopleList} [list]
 */

/** @param {string} address path and query @returns {Route} */
function routeOf(address) {
  const url = new URL(address, location.origin);
  let segments;
  try {
    segments = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return { section: null };
  }
  const [first = 'chats', second, third] = segments;
  if (segments.length > 3) return { section: null };
  if (first === 'chats' && !third) {
    return { section: 'chats', roomId: second, at: Number(url.searchParams.get('at')) || undefined };
  }
  if (first === 'chats' && third === 'info') return { section: 'chats', roomId: second, page: 'info' };
  if (first === 'rooms' && !second) return { section: 'chats', page: 'rooms' };
  if (first === 'rooms' && second === 'new' && !third) return { section: 'chats', page: 'create' };
  if (first === 'invite' && second && !third) return { section: 'chats', page: 'invite', token: second };
  if (first === 'people' && !second) {
    const query = (url.searchParams.get('q') ?? '').trim();
    return { section: 'people', list: query ? { kind: 'search', subject: query } : { kind: 'users', subject: '' } };
  }
  if (first === 'people' && (third === 'followers' || third === 'following')) {
    return { section: 'people', list: { kind: third, subject: second } };
  }
  if (first === 'orgs' && second && !third) return { section: 'people', list: { kind: 'org', subject: second } };
  if ((first === 'news' || first === 'settings') && !second) return { section: first };
  return { section: null };
}

/** The pages of somebody who is signed in. */
class SignedIn {
  #shellModel = new ShellViewModel(client);
  #chatsModel = new ChatListViewModel(client);
  #shell = new ShellView(root, this.#shellModel, new ConnectionViewModel(client), client.preferences);
  #chats = new ChatListView(this.#chatsModel);
  #people = null;
  #groups = null;
  /** The chat in the detail pane, which stays when its information opens beside it. */
  #open = { roomId: null, view: null };
  /** Counts navigations: a page that arrives late finds that another was asked for meanwhile. */
  #turn = 0;

  start() {
    client.sync.onSessionEnded = () => leave();
    if (history.state?.depth === undefined) history.replaceState({ depth: 0 }, '');
    addEventListener('popstate', () => this.#go());
    wide.addEventListener('change', () => location.pathname.endsWith('/info') && this.#go({ keepsFocus: true }));
    document.addEventListener('click', (event) => this.#click(event));
    // A chat is likely to be opened by whoever points at one.
    this.#chats.node.addEventListener('pointerover', () => loadConversation(), { once: true });
    return this.#go({ first: true });
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

  /** Shows what the address names. @param {{first?: boolean, keepsFocus?: boolean}} [options] `first` after a load */
  async #go({ first = false, keepsFocus = false } = {}) {
    const turn = (this.#turn += 1);
    const route = routeOf(location.pathname + location.search);
    let prepare;
    try {
      prepare = await this.#load(route);
    } catch {
      prepare = () => this.#single(startFailed(), null);
    }
    if (turn !== this.#turn) return;
    this.#shellModel.show(route.section ?? 'chats', route.roomId ?? null);
    this.#chatsModel.select(route.roomId ?? null);
    await change(prepare, first);
    if (turn === this.#turn && !first && !keepsFocus) this.#shell.focus();
  }

  /** Fetches what a route needs. @param {Route} route @returns {Promise<() => void>} shows it */
  async #load({ section, roomId, at, list, page, token }) {
    if (page) return this.#loadGroups(page, roomId, token);
    switch (section) {
      case 'chats': {
        if (!roomId) return () => this.#panes(this.#chats, nothingOpen(), 'list', section);
        const open = await loadConversation();
        return () => this.#showChat(open, roomId, at);
      }
      case 'people': {
        this.#people ??= await this.#makePeople();
        return () => {
          this.#people.open(list);
          this.#panes(this.#people, nobodyChosen(), 'list', section);
        };
      }
      case 'news': {
        const { newsView } = await import('./views/news.js');
        return () => this.#single(newsView(), section);
      }
      case 'settings': {
        const { makeSettings } = await import('./settingsPage.js');
        const view = await makeSettings(client, { wear, registration: pageData.registration });
        return () => this.#single(view, section);
      }
      default:
        return () => this.#single(notFound(), null);
    }
  }

  /** Fetches a page of groups. @returns {Promise<() => void>} shows it */
  async #loadGroups(page, roomId, token) {
    const { GroupPages } = await import('./groupPages.js');
    this.#groups ??= new GroupPages(client, (address, options) => this.navigate(address, options));
    const pages = this.#groups;
    if (page === 'info') {
      const [make, open] = await Promise.all([pages.roomInfo(roomId), wide.matches ? loadConversation() : null]);
      return () => {
        if (open) this.#showChat(open, roomId, undefined, make());
        else this.#panes(this.#chats, make(), 'detail', 'chats');
      };
    }
    const loads = { rooms: () => pages.publicRooms(), create: () => pages.createGroup(), invite: () => pages.invite(token) };
    const make = await loads[page]();
    return () => this.#panes(this.#chats, make(), 'detail', 'chats');
  }

  /** Shows a chat, the one that is open already where no place in it is asked for, and what stands beside it. */
  #showChat(open, roomId, at, side = null) {
    const same = this.#open.roomId === roomId && !at;
    const { view, ready } = same ? this.#open : open(roomId, at);
    this.#panes(this.#chats, view, 'detail', 'chats', side);
    if (same) return;
    this.#open = { roomId, view };
    ready();
  }

  async #makePeople() {
    const [{ PeopleView }, { PeopleViewModel }] = await Promise.all([
      import('./views/people.js'),
      import('./viewmodels/peopleViewModel.js'),
    ]);
    return new PeopleView(new PeopleViewModel(client), (address, options) => this.navigate(address, options));
  }

  #panes(list, detail, open, section, side = null) {
    if (this.#open.view !== detail) this.#open = { roomId: null, view: null };
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
  const [{ ConversationView }, { ConversationViewModel }, { ComposerViewModel }] = await Promise.all([
    import('./views/conversation.js'),
    import('./viewmodels/conversationViewModel.js'),
    import('./viewmodels/composerViewModel.js'),
    // What these import is named here too, so that all of it is fetched in one round.
    import('./views/messageRow.js'),
    import('./views/log.js'),
    import('./views/composer.js'),
    import('./viewmodels/messageWindow.js'),
    import('./models/messageRows.js'),
    import('./models/timeline.js'),
  ]);
  return (roomId, at) => {
    const model = new ConversationViewModel(roomId, client);
    const view = new ConversationView(model, new ComposerViewModel(roomId, client));
    return { view, ready: () => model.open({ at }) };
  };
}

/** @param {string} theme `light` or `dark`; everything else follows the system */
function wear(theme) {
  document.documentElement.dataset.theme = theme;
}

/** Changes panes; on a phone as a movement from or to the end, where the browser can and motion is wanted. */
async function change(update, first) {
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
  // A transition that is overtaken by another one is no failure.
  transition.ready.catch(() => {});
  await transition.updateCallbackDone;
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
  try {
    const app = new SignedIn();
    const shown = app.start();
    client.sync.start();
    await shown;
  } catch (error) {
    root.dataset.frame = 'bare';
    root.replaceChildren(startFailed().node);
    throw error;
  }
  performance.mark('interactive');
}

start();
