/** Cleans up before the next sign-in, which must see nothing of the last session. */
import { forgetShown } from './kept.js';
import { BrowserStorage } from './storage.js';

/**
 * Deletes what was shown, unless a page of that session still runs, and clears the app's badge.
 * @param {typeof globalThis} window
 */
export async function cleanDoorstep(window) {
  window.navigator.clearAppBadge?.().catch(() => {});
  await forgetShown(new BrowserStorage(window.indexedDB));
}
