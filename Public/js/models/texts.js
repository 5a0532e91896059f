/**
 * Every text that a person reads, in one place: a translation is another file of this shape.
 * What depends on a number or a name is a function.
 */

const plural = (count, one, many) => (count === 1 ? one : many);

export const texts = {
  appName: 'Hubbub',

  months: [
    'January', 'February', 'March', 'April', 'May', 'June',
    'July', 'August', 'September', 'October', 'November', 'December',
  ],
  weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],

  time: {
    today: 'Today',
    yesterday: 'Yesterday',
    /** '14 March 2026' */
    date: (day, month, year) => `${day} ${month} ${year}`,
    /** '14 Mar' */
    shortDate: (day, month) => `${day} ${month.slice(0, 3)}`,
    /** '14 Mar 2025' */
    shortDateWithYear: (day, month, year) => `${day} ${month.slice(0, 3)} ${year}`,
    shortWeekday: (weekday) => weekday.slice(0, 3),
    /** 'Saturday, 14 March 2026, 18:03' */
    full: (weekday, date, hour) => `${weekday}, ${date}, ${hour}`,
    agoMinutes: (count) => `${count} ${plural(count, 'minute', 'minutes')} ago`,
    agoHours: (count) => `${count} ${plural(count, 'hour', 'hours')} ago`,
    agoDays: (count) => `${count} ${plural(count, 'day', 'days')} ago`,
    justNow: 'just now',
  },

  /** What only the views say. */
  views: {
    navigation: 'Main',
    back: 'Back',
    toList: 'Back to the list',
    you: 'You',
    newChat: 'New chat',
    noChats: 'No chats yet',
    noChatsHint: 'Find somebody you know on GitHub and say hello.',
    find: 'Find somebody',
    chooseTitle: 'Nothing open yet',
    chooseHint: 'Choose a chat from the list, or write to somebody new.',
    choosePerson: 'Who would you like to talk to?',
    choosePersonHint: 'Press a person. Those who are not here yet find your messages when they sign in.',
    loadingChats: 'Loading your chats',
    resizeList: 'Width of the list',
    notifications: 'Notifications',
    jumpToDate: 'Jump to a date',
    go: 'Go',
    copyInvite: 'Copy invite link',
    copyFailed: 'Copying failed',
    sayHello: (name) => `Say hello to ${name}.`,
    noMessages: 'No messages yet',
    usersTab: 'Users',
    followersTab: 'Followers',
    followingTab: 'Following',
    orgTab: 'Organisation',
    listKinds: 'Which list',
    ofLogin: 'GitHub login',
    ofOrg: 'GitHub organisation',
    show: 'Show',
    hide: 'Hide',
    welcome: 'Welcome to Hubbub',
    welcomeHint: 'Chat with the people you know from GitHub.',
    join: 'Join Hubbub',
    joinHint: 'A name, an email address, a password: that is all.',
    continueWithGitHub: 'Continue with GitHub',
    orEmail: 'or with email',
    newHere: 'New here?',
    createOne: 'Create an account',
    knownHere: 'Have an account?',
    toSignIn: 'Sign in instead',
    byInvite: 'New accounts are made by invitation.',
    optional: 'optional',
    passwordRule: 'At least 8 characters.',
    profile: 'Your profile',
    profileHint: 'How others see you. A new name shows at once, everywhere.',
    thisDevice: 'This device',
    signOutHint: 'Signing out also removes what this browser keeps: drafts, waiting messages and stored chats.',
    lostTitle: 'There is nothing here',
    lostHint: 'The address may be mistyped, or what it led to is gone.',
    startFailed: 'Hubbub could not start',
    partFailed: 'This page did not arrive',
    partFailedHint: 'Check your connection, then try again.',
    startFailedHint: 'A part of the app did not arrive. Check the connection, then load the page again.',
    reload: 'Load again',
  },

  sections: { chats: 'Chats', people: 'People', news: 'News', settings: 'Settings' },

  person: { unknown: 'Unknown person', online: 'Online' },

  session: {
    signIn: 'Sign in',
    signUp: 'Create account',
    email: 'Email',
    password: 'Password',
    firstName: 'First name',
    lastName: 'Last name',
    emailMissing: 'Enter your email address.',
    emailInvalid: 'This does not look like an email address.',
    emailTaken: 'There is an account with this address already.',
    passwordMissing: 'Enter your password.',
    passwordShort: 'At least 8 characters.',
    passwordLong: 'At most 256 characters.',
    passwordCommon: 'Too many people use this password. Choose another.',
    firstNameMissing: 'Enter your first name.',
    nameLong: 'At most 100 characters.',
    invalid: 'Please correct this.',
    /** On purpose the same, whichever of the two it was. */
    wrong: 'Email or password is wrong.',
    closed: 'New accounts cannot be made here. Ask the operator for an invitation.',
    slowDown: (time) => `Too many attempts. Try again at ${time}.`,
    slowDownSoon: 'Too many attempts. Try again in a minute.',
  },

  problem: {
    network: 'Hubbub cannot be reached. Check your connection.',
    timeout: 'Hubbub took too long to answer.',
    unauthenticated: 'You are signed out.',
    forbidden: 'You may not do this.',
    notFound: 'This does not exist (any more).',
    server: 'Something went wrong on the server.',
    slowDown: 'That was too much at once. Try again in a moment.',
    retry: 'Retry',
  },

  chats: {
    label: 'Chats',
    you: 'You: ',
    /** Before what somebody else wrote in a group. */
    said: (name) => `${name}: `,
    draft: 'Draft: ',
    mentioned: 'You were mentioned',
    actions: (name) => `Actions for ${name}`,
    empty: 'No chats yet. Find somebody you know on GitHub.',
    findPeople: 'Find people',
    deletedPreview: 'Message deleted',
    typing: 'typing…',
    nameTyping: (name) => `${name} is typing…`,
    namesTyping: (count) => `${count} people are typing…`,
    unread: (count) => (count === 0 ? '' : count > 99 ? '99+' : String(count)),
    unreadLabel: (count) => `${count} unread ${plural(count, 'message', 'messages')}`,
    muted: 'Muted',
    pinned: 'Pinned',
    loadFailed: 'Your chats could not be loaded.',
  },

  people: {
    label: 'People',
    search: 'Search',
    users: 'People',
    followers: (login) => `Followers of ${login}`,
    following: (login) => `Followed by ${login}`,
    org: (name) => `Members of ${name}`,
    results: (query) => `Results for “${query}”`,
    rateLimited: 'GitHub’s rate limit is reached.',
    resetsAt: (time) => `It resets at ${time}.`,
    countdown: (span) => `Trying again in ${span}`,
    failed: 'GitHub’s answer could not be loaded.',
    loadFailed: 'The list could not be loaded.',
    notFound: 'GitHub knows nobody by that name.',
    stored: (age) => `Stored ${age}`,
    storedSome: 'Stored earlier',
    debugStatus: (status) => `status ${status}`,
    debugRequest: (id) => `request ${id}`,
    emptyUsers: 'Nobody here yet',
    emptyFollowers: (login) => `Nobody follows ${login} yet`,
    emptyFollowing: (login) => `${login} follows nobody yet`,
    emptyOrg: (name) => `${name} has no public members`,
    emptySearch: (query) => `Nobody found for “${query}”`,
    member: 'On this Hubbub',
    loading: 'Loading people',
    loadingMore: 'Loading more people',
    end: 'That is everybody.',
    copy: 'Copy',
    copied: 'Copied',
  },

  conversation: {
    label: 'Messages',
    online: 'online',
    /** Of somebody whose presence is not known. */
    login: (login) => `@${login} on GitHub`,
    lastSeen: (when) => `last seen ${when}`,
    lastSeenToday: (hour) => `today at ${hour}`,
    lastSeenYesterday: (hour) => `yesterday at ${hour}`,
    lastSeenDate: (date) => `on ${date}`,
    members: (count) => `${count} ${plural(count, 'member', 'members')}`,
    empty: 'No messages yet. Say hello.',
    waiting: (name) => `${name} is not on this Hubbub yet. Your messages wait for them.`,
    missing: 'This chat does not exist, or you are not in it.',
    deleted: 'This message was deleted',
    edited: 'edited',
    newLine: 'New',
    newBelow: (count) => (count === 0 ? '' : `${count} new`),
    jumpToLatest: 'Jump to the newest message',
    loadFailed: 'Messages could not be loaded.',
    retry: 'Retry',
    remove: 'Delete',
    loading: 'Loading messages',
    choose: 'Choose a chat, or find somebody on GitHub.',
    /** What the announcer says. */
    arrived: (name, text) => `${name}: ${text}`,
  },

  states: {
    unsent: 'Not sent yet',
    sent: 'Sent',
    delivered: 'Delivered',
    read: 'Read',
    failed: 'Not sent',
    received: '',
  },

  failures: {
    'too-long': 'It is too long.',
    removed: 'You are not in this chat any more.',
    forbidden: 'You may not write here.',
    'signed-out': 'You were signed out.',
    conflict: 'Its number was used before. Retry sends it anew.',
    invalid: 'The server refused it.',
    'rate-limited': 'Too many messages at once.',
    server: 'The server had a problem for a minute.',
    network: 'The server could not be reached for a minute.',
  },

  composer: {
    label: 'Message',
    placeholder: 'Message',
    send: 'Send',
  },

  connection: {
    label: 'Connection',
    online: '',
    connecting: 'Connecting…',
    offline: 'Offline',
    back: 'Connected again',
    failed: (text, why) => `Not sent: ${text}. ${why}`,
    offlineWaiting: (count) => `Offline, ${count} ${plural(count, 'message', 'messages')} waiting`,
    sending: (count) => `Sending ${count} ${plural(count, 'message', 'messages')}…`,
  },

  shell: {
    title: (count, name) => [count > 0 ? `(${count}) ` : '', name ? `${name} · ` : '', 'Hubbub'].join(''),
    open: 'Open',
    dismiss: 'Dismiss',
  },

  settings: {
    label: 'Settings',
    save: 'Save',
    saved: 'Saved',
    signOut: 'Sign out',
    theme: 'Appearance',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    signOutFailed: 'You are still signed in: the server could not be reached.',
  },
};

/**
 * A sentence for a failed request (an `ApiError`, known by its `kind`) where nothing more particular can be said.
 * @param {{kind?: string, detail?: string}} error
 * @returns {string}
 */
export function problemText(error) {
  const known = {
    network: texts.problem.network,
    timeout: texts.problem.timeout,
    unauthenticated: texts.problem.unauthenticated,
    forbidden: texts.problem.forbidden,
    'not-found': texts.problem.notFound,
    'rate-limited': texts.problem.slowDown,
  };
  return known[error.kind] ?? texts.problem.server;
}

/** Who is typing in a chat, in words; '' when nobody is. @param {{kind: string}} room @param {string[]} names */
export function typingText(room, names) {
  if (names.length === 0) return '';
  if (room.kind === 'direct') return texts.chats.typing;
  return names.length === 1 ? texts.chats.nameTyping(names[0]) : texts.chats.namesTyping(names.length);
}
