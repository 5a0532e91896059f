/** The texts of the search. Loaded with it. */
import { plural } from '../texts.js';

export const searchTexts = {
  results: 'Search results',
  title: 'Search everything',
  titleOf: (query) => (query === '' ? 'Search' : `Search: ${query}`),
  hint: 'People, chats and messages: words, “a phrase”, code, paths, #123.',
  narrow: 'Narrow it down',
  operators: {
    'from:': 'who wrote it: from:ada',
    'in:': 'in which chat: in:team',
    'before:': 'before a day: before:2026-03-14',
    'after:': 'from a day on: after:2026-03-14',
    'has:': 'what is in it: has:link, has:code, has:mention',
  },
  /** The values of `has:`. */
  kinds: { 'has:link': 'with a link', 'has:code': 'with code', 'has:mention': 'that mention somebody' },
  gitHub: (query) => `Search GitHub for “${query}”`,
  loading: 'Searching',
  more: 'Searching for more',
  nothing: (query) => `Nothing found for “${query}”`,
  nothingHint: 'Fewer or other words may find more.',
  end: 'That is everything.',
  failed: 'The search failed.',
  offlineTitle: 'You are offline',
  offline: 'Only the names of your chats can be searched now. The rest follows by itself when you are back.',
  clear: 'Clear search',
  /** The chat of a found message, beside its sender. */
  inside: (name) => `in ${name}`,
  publicRoom: 'Public group',
  member: (online) => (online ? 'Online' : 'On this Hubbub'),
  /** Announced to screen readers when results arrive. */
  found: (count, more) =>
    count === 0 ? 'Nothing found' : `${count}${more ? ' or more' : ''} ${plural(count, 'result', 'results')}`,
};
