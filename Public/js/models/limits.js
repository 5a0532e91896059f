/**
 * The server's limits, which it writes into each page. Lengths are in characters (code points). `short_password` is the
 * least, all others are the most.
 */
export const limits = {
  message: Infinity, draft: Infinity, query: Infinity, person_name: Infinity, short_password: 0, password: Infinity,
  room_name: Infinity, topic: Infinity, members: Infinity,
};

/** Takes the page's limits. @param {string} [text] 'message=10000,draft=10000' */
export function setLimits(text = '') {
  for (const [name, value] of text.split(',').map((part) => part.split('='))) {
    if (Object.hasOwn(limits, name)) limits[name] = Number(value);
  }
}

/** The length of a text in code points, as the server counts it. */
export function countCharacters(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
