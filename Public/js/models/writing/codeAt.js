/** Whether a place in a text that is being written is in code. */
import { fenceAt, itemOf, lineAt } from './structure.js';

const BLANK = /^[ \t]*$/;

/**
 * In a fence, in indented lines, or behind a backtick that nothing closes before it: what is typed there is meant as
 * it is.
 * @param {string} text @param {number} at
 */
export function isCodeAt(text, at) {
  if (fenceAt(text, at)) return true;
  const { start, line } = lineAt(text, at);
  const above = text.slice(0, start).split('\n').slice(0, -1);
  if (/^(?: {4}|\t)/.test(line) && !above.some((one) => itemOf(one)?.marker)
    && BLANK.test(above.at(-1) ?? '')) return true;
  const from = above.findLastIndex((one) => BLANK.test(one)) + 1;
  return isSpanOpen([...above.slice(from), text.slice(start, at)].join('\n'));
}

/** Whether a paragraph ends in a code span that is open. A span is closed by as many backticks as began it. */
function isSpanOpen(paragraph) {
  let open = null;
  for (const [run] of paragraph.matchAll(/\\`|`+/g)) {
    if (open === null) open = run.startsWith('\\') ? null : run;
    else if (run === open || run === `\\${open}`) open = null;
  }
  return open !== null;
}
