/** A card at the end of the chat list that invites a newcomer, until it is dismissed. */
import { welcomeTexts as words } from '../models/texts/welcome.js';
import { element } from './dom.js';
import { icon, iconButton } from './parts.js';

const ways = {
  notifications: ['unmute', '/settings/notifications'], picture: ['camera', '/settings/profile'],
  gitHub: ['github', '/settings/account'],
};

/** @param {import('../viewmodels/welcomeViewModel.js').WelcomeViewModel} model */
export function showWelcome(model) {
  const list = element('ul', { role: 'list' });
  const dismiss = iconButton('close', words.dismiss, () => model.dismiss(), { title: words.dismiss });
  const heading = element('h2', { id: 'welcome' }, words.title);
  const node = element('section', { class: 'welcome', 'aria-labelledby': 'welcome' },
    element('div', { class: 'welcome-head' }, heading, dismiss), list);
  const show = ({ items }) => {
    list.replaceChildren(...items.map((name) => {
      const [sign, href] = ways[name];
      return element('li', {}, element('a', { href }, icon(sign), element('span', {}, words[name])));
    }));
    if (items.length > 0) return;
    const hadFocus = node.contains(document.activeElement);
    const place = node.parentElement;
    node.remove();
    if (hadFocus) /** @type {HTMLElement|null} */ (place?.querySelector('h1, h2, a'))?.focus();
  };
  model.subscribe(show);
  show(model.state);
  // It belongs to the chats: other lists that stand in their place have none.
  if (model.state.items.length > 0) document.querySelector('.chat-rows')?.closest('.list-view')?.append(node);
}
