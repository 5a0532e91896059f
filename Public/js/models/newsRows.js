/**
 * Turns the items of a feed into cards under day headings. Runs of the same action become one card; sentences are
 * pieces of text and links. Pure.
 */
import { dayLabel } from './days.js';
import { colourOf, dayKey, fullTimeText, hourText, initialsOf, pictureOf, plainLine } from './format.js';
import { newsTexts } from './texts/news.js';

/** The greatest gap between two items of one run, in milliseconds. */
const RUN = 3_600_000;
/** Events that form a run although their repositories differ. */
const acrossRepositories = new Set(['WatchEvent', 'ForkEvent', 'MemberEvent']);

/**
 * A piece of a sentence: a word, or a name that leads somewhere.
 * @typedef {{text: string, href?: string, kind?: 'actor'|'repo'|'subject'|'ref'}} Piece
 *
 * A card.
 * @typedef {object} NewsRow
 * @property {string} key
 * @property {string} day the heading above it, '' below another card of the same day
 * @property {{initials: string, colour: number, avatarUrl: string|null, online: boolean, href: string, login: string,
 *   githubId: number}} actor
 * @property {Piece[]} sentence
 * @property {string} time @property {string} timeISO @property {string} timeFull
 * @property {{title: string, href: string|null, outside: boolean, text: string, state: string,
 *   stateText: string}|null} subject
 * @property {string} url at GitHub @property {string} name its title when shared
 * @property {{key: string, pieces: Piece[], time: string}[]} more the other items of a run
 * @property {string} moreText @property {boolean} expanded
 */

/** Newest first; at the same time by id, longer ids first. */
export function byTime(one, other) {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  if (one.id.length !== other.id.length) return other.id.length - one.id.length;
  return one.id < other.id ? 1 : one.id > other.id ? -1 : 0;
}

/** The path of a person's page. */
export const personPath = (login) => `/people/${encodeURIComponent(login)}`;

/** The path of a repository's page. @param {string} name owner/name */
export const repositoryPath = (name) => `/github/${name.split('/').map(encodeURIComponent).join('/')}`;

/** Whether `item` belongs to the run of `last`, the newer one. */
function continues(last, item) {
  return last.actor.github_id === item.actor.github_id && last.type === item.type && last.action === item.action
    && (last.subject.kind === item.subject.kind)
    && (last.repo?.name === item.repo?.name || acrossRepositories.has(item.type))
    && Date.parse(last.created_at) - Date.parse(item.created_at) <= RUN
    && dayKey(Date.parse(last.created_at)) === dayKey(Date.parse(item.created_at));
}

/**
 * @param {object[]} items of the API, newest first
 * @param {{now: number, expanded: Set<string>, isOnline: (githubId: number) => boolean}} world
 * @returns {NewsRow[]}
 */
export function rowsOf(items, { now, expanded, isOnline }) {
  const runs = [];
  for (const item of items) {
    const run = runs.at(-1);
    // Comments always get a card of their own.
    if (run && !item.subject.text && !run.at(-1).subject.text && continues(run.at(-1), item)) run.push(item);
    else runs.push([item]);
  }
  let day = null;
  return runs.map((run) => {
    const row = rowOf(run, expanded, isOnline);
    const own = dayKey(Date.parse(run[0].created_at));
    row.day = own === day ? '' : dayLabel(Date.parse(run[0].created_at), now);
    day = own;
    return row;
  });
}

function rowOf(run, expanded, isOnline) {
  const [item, ...others] = run;
  // The oldest names the card: a newer one that joins the run above does not make another card of it.
  const key = run.at(-1).id;
  const time = Date.parse(item.created_at);
  const { actor } = item;
  const subject = subjectOf(item);
  return {
    key,
    day: '',
    actor: {
      initials: initialsOf(actor.name || actor.login), colour: colourOf(actor.github_id),
      avatarUrl: pictureOf(actor.avatar_url), online: isOnline(actor.github_id), href: personPath(actor.login),
      login: actor.login, githubId: actor.github_id,
    },
    sentence: piecesOf(sentenceOf(item), item),
    time: hourText(time), timeISO: item.created_at, timeFull: fullTimeText(time),
    subject,
    url: safeLink(item.url),
    name: subject?.title ?? item.repo?.name ?? actor.login,
    more: others.map((other) => ({
      key: other.id, pieces: piecesOf(shortOf(other.subject.kind), other), time: hourText(Date.parse(other.created_at)),
    })),
    moreText: newsTexts.more(others.length),
    expanded: others.length > 0 && expanded.has(key),
  };
}

/** Lines without the signs of Markdown. */
const plainLines = (text) => text.split('\n').map((line) => line && plainLine(line)).join('\n');

/** The line below the sentence: its subject, unless the sentence says it already. */
function subjectOf({ type, subject, url, repo }) {
  const { kind, number, text = '', state = '', path } = subject;
  let title = '';
  if (number !== undefined) title = newsTexts.numbered(subject.title ?? newsTexts.untitled[kind] ?? '', number);
  else if (kind === 'release' || kind === 'page') title = subject.title ?? subject.ref ?? newsTexts.untitled[kind];
  else if (type === 'ForkEvent') title = subject.title ?? '';
  if (title === '' && text === '') return null;
  const inside = path !== undefined && kind !== 'page' && !(kind === 'other' && number !== undefined);
  return {
    title, href: inside ? path : safeLink(url), outside: !inside, text: plainLines(text), ...stateOf(state),
    repo: repo?.name ?? '',
  };
}

/** The sentence for an item, by the most specific name in the catalogue. */
function sentenceOf({ type, action, repo, subject }) {
  const { sentences, something, somethingIn } = newsTexts;
  const names = [`${type}.${subject.state ?? ''}`, `${type}.${action ?? ''}`, `${type}.${subject.kind}`, type];
  const name = names.find((candidate) => Object.hasOwn(sentences, candidate));
  if (name && (repo !== null || type === 'SponsorshipEvent')) return sentences[name]({ count: subject.count ?? null });
  return repo === null ? something : somethingIn;
}

/** One line of a run. */
function shortOf(kind) {
  if (['commit', 'branch', 'tag'].includes(kind)) return '{ref}';
  return ['repository', 'issue', 'pull', 'release', 'person', 'page'].includes(kind) ? '{subject}' : '{repo}';
}

/** A state and its text; both are '' for an unknown one. @param {string|undefined} state */
export function stateOf(state) {
  const { states } = newsTexts;
  const isKnown = state !== undefined && Object.hasOwn(states, state);
  return isKnown ? { state, stateText: states[state] } : { state: '', stateText: '' };
}

/** @param {string} template @returns {Piece[]} */
function piecesOf(template, item) {
  return template.split(/(\{\w+\})/u).filter(Boolean).map((part) => {
    const name = /^\{(\w+)\}$/u.exec(part)?.[1];
    return name ? pieceOf(name, item) : { text: part };
  });
}

/** @returns {Piece} */
function pieceOf(name, { actor, repo, subject, url }) {
  switch (name) {
    case 'actor':
      return { kind: 'actor', text: actor.name || actor.login, href: personPath(actor.login) };
    case 'repo':
      return repo ? { kind: 'repo', text: repo.name, href: repositoryPath(repo.name) } : { text: '' };
    case 'ref': {
      const text = subject.kind === 'commit' ? (subject.ref ?? '').slice(0, 7) : (subject.ref ?? '');
      return { kind: 'ref', text: text || '…', href: subject.path ?? safeLink(url) };
    }
    default: {
      const known = subject.title ?? subject.ref ?? newsTexts.untitled[subject.kind] ?? '';
      const text = subject.number === undefined ? known : newsTexts.numbered(known, subject.number);
      return { kind: 'subject', text: text || (repo?.name ?? '…'), href: subject.path ?? safeLink(url) };
    }
  }
}

/** An http or https address, or null: nothing else becomes a link. @param {string|null|undefined} url */
export function safeLink(url) {
  return /^https?:\/\/[^\s]+$/iu.test(url ?? '') ? url : null;
}
