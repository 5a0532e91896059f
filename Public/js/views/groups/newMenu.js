/** The menu of the button above the chats. */
import { texts } from '../../models/texts.js';
import { groupTexts } from '../../models/texts/groups.js';
import { loadStyles } from '../laterStyles.js';
import { openMenu } from '../menu.js';
import { icon } from '../parts.js';

const words = groupTexts.newMenu;

/** @param {HTMLElement} button */
export async function openNewMenu(button) {
  await loadStyles('menus');
  const items = [
    { label: words.write, icon: icon('compose'), href: '/people' },
    { label: groupTexts.create.title, icon: icon('group'), href: '/rooms/new' },
    { label: words.rooms, icon: icon('globe'), href: '/rooms' },
  ];
  openMenu({ label: texts.views.newChat, items, owner: button });
}
