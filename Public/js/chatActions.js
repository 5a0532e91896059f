/** Composition of what can be done with a chat from its row: menu, swipe, question and request. Fetched when needed. */
import { listTexts } from './models/texts/list.js';
import { ChatActions } from './viewmodels/chatActions.js';
import { announce } from './views/dom.js';
import { loadStyles } from './views/laterStyles.js';
import { listIcon } from './views/listIcons.js';
import { openMenu as showMenu } from './views/menu.js';
import { ask } from './views/question.js';
import { RowTouch } from './views/rowTouch.js';

/** What makes no sense while the chat stays open. */
const closing = ['unread', 'delete', 'leave'];

/**
 * @param {object} client
 * @param {object} page
 * @param {import('./viewmodels/chatListViewModel.js').ChatListViewModel} page.chats
 * @param {import('./views/chatList.js').ChatListView} page.list
 * @param {(text: string) => void} page.tell says what failed
 * @param {(roomId: string) => void} page.leave closes the chat if it is the open one
 */
export async function chatActions(client, { chats, list, tell, leave }) {
  await loadStyles('menus', 'list');
  const model = new ChatActions({ ...client, tell });

  const perform = async (row, { name, asks }) => {
    const { id } = row.item;
    if (asks && !(await ask(model.question(id, name)))) return;
    const index = chats.rows.indexOfKey(id);
    const said = model.doneText(id, name);
    const request = model.run(id, name);
    if (closing.includes(name)) leave(id);
    if (name === 'delete' || name === 'leave') {
      // The list has changed once what waits for it has run.
      setTimeout(() => list.focusRow(Math.min(index, chats.rows.length - 1)));
    }
    if (await request) announce(said);
  };

  const openMenu = (row, at) => {
    const items = model.items(row.item.id).map((item) => ({
      label: item.label,
      icon: listIcon(item.name),
      danger: item.asks,
      act: () => perform(row, item),
    }));
    showMenu({ label: listTexts.menu(row.item.name), items, owner: row.node, at, giveBack: row.link });
  };

  const touch = new RowTouch({
    container: list.rows,
    actionsOf: (row) => [
      ...model.items(row.item.id).filter((item) => !item.asks).map((item) => ({
        name: item.name,
        label: listTexts.short[item.name],
        icon: listIcon(item.name),
        act: () => perform(row, item),
      })),
      { name: 'more', label: listTexts.short.more, icon: listIcon('more'), act: () => openMenu(row, null) },
    ],
    openMenu,
  });
  return { openMenu, touch: (row, event) => touch.begin(row, event) };
}
