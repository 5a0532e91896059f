/** The texts of the card that invites a newcomer. Loaded with it. */

export const welcomeTexts = {
  title: 'Make yourself at home',
  notifications: 'Turn on notifications',
  picture: 'Add a picture of you',
  gitHub: 'Link your GitHub account',
  dismiss: 'Dismiss these suggestions',
};
