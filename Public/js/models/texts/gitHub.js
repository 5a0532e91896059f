/** The texts of signing in with GitHub and of linking a GitHub account. Loaded where they are needed. */

export const gitHubTexts = {
  heading: 'GitHub',
  hint: 'Link your GitHub account to sign in with it. Messages that wait for it come to you.',
  linked: (login) => `Linked to @${login}`,
  linkedHint: 'You can sign in with it, and people on GitHub find you here.',
  link: 'Link GitHub account',
  unlink: 'Unlink',
  unlinkTitle: (login) => `Unlink @${login}?`,
  unlinkHints: [
    'You sign in with your email and password from then on.',
    'Your chats stay. Who writes to this GitHub account later reaches somebody else than you.',
  ],
  unlinked: 'Your GitHub account is unlinked.',
  onlyWay: 'GitHub is your only way in. To unlink it, first give this account an email address and a password, below.',
  notSetUp:
    'Nobody can sign in with GitHub here yet: '
      + 'there is no OAuth application, or this Hubbub does not know its own address. '
    + 'Set HUBBUB_GITHUB_CLIENT_ID, HUBBUB_GITHUB_CLIENT_SECRET and HUBBUB_PUBLIC_URL. Only admins see this.',
  again: 'Sign in with GitHub again',
  recent: 'To be sure it is you: sign in with GitHub once more, then try again within fifteen minutes.',

  /** Why signing in with GitHub failed, and what to do next; by the API's names. */
  failures: {
    denied: 'You said no at GitHub, so nothing happened. Try again, or use your email address.',
    expired: 'That took too long, or was used already. Try again.',
    unverified: 'GitHub has not verified your email address yet. Do that in GitHub’s settings, then try again.',
    misconfigured:
      'Signing in with GitHub is not set up properly here. Whoever runs this Hubbub finds the reason in its log.',
    unavailable: 'GitHub cannot be asked right now. Try again in a few minutes.',
    closed: 'New accounts are not made here at present. Whoever runs this Hubbub can help you.',
    invite: 'You need an invitation to make an account here. Open the link that you were given, or ask for a new one.',
    state: 'This did not begin in this browser, or somebody else signed in meanwhile. Try again.',
    taken: 'That GitHub account belongs to another account here. Sign in with it to see which, or choose another one.',
    linked: 'Another GitHub account is linked already. Unlink it first.',
  },
};
