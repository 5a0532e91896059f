/** A repository, issue, pull request, release, commit or person as its page shows it. Pure. */
import { ageText } from './days.js';
import { colourOf, dateText, fullTimeText, initialsOf, pictureOf } from './format.js';
import { personPath, repositoryPath, safeLink, stateOf } from './newsRows.js';
import { newsTexts } from './texts/news.js';

const folders = new Set(['issues', 'pulls', 'releases', 'commits']);
/** Notes that contain a branch name, which shows as code. */
const isRef = new Set(['branch', 'base', 'head']);

/**
 * The API path of the object that a page's address names, or null.
 * @param {string[]} segments what follows `/github/`, decoded
 */
export function apiPathOf(segments) {
  const [owner, repo, folder, name, more] = segments;
  if (!owner || !repo || more !== undefined || (folder !== undefined && !(folders.has(folder) && name))) return null;
  return ['/github/repos', owner, repo, folder, name].filter((part) => part !== undefined)
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part))).join('/');
}

/** The API path of the comments on the object with this path: those on a pull request are an issue's. */
export function commentsPathOf(/** @type {string} */ path) {
  const [empty, github, repos, owner, repo, folder, name] = path.split('/');
  return [empty, github, repos, owner, repo, folder === 'pulls' ? 'issues' : folder, name, 'comments'].join('/');
}

/** A face with a name that leads to its page; also used by cards. @param {object} account a GitHub user of the API */
export function faceOf(account) {
  return {
    login: account.login, name: account.name ?? '', initials: initialsOf(account.name || account.login),
    colour: colourOf(account.github_id), avatarUrl: pictureOf(account.avatar_url), online: Boolean(account.online),
    href: personPath(account.login),
  };
}

/** A label's colour for CSS, null unless it is six hexadecimal digits. */
const hexColour = (color) => (/^[0-9a-f]{6}$/iu.test(color ?? '') ? `#${color}` : null);

/** @param {object} thing of the API @param {number} now */
export function thingOf(thing, now) {
  const { kind, repo, number, ref } = thing;
  const what = kind === 'commit' ? (ref ?? '').slice(0, 7) : kind === 'release' ? (ref ?? '') : '';
  const title = thing.title || what || repo.name;
  const made = Date.parse(thing.created_at ?? '');
  const ended = Date.parse(thing.closed_at ?? '');
  return {
    kind, kindText: newsTexts.kinds[kind] ?? '',
    repo: kind === 'repository' ? null : { name: repo.name, href: repositoryPath(repo.name) },
    title,
    mark: number === undefined ? (title === what ? '' : what) : `#${number}`,
    text: thing.text,
    commentCount: thing.counts.comments ?? 0,
    /** What the references of a Markdown text belong to; a repository's description is plain. */
    repository: kind === 'repository' ? null : { owner: repo.name.split('/')[0], repo: repo.name.split('/')[1] },
    ...stateOf(thing.state),
    author: thing.author ? faceOf(thing.author) : null,
    authorName: thing.author ? '' : (thing.author_name ?? ''),
    made: Number.isNaN(made) ? '' : `${newsTexts.created[kind]} ${ageOf(made, now)}`,
    madeFull: Number.isNaN(made) ? '' : fullTimeText(made),
    ended: Number.isNaN(ended) || thing.state === 'open' ? ''
      : `${thing.state === 'merged' ? newsTexts.merged : newsTexts.closed} ${ageOf(ended, now)}`,
    endedFull: Number.isNaN(ended) ? '' : fullTimeText(ended),
    labels: thing.labels.map(({ name, color }) => ({ name, colour: hexColour(color) })),
    topics: thing.topics,
    counts: Object.entries(thing.counts)
      .filter(([name, count]) => newsTexts.counts[name] && (count > 0 || name === 'stars'))
      .map(([name, count]) => newsTexts.counts[name](count)),
    notes: Object.entries(thing.notes).filter(([name]) => newsTexts.notes[name])
      .map(([name, value]) => ({
        name: newsTexts.notes[name], value, href: name === 'homepage' ? safeLink(value) : null, code: isRef.has(name),
      })),
    url: safeLink(thing.url),
  };
}

/** @param {object} comment of the API @param {number} now */
export function commentOf({ author, text, created_at: created, url }, now) {
  const made = Date.parse(created ?? '');
  return {
    author: author ? faceOf(author) : null, text, url: safeLink(url),
    made: Number.isNaN(made) ? '' : ageOf(made, now), madeFull: Number.isNaN(made) ? '' : fullTimeText(made),
  };
}

/** The age for a month, then the date. */
function ageOf(time, now) {
  return now - time < 30 * 86_400_000 && now >= time ? ageText(time, now) : dateText(time);
}

/**
 * The text that sharing writes into a chat: title and address.
 * @param {{title: string, mark: string, repo: object|null, url: string|null}} thing
 */
export function shareText({ title, mark = '', repo = null, url }) {
  const name = [repo?.name, mark].filter(Boolean).join(mark.startsWith('#') ? '' : ' ');
  return [[name, title].filter(Boolean).join(': '), url].filter(Boolean).join('\n');
}

/** @param {object} profile of the API @param {string|null} ownLogin who looks */
export function personOf(profile, ownLogin) {
  const { login } = profile;
  const since = Date.parse(profile.created_at ?? '');
  return {
    ...faceOf(profile), githubId: profile.github_id, title: profile.name || login, type: profile.type,
    member: Boolean(profile.member),
    bio: profile.bio ?? '',
    lists: profile.type === 'Organization' ? [] : [
      { text: newsTexts.followers(profile.followers ?? 0), href: `${personPath(login)}/followers` },
      { text: newsTexts.following(profile.following ?? 0), href: `${personPath(login)}/following` },
    ],
    repositories: newsTexts.repositories(profile.public_repos ?? 0),
    notes: [
      { name: newsTexts.company, value: profile.company, href: null },
      { name: newsTexts.location, value: profile.location, href: null },
      { name: newsTexts.blog, value: profile.blog, href: safeLink(profile.blog) },
    ].filter(({ value }) => value),
    since: Number.isNaN(since) ? '' : newsTexts.joined(dateText(since)),
    canWrite: profile.type === 'User' && login.toLowerCase() !== (ownLogin ?? '').toLowerCase(),
    url: safeLink(profile.url),
  };
}
