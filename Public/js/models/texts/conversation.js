/** The texts of an open chat. Loaded with it. */
import { list, number, plural, texts } from '../texts.js';
import { sharedTexts } from '../texts/shared.js';

export const chatTexts = {
  fieldLabel: 'Message',
  send: 'Send',
  sayHello: (name) => `Say hello to ${name}.`,
  /** If their presence is unknown. */
  onGitHub: (login) => `@${login} on GitHub`,
  missing: 'This chat does not exist, or you are not in it.',
  deleted: 'This message was deleted',
  edited: 'edited',
  newLine: 'New',
  newBelow: (count) => (count === 0 ? '' : `${count} new`),
  jumpToLatest: 'Jump to the newest message',
  loadFailed: 'Messages could not be loaded.',
  discard: 'Delete',
  loadingMessages: 'Loading messages',
  jumpToDate: 'Jump to a date',
  removedFrom: (by, group) => `${by} removed you from “${group}”. You no longer see its messages.`,
  bannedFrom: (by, group) => `${by} banned you from “${group}”. You no longer see its messages.`,
  notIn: (group) => `You are no longer in “${group}”.`,
  editedAt: (when) => `Edited ${when}`,
  originalGone: 'This message is not available any more.',
  forwardedFrom: (name) => `Forwarded from ${name}`,
  goToOriginal: (name) => `Go to the message of ${name}`,
  profileOf: (name) => `Profile of ${name}`,
  original: 'Go to the original',
  pinnedMark: 'Pinned',

  editing: 'Edit message',
  replyingTo: (name) => `Reply to ${name === sharedTexts.you ? 'yourself' : name}`,
  cancelEdit: 'Cancel editing',
  cancelReply: 'Cancel reply',
  left: (count) => `${count} ${plural(count, 'character', 'characters')} left`,
  tooLong: (count, most) => `${count} ${plural(count, 'character', 'characters')} too long: `
    + `at most ${number.format(most)} can be sent at once`,

  /** Each is followed by the reason, a sentence of its own. */
  editFailed: 'Your change is not saved.',
  reactFailed: 'Your reaction is not saved.',
  deleteFailed: 'The message is not deleted.',
  someFailed: (failed, all) => `${failed} of ${all} messages could not be done.`,
  pinFailed: 'The pin is not changed.',
  forwardFailed: 'The message is not forwarded.',
  readersFailed: 'Who has read it could not be loaded.',
  tooManyReactions: 'This message has as many different reactions as it can hold.',
  offline: 'You are offline. Try again when you are connected.',
  offlineEdit: 'You are offline. Your change is kept here: save it when you are connected.',
  gone: 'That message is not there any more.',

  actions: 'Message actions',
  actionsOf: (name) => `Actions for the message of ${name}`,
  actionsOfOwn: 'Actions for your message',
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

  codeOf: (language) => (language ? `Code, ${language}` : 'Code'),
  copyCode: 'Copy',
  codeCopied: 'Copied',
  wrapLines: 'Wrap',
  showLines: (count) => `Show ${count} more`,
  table: 'Table',
  footnotes: 'Footnotes',
  done: 'Done',
  notDone: 'Not done',
  alerts: { note: 'Note', tip: 'Tip', important: 'Important', warning: 'Warning', caution: 'Caution' },

  copied: 'Text copied',
  linkCopied: 'Link copied',
  copyFailed: 'Copying failed. Select the text and copy it by hand.',

  deleteTitle: (count) => (count === 1 ? 'Delete this message?' : `Delete ${count} messages?`),
  deleteHint: 'For everyone: a note that something was deleted stays. For you alone: others keep it.',
  deleteHintMine: 'It goes from your devices. Others keep it.',
  deleteForAll: 'Delete for everyone',
  deleteForMe: 'Delete for me',

  selected: (count) => `${count} selected`,
  selection: 'Selected messages',
  endSelection: 'End selection',
  forwardSelected: 'Forward',
  deleteSelected: 'Delete',

  forwardTitle: (count) => (count === 1 ? 'Forward message to…' : `Forward ${count} messages to…`),
  searchChats: 'Search chats',
  noChatFound: 'No chat of that name.',
  forwarded: (name) => `Forwarded to ${name}`,
  forwarding: 'Forwarding…',
  comment: 'Comment (optional)',
  forwardTo: (count) => (count > 1 ? `Forward to ${number.format(count)} chats` : 'Forward'),

  alone: 'Nobody else is here yet',
  aloneHint: 'Add people, or pass on a link: whoever opens it is in.',
  addPeople: 'Add people',
  copyGroupLink: 'Copy link',

  emojiTitle: 'Choose an emoji',
  searchEmoji: 'Search emoji',
  noEmoji: 'No emoji of that name.',

  pinnedBar: 'Pinned message',
  pinnedOf: (index, count) => `Pinned message ${index} of ${count}`,
  pinnedList: 'All pinned messages',
  pinnedCount: (count) => `${count} pinned ${plural(count, 'message', 'messages')}`,

  reactedWith: (emoji, count, mine) =>
    `${emoji} ${count} ${plural(count, 'reaction', 'reactions')}${mine ? ', one of them yours' : ''}`,
  reactionsOf: 'Reactions',
  andMore: (names, count) => list.format([...names, `${count} more`]),

  readBy: (count, all) => `Read by ${count} of ${all}`,
  deliveredTo: 'Delivered, not read yet',
  sentTo: 'Not delivered yet',
  readersHint: 'Who keeps read receipts to themselves shows as delivered.',
  loading: 'Loading…',
  emoji: 'Emoji',
  suggestions: (count) => `${count} ${plural(count, 'suggestion', 'suggestions')}, arrow keys choose`,
};

/** An error with its reason. @param {string} what @param {{kind?: string}} error */
export function failureText(what, error) {
  const gone = error.kind === 'not-found' || error.kind === 'conflict';
  return `${what} ${gone ? chatTexts.gone : texts.problem[error.kind] ?? texts.problem.server}`;
}
