/** A person's page: picture, name, profile, counts, and the button that opens the chat. */
import { sharedTexts } from '../../models/texts/shared.js';
import { newsTexts } from '../../models/texts/news.js';
import { element, set, setAttribute } from '../dom.js';
import { button } from '../parts.js';
import { FetchedPage, actionsOf, notesOf } from './thingPage.js';

/**
 * @param {import('../../viewmodels/fetched.js').Fetched} model
 * @param {string} login
 * @param {{share: (person: object) => void, write: (login: string) => Promise<string|null>}} actions
 *   `write` opens the chat; resolves to an error text, or null
 */
export function personPage(model, login, { share, write }) {
  const draw = (person, page) => drawPerson(person, page, share, write);
  return new FetchedPage(model, { name: login, back: '/people', draw });
}

function drawPerson(person, page, share, write) {
  const problem = element('p', { class: 'alert-line', role: 'alert', hidden: true });
  const chat = button(newsTexts.write, async () => {
    if (chat.getAttribute('aria-busy') === 'true') return;
    setAttribute(chat, 'aria-busy', 'true');
    const failed = await write(person.login);
    setAttribute(chat, 'aria-busy', null);
    set(problem, { text: failed ?? '', hidden: failed === null });
  }, 'primary');
  const lists = element('ul', { class: 'counts', role: 'list', 'aria-label': newsTexts.details },
    ...person.lists.map(({ text, href }) =>
      element('li', { class: 'number' }, element('a', { class: 'link', href }, text))),
    element('li', { class: 'number' }, person.repositories));
  const names = element('div', { class: 'names' },
    element('p', { class: 'login code', dir: 'auto' }, person.login),
    person.member && element('p', { class: 'place member' }, sharedTexts.member),
    lists);
  return {
    title: person.title,
    nodes: [
      element('div', { class: 'profile-head' }, page.face(96, person), names),
      person.bio && element('p', { class: 'plain', dir: 'auto' }, person.bio),
      notesOf(person.notes),
      person.since && element('p', { class: 'since' }, person.since),
      problem,
      actionsOf(person, share, person.canWrite && chat),
    ],
  };
}
