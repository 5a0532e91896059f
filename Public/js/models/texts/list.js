/** The texts of a row's menu, and of its confirmations. */

export const listTexts = {
  actions: {
    read: 'Mark as read',
    unread: 'Mark as unread',
    mute: 'Mute',
    unmute: 'Unmute',
    pin: 'Pin',
    unpin: 'Unpin',
    clear: 'Clear history…',
    delete: 'Delete chat…',
    leave: 'Leave group…',
  },
  /** Below the icons that a swipe shows. */
  short: { read: 'Read', unread: 'Unread', mute: 'Mute', unmute: 'Unmute', pin: 'Pin', unpin: 'Unpin', more: 'More' },
  /** Announced to screen readers when it is done. */
  done: {
    read: (name) => `${name}: marked as read`,
    unread: (name) => `${name}: marked as unread`,
    mute: (name) => `${name}: muted`,
    unmute: (name) => `${name}: no longer muted`,
    pin: (name) => `${name}: pinned`,
    unpin: (name) => `${name}: no longer pinned`,
    clear: (name) => `${name}: history cleared`,
    delete: (name) => `${name}: chat deleted`,
    leave: (name) => `${name}: left`,
  },
  failed: {
    unread: (name) => `${name} could not be marked as unread.`,
    mute: (name) => `${name} could not be muted.`,
    unmute: (name) => `${name} is still muted.`,
    pin: (name) => `${name} could not be pinned.`,
    unpin: (name) => `${name} is still pinned.`,
    clear: (name) => `The history with ${name} was not cleared.`,
    delete: (name) => `The chat with ${name} was not deleted.`,
    leave: (name) => `You are still in ${name}.`,
  },
  nothingToMark: (name) => `${name} has nothing that could be unread: nobody else has written yet.`,
  questions: {
    clear: (name) => `Clear the history with ${name}?`,
    clearGroup: (name) => `Clear the history of ${name}?`,
    clearHint: 'All messages of this chat go away for you, on all your devices. This cannot be undone.',
    peerKeeps: (name) => `${name} keeps everything.`,
    membersKeep: 'The other members keep everything.',
    clearAction: 'Clear history',
    delete: (name) => `Delete the chat with ${name}?`,
    deleteHint: 'It leaves your list, and its messages go away for you, on all your devices. This cannot be undone.',
    deletePeer: (name) =>
      `${name} keeps everything. When one of you writes again the chat comes back, without what was there before.`,
    deleteAction: 'Delete chat',
    leave: (name) => `Leave ${name}?`,
    leaveHint: 'You get no more messages from it, and it leaves your list. What you wrote stays for the others.',
    leavePublic: 'It is public: you can join again at any time.',
    leavePrivate: 'It is private: to come back you need to be invited again.',
    leaveOwner:
      'You are its owner: '
        + 'the admin who has been in it longest takes over, or else the member who has been in it longest.',
    leaveLast: 'You are its last member.',
    leaveAction: 'Leave group',
  },
};
