/** The texts of the GitHub directory beyond the common ones. Loaded with that page. */

const number = new Intl.NumberFormat('en');

export const peopleTexts = {
  /** Only those who show it: nobody else may be named to everybody. */
  org: (name) => `Public members of ${name}`,
  missingLogin: (login) => `GitHub knows nobody called ${login}.`,
  missingOrg: (name) => `GitHub knows no organisation called ${name}.`,
  missingHint: 'Check the spelling. Whoever has another name there now can be found by searching.',
  searchInstead: (name) => `Search for “${name}”`,
  renamed: (before, now) => `${before} is called ${now} on GitHub now.`,
  /** Behind it stands how old what is shown is. */
  unreachable: 'GitHub cannot be reached',
  gone: 'GitHub does not have this list any more',
  found: (count) => `${number.format(count)} found`,
  foundAtLeast: (count) => `${number.format(count)} found so far`,
  cut: (shown, total) =>
    `GitHub shows the first ${number.format(shown)} of ${number.format(total)}. More words find fewer people.`,
  incomplete: 'GitHub ran out of time: somebody may be missing.',
};
