/** A person's page (N3): picture, name, what is said and counted, and the button that opens the chat. */
import { newsTexts } from '../../models/texts/news.js';
import { element, setAttribute } from '../dom.js';
import { FetchedPage, actionsOf, notesOf } from './thingPage.js';

/**
 * @param {import('../../viewmodels/fetched.js').Fetched} model
 * @param {string} login
 * @param {{share: (person: object) => void, write: (login: string) => Promise<string|null>}} actions
 *   `write` opens the chat, and gives a sentence where that failed
 */
export function personPage(model, login, { share, write }) {
  return new FetchedPage(model, { name: login, back: '/people', draw: (person, page) => drawPerson(person, page, share, write) });
}

function drawPerson(person, page, share, write) {
  const problem = element('p', { class: 'alert-line', role: 'alert', hidden: true });
  const button = element('button', { type: 'button', class: 'button primary' }, newsTexts.write);
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-busy') === 'true') return;
    setAttribute(button, 'aria-busy', 'true');
    const failed = await write(person.login);
    setAttribute(button, 'aria-busy', null);
    problem.textContent = failed ?? '';
    problem.hidden = failed === null;
  });
  const lists = element('ul', { class: 'counts', role: 'list', 'aria-label': newsTexts.details },
    ...person.lists.map(({ text, href }) => element('li', { class: 'number' }, element('a', { class: 'link', href }, text))),
    element('li', { class: 'number' }, person.repositories));
  const names = element('div', { class: 'names' },
    element('p', { class: 'login code', dir: 'auto' }, person.login),
    person.member && element('p', { class: 'place member' }, newsTexts.member),
    lists);
  return {
    title: person.title,
    nodes: [
      element('div', { class: 'person-head' }, page.face(96, person), names),
      person.bio && element('p', { class: 'plain', dir: 'auto' }, person.bio),
      notesOf(person.notes),
      person.since && element('p', { class: 'since' }, person.since),
      problem,
      actionsOf(person, share, person.canWrite && button),
    ],
  };
}
