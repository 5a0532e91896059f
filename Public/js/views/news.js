/** News, while no GitHub account is linked: says honestly what would stand here and what it takes. */
import { texts } from '../models/texts.js';
import { element } from './dom.js';
import { icon } from './icons.js';

/** @returns {import('./shell.js').PaneView} */
export function newsView() {
  const heading = element('h1', { tabindex: '-1' }, texts.sections.news);
  const bar = element('header', { class: 'page-head' }, heading);
  const body = element(
    'div',
    { class: 'empty' },
    element('span', { class: 'medal' }, icon('news')),
    element('p', { class: 'what' }, texts.views.newsTitle),
    element('p', { class: 'how' }, texts.views.newsHint),
  );
  const column = element('div', { class: 'column whole' }, bar, body);
  return {
    node: element('div', { class: 'page scroller' }, column),
    bar,
    focus: () => heading.focus({ preventScroll: true }),
  };
}
