/** Finds issues and pull requests as the server does: by the start of a number, or of words of the title. */

const MARKS = /\p{M}+/gu;
/** Parts in camel case are words too, and in scripts without spaces so is each character. */
const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu;
const PARTS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

const folded = (text) => text.normalize('NFD').replaceAll(MARKS, '').toLowerCase();

/** The words of a title in the form that is compared. @param {string} title @returns {string[]} */
export function wordsOf(title) {
  return (title.normalize('NFC').match(WORDS) ?? [])
    .flatMap((word) => [word, ...word.split(PARTS)].map(folded));
}

/**
 * @param {{number: number, words: string[]}} issue with the words of its title
 * @param {string} typed behind the `#`
 */
export function matchesIssue({ number, words }, typed) {
  if (typed === '') return true;
  if (/^\d+$/.test(typed)) return String(number).startsWith(typed);
  const starts = (typed.normalize('NFC').match(WORDS) ?? []).map(folded);
  return starts.length > 0 && starts.every((start) => words.some((word) => word.startsWith(start)));
}
