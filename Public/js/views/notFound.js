/** The page of an address that leads nowhere. */
import { element } from './dom.js';
import { notice } from './shell.js';
import { texts } from '../models/texts.js';
import { sharedTexts } from '../models/texts/shared.js';

export function notFound() {
  const back = element('a', { class: 'button', href: '/chats' }, texts.views.toList);
  return notice('h1', sharedTexts.lostTitle, sharedTexts.lostHint, back);
}
