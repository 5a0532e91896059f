/** Texts of the lines in a group's log that are not messages: the same kind of catalogue as `texts.js`. */

/**
 * What a line is made of: who did it (`mine`: the reader), to whom, and the new name or topic.
 * @typedef {{by: string, mine: boolean, whom: string, text: string}} Line
 */
export const changeTexts = {
  /** The reader, as who did it and as whom it concerns. */
  you: 'You',
  toYou: 'you',
  joined: (/** @type {Line} */ { by }) => `${by} joined`,
  left: (/** @type {Line} */ { by }) => `${by} left`,
  added: (/** @type {Line} */ { by, whom }) => `${by} added ${whom}`,
  removed: (/** @type {Line} */ { by, whom }) => `${by} removed ${whom}`,
  banned: (/** @type {Line} */ { by, whom }) => `${by} banned ${whom}`,
  made_owner: (/** @type {Line} */ { by, whom }) => `${by} made ${whom} the owner`,
  made_admin: (/** @type {Line} */ { by, whom }) => `${by} made ${whom} an admin`,
  made_member: (/** @type {Line} */ { by, whom }) => `${by} made ${whom} a member without admin rights`,
  renamed: (/** @type {Line} */ { by, text }) => `${by} renamed the group to “${text}”`,
  described: (/** @type {Line} */ { by, text }) =>
    (text ? `${by} changed the topic to “${text}”` : `${by} removed the topic`),
  picture_set: (/** @type {Line} */ { by }) => `${by} changed the group’s picture`,
  picture_removed: (/** @type {Line} */ { by }) => `${by} removed the group’s picture`,
  made_public: (/** @type {Line} */ { by }) => `${by} made the group public`,
  made_private: (/** @type {Line} */ { by }) => `${by} made the group private`,
  repository_set: (/** @type {Line} */ { by, text }) =>
    (text ? `${by} set the group’s repository to ${text}` : `${by} removed the group’s repository`),
  pinned: (/** @type {Line} */ { by }) => `${by} pinned a message`,
  unpinned: (/** @type {Line} */ { by }) => `${by} unpinned a message`,
  /** Of a kind that a newer server knows. */
  other: (/** @type {Line} */ { by }) => `${by} changed something in the group`,
  earlier: (count) => `${count} earlier changes`,
};
