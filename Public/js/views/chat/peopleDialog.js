/** Lists of people about one message: who has read it, who reacted with what. */
import { element } from '../dom.js';
import { openDialog } from './dialog.js';
import { chatTexts } from '../../models/texts/conversation.js';
import { Avatar } from '../parts.js';

/**
 * @param {Promise<object|string>} asked the result of `MessageActions.readers`
 * @param {(user: {id: string}) => void} openCard
 */
export function showReaders(asked, openCard) {
  show(chatTexts.readers, asked, ({ read, delivered, sent, all }) => [
    { title: chatTexts.readBy(read.length, all), people: read },
    { title: chatTexts.deliveredTo, people: delivered },
    { title: chatTexts.sentTo, people: sent },
  ], openCard, chatTexts.readersHint);
}

/**
 * @param {Promise<object[]|string>} asked the result of `MessageActions.reactors`
 * @param {(user: {id: string}) => void} openCard
 */
export function showReactors(asked, openCard) {
  show(chatTexts.reactors, asked, (groups) =>
    groups.map(({ emoji, people }) => ({ title: `${emoji} ${people.length}`, people })), openCard);
}

async function show(title, asked, groupsOf, openCard, hint = '') {
  const body = element('div', { class: 'people-of scroller', tabindex: '0' });
  body.append(element('p', { class: 'hint', role: 'status' }, chatTexts.loading));
  const faces = [];
  const dialog = openDialog({
    title, content: [body], name: 'people', closed: () => faces.forEach((face) => face.release()),
  });
  const answer = await asked;
  if (!dialog.isConnected) return;
  if (typeof answer === 'string') {
    body.replaceChildren(element('p', { class: 'problem', role: 'alert' }, answer));
    return;
  }
  body.replaceChildren();
  for (const { title: heading, people } of groupsOf(answer)) {
    if (people.length === 0 && heading !== groupsOf(answer)[0].title) continue;
    const list = element('ul', { role: 'list' });
    for (const person of people) {
      const face = new Avatar(32);
      face.show({ ...person, online: false });
      faces.push(face);
      const go = () => {
        dialog.close();
        openCard(person);
      };
      list.append(element('li', {}, element('button', { type: 'button', class: 'person', onclick: go },
        face.node, element('span', { dir: 'auto' }, person.name))));
    }
    body.append(element('h3', {}, heading), list);
  }
  if (hint) body.append(element('p', { class: 'hint' }, hint));
}
