/**
 * The pages of somebody who is not signed in: sign-in, sign-up, and what an invitation leads to. They need little, and
 * load nothing else.
 */
import { setLimits } from './models/limits.js';
import { inviteTexts } from './models/texts/invite.js';
import { accountTexts } from './models/texts/account.js';
import { texts } from './models/texts.js';
import { Api } from './services/api.js';
import { returnPath } from './models/returnAddress.js';
import { tokenOf } from './models/invitationToken.js';
import { TypedAddress } from './services/typedAddress.js';
import { SessionViewModel } from './viewmodels/sessionViewModel.js';
import { SessionView } from './views/session.js';

const clock = {
  now: () => Date.now(),
  setTimeout: (act, time) => setTimeout(act, time),
  clearTimeout: (id) => clearTimeout(id),
};
const root = /** @type {HTMLElement} */ (document.querySelector('#app'));
const page = /** @type {HTMLElement} */ (document.querySelector('meta[name="hubbub"]'));
const { registration, githubSignIn, limits } = page.dataset;
setLimits(limits);
// Nobody is signed in: whose the app on this device was must not be seen by the next.
const forgotten = import('./services/doorstep.js')
  .then(({ cleanDoorstep }) => cleanDoorstep(globalThis))
  .catch(() => {});
const api = new Api({ fetch: (...input) => fetch(...input), clock });

/** Shows a view alone on the page. */
function show(title, view) {
  document.title = texts.shell.title(0, title);
  root.dataset.frame = 'bare';
  root.replaceChildren(view.node);
}

async function showSession() {
  const query = new URLSearchParams(location.search);
  // Somebody came back from GitHub with nothing.
  const failed = query.get('github');
  const gitHubFailure = failed === null ? null : (await import('./models/gitHubFailure.js')).gitHubFailure;
  const mode = location.pathname === '/sign-up' ? 'sign-up' : 'sign-in';
  const returnTo = returnPath(query.get('return_to'));
  const token = returnTo.startsWith('/invite/') ? tokenOf(returnTo) : '';
  const typed = new TypedAddress(globalThis);
  const model = new SessionViewModel({
    api,
    clock,
    mode,
    email: typed.take(),
    invitation: token,
    needsInvitation: registration === 'invite',
    // Signing up with an invitation lets into its room at once: there is nothing left to accept.
    onSignedIn: async () => {
      await forgotten;
      typed.end();
      location.replace(mode === 'sign-up' && token ? (model.state.invitedTo ?? '/chats') : returnTo);
    },
  });
  show(mode === 'sign-up' ? accountTexts.signUp : accountTexts.signIn,
    new SessionView(model, {
      registration, gitHubSignIn: githubSignIn === 'yes', returnTo, failure: gitHubFailure?.(failed),
      ended: query.has('ended'),
    }));
  typed.goAlong(() => model.state.values.email, (email) => model.set('email', email));
  model.open();
}

async function showInvite(token) {
  const [{ InviteView }, { InviteViewModel }, { Groups }, { setAccepting }, { loadStyles }] = await Promise.all([
    import('./views/groups/inviteView.js'),
    import('./viewmodels/groups/inviteViewModel.js'),
    import('./services/groupApi.js'),
    import('./views/groups/accepting.js'),
    import('./views/laterStyles.js'),
  ]);
  await loadStyles('rooms');
  const model = new InviteViewModel(token, { groups: new Groups(api, null) });
  const view = new InviteView(model, { signedIn: false, accepted: () => {} });
  // To sign in from here is to accept.
  view.node.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a[href*="return_to"]')) setAccepting(token);
  });
  show(inviteTexts.title, view);
  await model.open();
}

if (location.pathname.startsWith('/invite/')) await showInvite(tokenOf(location.pathname));
else await showSession();
performance.mark('interactive');
