/** The kinds of lists of the directory: where they are, and what is said about them (D1). */
import { peopleTexts } from '../models/texts/people.js';
import { texts } from '../models/texts.js';

const words = texts.people;

/** @typedef {import('./types.js').PeopleList} PeopleList */

/** @param {PeopleList} one @param {PeopleList} other */
export function isSameList(one, other) {
  return one.kind === other.kind && one.subject === other.subject;
}

/** Where the API has it. @param {PeopleList} list */
export function pathOf({ kind, subject }) {
  const name = encodeURIComponent(subject);
  switch (kind) {
    case 'followers': return `/github/users/${name}/followers`;
    case 'following': return `/github/users/${name}/following`;
    case 'org': return `/github/orgs/${name}/members`;
    case 'search': return `/github/search/users?q=${name}`;
    default: return '/github/users';
  }
}

/** The list whose path the server names, where a login has changed. @param {string} path @returns {PeopleList|null} */
export function listAt(path) {
  const found = /\/github\/(?:users\/([^/?]+)\/(followers|following)|orgs\/([^/?]+)\/members)/.exec(path);
  if (!found) return null;
  return { kind: found[2] ?? 'org', subject: decodeURIComponent(found[1] ?? found[3]) };
}

/** @param {PeopleList} list */
export function titleOf({ kind, subject }) {
  const titles = {
    followers: words.followers, following: words.following, org: peopleTexts.org, search: words.results,
  };
  return titles[kind]?.(subject) ?? words.users;
}

/** @param {PeopleList} list */
export function emptyTextOf({ kind, subject }) {
  const said = {
    followers: words.emptyFollowers, following: words.emptyFollowing, org: words.emptyOrg, search: words.emptySearch,
  };
  return said[kind]?.(subject) ?? words.emptyUsers;
}

/** What is said where GitHub knows no such name, and what can be done. @param {PeopleList} list */
export function missingOf({ kind, subject }) {
  return Object.freeze({
    text: (kind === 'org' ? peopleTexts.missingOrg : peopleTexts.missingLogin)(subject),
    hint: peopleTexts.missingHint,
    query: subject,
    action: peopleTexts.searchInstead(subject),
  });
}

/** The same page from the server's storage only, at once. @param {string} path */
export function fromStorage(path) {
  return `${path}${path.includes('?') ? '&' : '?'}stored=1`;
}

/** The page itself, whatever of it is stored. @param {string} path */
export function fromAnywhere(path) {
  return path.replace(/([?&])stored=1(&?)/, (_, before, after) => (after ? before : ''));
}
