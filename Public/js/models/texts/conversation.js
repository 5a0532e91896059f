/** Texts of an open chat, fetched with it: the same kind of catalogue as `texts.js`. */
import { problemText, texts } from '../texts.js';

const plural = (count, one, many) => (count === 1 ? one : many);

export const chatTexts = {
  editedAt: (when) => `Edited ${when}`,
  originalGone: 'This message is not available any more.',
  forwardedFrom: (name) => `Forwarded from ${name}`,
  goToOriginal: (name) => `Go to the message of ${name}`,
  original: 'Go to the original',
  pinnedMark: 'Pinned',

  editing: 'Edit message',
  replyingTo: (name) => `Reply to ${name === texts.views.you ? 'yourself' : name}`,
  cancelEdit: 'Cancel editing',
  cancelReply: 'Cancel reply',
  save: 'Save',
  left: (count) => `${count} ${plural(count, 'character', 'characters')} left`,
  tooLong: (count) =>
    `${count} ${plural(count, 'character', 'characters')} too long: at most 10,000 can be sent at once`,

  /** Said before the reason, which is a sentence of its own. */
  editFailed: 'Your change is not saved.',
  reactFailed: 'Your reaction is not saved.',
  deleteFailed: 'The message is not deleted.',
  someFailed: (failed, all) => `${failed} of ${all} messages could not be done.`,
  pinFailed: 'The pin is not changed.',
  forwardFailed: 'The message is not forwarded.',
  readersFailed: 'Who has read it could not be loaded.',
  listFailed: 'The list could not be loaded.',
  tooManyReactions: 'This message has as many different reactions as it can hold.',
  offline: 'You are offline. Try again when you are connected.',
  offlineEdit: 'You are offline. Your change is kept here: save it when you are connected.',
  gone: 'That message is not there any more.',

  actions: 'Message actions',
  actionsOf: (name) => `Actions for the message of ${name}`,
  reply: 'Reply',
  react: 'React',
  reactWith: (name) => `React with ${name}`,
  moreEmoji: 'More emoji',
  edit: 'Edit',
  copyText: 'Copy text',
  copyLink: 'Copy link',
  forward: 'Forward…',
  pin: 'Pin',
  unpin: 'Unpin',
  select: 'Select',
  deselect: 'Deselect',
  remove: 'Delete…',
  readers: 'Who has read it',
  reactors: 'Who reacted',

  copied: 'Text copied',
  linkCopied: 'Link copied',
  copyFailed: 'Copying failed. Select the text and copy it by hand.',
  cancel: 'Cancel',
  close: 'Close',

  deleteTitle: (count) => (count === 1 ? 'Delete this message?' : `Delete ${count} messages?`),
  deleteHint: 'For everyone: a note that something was deleted stays. For you alone: others keep it.',
  deleteHintMine: 'It goes from your devices. Others keep it.',
  deleteForAll: 'Delete for everyone',
  deleteForMe: 'Delete for me',

  selected: (count) => `${count} selected`,
  selection: 'Selected messages',
  endSelection: 'End selection',
  copySelected: 'Copy',
  forwardSelected: 'Forward',
  deleteSelected: 'Delete',

  forwardTitle: (count) => (count === 1 ? 'Forward message to…' : `Forward ${count} messages to…`),
  searchChats: 'Search chats',
  noChatFound: 'No chat of that name.',
  forwarded: (name) => `Forwarded to ${name}`,
  openChat: 'Open',
  forwarding: 'Forwarding…',

  emojiTitle: 'Choose an emoji',
  searchEmoji: 'Search emoji',
  noEmoji: 'No emoji of that name.',
  recentEmoji: 'Often used',
  allEmoji: 'All',

  pinnedBar: 'Pinned message',
  pinnedOf: (index, count) => `Pinned message ${index} of ${count}`,
  pinnedList: 'All pinned messages',
  pinnedCount: (count) => `${count} pinned ${plural(count, 'message', 'messages')}`,

  reactedWith: (emoji, count, mine) =>
    `${emoji} ${count} ${plural(count, 'reaction', 'reactions')}${mine ? ', one of them yours' : ''}`,
  reactionsOf: 'Reactions',
  whoReacted: (emoji, names) => `${emoji} ${names}`,
  you: 'You',
  and: (names) => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`),
  andMore: (names, count) => `${names.join(', ')} and ${count} more`,

  readBy: (count, all) => `Read by ${count} of ${all}`,
  deliveredTo: 'Delivered, not read yet',
  sentTo: 'Not delivered yet',
  readersHint: 'Who keeps read receipts to themselves shows as delivered.',
  loading: 'Loading…',

  people: 'People',
  emoji: 'Emoji',
  suggestions: (count) => `${count} ${plural(count, 'suggestion', 'suggestions')}, arrow keys choose`,
};

/** What happened, and why, in words. @param {string} what @param {{kind?: string}} error */
export function failureText(what, error) {
  const gone = error.kind === 'not-found' || error.kind === 'conflict';
  return `${what} ${gone ? chatTexts.gone : error.kind ? problemText(error) : texts.problem.server}`;
}
