/** Composes the actions of a chat's row: menu, swipe, confirmation and request. Fetched at first use. */
import { texts } from '../models/texts.js';
import { listTexts } from '../models/texts/list.js';
import { ChatActions } from '../viewmodels/chatActions.js';
import { announce } from '../views/dom.js';
import { loadStyles } from '../views/laterStyles.js';
import { openMenu as showMenu } from '../views/menu.js';
import { icon } from '../views/parts.js';
import { ask } from '../views/question.js';
import { RowTouch } from '../views/rowTouch.js';

/** Actions that close the chat if it is open. */
const closing = ['unread', 'delete', 'leave'];

/**
 * @param {object} client
 * @param {object} page
 * @param {import('../viewmodels/chatListViewModel.js').ChatListViewModel} page.chats
 * @param {import('../views/chatList.js').ChatListView} page.list
 * @param {(text: string) => void} page.tell shows an error
 * @param {(roomId: string) => void} page.leave closes the chat if it is the open one
 */
export async function chatActions(client, { chats, list, tell, leave }) {
  await loadStyles('menus', 'list');
  const model = new ChatActions({ ...client, tell });

  /** @param {any} row @param {{name: string, asks?: boolean}} item */
  const perform = async (row, { name, asks }) => {
    const { id } = row.item;
    if (asks && !(await ask(model.question(id, name)))) return;
    const index = chats.rows.indexOfKey(id);
    const said = model.doneText(id, name);
    const request = model.run(id, name);
    if (closing.includes(name)) leave(id);
    if (name === 'delete' || name === 'leave') {
      // The list changes after the pending microtasks.
      setTimeout(() => list.focusRow(Math.min(index, chats.rows.length - 1)));
    }
    if (await request) announce(said);
  };

  const openMenu = (row, at) => {
    const items = model.items(row.item.id).map((item) => ({
      label: item.label,
      icon: icon(item.name),
      danger: item.asks,
      act: () => perform(row, item),
    }));
    showMenu({ label: texts.chats.actions(row.item.name), items, owner: row.node, at, giveBack: row.link });
  };

  const touch = new RowTouch({
    container: list.rows,
    actionsOf: (row) => [
      ...model.items(row.item.id).filter((item) => !item.asks).map((item) => ({
        name: item.name,
        label: listTexts.short[item.name],
        icon: icon(item.name),
        act: () => perform(row, item),
      })),
      { name: 'more', label: listTexts.short.more, icon: icon('more'), act: () => openMenu(row, null) },
    ],
    openMenu,
  });
  return { openMenu, touch: (row, event) => touch.begin(row, event) };
}
