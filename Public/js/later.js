/** Composition of what nobody waits for: opening without a network, and notifications. Fetched after the page can be used. */
import { startNotifications } from './notifications.js';
import { startOffline } from './offline.js';

/**
 * @param {ReturnType<import('./services/client.js').createClient>} client
 * @param {{shell: import('./viewmodels/shellViewModel.js').ShellViewModel, navigate: (address: string) => void}} page
 */
export function startLater(client, page) {
  startOffline(client);
  startNotifications(client, page);
}
