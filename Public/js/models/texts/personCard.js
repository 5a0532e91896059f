/** The texts of a person's card. Loaded with it. */

export const personCardTexts = {
  write: 'Write',
  mention: 'Mention',
  gitHub: 'GitHub',
  yours: 'Your profile',
};
