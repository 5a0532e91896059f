/** Composition of News and the pages of GitHub's things. Fetched when one of their addresses is first gone to. */
import { apiPathOf, personOf, shareText, thingOf } from './models/thing.js';
import { newsTexts } from './models/texts/news.js';
import { texts } from './models/texts.js';
import { Fetched } from './viewmodels/fetched.js';
import { NewsViewModel } from './viewmodels/newsViewModel.js';
import { personPage } from './views/github/personPage.js';
import { thingPage } from './views/github/thingPage.js';
import { loadStyles } from './views/laterStyles.js';
import { NewsView } from './views/news.js';
import { notFound } from './views/shell.js';

/** What a thing is called before its title is there. @param {string[]} segments of its address */
const nameOf = ([owner, repo, folder, name]) => [`${owner}/${repo}`, folder === 'commits' ? name.slice(0, 7) : name].filter(Boolean)
  .join(folder === 'issues' || folder === 'pulls' ? ' #' : ' ');

/** The pages; the feed is kept, with its place, while others are looked at. */
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
   * @returns {import('./views/shell.js').PaneView & {shown?: () => void}}
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
      return thingPage(new Fetched(this.#client, path, (body) => thingOf(body, clock.now())), nameOf(thing), share);
    }
    this.#feed ??= new NewsView(new NewsViewModel(this.#client), ({ name, url }) => share({ title: name, url }));
    return this.#feed;
  }

  /** Opens the chat with somebody. @returns {Promise<string|null>} what went wrong */
  async #write(login) {
    const { api, store } = this.#client;
    try {
      const { body } = await api.openDirect(login);
      store.putRoom(body);
      this.#navigate(`/chats/${encodeURIComponent(body.id)}`);
      return null;
    } catch {
      return newsTexts.writing(login);
    }
  }

  /** Asks for a chat, and opens it with the text in its composer, ready to be sent. @param {string} text */
  async #share(text) {
    const [{ ChatChoice }, { openChatChooser }, { addToDraft }] = await Promise.all([
      import('./viewmodels/chatChoice.js'), import('./views/chat/chatChooser.js'), import('./conversation.js'),
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
  await loadStyles('news', 'things');
  return new NewsPages(client, app);
}
