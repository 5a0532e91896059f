/**
 * Holds the events that open a message's menu or a person's card, reply, or move between messages, until the tools that
 * handle them have loaded, which is after the first paint.
 */
import { isTouch } from './dom.js';

/** Keys that the tools handle on a message. */
const toolKeys = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Enter', 'Escape', 'ContextMenu', 'F10']);

/** What opens a card when it is pressed; a finger opens that of a reference, too. */
const pressed = '.message :is(.avatar, .sender, .mention)';

/**
 * @param {Element} node holds the messages
 * @param {() => Promise<unknown>|null} awaited null once the tools are there
 */
export function holdForTools(node, awaited) {
  const hold = (/** @type {Event} */ event) => {
    const target = /** @type {Element} */ (event.target);
    const isTaken = event.type === 'click'
      ? !target.closest(isTouch() ? `${pressed}, .message a.link[href^="https://github.com/"]` : pressed)
      : !target.closest('.message') || target.closest('a[href], button, input');
    const isKey = event instanceof KeyboardEvent;
    if (isTaken || (isKey && (!toolKeys.has(event.key) || event.ctrlKey || event.metaKey || event.altKey))) return;
    const ready = awaited();
    if (!ready) return;
    event.preventDefault();
    event.stopPropagation();
    const again = isKey ? new KeyboardEvent(event.type, event) : new MouseEvent(event.type, event);
    ready.then(() => target.dispatchEvent(again));
  };
  for (const type of ['contextmenu', 'dblclick', 'click', 'keydown']) node.addEventListener(type, hold);
}
