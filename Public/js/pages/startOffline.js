/**
 * Composes offline support. Fetched when the page is interactive and idle.
 */
import { keptCount } from '../models/keptMessages.js';
import { Keeping } from '../services/keeping.js';
import { Mirror } from '../services/mirror.js';
import { keepFiles } from '../services/serviceWorker.js';

/** @param {object} client what `createClient` gives; it gets its `mirror` */
export function startOffline(client) {
  const { sync, preferences } = client;
  const most = () => keptCount(preferences);
  const keeper = new Keeping({ ...client, most, settled: () => sync.settled });
  const mirror = new Mirror({ ...client, keeper, most });
  client.mirror = mirror;
  keeper.onForgotten = () => mirror.soon();
  sync.attach(keeper);
  mirror.soon();
  // Writes pending changes before the page is closed.
  addEventListener('pagehide', () => keeper.write());
  const [, version] = /\/assets\/([^/]+)\/js\//.exec(import.meta.url) ?? [];
  if (version) keepFiles(globalThis, version);
}
