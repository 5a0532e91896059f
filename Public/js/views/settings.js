/** Settings: one's profile, address and password, privacy, sessions, the appearance, signing out (A4, A5, S6). */
import { texts } from '../models/texts.js';
import { groupTexts } from '../models/texts/groups.js';
import { settingsTexts } from '../models/texts/settings.js';
import { Scope, element, setAttribute, setText } from './dom.js';
import { FieldView } from './fieldView.js';
import { InvitationsView } from './groups/invitations.js';
import { icon } from './icons.js';
import { NotificationsSection } from './profile/notifications.js';
import { PictureField } from './pictureField.js';
import { AccountForm } from './profile/accountForm.js';
import { GitHubSection } from './profile/gitHub.js';
import { OfflineSection } from './profile/offline.js';
import { QuotaView } from './quota.js';
import { LanguageSection } from './profile/language.js';
import { KeyboardSection } from './profile/keyboard.js';
import { SessionsView } from './profile/sessions.js';
import { SwitchField } from './switchField.js';

const { settings, session, views } = texts;
const { email: emailWords, password: passwordWords, privacy: privacyWords } = settingsTexts;

/**
 * @typedef {object} SettingsModels
 * @property {import('../viewmodels/settingsViewModel.js').SettingsViewModel} settings names, theme, signing out
 * @property {import('../viewmodels/pictureViewModel.js').PictureViewModel} picture
 * @property {import('../viewmodels/profile/emailViewModel.js').EmailViewModel} email
 * @property {import('../viewmodels/profile/passwordViewModel.js').PasswordViewModel} password
 * @property {import('../viewmodels/profile/gitHubViewModel.js').GitHubViewModel} gitHub
 * @property {import('../viewmodels/profile/privacyViewModel.js').PrivacyViewModel} privacy
 * @property {import('../viewmodels/profile/notificationsViewModel.js').NotificationsViewModel} notifications
 * @property {import('../viewmodels/profile/sessionsViewModel.js').SessionsViewModel} sessions
 * @property {import('../viewmodels/offlineViewModel.js').OfflineViewModel} offline
 * @property {import('../viewmodels/profile/languageViewModel.js').LanguageViewModel} language
 * @property {import('../viewmodels/shortcuts.js').Shortcuts} shortcuts
 * @property {import('../viewmodels/quotaViewModel.js').QuotaViewModel} quota
 * @property {import('../viewmodels/groups/invitationsViewModel.js').InvitationsViewModel|null} invitations
 *   null where nobody is invited to this instance by this person
 */

export class SettingsView {
  #models;
  #scope = new Scope();
  #parts;
  #picture;
  #name = element('p', { class: 'name', dir: 'auto' });
  #email = element('p', { class: 'login' });
  #address = element('p', { class: 'address' });
  #passwordHint = element('p', { class: 'field-hint' }, passwordWords.hint);
  #first = new FieldView({ name: 'first_name', label: session.firstName, attributes: { autocomplete: 'given-name' } });
  #last = new FieldView({ name: 'last_name', label: session.lastName, attributes: { autocomplete: 'family-name' } });
  #formError = element('p', { class: 'form-error', role: 'alert' });
  #save = element('button', { class: 'button primary' }, settings.save);
  #saved = element('span', { class: 'saved', role: 'status' });
  #themes = new Map();
  #account;
  #heading = element('h1', { tabindex: '-1' }, settings.label);
  bar = element('header', { class: 'page-head' }, this.#heading);
  node;

  /**
   * @param {SettingsModels} models
   * @param {() => void} signedOut called when the session has ended
   */
  constructor(models, signedOut) {
    this.#models = models;
    this.#picture = new PictureField(models.picture, this.#name, this.#email);
    this.#account = [new GitHubSection(models.gitHub), this.#emailForm(), this.#passwordForm()];
    const sessions = new SessionsView(models.sessions);
    const invitations = models.invitations && new InvitationsView(models.invitations, {
      heading: groupTexts.invitations.instanceHeading, hint: groupTexts.invitations.instanceHint,
    });
    const quota = new QuotaView(models.quota);
    const offline = new OfflineSection(models.offline);
    const language = new LanguageSection(models.language);
    const notifications = new NotificationsSection(models.notifications);
    this.#parts = [
      ...this.#account, notifications, sessions, offline, quota, language, ...(invitations ? [invitations] : []),
    ];
    const column = element(
      'div',
      { class: 'column' },
      this.bar,
      this.#profile(),
      ...this.#account.map(({ node }) => node),
      notifications.node,
      this.#privacy(),
      sessions.node,
      invitations?.node,
      this.#appearance(),
      language.node,
      new KeyboardSection(models.shortcuts).node,
      offline.node,
      quota.node,
      this.#leaving(signedOut),
    );
    this.node = element('div', { class: 'page scroller settings-page' }, column);
    this.#scope.bind(models.settings, (state) => this.#show(state));
    models.sessions.open();
  }

  focus() {
    this.#heading.focus({ preventScroll: true });
  }

  end() {
    this.#scope.end();
    this.#picture.end();
    for (const part of this.#parts) part.end();
    const { settings: own, picture, privacy, email, password, gitHub, language } = this.#models;
    for (const model of [own, picture, privacy, email, password, gitHub, language]) model.close();
  }

  #profile() {
    const model = this.#models.settings;
    const form = element(
      'form',
      { class: 'section', novalidate: true },
      element('h2', {}, views.profile),
      this.#picture.node,
      element('div', { class: 'pair' }, this.#first.node, this.#last.node),
      element('p', { class: 'field-hint' }, views.profileHint),
      element('div', { class: 'actions' }, this.#save, this.#saved),
    );
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (!(await model.save())) queueMicrotask(() => form.querySelector('[aria-invalid="true"]')?.focus());
    });
    for (const { input } of [this.#first, this.#last]) {
      input.addEventListener('input', () => model.set(input.name, input.value));
    }
    return form;
  }

  #emailForm() {
    return new AccountForm(this.#models.email, {
      words: emailWords,
      before: this.#address,
      fields: [
        {
          member: 'email', name: 'new_email', label: emailWords.field,
          attributes: { type: 'email', autocomplete: 'email', spellcheck: 'false', required: true },
        },
        {
          member: 'password', name: 'email_password', label: emailWords.password,
          attributes: { type: 'password', autocomplete: 'current-password', required: true }, notFirst: true,
        },
      ],
    });
  }

  #passwordForm() {
    return new AccountForm(this.#models.password, {
      words: passwordWords,
      before: this.#passwordHint,
      fields: [
        {
          member: 'current', name: 'current_password', label: passwordWords.current,
          attributes: { type: 'password', autocomplete: 'current-password', required: true }, notFirst: true,
        },
        {
          member: 'new', name: 'new_password', label: passwordWords.next, hint: passwordWords.rule,
          attributes: { type: 'password', autocomplete: 'new-password', required: true },
        },
      ],
    });
  }

  #privacy() {
    const model = this.#models.privacy;
    const make = (id, name, label, hint) => new SwitchField({ id, label, hint, change: (on) => model.set(name, on) });
    const receipts = make('privacy-receipts', 'read_receipts', privacyWords.receipts, privacyWords.receiptsHint);
    const lastSeen = make('privacy-last-seen', 'last_seen', privacyWords.lastSeen, privacyWords.lastSeenHint);
    const error = element('p', { class: 'form-error', role: 'alert' });
    this.#scope.bind(model, (state) => {
      for (const { input } of [receipts, lastSeen]) input.disabled = !state.known;
      receipts.show(state.read_receipts);
      lastSeen.show(state.last_seen);
      setText(error, state.error ?? '');
    });
    return element('section', { class: 'section' }, element('h2', {}, privacyWords.heading), receipts.node,
      lastSeen.node, error);
  }

  #appearance() {
    const choices = element('div', { class: 'choices', role: 'radiogroup', 'aria-labelledby': 'theme-heading' });
    for (const theme of ['system', 'light', 'dark']) {
      const input = /** @type {HTMLInputElement} */ (element('input', { type: 'radio', name: 'theme', value: theme }));
      input.addEventListener('change', () => this.#models.settings.setTheme(theme));
      this.#themes.set(theme, input);
      choices.append(element('label', {}, input, icon(theme), settings.themes[theme]));
    }
    return element('section', { class: 'section' }, element('h2', { id: 'theme-heading' }, settings.theme), choices);
  }

  #leaving(signedOut) {
    const signOut = element('button', { type: 'button', class: 'button' }, icon('out'), settings.signOut);
    signOut.addEventListener('click', async () => {
      if (await this.#models.settings.signOut()) signedOut();
    });
    return element(
      'section',
      { class: 'section' },
      element('h2', {}, views.thisDevice),
      element('p', { class: 'field-hint' }, views.signOutHint),
      element('div', { class: 'actions' }, signOut, this.#formError),
    );
  }

  /** @param {import('../viewmodels/types.js').SettingsState} state */
  #show(state) {
    if (state.me) this.#picture.show(state.me);
    setText(this.#name, state.me?.name ?? '');
    setText(this.#email, state.email);
    // Who came by GitHub has neither an address nor a password here at first.
    if (state.me) setText(this.#address, state.email || emailWords.none);
    setText(this.#passwordHint, state.hasPassword ? passwordWords.hint : passwordWords.none);
    this.#first.show(state.values.first_name, state.fieldErrors.first_name);
    this.#last.show(state.values.last_name, state.fieldErrors.last_name);
    setText(this.#formError, state.formError ?? '');
    setAttribute(this.#save, 'aria-disabled', String(!state.changed || state.busy));
    setText(this.#saved, state.saved ? settings.saved : '');
    for (const [theme, input] of this.#themes) input.checked = theme === state.theme;
  }
}
