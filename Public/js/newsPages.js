/** Composition of News and the pages of GitHub's things. Fetched when one of their addresses is first gone to. */
import { apiPathOf, personOf, shareText, thingOf } from './models/thing.js';
import { newsTexts } from './models/texts/news.js';
import { Fetched } from './viewmodels/fetched.js';
import { NewsViewModel } from './viewmodels/newsViewModel.js';
import { personPage } from './views/github/personPage.js';
import { thingPage } from './views/github/thingPage.js';
import { loadStyles } from './views/laterStyles.js';
import { NewsView } from './views/news.js';
import { notFound } from './views/shell.js';

/** The pages; the feed is kept, with its place, while others are looked at. */
class NewsPages {
  #client;
  #navigate;
  #feed = null;

  constructor(client, navigate) {
    this.#client = client;
    this.#navigate = navigate;
  }

  /**
   * @param {{thing?: string[], login?: string}} route neither: the feed
   * @returns {import('./views/shell.js').PaneView & {shown?: () => void}}
   */
  view({ thing, login }) {
    const { clock, store } = this.#client;
    const share = (shared) => this.#share(shareText(shared));
    if (login !== undefined) {
      const make = (body) => personOf(body, store.me?.login ?? null);
      return personPage(new Fetched(this.#client, `/github/users/${encodeURIComponent(login)}`, make), {
        share, write: (name) => this.#write(name),
      });
    }
    if (thing !== undefined) {
      const path = apiPathOf(thing);
      if (path === null) return notFound();
      return thingPage(new Fetched(this.#client, path, (body) => thingOf(body, clock.now())), share);
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
      loadStyles('chat'),
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
 * @param {(address: string) => void} navigate
 */
export async function newsPages(client, navigate) {
  await loadStyles('news');
  return new NewsPages(client, navigate);
}
