import { Observable } from '../../models/observableArray.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { problemText } from '../../models/format.js';

/** The setting that follows the browser's language. */
const SYSTEM = 'system';

/** The account's language. Changing it reloads the page, since each language has its own page. */
export class LanguageViewModel extends Observable {
  #services;

  /**
   * @param {object} services `profile`, `store`, `reload()`
   * @param {string} offered `en=English,de=Deutsch`, from the page
   */
  constructor(services, offered) {
    const languages = offered.split(',').filter(Boolean).map((part) => part.split('='))
      .map(([tag, name]) => ({ tag, name }));
    super({
      choices: Object.freeze([{ tag: SYSTEM, name: settingsTexts.themes.system }, ...languages]),
      chosen: SYSTEM, known: false, busy: false, error: null,
    });
    this.#services = services;
    this.onClose(services.store.subscribe(({ type }) => type === 'me' && this.#show()));
    this.#show();
  }

  /** @param {string} tag `system`, or one of the choices' @returns {Promise<boolean>} never rejects */
  async choose(tag) {
    const { profile, store, reload } = this.#services;
    if (this.state.busy || tag === this.state.chosen) return false;
    this.update({ chosen: tag, busy: true, error: null });
    try {
      const { body } = await profile.changeSettings({ language: tag });
      if (body) store.setMe({ ...store.me, ...body });
      reload();
      return true;
    } catch (error) {
      this.update({ error: `${settingsTexts.language.failed} ${problemText(error)}` });
      return false;
    } finally {
      this.update({ busy: false });
      this.#show();
    }
  }

  #show() {
    const { me } = this.#services.store;
    if (this.state.busy) return;
    this.update({ known: me !== null, chosen: me?.settings?.language ?? SYSTEM });
  }
}
