/** Invites a newcomer to what makes them at home. Fetched after the page is interactive, unless that is done. */
import { WelcomeViewModel } from '../viewmodels/welcomeViewModel.js';

/** @param {ReturnType<import('../services/client.js').createClient>} client */
export async function welcome(client) {
  const { githubSignIn } = /** @type {HTMLElement} */ (document.querySelector('meta[name="hubbub"]')).dataset;
  const model = new WelcomeViewModel({
    ...client, offersGitHub: githubSignIn === 'yes',
    mayNotify: () => globalThis.Notification?.permission === 'default' && isSecureContext,
  });
  const stop = model.subscribe(async ({ items }) => {
    if (items.length === 0) return;
    stop();
    const [{ showWelcome }, { loadStyles }] = await Promise.all([
      import('../views/welcomeCard.js'), import('../views/laterStyles.js'),
    ]);
    await loadStyles('welcome');
    showWelcome(model);
  });
  model.open();
}
