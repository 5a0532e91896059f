/** Composes News and the pages of GitHub's objects. Fetched for the first of their addresses. */
import { apiPathOf, commentOf, commentsPathOf, personOf, shareText, thingOf } from '../models/thing.js';
import { newsTexts } from '../models/texts/news.js';
import { texts } from '../models/texts.js';
import { sharedTexts } from '../models/texts/shared.js';
import { Fetched } from '../viewmodels/fetched.js';
import { NewsViewModel } from '../viewmodels/newsViewModel.js';
import { openDirect } from '../viewmodels/openDirect.js';
import { personPage } from '../views/github/personPage.js';
import { thingPage } from '../views/github/thingPage.js';
import { loadStyles } from '../views/laterStyles.js';
import { NewsView } from '../views/newsView.js';
import { notFound } from '../views/notFound.js';

/** The title of an object until it is loaded. @param {any[]} segments of its address */
const nameOf = (/** @type {string[]} */ [owner, repo, folder = '', name = '']) =>
  [`${owner}/${repo}`, folder === 'commits' ? name.slice(0, 7) : name].filter(Boolean)
  .join(folder === 'issues' || folder === 'pulls' ? ' #' : ' ');

/** The pages. The feed is kept with its scroll position while others show. */
class NewsPages {
  #client;
  #navigate;
  #tell;
  #feed = null;

  constructor(client, { navigate, tell }) {
    this.#client = client;
    this.#navigate = navigate;
    this.#tell = tell;
  }

  /**
   * @param {{thing?: string[], login?: string}} route neither: the feed
   * @returns {import('../views/shell.js').PaneView & {shown?: () => void}}
   */
  view({ thing, login }) {
    const { clock, store } = this.#client;
    const share = (shared) => this.#share(shareText(shared)).catch(() => this.#tell(texts.problem.network));
    if (login !== undefined) {
      const make = (body) => personOf(body, store.me?.login ?? null);
      return personPage(new Fetched(this.#client, `/github/users/${encodeURIComponent(login)}`, make), login, {
        share, write: (name) => this.#write(name),
      });
    }
    if (thing !== undefined) {
      const path = apiPathOf(thing);
      if (path === null) return notFound();
      const comments = () => new Fetched(this.#client, commentsPathOf(path),
        (body) => body.map((/** @type {object} */ comment) => commentOf(comment, clock.now())));
      return thingPage(new Fetched(this.#client, path, (body) => thingOf(body, clock.now())), nameOf(thing), share,
        comments);
    }
    this.#feed ??= new NewsView(new NewsViewModel(this.#client), ({ name, url }) => share({ title: name, url }));
    return this.#feed;
  }

  /** Opens the chat with a person. @returns {Promise<string|null>} an error message */
  async #write(login) {
    try {
      this.#navigate(`/chats/${encodeURIComponent(await openDirect(this.#client, { login }))}`);
      return null;
    } catch {
      return sharedTexts.openFailed(login);
    }
  }

  /** Asks for a chat, and opens it with the text in its composer. @param {string} text */
  async #share(text) {
    const [{ ChatChoice }, { openChatChooser }, { addToDraft }] = await Promise.all([
      import('../viewmodels/chatChoice.js'), import('../views/chat/chatChooser.js'), import('./chatPage.js'),
      loadStyles('chat', 'messageTools', 'messageLists'),
    ]);
    openChatChooser(new ChatChoice(this.#client), {
      title: newsTexts.shareTitle,
      choose: ({ id }, close) => {
        close();
        addToDraft(this.#client, id, text);
        this.#navigate(`/chats/${encodeURIComponent(id)}`);
      },
    });
  }
}

/**
 * @param {object} client
 * @param {{navigate: (address: string) => void, tell: (text: string) => void}} app
 */
export async function newsPages(client, app) {
  // Texts are drawn as a chat draws them.
  await loadStyles('chat', 'page', 'news', 'things');
  return new NewsPages(client, app);
}
