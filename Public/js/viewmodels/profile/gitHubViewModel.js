import { problemText } from '../../models/format.js';
import { gitHubFailure } from '../../models/gitHubFailure.js';
import { Observable } from '../../models/observableArray.js';
import { accountTexts } from '../../models/texts/account.js';
import { gitHubTexts as words } from '../../models/texts/gitHub.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { serverTexts } from '../../models/texts/server.js';

/** Shows, links and unlinks the user's GitHub account. */
export class GitHubViewModel extends Observable {
  #services;

  /**
   * @param {object} services `profile`, `store`, `go(address)` leads the browser elsewhere
   * @param {{offered?: boolean, failure?: string|null}} page `offered`: GitHub sign-in is set up; `failure`: the error
   *   with which GitHub sent the browser back
   */
  constructor(services, { offered = false, failure = null } = {}) {
    super({
      known: false, shown: false, linked: false, login: '', me: null, mayLink: false, mayUnlink: false, hint: '',
      busy: false, note: '', error: gitHubFailure(failure) || null, asksPassword: false, passwordError: '',
    });
    this.#services = services;
    this.onClose(services.store.subscribe((change) => {
      if (change.type === 'me' || (change.type === 'user' && change.userId === services.store.me?.id)) {
        this.#takeOver(offered);
      }
    }));
    this.#takeOver(offered);
  }

  /** Leads the browser to GitHub. @param {string} [password] @returns {Promise<boolean>} never rejects */
  async link(password) {
    if (this.state.busy) return false;
    this.update({ busy: true, error: null, note: '', passwordError: '' });
    try {
      const { body } = await this.#services.profile.linkGitHub('/settings/account', password);
      // Stays busy while the page is left.
      this.#services.go(body.url);
      return true;
    } catch (error) {
      this.#refuse(error, serverTexts.said(error.detail) || problemText(error));
      return false;
    }
  }

  /** @param {string} [password] @returns {Promise<boolean>} never rejects */
  async unlink(password) {
    if (this.state.busy) return false;
    this.update({ busy: true, error: null, note: '', passwordError: '' });
    try {
      const { body } = await this.#services.profile.unlinkGitHub(password);
      this.#services.store.setMe({ ...this.#services.store.me, login: undefined, github_id: undefined, ...body });
      this.update({ busy: false, note: words.unlinked, asksPassword: false });
      return true;
    } catch (error) {
      this.#refuse(error, error.kind === 'conflict' ? words.onlyWay : problemText(error));
      return false;
    }
  }

  /** Asks an older session for the password, or to sign in again if there is none. */
  #refuse(error, text) {
    const refused = error.errors?.find(({ field }) => field === 'password');
    if (refused) {
      const passwordError = refused.code === 'wrong' ? settingsTexts.email.wrong : accountTexts.passwordMissing;
      this.update({ busy: false, asksPassword: true, passwordError });
    } else {
      this.update({ busy: false, error: error.kind === 'forbidden' ? words.recent : text });
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
    this.update({
      known: true, linked, login: me.login ?? '', me: this.#services.store.person(me), mayLink: !linked && offered,
      // People who cannot fix the set-up do not see that it is missing.
      mayUnlink, hint, shown: linked || offered || Boolean(me.admin),
    });
  }
}
