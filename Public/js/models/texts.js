/**
 * The texts of the first page and those that many pages share. A translation is another file of this shape. A text that
 * depends on a number or a name is a function.
 */

/** The language and region of dates, numbers, plurals and lists (BCP 47). */
export const locale = 'en-GB';
export const number = new Intl.NumberFormat(locale);
export const list = new Intl.ListFormat(locale);
const rules = new Intl.PluralRules(locale);
/** The form of a word for a count. A language with more plural forms handles them here. */
export const plural = (count, one, many) => (rules.select(count) === 'one' ? one : many);

export const texts = {
  appName: 'Hubbub',

  time: {
    /** 'Saturday, 14 March 2026, 18:03' */
    full: (weekday, date, hour) => `${weekday}, ${date}, ${hour}`,
  },

  /** Texts of views only. */
  views: {
    navigation: 'Main',
    skip: 'Skip the navigation',
    toList: 'Back to the list',
    newChat: 'New chat',
    noChats: 'No chats yet',
    noChatsHint: 'Find somebody you know on GitHub and say hello.',
    find: 'Find somebody',
    chooseTitle: 'Nothing open yet',
    chooseHint: 'Choose a chat from the list, or write to somebody new.',
    loadingChats: 'Loading your chats',
    resizeList: 'Width of the list',
    notifications: 'Notifications',
    noMessages: 'No messages yet',
    profile: 'Your profile',
    startFailed: 'Hubbub could not start',
    partFailed: 'This page did not arrive',
    partFailedHint: 'Check your connection, then try again.',
    startFailedHint: 'A part of the app did not arrive. Check the connection, then load the page again.',
    reload: 'Load again',
  },

  sections: { chats: 'Chats', people: 'People', news: 'News', settings: 'Settings' },

  person: { unknown: 'Unknown person' },

  problem: {
    network: 'Hubbub cannot be reached. Check your connection.',
    timeout: 'Hubbub took too long to answer.',
    unauthenticated: 'You are signed out.',
    forbidden: 'You may not do this.',
    'not-found': 'This does not exist (any more).',
    server: 'Something went wrong on the server.',
    'rate-limited': 'That was too much at once. Try again in a moment.',
    retry: 'Retry',
  },

  chats: {
    you: 'You: ',
    /** Before another person's message in a group. */
    said: (name) => `${name}: `,
    draft: 'Draft: ',
    mentioned: 'You were mentioned',
    actions: (name) => `Actions for ${name}`,
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
    search: 'Search',
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
    server: 'The server had a problem for a minute.',
    network: 'The server could not be reached for a minute.',
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
    slowedDown: 'Too many messages at once. The rest follows by itself.',
    /** `span`: minutes and seconds, 0:12. */
    paused: (count, span) => `${count} ${plural(count, 'message waits', 'messages wait')}, sending goes on in ${span}`,
  },

  shell: {
    title: (count, name) => [count > 0 ? `(${count}) ` : '', name ? `${name} · ` : '', 'Hubbub'].join(''),
  },
};
