/**
 * Composition of what nobody waits for: opening without a network, and notifications. Fetched after the page can be used.
 */
import { startNotifications } from './notifications.js';
import { startOffline } from './offline.js';
import { fetchAhead } from './services/client.js';
// What says that the network is gone must not have to come by it.
import './views/toasts.js';

/**
 * @param {ReturnType<import('./services/client.js').createClient>} client
 * @param {{shell: import('./viewmodels/shellViewModel.js').ShellViewModel, navigate: (address: string) => void}} page
 */
export function startLater(client, page) {
  startOffline(client);
  startNotifications(client, page);
  // Where no worker keeps the app's files, the browser's own cache has what is not wanted yet before the network goes.
  if (!navigator.serviceWorker) fetchAhead(globalThis, new URL('app.js', import.meta.url).href, { isDeep: true }).catch(() => {});
}
