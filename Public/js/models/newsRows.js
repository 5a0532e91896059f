/**
 * What a feed shows, from its items: cards under days, with runs of the same joined into one card, and sentences as pieces
 * of text and links. Pure.
 */
import { colourOf, dayKey, dayLabel, fullTimeText, hourText, initialsOf, pictureOf } from './format.js';
import { newsTexts } from './texts/news.js';

/** So long after the one before, something similar still belongs to the same run. */
const RUN = 3_600_000;
/** What somebody does to one repository after another without it being another thing. */
const acrossRepositories = new Set(['WatchEvent', 'ForkEvent', 'MemberEvent']);

/**
 * A piece of a sentence: a word, or a name that leads somewhere.
 * @typedef {{text: string, href?: string, kind?: 'actor'|'repo'|'subject'|'ref'}} Piece
 *
 * A card.
 * @typedef {object} NewsRow
 * @property {string} key
 * @property {string} day the heading above it, '' below another card of the same day
 * @property {{initials: string, colour: number, avatarUrl: string|null, online: boolean, href: string, login: string, githubId: number}} actor
 * @property {Piece[]} sentence
 * @property {string} time @property {string} timeISO @property {string} timeFull
 * @property {{title: string, href: string|null, outside: boolean, text: string, state: string, stateText: string}|null} subject
 * @property {string} url at GitHub @property {string} name what it is called where it is shared
 * @property {{key: string, pieces: Piece[], time: string}[]} more the others of a run
 * @property {string} moreText @property {boolean} expanded
 */

/** Newest first; of one moment by the id, longer ones first. */
export function byTime(one, other) {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  if (one.id.length !== other.id.length) return other.id.length - one.id.length;
  return one.id < other.id ? 1 : one.id > other.id ? -1 : 0;
}

/** Where a login's own page is here. */
export const personPath = (login) => `/people/${encodeURIComponent(login)}`;

/** Where a repository's page is here. @param {string} name owner/name */
export const repositoryPath = (name) => `/github/${name.split('/').map(encodeURIComponent).join('/')}`;

/** Whether `item` goes on with what `last`, the newer one, is about. */
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
    // What was said is worth a card of its own each time.
    if (run && !item.subject.text && !run.at(-1).subject.text && continues(run.at(-1), item)) run.push(item);
    else runs.push([item]);
  }
  let day = null;
  return runs.map((run) => {
    const row = rowOf(run, { now, expanded, isOnline });
    const own = dayKey(Date.parse(run[0].created_at));
    row.day = own === day ? '' : dayLabel(Date.parse(run[0].created_at), now);
    day = own;
    return row;
  });
}

function rowOf(run, { expanded, isOnline }) {
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

/** The line below the sentence: what it is about, as far as the sentence does not say it already. */
function subjectOf({ type, subject, url, repo }) {
  const { kind, number, text = '', state = '', path } = subject;
  let title = '';
  if (number !== undefined) title = newsTexts.numbered(subject.title ?? newsTexts.untitled[kind] ?? '', number);
  else if (kind === 'release' || kind === 'page') title = subject.title ?? subject.ref ?? newsTexts.untitled[kind];
  else if (type === 'ForkEvent') title = subject.title ?? '';
  if (title === '' && text === '') return null;
  const inside = path !== undefined && kind !== 'page' && !(kind === 'other' && number !== undefined);
  return {
    title, href: inside ? path : safeLink(url), outside: !inside, text, ...stateOf(state),
    repo: repo?.name ?? '',
  };
}

/** What happened, as a sentence with places: by the most particular name that the texts know. */
function sentenceOf({ type, action, repo, subject }) {
  const { sentences, something, somethingIn } = newsTexts;
  const names = [`${type}.${subject.state ?? ''}`, `${type}.${action ?? ''}`, `${type}.${subject.kind}`, type];
  const name = names.find((candidate) => Object.hasOwn(sentences, candidate));
  if (name && (repo !== null || type === 'SponsorshipEvent')) return sentences[name]({ count: subject.count ?? null });
  return repo === null ? something : somethingIn;
}

/** One line of a run of the same. */
function shortOf(kind) {
  if (['commit', 'branch', 'tag'].includes(kind)) return '{ref}';
  return ['repository', 'issue', 'pull', 'release', 'person', 'page'].includes(kind) ? '{subject}' : '{repo}';
}

/** A state and its words; both are '' for one that nobody knows. @param {string|undefined} state */
export function stateOf(state) {
  const { states } = newsTexts;
  return state !== undefined && Object.hasOwn(states, state) ? { state, stateText: states[state] } : { state: '', stateText: '' };
}

/** @param {string} template @returns {Piece[]} */
function piecesOf(template, item) {
  return template.split(/(\{\w+\})/u).filter(Boolean).map((part) => {
    const name = /^\{(\w+)\}$/u.exec(part)?.[1];
    return name ? pieceOf(name, item) : { text: part };
  });
}

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

/** An address of the web, or null: nothing else becomes a link (SECURITY 10). @param {string|null|undefined} url */
export function safeLink(url) {
  return /^https?:\/\/[^\s]+$/iu.test(url ?? '') ? url : null;
}
