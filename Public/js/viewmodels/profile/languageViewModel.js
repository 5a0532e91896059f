import { Observable } from '../../models/observableArray.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { problemText } from '../../models/texts.js';

/** The setting of who leaves the choice to the browser. */
const SYSTEM = 'system';

/** The language that this account reads in (H4). The page comes anew in it, since each language is a page of its own. */
export class LanguageViewModel {
  #services;
  #state;
  #end;

  /**
   * @param {object} services `profile`, `store`, `reload()`
   * @param {string} offered `en=English,de=Deutsch`: what the page says that there is
   */
  constructor(services, offered) {
    this.#services = services;
    const languages = offered.split(',').filter(Boolean).map((part) => part.split('=')).map(([tag, name]) => ({ tag, name }));
    this.#state = new Observable({
      choices: Object.freeze([{ tag: SYSTEM, name: settingsTexts.language.system }, ...languages]),
      chosen: SYSTEM, known: false, busy: false, error: null,
    });
    this.#end = services.store.subscribe(({ type }) => type === 'me' && this.#show());
    this.#show();
  }

  /** @returns {{choices: readonly {tag: string, name: string}[], chosen: string, known: boolean, busy: boolean, error: string|null}} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#end();
  }

  /** @param {string} tag `system`, or one of the choices' @returns {Promise<boolean>} never rejects */
  async choose(tag) {
    const { profile, store, reload } = this.#services;
    if (this.state.busy || tag === this.state.chosen) return false;
    this.#state.update({ chosen: tag, busy: true, error: null });
    try {
      const { body } = await profile.changeSettings({ language: tag });
      if (body) store.setMe({ ...store.me, ...body });
      reload();
      return true;
    } catch (error) {
      this.#state.update({ error: `${settingsTexts.language.failed} ${problemText(error)}` });
      return false;
    } finally {
      this.#state.update({ busy: false });
      this.#show();
    }
  }

  #show() {
    const { me } = this.#services.store;
    if (this.state.busy) return;
    this.#state.update({ known: me !== null, chosen: me?.settings?.language ?? SYSTEM });
  }
}
