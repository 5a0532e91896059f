/** What the search says (Q). */

const plural = (count, one, many) => (count === 1 ? one : many);

export const searchTexts = {
  results: 'Search results',
  chats: 'Chats',
  people: 'People',
  messages: 'Messages',
  title: 'Search everything',
  hint: 'People, chats and messages: words, “a phrase”, code, paths, #123.',
  narrow: 'Narrow it down',
  operators: {
    'from:': 'who wrote it: from:ada',
    'in:': 'in which chat: in:team',
    'before:': 'before a day: before:2026-03-14',
    'after:': 'from a day on: after:2026-03-14',
    'has:': 'what is in it: has:link, has:code, has:mention',
  },
  /** What can follow `has:`. */
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
  /** In which chat a message stands, beside its sender. */
  inside: (name) => `in ${name}`,
  publicRoom: 'Public group',
  member: (online) => (online ? 'Online' : 'On this Hubbub'),
  opening: (name) => `The chat with ${name} could not be opened.`,
  /** What the announcer says when results have come. */
  found: (count, more) =>
    count === 0 ? 'Nothing found' : `${count}${more ? ' or more' : ''} ${plural(count, 'result', 'results')}`,
};
