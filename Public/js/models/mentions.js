/** Who is named in a text: `@login`, or `@FirstnameLastname` for who has no login (K4). */

/** `@` at the start of a word, then what a login or a name without spaces may hold. Linear: no part can match twice. */
const NAMED = /(?<![\p{L}\p{N}\p{M}_@-])@([\p{L}\p{N}\p{M}_-]+)/gu;

/** How somebody is named after an `@`. @param {object} user as the API gives it @returns {string} */
export function handleOf(user) {
  if (user.handle) return user.handle;
  if (user.login) return user.login;
  const name = user.first_name === undefined ? user.name ?? '' : `${user.first_name}${user.last_name ?? ''}`;
  return name.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '');
}

/**
 * The mentions that a message's row shows: names in lower case, one's own marked. '' for none: rows are compared by it.
 * @param {object} message
 * @param {import('./chatStore.js').ChatStore} store
 * @returns {string} 'ada !bob' for Ada and me, Bob; '*' among them: somebody whose name is not known here
 */
export function mentionedIn(message, store) {
  if (!message.mentions?.length || message.deleted_at) return '';
  return message.mentions.map((id) => {
    const user = id === store.me?.id ? store.me : store.user(id);
    if (!user) return '*';
    return `${id === store.me?.id ? '!' : ''}${handleOf(user).toLowerCase()}`;
  }).join(' ');
}

/**
 * Where a text names somebody.
 * @param {string} text
 * @param {string} mentioned what `mentionedIn` gave
 * @returns {{index: number, length: number, own: boolean}[]} in order
 */
export function findMentions(text, mentioned) {
  if (mentioned === '') return [];
  const names = new Set(mentioned.split(' '));
  const found = [];
  for (const { 1: name, index } of text.matchAll(NAMED)) {
    // Hyphens at its end belong to the sentence.
    let { length } = name;
    while (name[length - 1] === '-') length -= 1;
    const lower = name.slice(0, length).toLowerCase();
    const own = names.has(`!${lower}`);
    if (own || names.has(lower) || names.has('*')) found.push({ index, length: length + 1, own });
  }
  return found;
}
