/** The texts of the invitation page and of signing up with an invitation. Loaded with those pages. */


export const inviteTexts = {
  title: 'Invitation',
  operator: 'Whoever runs this Hubbub',
  loading: 'Looking at the invitation',
  invites: (name) => `${name} invites you to`,
  accept: 'Accept',
  join: (name) => `Join ${name}`,
  joining: 'Joining…',
  already: 'You are in this group already.',
  alreadyHere: 'You have an account here already.',
  open: 'Open the chat',
  signUp: 'Create an account',
  signInFirst: 'To accept, sign in or create an account. You come back here by yourself.',
  signInOnly: 'To accept, sign in. You come back here by yourself.',
  unknownTitle: 'This invitation does not work',
  unknown: 'It was mistyped, has expired, was ended, or was used as often as it may be. Ask for a new one.',
  expired: 'It has expired. Ask for a new one.',
  ended: 'It was ended. Ask for a new one.',
  used: 'It was used as often as it may be. Ask for a new one.',
  bannedTitle: 'You cannot join',
  banned: 'You are banned from this group. Only its admins can change that.',
  full: 'The group is full.',
  fieldHint: 'The link or code that you were given.',
  missing: 'Enter your invitation.',
  /** Why it does not work, if that is known. */
  why: (code) =>
    ['expired', 'used', 'ended'].includes(code)
      ? `${inviteTexts.unknownTitle}. ${inviteTexts[code]}` : inviteTexts.wrong,
  wrong: 'This invitation does not work. Check it, or ask for a new one.',
  invitedBy: (name) => `${name} invites you.`,
  invitedTo: (name, room) => `${name} invites you to ${room}.`,

  closedTitle: 'No new accounts',
  closed: 'New accounts are not made here at present. Whoever runs this Hubbub can help you.',
  gitHubTitle: 'Come in with GitHub',
  gitHub: 'Accounts here come from GitHub: sign in with yours, nothing else is needed.',
  gitHubMissing: 'Accounts here come from GitHub, which is not set up yet. Whoever runs this Hubbub can help you.',
};
