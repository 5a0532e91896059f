/** Runs of `*`, `_` and `~`, and how they become spans. */
import { isPunctuation, isWhitespace } from './characters.js';

/**
 * A run among the parts of a text.
 * @typedef {object} Run
 * @property {'run'} type
 * @property {string} mark
 * @property {number} length
 * @property {number} left how many marks are not used
 * @property {boolean} opens
 * @property {boolean} closes
 * @property {number} at order among all runs
 * @property {('emphasis'|'strong'|'strike')[]} ends the spans that end here, innermost first
 * @property {('emphasis'|'strong'|'strike')[]} starts the spans that start here, innermost first
 * @property {Run|null} previous of the runs that are not decided
 * @property {Run|null} next
 */

/** @param {string} text @param {number} at behind the character */
function before(text, at) {
  const code = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code < 0xe000 && at > 1 ? text.codePointAt(at - 2) : code;
}

export class Delimiters {
  #count = 0;
  /**
   * The last run that is not decided.
   * @type {Run|null}
   */
  last = null;

  /** @param {string} text @param {number} at @param {number} end @returns {Run} */
  push(text, at, end) {
    const mark = text[at];
    const ahead = before(text, at);
    const behind = text.codePointAt(end);
    const isSpaceAhead = isWhitespace(ahead);
    const isSpaceBehind = isWhitespace(behind);
    const isMarkAhead = isPunctuation(ahead);
    const isMarkBehind = isPunctuation(behind);
    const isLeft = !isSpaceBehind && (!isMarkBehind || isSpaceAhead || isMarkAhead);
    const isRight = !isSpaceAhead && (!isMarkAhead || isSpaceBehind || isMarkBehind);
    const isWord = mark === '_';
    this.#count += 1;
    /** @type {Run} */
    const run = {
      type: 'run', mark, length: end - at, left: end - at, at: this.#count, starts: [], ends: [], next: null,
      opens: isLeft && (!isWord || !isRight || isMarkAhead), closes: isRight && (!isWord || !isLeft || isMarkBehind),
      previous: this.last,
    };
    if (this.last) this.last.next = run;
    this.last = run;
    return run;
  }

  /**
   * Decides the runs behind `bottom`, all if it is null. Openers are looked for once for each sort of closer: below the
   * bounds in `searched` there is none.
   * @param {Run|null} bottom
   */
  process(bottom) {
    /** @type {Map<string, number>} */
    const searched = new Map();
    let closer = this.last;
    if (closer === bottom) return;
    while (closer && closer.previous !== bottom) closer = closer.previous;
    while (closer) {
      if (!closer.closes) {
        closer = closer.next;
        continue;
      }
      const isStrike = closer.mark === '~';
      const sort = isStrike ? `~${closer.length}` : `${closer.mark}${closer.opens}${closer.length % 3}`;
      const bound = searched.get(sort) ?? 0;
      let opener = closer.previous;
      while (opener && opener !== bottom && opener.at >= bound && !matches(opener, closer)) opener = opener.previous;
      if (opener && opener !== bottom && opener.at >= bound) {
        const used = isStrike ? closer.length : Math.min(2, opener.left, closer.left);
        const type = isStrike ? 'strike' : used === 2 ? 'strong' : 'emphasis';
        opener.left -= used;
        closer.left -= used;
        opener.starts.push(type);
        closer.ends.push(type);
        // What stands between the two stays text.
        opener.next = closer;
        closer.previous = opener;
        if (opener.left === 0) this.#remove(opener);
        if (closer.left === 0) {
          const { next } = closer;
          this.#remove(closer);
          closer = next;
        }
      } else {
        searched.set(sort, closer.at);
        const { next, opens } = closer;
        if (!opens) this.#remove(closer);
        closer = next;
      }
    }
    this.last = bottom;
    if (bottom) bottom.next = null;
  }

  /** @param {Run} run */
  #remove({ previous, next }) {
    if (previous) previous.next = next;
    if (next) next.previous = previous;
    else this.last = previous;
  }
}

/** @param {Run} opener @param {Run} closer */
function matches(opener, closer) {
  if (opener.mark !== closer.mark || !opener.opens) return false;
  if (closer.mark === '~') return opener.length === closer.length;
  // The rule of three: a run that may do both does not match if the lengths add up to a multiple of three.
  if (!closer.opens && !opener.closes) return true;
  return closer.length % 3 === 0 || (opener.length + closer.length) % 3 !== 0;
}
