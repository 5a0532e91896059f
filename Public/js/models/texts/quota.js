/** The texts of the quota on the settings page. Loaded with that page. */
import { number } from '../texts.js';

export const quotaTexts = {
  heading: 'Requests to GitHub',
  hint: 'How much this Hubbub may still ask of GitHub. All people here share it.',
  list: 'Requests left',
  /** By GitHub's names; an unknown name shows as it is. */
  resources: { core: 'Lists, people and news', search: 'Searches' },
  left: (remaining, limit) => `${number.format(remaining)} of ${number.format(limit)} requests left`,
  full: (time) => `full again at ${time}`,
  asks: {
    token: 'Hubbub asks as its operator, by a token.',
    application: 'Hubbub asks as the application that people sign in with.',
    anonymous: 'Hubbub asks as nobody, who gets few requests. The operator can set a token.',
  },
  unknown: 'GitHub has not told yet.',
};
