/**
 * The pages of somebody who is not signed in: sign-in and sign-up. They need little, and load nothing else.
 */
import { texts } from './models/texts.js';
import { Api } from './services/api.js';
import { SessionViewModel } from './viewmodels/sessionViewModel.js';
import { SessionView } from './views/session.js';

/** A path of this origin to go to after signing in; anything else could lead away. */
function returnAddress() {
  const wanted = new URLSearchParams(location.search).get('return_to') ?? '';
  if (!wanted.startsWith('/') || !URL.canParse(wanted, location.origin)) return '/chats';
  const url = new URL(wanted, location.origin);
  return url.origin === location.origin ? url.pathname + url.search : '/chats';
}

const clock = {
  now: () => Date.now(),
  setTimeout: (act, time) => setTimeout(act, time),
  clearTimeout: (id) => clearTimeout(id),
};
const root = /** @type {HTMLElement} */ (document.querySelector('#app'));
const { registration, githubSignIn } = document.querySelector('meta[name="hubbub"]').dataset;
const mode = location.pathname === '/sign-up' && registration !== 'closed' ? 'sign-up' : 'sign-in';
const returnTo = returnAddress();
const api = new Api({ fetch: (...input) => fetch(...input), clock });
const model = new SessionViewModel({ api, clock, mode, onSignedIn: () => location.replace(returnTo) });
const view = new SessionView(model, { registration, gitHubSignIn: githubSignIn === 'yes', returnTo });

document.title = texts.shell.title(0, mode === 'sign-up' ? texts.session.signUp : texts.session.signIn);
root.dataset.frame = 'bare';
root.replaceChildren(view.node);
performance.mark('interactive');
