/** What the button above the chats offers. */
import { groupTexts } from '../../models/texts/groups.js';
import { groupIcon } from '../groupIcons.js';
import { icon } from '../icons.js';
import { loadStyles } from '../laterStyles.js';
import { openMenu } from '../menu.js';

const words = groupTexts.newMenu;

/** @param {HTMLElement} button */
export async function openNewMenu(button) {
  await loadStyles('menus');
  const items = [
    { label: words.write, icon: icon('compose'), href: '/people' },
    { label: words.group, icon: groupIcon('group'), href: '/rooms/new' },
    { label: words.rooms, icon: groupIcon('globe'), href: '/rooms' },
  ];
  openMenu({ label: words.label, items, owner: button });
}
