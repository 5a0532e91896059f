/**
 * Starts offline support and notifications. Fetched after the page is interactive.
 */
import { startNotifications } from './startNotifications.js';
import { startOffline } from './startOffline.js';
import { fetchAhead } from '../services/client.js';
import { loadStyles } from '../views/laterStyles.js';
import { bindListWidth } from '../views/listWidth.js';
// Loaded, with its sheet, in time to report that the network is gone.
import '../views/toasts.js';

/**
 * @param {ReturnType<import('../services/client.js').createClient>} client
 * @param {{shell: import('../viewmodels/shellViewModel.js').ShellViewModel, navigate: (address: string) => void}} page
 */
export function startLater(client, page) {
  loadStyles('toasts').catch(() => {});
  bindListWidth(client.preferences);
  startOffline(client);
  startNotifications(client, page);
  const isNew = client.preferences.get('welcome') !== 'done';
  if (isNew) import('./startWelcome.js').then(({ welcome }) => welcome(client)).catch(() => {});
  // Without a service worker, the browser's cache gets the other modules before the network is lost.
  const app = new URL('../app.js', import.meta.url).href;
  if (!navigator.serviceWorker) fetchAhead(globalThis, app, { isDeep: true }).catch(() => {});
}
