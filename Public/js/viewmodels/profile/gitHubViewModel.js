import { Observable } from '../../models/observableArray.js';
import { gitHubFailure } from '../../models/gitHubFailure.js';
import { gitHubTexts as words } from '../../models/texts/gitHub.js';
import { serverTexts } from '../../models/texts/server.js';
import { problemText } from '../../models/texts.js';

/** The GitHub account that is linked to one's own: which it is, linking and unlinking (A6). */
export class GitHubViewModel {
  #services;
  #end;
  #state;

  /**
   * @param {object} services `profile`, `store`, `go(address)` leads the browser elsewhere
   * @param {object} [page]
   * @param {boolean} [page.offered] signing in with GitHub is set up
   * @param {string|null} [page.failure] the name of what went wrong on the way back from GitHub
   */
  constructor(services, { offered = false, failure = null } = {}) {
    this.#services = services;
    this.#state = new Observable({
      known: false, shown: false, linked: false, login: '', me: null, mayLink: false, mayUnlink: false, hint: '',
      busy: false, note: '', error: gitHubFailure(failure) || null,
    });
    this.#end = services.store.subscribe((change) => {
      if (change.type === 'me' || (change.type === 'user' && change.userId === services.store.me?.id)) {
        this.#takeOver(offered);
      }
    });
    this.#takeOver(offered);
  }

  /**
   * `shown`: there is anything to say; `hint`: a sentence below; `me`: one's own face; `note` and `error`: what became of
   * the last action.
   */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#end();
  }

  /** Leads the browser to GitHub. @returns {Promise<boolean>} never rejects */
  async link() {
    if (this.state.busy) return false;
    this.#state.update({ busy: true, error: null, note: '' });
    try {
      const { body } = await this.#services.profile.linkGitHub('/settings');
      // It stays busy: the page is left.
      this.#services.go(body.url);
      return true;
    } catch (error) {
      this.#state.update({ busy: false, error: serverTexts.said(error.detail) || problemText(error) });
      return false;
    }
  }

  /** @returns {Promise<boolean>} never rejects */
  async unlink() {
    if (this.state.busy) return false;
    this.#state.update({ busy: true, error: null, note: '' });
    try {
      const { body } = await this.#services.profile.unlinkGitHub();
      this.#services.store.setMe({ ...this.#services.store.me, login: undefined, github_id: undefined, ...body });
      this.#state.update({ busy: false, note: words.unlinked });
      return true;
    } catch (error) {
      this.#state.update({ busy: false, error: error.kind === 'conflict' ? words.onlyWay : problemText(error) });
      return false;
    }
  }

  #takeOver(offered) {
    const { me } = this.#services.store;
    if (!me) return;
    const linked = Boolean(me.login);
    const mayUnlink = linked && Boolean(me.email) && me.has_password !== false;
    const hint = linked
      ? mayUnlink ? words.linkedHint : words.onlyWay
      : offered ? words.hint : words.notSetUp;
    this.#state.update({
      known: true, linked, login: me.login ?? '', me: this.#services.store.person(me), mayLink: !linked && offered,
      // Who cannot do anything about it is not told that something is missing.
      mayUnlink, hint, shown: linked || offered || Boolean(me.admin),
    });
  }
}
