/** The door: whoever signs in next must see nothing of the session that is over. */
import { forgetShown } from './kept.js';
import { BrowserStorage } from './storage.js';

/**
 * Forgets what was shown, where no page of that session runs any more, and takes the number off the app's icon.
 * @param {typeof globalThis} window
 */
export async function cleanDoorstep(window) {
  window.navigator.clearAppBadge?.().catch(() => {});
  await forgetShown(new BrowserStorage(window.indexedDB));
}
