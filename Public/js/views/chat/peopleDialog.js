/** Lists of people about one message: who has read it (R4), who reacted with what (R3). */
import { Avatar } from '../avatar.js';
import { element } from '../dom.js';
import { openDialog } from './dialog.js';
import { chatTexts } from '../../models/texts/conversation.js';

/** @param {Promise<object|string>} asked what `MessageActions.readers` gives */
export function showReaders(asked) {
  show(chatTexts.readers, asked, ({ read, delivered, sent, all }) => [
    { title: chatTexts.readBy(read.length, all), people: read },
    { title: chatTexts.deliveredTo, people: delivered },
    { title: chatTexts.sentTo, people: sent },
  ], chatTexts.readersHint);
}

/** @param {Promise<object[]|string>} asked what `MessageActions.reactors` gives */
export function showReactors(asked) {
  show(chatTexts.reactors, asked, (groups) => groups.map(({ emoji, people }) => ({ title: `${emoji} ${people.length}`, people })));
}

async function show(title, asked, groupsOf, hint = '') {
  const body = element('div', { class: 'people-of scroller', tabindex: '0' });
  body.append(element('p', { class: 'hint', role: 'status' }, chatTexts.loading));
  const faces = [];
  const dialog = openDialog({
    title, content: [body], name: 'people', closed: () => faces.forEach((face) => face.release()),
  });
  const answer = await asked;
  if (!dialog.isConnected) return;
  if (typeof answer === 'string') return body.replaceChildren(element('p', { class: 'problem', role: 'alert' }, answer));
  body.replaceChildren();
  for (const { title: heading, people } of groupsOf(answer)) {
    if (people.length === 0 && heading !== groupsOf(answer)[0].title) continue;
    const list = element('ul', { role: 'list' });
    for (const person of people) {
      const face = new Avatar(32);
      face.show({ ...person, online: false });
      faces.push(face);
      list.append(element('li', { class: 'person' }, face.node, element('span', { dir: 'auto' }, person.name)));
    }
    body.append(element('h3', {}, heading), list);
  }
  if (hint) body.append(element('p', { class: 'hint' }, hint));
}
