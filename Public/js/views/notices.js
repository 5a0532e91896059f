/** Places where there is nothing to show, and what to do about it. */
import { texts } from '../models/texts.js';
import { element } from './dom.js';
import { mark } from './icons.js';

const { views } = texts;

/** @returns {import('./shell.js').PaneView} */
function notice(level, title, hint, ...actions) {
  const heading = element(level, { class: 'what', tabindex: '-1' }, title);
  const bar = element('header', { class: 'bar' }, element('span', { class: 'gap' }));
  const body = element('div', { class: 'empty' }, mark(), heading, element('p', { class: 'how' }, hint), ...actions);
  return {
    node: element('div', { class: 'notice' }, bar, body),
    bar,
    focus: () => heading.focus({ preventScroll: true }),
  };
}

/** The detail pane beside the chat list, while no chat is open. */
export const nothingOpen = () =>
  notice('h2', views.chooseTitle, views.chooseHint, element('a', { class: 'button', href: '/people' }, views.find));

/** The detail pane beside the directory. */
export const nobodyChosen = () => notice('h2', views.choosePerson, views.choosePersonHint);

/** An address that leads nowhere. */
export const notFound = () =>
  notice('h1', views.lostTitle, views.lostHint, element('a', { class: 'button', href: '/chats' }, views.toList));

/** A part of the app did not arrive. */
export function startFailed() {
  const again = element('button', { type: 'button', class: 'button primary', onclick: () => location.reload() });
  again.append(views.reload);
  return notice('h1', views.startFailed, views.startFailedHint, again);
}
