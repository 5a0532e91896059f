/**
 * Composes notifications. `app.js` fetches it once the page is interactive.
 */
import { Attention } from '../services/attention.js';
import { Profile } from '../services/profile.js';
import { Push } from '../services/webPush.js';
import { Sounds } from '../services/sounds.js';
import { SystemNotifications } from '../services/systemNotifications.js';
import { Alerts } from '../viewmodels/alerts.js';
import { QuietClock } from '../viewmodels/quietClock.js';

/** The page's only instances; the settings use the same. */
let services = null;

/** @param {ReturnType<import('../services/client.js').createClient>} client */
export function notificationServices(client) {
  if (services) return services;
  const notifications = new SystemNotifications(window);
  const Context = window.AudioContext ?? null;
  const sounds = new Sounds({ makeContext: Context && (() => new Context()), clock: client.clock });
  services = { notifications, sounds, push: new Push({ api: client.api, notifications, locks: client.locks }) };
  return services;
}

/**
 * Begins.
 * @param {ReturnType<import('../services/client.js').createClient>} client
 * @param {{shell: import('../viewmodels/shellViewModel.js').ShellViewModel, navigate: (address: string) => void}} page
 */
export function startNotifications(client, { shell, navigate }) {
  const { notifications, sounds, push } = notificationServices(client);
  const attention = new Attention({
    locks: client.locks,
    isHere: () => document.visibilityState === 'visible' && document.hasFocus(),
  });
  const changed = () => attention.changed();
  for (const type of ['focus', 'blur', 'pagehide', 'pageshow']) addEventListener(type, changed);
  document.addEventListener('visibilitychange', changed);
  changed();
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, () => sounds.unlock(), { once: true });
  const alerts = new Alerts({ ...client, notifications, sounds, attention });
  shell.isQuiet = () => alerts.quiet;
  const quietClock = new QuietClock({ ...client, profile: new Profile(client.api, null) });
  document.addEventListener('visibilitychange', () => quietClock.look());
  const open = (path) => path.startsWith('/chats/') && location.pathname !== path && navigate(path);
  notifications.onPressed = open;
  // The worker has one pressed that it, or a page through it, has shown.
  navigator.serviceWorker?.addEventListener('message', ({ data }) => data?.type === 'open' && open(data.path));
  if (client.preferences.get('notifications') === 'on' && notifications.permission === 'granted') mend(push);
}

/** Renews a lost push subscription, or makes the session's first. The next page retries a failure. */
function mend(push) {
  push.subscribe().catch(() => {});
}
