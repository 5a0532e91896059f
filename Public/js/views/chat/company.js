/** What an empty group offers to whoever is alone in it: people, and a link for those who are not here yet. */
import { chatTexts } from '../../models/texts/conversation.js';
import { element } from '../dom.js';
import { button, icon } from '../parts.js';
import { copyInvite } from './copyInvite.js';

/**
 * @param {Element} place @param {string} roomId
 * @param {() => Promise<string>} makeLink makes a link that lets into the group; rejects with `ApiError`
 */
export function offerCompany(place, roomId, makeLink) {
  const link = button(chatTexts.copyGroupLink, () => copyInvite(link, makeLink));
  place.replaceChildren(
    element('p', { class: 'what' }, chatTexts.alone),
    element('p', { class: 'how' }, chatTexts.aloneHint),
    element('div', { class: 'ways' },
      element('a', { class: 'button primary', href: `/chats/${roomId}/info` }, icon('addPerson'), chatTexts.addPeople),
      link),
  );
}
