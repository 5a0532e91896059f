/** An issue or pull request as one line of a list. Pure. */
import { newsTexts } from './texts/news.js';

const STATES = new Set(['open', 'closed', 'not_planned', 'merged', 'draft']);

/** @param {object} thing of the API */
export function issueRow({ kind, number, title, state }) {
  const known = STATES.has(state) ? state : 'open';
  const text = `${newsTexts.kinds[kind]}, ${newsTexts.states[known]}`;
  return {
    key: number, label: title, detail: `#${number}`, insert: `#${number} `, issue: { kind, state: known, text },
  };
}
