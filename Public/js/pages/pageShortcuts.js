/**
 * Connects keyboard shortcuts to their actions. `app.js` fetches it at the first key that could be a shortcut.
 */
import { Shortcuts } from '../viewmodels/shortcutKeys.js';

/**
 * @param {object} page
 * @param {ReturnType<import('../services/client.js').createClient>['preferences']} page.preferences
 * @param {(address: string) => void} page.navigate
 * @param {import('../viewmodels/chatListViewModel.js').ChatListViewModel} page.chats
 * @param {import('../views/chatList.js').ChatListView} page.list
 * @returns {(event: KeyboardEvent) => void} handles a key that nothing else has handled
 */
export function makeShortcuts({ preferences, navigate, chats: { rows }, list }) {
  const shortcuts = new Shortcuts(preferences);
  const openRoom = () => rows.indexOfKey(location.pathname.split('/')[2]);
  const step = (by) => {
    const at = openRoom();
    const row = rows.items[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
    if (row) navigate(`/chats/${row.id}`);
  };
  const acts = {
    help: async () => (await import('../views/shortcutHelp.js')).openShortcutHelp(shortcuts),
    compose() {
      const button = list.node.querySelector('.bar [aria-haspopup="menu"]');
      if (button?.checkVisibility()) button.click();
      else navigate('/people');
    },
    previous: () => step(-1),
    next: () => step(1),
    back() {
      const link = [...document.querySelectorAll('a[data-back]')].find((node) => node.checkVisibility());
      if (link) link.click();
      else if (list.node.checkVisibility() && openRoom() >= 0) list.focusRow(openRoom());
    },
  };
  for (const place of ['chats', 'people', 'news', 'settings']) acts[place] = () => navigate(`/${place}`);

  return (event) => {
    if (event.defaultPrevented) return;
    const name = shortcuts.of(pressOf(event));
    if (name) acts[name]();
  };
}

/** @returns {import('../viewmodels/shortcutKeys.js').Key} */
function pressOf({ key, ctrlKey, metaKey, altKey, timeStamp, target }) {
  const inside = (selector) => target instanceof Element && target.closest(selector) !== null;
  return {
    key,
    control: ctrlKey || metaKey,
    alt: altKey,
    time: timeStamp,
    field: inside('.composer textarea') ? 'message'
      : inside('input, textarea, select, [contenteditable]') ? 'other' : 'none',
  };
}
