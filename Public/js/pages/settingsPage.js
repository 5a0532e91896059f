/** Composes the settings. `app.js` fetches it for their address. */
import { notificationServices } from './startNotifications.js';
import { setLimits } from '../models/limits.js';
import { Profile } from '../services/profile.js';
import { reloadAnew } from '../services/serviceWorker.js';
import { Upload } from '../services/upload.js';
import { Groups } from '../services/groupApi.js';
import { InvitationsViewModel } from '../viewmodels/groups/invitationsViewModel.js';
import { PictureViewModel } from '../viewmodels/pictureViewModel.js';
import { OfflineViewModel } from '../viewmodels/offlineViewModel.js';
import { EmailViewModel } from '../viewmodels/profile/emailViewModel.js';
import { GitHubViewModel } from '../viewmodels/profile/gitHubViewModel.js';
import { LanguageViewModel } from '../viewmodels/profile/languageViewModel.js';
import { PasswordViewModel } from '../viewmodels/profile/passwordViewModel.js';
import { PrivacyViewModel } from '../viewmodels/profile/privacyViewModel.js';
import { SessionsViewModel } from '../viewmodels/profile/sessionsViewModel.js';
import { QuotaViewModel } from '../viewmodels/quotaViewModel.js';
import { SettingsViewModel } from '../viewmodels/settingsViewModel.js';
import { Shortcuts } from '../viewmodels/shortcutKeys.js';
import { NotificationsViewModel } from '../viewmodels/profile/notificationsViewModel.js';
import { loadStyles } from '../views/laterStyles.js';
import { readPicture } from '../views/pictureFile.js';
import { SettingsView } from '../views/settingsView.js';

/** The page that is open: another section of it is no other page. @type {SettingsView|null} */
let shown = null;

/**
 * @param {ReturnType<import('../services/client.js').createClient>} client
 * @param {{wear: (theme: string) => void, registration: string, gitHubSignIn: string, languages: string}} page
 * @returns {Promise<import('../views/shell.js').PaneView>}
 */
export async function makeSettings(client, { wear, registration, gitHubSignIn, languages }) {
  // How sections were addressed before: links to them may have been kept.
  const old = new URLSearchParams(location.search).get('section');
  if (old) history.replaceState(history.state, '', `/settings/${encodeURIComponent(old)}`);
  if (shown?.isEnded === false) return shown;
  setLimits(client.limits);
  await loadStyles('page', 'forms', 'pictures', 'choices', 'sections', 'quota', 'notifications',
    'settingsList');
  const { api, store, clock } = client;
  const upload = new Upload({ makeRequest: () => new XMLHttpRequest(), api });
  const services = { profile: new Profile(api, upload), groups: new Groups(api, upload), store, clock };
  // The result of a GitHub sign-in shows once, not again on reload.
  const failure = new URLSearchParams(location.search).get('github');
  if (failure !== null) history.replaceState(history.state, '', location.pathname);
  const took = ({ body }) => body && store.setMe({ ...store.me, ...body });
  const { notifications, push, sounds } = notificationServices(client);
  const settings = new SettingsViewModel({
    ...client,
    async signOut() {
      await client.signOut();
      await notifications.close(() => true);
    },
  });
  settings.subscribe(({ theme }) => wear(theme));
  const password = new PasswordViewModel(services);
  const sessions = new SessionsViewModel(services);
  password.onChanged = () => sessions.open();
  // The server decides who may invite; without invitations nothing is offered.
  const invites = registration === 'open' || (registration === 'invite' && (await meOf(store)).admin);
  const models = {
    settings,
    password,
    sessions,
    picture: new PictureViewModel({
      read: readPicture,
      store: async (picture, options) => took(await services.profile.putPicture(picture, options)),
      remove: async () => took(await services.profile.removePicture()),
    }),
    email: new EmailViewModel(services),
    gitHub: new GitHubViewModel(
      { ...services, go: (address) => location.assign(address) }, { offered: gitHubSignIn === 'yes', failure }),
    privacy: new PrivacyViewModel(services),
    offline: new OfflineViewModel({ ...client, keepAnew: () => client.mirror?.soon() }),
    language: new LanguageViewModel({ ...services, reload: () => reloadAnew(globalThis) }, languages),
    shortcuts: new Shortcuts(client.preferences),
    notifications: new NotificationsViewModel(
      { ...services, notifications, push, sounds, preferences: client.preferences }),
    quota: new QuotaViewModel({ api, clock }),
    invitations: invites ? new InvitationsViewModel(null, { ...services, origin: location.origin }) : null,
  };
  return (shown = new SettingsView(models, () => location.replace('/sign-in')));
}

/** The signed-in user, who is loaded a moment after a cold start. @returns {Promise<object>} */
function meOf(store) {
  return new Promise((resolve) => {
    if (store.me) return resolve(store.me);
    const end = store.subscribe(() => {
      if (!store.me) return;
      end();
      resolve(store.me);
    });
  });
}
