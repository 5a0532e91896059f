/** Where words that a search found are in a text: as whole words, or as the parts that capitals begin. */

const LETTER = /[\p{L}\p{N}\p{M}]/u;
const CAPITAL = /\p{Lu}/u;
/** Scripts without spaces between words are found character by character. */
const APART = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Whether a word may end, and another begin, at an index. @param {string} text @param {number} index */
function isEdge(text, index) {
  const before = Array.from(text.slice(Math.max(0, index - 2), index)).at(-1) ?? '';
  const [after = ''] = text.slice(index, index + 2);
  if (!LETTER.test(before) || !LETTER.test(after)) return true;
  return CAPITAL.test(after) || APART.test(before) || APART.test(after);
}

/**
 * The ranges of words in a text, in order and apart; of two that overlap, the first and longest.
 * @param {string} text on one line @param {readonly string[]} words as they are written in it
 * @returns {{start: number, end: number}[]}
 */
export function foundIn(text, words) {
  const ranges = [];
  for (const word of words) {
    const wanted = word.trim().replaceAll(/\s+/gu, ' ');
    for (let start = wanted === '' ? -1 : text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + 1)) {
      const end = start + wanted.length;
      if (isEdge(text, start) && isEdge(text, end)) ranges.push({ start, end });
    }
  }
  ranges.sort((one, other) => one.start - other.start || other.end - one.end);
  let reached = 0;
  return ranges.filter(({ start, end }) => {
    const isApart = start >= reached;
    if (isApart) reached = end;
    return isApart;
  });
}
