/** Mentions in a text: `@login`, or `@FirstnameLastname` for people without a login. */

/** `@` at the start of a word, then a login or a name without spaces. Matches in linear time. */
const NAMED = /(?<![\p{L}\p{N}\p{M}_@-])@([\p{L}\p{N}\p{M}_-]+)/gu;

/** The name of a person after an `@`. @param {object} user of the API @returns {string} */
export function handleOf(user) {
  if (user.handle) return user.handle;
  if (user.login) return user.login;
  const name = user.first_name === undefined ? user.name ?? '' : `${user.first_name}${user.last_name ?? ''}`;
  return name.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '');
}

/**
 * The mentions shown in a message's row: names in lower case, one's own marked, '' for none. Rows are compared by it.
 * @param {object} message
 * @param {import('./chatStore.js').ChatStore} store
 * @returns {string} 'ada !bob' for Ada and Bob, who is this person; `*` or `!*` for a person whose present handle is
 *   unknown or not in the text
 */
export function mentionedIn(message, store) {
  if (!message.mentions?.length || message.deleted_at) return '';
  const names = new Set(Array.from(message.text.matchAll(NAMED), ([, name]) => trimmed(name).toLowerCase()));
  return message.mentions.map((id) => {
    const isMe = id === store.me?.id;
    const user = isMe ? store.me : store.user(id);
    const handle = user ? handleOf(user).toLowerCase() : '';
    // The id says who is meant; the text may name them as they were called when it was written.
    return `${isMe ? '!' : ''}${names.has(handle) ? handle : '*'}`;
  }).join(' ');
}

/** These people as `mentionedIn` says it, for a text that is not sent yet. @param {object[]} people */
export function namesOf(people, store) {
  return people.map((user) => `${user.id === store.me?.id ? '!' : ''}${handleOf(user).toLowerCase()}`).join(' ');
}

/** A name without the hyphens at its end, which belong to the sentence. */
function trimmed(name) {
  let { length } = name;
  while (name[length - 1] === '-') length -= 1;
  return name.slice(0, length);
}

/**
 * Tells which `@name`s of a message are mentions.
 * @param {string} mentioned the result of `mentionedIn`
 * @returns {(name: string) => 'own'|'other'|null}
 */
export function namesIn(mentioned) {
  const names = new Set(mentioned === '' ? [] : mentioned.split(' '));
  return (name) => {
    const lower = name.toLowerCase();
    const isKnown = names.has(lower);
    if (names.has(`!${lower}`) || (!isKnown && names.has('!*'))) return 'own';
    return isKnown || names.has('*') ? 'other' : null;
  };
}
