/** The drawings of what can be done with a chat, which the first page does not need. */
import { drawing, icon } from './icons.js';

const drawings = {
  read: ['M2.5 12.5l4.5 4.5L15 7.5', 'M11.5 15.5l1.5 1.5 8.5-9.5'],
  unread: [
    'M12.5 4h-6A2.5 2.5 0 0 0 4 6.5v11.5a2 2 0 0 0 2 2v0l4.5-4h7a2.5 2.5 0 0 0 2.5-2.5v-2',
    'M18.5 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  ],
  unmute: ['M6 16.5c1.2-1.3 1.5-3 1.5-6a4.5 4.5 0 0 1 9 0c0 3 .3 4.7 1.5 6z', 'M10 20h4'],
  unpin: ['M9 4h6l-.7 6.5 3.2 3.5h-11l3.2-3.5zM12 14v6', 'M4 4l16 16'],
  clear: ['M13.5 4.5l6 6-8.5 9h-4l-3-3z', 'M9 9l6.5 6.5M12.5 19.5H20'],
  delete: ['M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v5.5M13.5 10.5v5.5'],
  more: ['M5.5 12h1M11.5 12h1M17.5 12h1'],
};

const known = { mute: 'muted', pin: 'pinned', leave: 'out' };

/** @param {string} name of an action @returns {SVGElement} */
export function listIcon(name) {
  return drawings[name] ? drawing(drawings[name]) : icon(known[name]);
}
