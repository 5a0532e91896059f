/** The settings, put together. `app.js` fetches this when they are gone to. */
import { notificationServices } from './notifications.js';
import { Profile } from './services/profile.js';
import { reloadAnew } from './services/serviceWorker.js';
import { Upload } from './services/upload.js';
import { Groups } from './services/groups.js';
import { InvitationsViewModel } from './viewmodels/groups/invitationsViewModel.js';
import { PictureViewModel } from './viewmodels/pictureViewModel.js';
import { OfflineViewModel } from './viewmodels/offlineViewModel.js';
import { EmailViewModel } from './viewmodels/profile/emailViewModel.js';
import { GitHubViewModel } from './viewmodels/profile/gitHubViewModel.js';
import { LanguageViewModel } from './viewmodels/profile/languageViewModel.js';
import { PasswordViewModel } from './viewmodels/profile/passwordViewModel.js';
import { PrivacyViewModel } from './viewmodels/profile/privacyViewModel.js';
import { SessionsViewModel } from './viewmodels/profile/sessionsViewModel.js';
import { QuotaViewModel } from './viewmodels/quotaViewModel.js';
import { SettingsViewModel } from './viewmodels/settingsViewModel.js';
import { Shortcuts } from './viewmodels/shortcuts.js';
import { NotificationsViewModel } from './viewmodels/profile/notificationsViewModel.js';
import { loadStyles } from './views/laterStyles.js';
import { readPicture } from './views/pictureFile.js';
import { SettingsView } from './views/settings.js';

/**
 * @param {ReturnType<import('./services/client.js').createClient>} client
 * @param {{wear: (theme: string) => void, registration: string, gitHubSignIn: string, languages: string}} page
 * @returns {Promise<import('./views/shell.js').PaneView>}
 */
export async function makeSettings(client, { wear, registration, gitHubSignIn, languages }) {
  await loadStyles('forms', 'pictures', 'choices', 'sections', 'quota', 'notifications');
  const { api, store, clock } = client;
  const upload = new Upload({ makeRequest: () => new XMLHttpRequest(), api });
  const services = { profile: new Profile(api, upload), groups: new Groups(api, upload), store, clock };
  // What became of a way to GitHub is told once, and does not come back with the page.
  const failure = new URLSearchParams(location.search).get('github');
  if (failure !== null) history.replaceState(history.state, '', '/settings');
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
  // Who may invite is the server's to say; where nobody is invited, nothing is offered.
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
    notifications: new NotificationsViewModel({ ...services, notifications, push, sounds, preferences: client.preferences }),
    quota: new QuotaViewModel({ api, clock }),
    invitations: invites ? new InvitationsViewModel(null, { ...services, origin: location.origin }) : null,
  };
  return new SettingsView(models, () => location.replace('/sign-in'));
}

/** Who is signed in: on a cold start that is known a moment later. @returns {Promise<object>} */
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
