/** What the card of a reference shows. Pure. */
import { personOf, thingOf } from './thing.js';
import { newsTexts } from './texts/news.js';

/**
 * @typedef {object} Card
 * @property {string} kind `repository`, `issue`, `pull`, `release`, `commit`, `lines` or `person`
 * @property {string} kindText
 * @property {string} where what it belongs to, or whom: `owner/repo#12`, `@login`
 * @property {string} title
 * @property {string} state @property {string} stateText '' without one
 * @property {{initials: string, colour: number, avatarUrl: string|null, online: boolean}|null} face
 * @property {string} by the author's name, or ''
 * @property {string} when 'opened 3 d ago', or ''
 * @property {string} about a line of plain text, or ''
 * @property {string[]} facts
 * @property {{text: string, first: number, info: string}|null} code lines, the first one's number, and their language
 *   as behind a fence
 * @property {string|null} path its page here
 * @property {string|null} url at GitHub
 */

/** @param {object} thing of the API's cards @param {number} now @returns {Card} */
export function cardOf(thing, now) {
  return thing.kind === 'person' ? cardOfPerson(thing) : cardOfThing(thing, now);
}

function cardOfPerson(profile) {
  const person = personOf(profile, null);
  return {
    kind: 'person', kindText: newsTexts.kinds.person, where: `@${person.login}`, title: person.title,
    state: '', stateText: '', face: person, by: '', when: '', about: line(person.bio),
    facts: [person.lists[0]?.text ?? person.repositories], code: null, path: pathOf(profile.path), url: person.url,
  };
}

function cardOfThing(thing, now) {
  const shown = thingOf(thing, now);
  const { kind, repo, mark, author } = shown;
  const isPlain = kind === 'repository';
  if (kind === 'lines') return cardOfLines(thing, shown);
  return {
    kind, kindText: shown.kindText, title: isPlain ? shown.title : shown.title || mark,
    where: repo === null ? shown.kindText : [repo.name, mark].join(mark.startsWith('#') || mark === '' ? '' : ' '),
    state: shown.state ?? '', stateText: shown.stateText ?? '',
    face: author, by: isPlain ? '' : author?.name || author?.login || shown.authorName,
    when: isPlain ? '' : shown.made,
    // The texts of the others are Markdown, and longer than a card.
    about: isPlain ? line(shown.text) : '',
    facts: factsOf(thing, shown), code: null,
    path: pathOf(thing.path), url: shown.url,
  };
}

function cardOfLines({ ref, text, first_line: first }, { kind, kindText, title, repo, url }) {
  const last = first + text.split('\n').length - 1;
  const name = title.slice(title.lastIndexOf('/') + 1);
  return {
    kind, kindText, where: `${repo.name}@${ref.slice(0, 7)}`, title, state: '', stateText: '', face: null, by: '',
    when: '', about: newsTexts.linesFrom(first, last), facts: [],
    code: { text, first, info: name.slice(name.lastIndexOf('.') + 1) }, path: null, url,
  };
}

/** The figures that say what it is, at most two. */
function factsOf({ kind, notes, counts }, { counts: texts }) {
  if (kind === 'repository') return [notes.language, texts[0]].filter(Boolean);
  if (kind === 'commit') {
    return ['additions', 'deletions'].filter((name) => counts[name] > 0)
      .map((name) => newsTexts.counts[name](counts[name]));
  }
  return [];
}

const line = (text) => text.replaceAll(/\s+/g, ' ').trim();
const pathOf = (path) => (path?.startsWith('/') && !path.startsWith('//') ? path : null);
