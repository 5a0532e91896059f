/** An issue or pull request in the list of suggestions: a sign for its state, its number, its title. */
import { element, setAttribute } from '../dom.js';

const CIRCLE = 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 1 1 0-17z';
const DOT = 'a2.25 2.25 0 1 1 0 4.5 2.25 2.25 0 1 1 0-4.5z';
const BRANCH = `M6.5 8.5v7M6.5 3.75${DOT}M6.5 15.75${DOT}`;
const TARGET = `M17.5 15.75${DOT}`;
/** Each has a shape of its own: colour says nothing to some. */
const SHAPES = {
  'issue open': `${CIRCLE}M12 11a1 1 0 1 1 0 2 1 1 0 1 1 0-2z`,
  'issue closed': `${CIRCLE}M8.5 12.25l2.5 2.5 4.75-5`,
  'issue not_planned': `${CIRCLE}M6.5 6.5l11 11`,
  'pull open': `${BRANCH}${TARGET}M17.5 15.5V9a3 3 0 0 0-3-3h-2.5M14 3.5L11.5 6 14 8.5`,
  'pull draft': `${BRANCH}${TARGET}M17.5 4v1.5M17.5 9.5V11`,
  'pull merged': `${BRANCH}M17.5 10.75${DOT}M6.5 8.5c.5 3 3.5 4.5 8.5 4.5`,
  'pull closed': `${BRANCH}${TARGET}M17.5 15.5V11M15 4l5 5M20 4l-5 5`,
};

/** @param {{label: string, detail: string, issue: {kind: string, state: string, text: string}}} item */
export function issueOption({ label, detail, issue: { kind, state, text } }) {
  const namespace = 'http://www.w3.org/2000/svg';
  const drawing = document.createElementNS(namespace, 'svg');
  setAttribute(drawing, 'class', 'icon');
  setAttribute(drawing, 'viewBox', '0 0 24 24');
  setAttribute(drawing, 'aria-hidden', 'true');
  const path = document.createElementNS(namespace, 'path');
  setAttribute(path, 'd', SHAPES[`${kind} ${state}`] ?? SHAPES[`${kind} open`]);
  drawing.append(path);
  return [
    element('span', { class: 'issue-state', 'data-kind': kind, 'data-state': state }, drawing),
    element('span', { class: 'detail number', dir: 'ltr' }, detail),
    element('span', { class: 'label', dir: 'auto' }, label),
    element('span', { class: 'visually-hidden' }, text),
  ];
}
