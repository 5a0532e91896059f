/** The script of the service worker, and of the one that keeps locks where the browser has none: no other is started. */
const OWN = [/^\/sw\.js$/, /^\/assets\/[0-9a-f]+\/worker\/locks\.js$/];

let policy = null;

/**
 * An address that a worker may be started from (Trusted Types). @param {typeof globalThis} window
 * @param {string} path @returns {string|TrustedScriptURL}
 */
export function scriptAddress(window, path) {
  const checked = (address) => {
    if (OWN.some((own) => own.test(address))) return address;
    throw new TypeError(`${address} is no script of a worker`);
  };
  if (!window.trustedTypes) return checked(path);
  policy ??= window.trustedTypes.createPolicy('hubbub', { createScriptURL: checked });
  return policy.createScriptURL(path);
}

/**
 * Has the program's files kept by the service worker, so that it opens without a network (O1). Does nothing where there
 * are none: on insecure origins, in some private windows.
 * @param {typeof globalThis} window @param {string} version of the files that this page runs
 * @returns {Promise<ServiceWorkerRegistration|null>}
 */
export async function keepFiles(window, version) {
  const { serviceWorker, locks } = window.navigator;
  if (!serviceWorker) return null;
  // Held for as long as the page lives: the worker keeps what belongs to it.
  locks?.request(`hubbub-assets:${version}`, { mode: 'shared' }, () => new Promise(() => {})).catch(() => {});
  try {
    const registration = await serviceWorker.register(scriptAddress(window, '/sw.js'), { updateViaCache: 'none' });
    if (!registration) return null;
    takeOver(registration);
    (await serviceWorker.ready).active?.postMessage({ type: 'keep' });
    return registration;
  } catch {
    // Refused by the browser's settings: then there is only the network.
    return null;
  }
}

/** Has a new worker begin as soon as it is ready, now and whenever another one comes. */
function takeOver(registration) {
  const ask = () => registration.waiting?.postMessage({ type: 'take over' });
  registration.addEventListener?.('updatefound', () => registration.installing?.addEventListener('statechange', ask));
  ask();
}

/**
 * Has this page come anew, and every other one that is kept as well: each language has pages of its own (H4, O1).
 * @param {typeof globalThis} window
 */
export async function reloadAnew(window) {
  // The page that comes has all kept again. Of a page that was loaded past the worker it is not the controller.
  const registration = await window.navigator.serviceWorker?.getRegistration().catch(() => null);
  registration?.active?.postMessage({ type: 'forget' });
  window.location.reload();
}

/** Nobody is signed in any more: forgets the kept pages, and the worker. @param {typeof globalThis} window */
export async function forgetFiles(window) {
  const { caches, navigator } = window;
  try {
    navigator.serviceWorker?.controller?.postMessage({ type: 'forget' });
    for (const name of await caches?.keys() ?? []) await caches.delete(name);
    await (await navigator.serviceWorker?.getRegistration())?.unregister();
  } catch {
    // Refused: then nothing was kept either.
  }
}
