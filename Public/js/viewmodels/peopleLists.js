/** The paths and texts of the directory's lists. */
import { peopleTexts } from '../models/texts/people.js';
import { texts } from '../models/texts.js';

/** @typedef {import('./types.js').PeopleList} PeopleList */

/** @param {PeopleList} one @param {PeopleList} other */
export function isSameList(one, other) {
  return one.kind === other.kind && one.subject === other.subject;
}

/** The API's path of a list. @param {PeopleList} list */
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

/** The query of the people on this Hubbub that a list begins with; null for none. @param {PeopleList} list */
export function hereOf({ kind, subject }) {
  return { users: '', search: subject }[kind] ?? null;
}

/**
 * The list of a path that the server returns for a renamed login. @param {string} path @returns {PeopleList|null}
 */
export function listAt(path) {
  const found = /\/github\/(?:users\/([^/?]+)\/(followers|following)|orgs\/([^/?]+)\/members)/.exec(path);
  if (!found) return null;
  const kind = /** @type {PeopleList['kind']} */ (found[2] ?? 'org');
  return { kind, subject: decodeURIComponent(found[1] ?? found[3]) };
}

/** @param {PeopleList} list */
export function titleOf({ kind, subject }) {
  const { followers, following, org, results: search } = peopleTexts;
  const titles = { followers, following, org, search };
  return titles[kind]?.(subject) ?? texts.sections.people;
}

/** @param {PeopleList} list */
export function emptyTextOf({ kind, subject }) {
  const { emptyFollowers: followers, emptyFollowing: following, emptyOrg: org, emptySearch: search } = peopleTexts;
  const said = { followers, following, org, search };
  return said[kind]?.(subject) ?? peopleTexts.emptyUsers;
}

/** The message for a name that GitHub does not know, and a suggestion. @param {PeopleList} list */
export function missingOf({ kind, subject }) {
  return Object.freeze({
    text: (kind === 'org' ? peopleTexts.missingOrg : peopleTexts.missingLogin)(subject),
    hint: peopleTexts.missingHint,
    query: subject,
    action: peopleTexts.searchInstead(subject),
  });
}

/** The path of the same page from the server's storage only. @param {string} path */
export function fromStorage(path) {
  return `${path}${path.includes('?') ? '&' : '?'}stored=1`;
}

/** The path of the page itself, whether stored or not. @param {string} path */
export function fromAnywhere(path) {
  return path.replace(/([?&])stored=1(&?)/, (_, before, after) => (after ? before : ''));
}
