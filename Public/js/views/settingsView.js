/** The settings: profile, email and password, privacy, sessions, appearance, signing out. */
import { limits } from '../models/limits.js';
import { accountTexts as words } from '../models/texts/account.js';
import { texts } from '../models/texts.js';
import { sharedTexts } from '../models/texts/shared.js';
import { groupTexts } from '../models/texts/groups.js';
import { settingsTexts } from '../models/texts/settings.js';
import { Scope, element, setAttribute, setText } from './dom.js';
import { FieldView } from './fieldView.js';
import { actions, formError, hint, radioChoices, savedNote, section, submitButton } from './formParts.js';
import { InvitationsView } from './groups/invitations.js';
import { button, icon, pageHeading } from './parts.js';
import { NotificationsSection } from './profile/notificationsSection.js';
import { PictureField } from './pictureField.js';
import { AccountForm } from './profile/accountForm.js';
import { GitHubSection } from './profile/gitHubSection.js';
import { OfflineSection } from './profile/offlineSection.js';
import { QuotaView } from './quotaView.js';
import { LanguageSection } from './profile/language.js';
import { KeyboardSection } from './profile/keyboardSection.js';
import { SessionsView } from './profile/sessions.js';
import { SettingsList } from './settingsList.js';
import { SwitchField } from './switchField.js';

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
 * @property {import('../viewmodels/shortcutKeys.js').Shortcuts} shortcuts
 * @property {import('../viewmodels/quotaViewModel.js').QuotaViewModel} quota
 * @property {import('../viewmodels/groups/invitationsViewModel.js').InvitationsViewModel|null} invitations
 *   null if this person may not invite
 */

export class SettingsView {
  #models;
  #scope = new Scope();
  #parts;
  #picture;
  #name = element('p', { class: 'name', dir: 'auto' });
  #email = element('p', { class: 'login' });
  #address = element('p', { class: 'address' });
  #passwordHint = hint(passwordWords.hint);
  #first = new FieldView({ name: 'first_name', label: words.firstName, attributes: { autocomplete: 'given-name' } });
  #last = new FieldView({ name: 'last_name', label: words.lastName, attributes: { autocomplete: 'family-name' } });
  #handle = new FieldView({
    name: 'handle', label: settingsTexts.handle, hint: settingsTexts.handleHint,
    attributes: { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' },
  });
  #formError = formError();
  #save = submitButton(sharedTexts.save);
  #saved = savedNote('span');
  #themes = radioChoices({
    name: 'theme', look: 'choices', change: (theme) => this.#models.settings.setTheme(theme),
    options: /** @type {const} */ (['system', 'light', 'dark'])
      .map((theme) => [theme, icon(theme), settingsTexts.themes[theme]]),
  });
  #account;
  #list;
  /** Whether the page was left: another one is made for the next time. */
  isEnded = false;
  #heading = pageHeading(settingsTexts.label);
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
    const part = (...nodes) => element('div', { class: 'settings-part' }, ...nodes);
    /** @type {[name: string, sign: string, node: HTMLElement][]} */
    const sections = [
      ['profile', 'people', part(this.#profile())],
      ['account', 'lock', part(...this.#account.map(({ node }) => node))],
      ['notifications', 'unmute', part(notifications.node)],
      ['privacy', 'shield', part(this.#privacy())],
      ['sessions', 'laptop', part(sessions.node, invitations?.node)],
      ['appearance', 'light',
        part(this.#appearance(), language.node, new KeyboardSection(models.shortcuts).node)],
      ['device', 'phone', part(offline.node, quota.node, this.#leaving(signedOut))],
    ];
    const column = element('div', { class: 'column' }, ...sections.map(([, , node]) => node));
    this.node = element('div', { class: 'page scroller settings-page' }, this.bar);
    this.#list = new SettingsList(this.node, sections);
    this.node.append(this.#list.node, column);
    this.#scope.bind(models.settings, (state) => this.#show(state));
    this.#scope.bind(models.picture, () => this.#show(models.settings.state));
    models.sessions.open();
  }

  /** What the page is about: the section that its address names, if any. */
  get title() {
    return this.#list.title;
  }

  focus() {
    if (!this.#list.go()) this.#heading.focus({ preventScroll: true });
  }

  end() {
    this.isEnded = true;
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
      element('h2', {}, texts.views.profile),
      this.#picture.node,
      element('div', { class: 'pair' }, this.#first.node, this.#last.node),
      hint(settingsTexts.profileHint),
      this.#handle.node,
      actions(this.#save, this.#saved),
    );
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const isChosen = this.#hasChoice;
      // A picture that was chosen and not used yet is saved with the names.
      if (isChosen) this.#models.picture.use();
      if (isChosen && !model.state.changed) return;
      if (!(await model.save())) queueMicrotask(() => form.querySelector('[aria-invalid="true"]')?.focus());
    });
    for (const { input } of [this.#first, this.#last, this.#handle]) {
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
          member: 'new', name: 'new_password', label: passwordWords.next,
          hint: `${words.atLeast(limits.short_password)} ${passwordWords.rule}`,
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
    const { addedBy, addedByNames, addedByHints } = privacyWords;
    const choices = radioChoices({
      name: 'added-by', options: Object.entries(addedByNames),
      change: (value) => model.set('added_by', /** @type {'everybody'|'known'|'nobody'} */ (value)),
    });
    const chosen = hint('', { id: 'added-by-hint' });
    const group = element('fieldset', { class: 'level', 'aria-describedby': 'added-by-hint' },
      element('legend', {}, addedBy), choices.node, chosen);
    const error = formError();
    this.#scope.bind(model, (state) => {
      for (const { input } of [receipts, lastSeen]) input.disabled = !state.known;
      group.disabled = !state.known;
      receipts.show(state.read_receipts);
      lastSeen.show(state.last_seen);
      choices.show(state.added_by);
      setText(chosen, addedByHints[state.added_by] ?? '');
      setText(error, state.error ?? '');
    });
    return section(privacyWords.heading, receipts.node, lastSeen.node, group, error);
  }

  #appearance() {
    const { node } = this.#themes;
    setAttribute(node, 'role', 'radiogroup');
    setAttribute(node, 'aria-labelledby', 'theme-heading');
    return section(element('h2', { id: 'theme-heading' }, settingsTexts.theme), node);
  }

  #leaving(signedOut) {
    const signOut = button([icon('out'), settingsTexts.signOut], async () => {
      if (await this.#models.settings.signOut()) signedOut();
    });
    return section(settingsTexts.thisDevice, hint(settingsTexts.signOutHint), actions(signOut, this.#formError));
  }

  get #hasChoice() { return this.#models.picture.state.stage === 'chosen'; }

  /** @param {import('../viewmodels/types.js').SettingsState} state */
  #show(state) {
    if (state.me) this.#picture.show(state.me);
    setText(this.#name, state.me?.name ?? '');
    setText(this.#email, state.email);
    // An account created through GitHub has neither an address nor a password at first.
    if (state.me) setText(this.#address, state.email || emailWords.none);
    setText(this.#passwordHint, state.hasPassword ? passwordWords.hint : passwordWords.none);
    this.#first.show(state.values.first_name, state.fieldErrors.first_name);
    this.#last.show(state.values.last_name, state.fieldErrors.last_name);
    this.#handle.show(state.values.handle, state.fieldErrors.handle);
    setText(this.#formError, state.formError ?? '');
    setAttribute(this.#save, 'aria-disabled', String((!state.changed && !this.#hasChoice) || state.busy));
    setText(this.#saved, state.saved ? sharedTexts.saved : '');
    this.#themes.show(state.theme);
  }
}
