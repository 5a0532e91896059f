import { lastSeenText } from '../models/days.js';
import { problemText } from '../models/format.js';
import { handleOf } from '../models/mentions.js';
import { Observable } from '../models/observableArray.js';
import { sharedTexts } from '../models/texts/shared.js';
import { openDirect } from './openDirect.js';

/**
 * Who a mention names: the person whose handle it is now, else the only one of those mentioned whose handle is no word
 * of the text.
 * @param {string} word of the text, with its `@`
 * @param {{text: string, mentions?: string[]}} message
 * @param {import('../models/chatStore.js').ChatStore} store
 * @returns {{id: string}|null} null where nobody can tell
 */
export function whoIsNamed(word, { text, mentions = [] }, store) {
  const people = mentions.map((id) => (id === store.me?.id ? store.me : store.user(id)) ?? { id });
  const handle = (user) => handleOf(user).toLowerCase();
  const named = people.find((user) => handle(user) === word.slice(1).toLowerCase());
  if (named) return named;
  const words = text.toLowerCase();
  const others = people.filter((user) => handle(user) === '' || !words.includes(`@${handle(user)}`));
  return others.length === 1 ? others[0] : null;
}

/**
 * A GitHub account as the API tells it, of somebody who may not be on this instance.
 * @typedef {{login: string, name?: string, github_id: number, avatar_url: string, type?: string, bio?: string|null,
 *   location?: string|null}} Account
 *
 * A person on a card: what this browser knows at once, then what the server and GitHub say.
 * @typedef {object} PersonCardState
 * @property {import('./types.js').Person & {online: boolean}} face
 * @property {string} login '' without a GitHub account
 * @property {string} handle what follows an `@`; '' until it is known
 * @property {string} seen 'online', 'last seen …', or ''
 * @property {string} bio @property {string} location
 * @property {boolean} me
 * @property {boolean} canWrite not to organisations and bots
 * @property {boolean} busy their chat is being opened
 * @property {string} problem why it could not be, or ''
 */

/** @extends {Observable<PersonCardState>} */
export class PersonCardViewModel extends Observable {
  #services;
  #id;
  /** @type {Account|null} */
  #account;

  /**
   * @param {object} services `api`, `store`, `clock`
   * @param {{id?: string, account?: Account, face?: import('./types.js').Person}} user by their id here, or an
   *   account of nobody here
   */
  constructor(services, user) {
    const { id = '', account = null, face } = user;
    super({
      face: account ? face : { ...services.store.person(user), online: false },
      login: account?.login ?? '', handle: '', seen: '', bio: account?.bio ?? '', location: account?.location ?? '',
      me: !account && id === services.store.me?.id,
      canWrite: !account || account.type === 'User', busy: false, problem: '',
    });
    this.#services = services;
    this.#id = id;
    this.#account = account;
    if (account) return;
    this.onClose(services.store.subscribe(({ type, userId }) => {
      if (type === 'me' || (type === 'user' && userId === this.#id)) this.#show();
    }));
    this.#show({ ...user, id });
  }

  /** Asks for what is not known here. Without an answer the card shows what it has. */
  async open() {
    if (this.#account) return;
    const { api, store } = this.#services;
    const asked = this.state.login;
    const about = asked && this.#askGitHub(asked);
    try {
      const { body } = await api.request('GET', `/users/${encodeURIComponent(this.#id)}`);
      store.meet(body);
      this.#show();
    } catch {
      // Offline, or nobody may see more of them.
    }
    await about;
    if (this.state.login !== asked) await this.#askGitHub(this.state.login);
  }

  /** Opens the chat with them. @returns {Promise<string|null>} its room; null where that failed */
  async write() {
    if (this.state.busy) return null;
    this.update({ busy: true, problem: '' });
    try {
      const { login, github_id: githubId } = this.#account ?? {};
      return await openDirect(this.#services, this.#account ? { login, githubId } : { userId: this.#id });
    } catch (error) {
      this.update({ problem: problemText(error) });
      return null;
    } finally {
      this.update({ busy: false });
    }
  }

  async #askGitHub(login) {
    try {
      const { body } = await this.#services.api.directory(`/github/users/${encodeURIComponent(login)}`);
      this.update({ bio: body.bio ?? '', location: body.location ?? '' });
    } catch {
      // GitHub says nothing now.
    }
  }

  #show(given = { id: this.#id }) {
    if (this.isClosed) return;
    const { store, clock } = this.#services;
    const user = (this.state.me ? store.me : store.user(this.#id)) ?? given;
    const seenAt = user.last_seen_at ? lastSeenText(Date.parse(user.last_seen_at), clock.now()) : '';
    this.update({
      face: { ...store.person(user), online: Boolean(user.online) },
      login: user.login ?? '',
      handle: handleOf(user),
      seen: user.online ? sharedTexts.online : seenAt,
    });
  }
}
