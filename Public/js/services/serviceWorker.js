/** Allows the service worker's script and the lock worker's, and no other script. */
const OWN = [/^\/sw\.js$/, /^\/assets\/[0-9a-f]+\/worker\/locks\.js$/];

let policy = null;

/**
 * The checked address of a worker's script (Trusted Types). @param {typeof globalThis} window
 * @param {string} path @returns {string}
 */
export function scriptAddress(window, path) {
  const checked = (address) => {
    if (OWN.some((own) => own.test(address))) return address;
    throw new TypeError(`${address} is no script of a worker`);
  };
  if (!window.trustedTypes) return checked(path);
  policy ??= window.trustedTypes.createPolicy('hubbub', { createScriptURL: checked });
  // `register` and `SharedWorker` accept it; TypeScript's library knows only strings.
  return /** @type {any} */ (policy.createScriptURL(path));
}

/**
 * Registers the service worker, which caches the app for offline use. Does nothing if the browser has none: on insecure
 * origins, in some private windows.
 * @param {typeof globalThis} window @param {string} version of the files that this page runs
 * @returns {Promise<ServiceWorkerRegistration|null>}
 */
export async function keepFiles(window, version) {
  const { serviceWorker, locks } = window.navigator;
  if (!serviceWorker) return null;
  // Held while the page lives, so that the worker keeps the files of its version.
  locks?.request(`hubbub-assets:${version}`, { mode: 'shared' }, () => new Promise(() => {})).catch(() => {});
  try {
    const registration = await serviceWorker.register(scriptAddress(window, '/sw.js'), { updateViaCache: 'none' });
    if (!registration) return null;
    takeOver(registration);
    (await serviceWorker.ready).active?.postMessage({ type: 'keep' });
    return registration;
  } catch {
    // Blocked by the browser's settings: the app needs the network.
    return null;
  }
}

/** Activates each new worker as soon as it is installed. */
function takeOver(registration) {
  const ask = () => registration.waiting?.postMessage({ type: 'take over' });
  registration.addEventListener?.('updatefound', () => registration.installing?.addEventListener('statechange', ask));
  ask();
}

/**
 * Reloads this page, and refreshes all cached ones: each language has its own pages.
 * @param {typeof globalThis} window
 */
export async function reloadAnew(window) {
  // The reloaded page caches all again. A page loaded past the worker has no controller.
  const registration = await window.navigator.serviceWorker?.getRegistration().catch(() => null);
  registration?.active?.postMessage({ type: 'forget' });
  window.location.reload();
}

/** After sign-out: deletes the cached pages and the worker. @param {typeof globalThis} window */
export async function forgetFiles(window) {
  const { caches, navigator } = window;
  try {
    navigator.serviceWorker?.controller?.postMessage({ type: 'forget' });
    for (const name of await caches?.keys() ?? []) await caches.delete(name);
    await (await navigator.serviceWorker?.getRegistration())?.unregister();
  } catch {
    // Blocked: nothing was cached either.
  }
}
