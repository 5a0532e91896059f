/** The drawings of what can be done with messages, which the first paint of a chat does not need. */
import { drawing, icon, ring } from '../icons.js';

const drawings = {
  reply: ['M10 6l-6 5.500 6 5.500', 'M4.500 11.500h9a6 6 0 0 1 6 6v1'],
  edit: ['M15.500 5.500l3 3L9 18l-4 1 1-4z', 'M13.500 7.500l3 3'],
  copyText: ['M9 8.500h9.500V20H9z', 'M15 8.500V4.500H5.500V16H9'],
  copyLink: ['M10.500 13.500a3.500 3.500 0 0 0 5 0l3-3a3.500 3.500 0 0 0-5-5l-1 1', 'M13.500 10.500a3.500 3.500 0 0 0-5 0l-3 3a3.500 3.500 0 0 0 5 5l1-1'],
  forward: ['M14 6l6 5.500-6 5.500', 'M19.500 11.500h-9a6 6 0 0 0-6 6v1'],
  unpin: ['M9 4h6l-.7 6.5 3.2 3.5h-11l3.2-3.5zM12 14v6', 'M4 4l16 16'],
  original: ['M5 5v6a3 3 0 0 0 3 3h10.500', 'M14 9.500l5 4.500-5 4.500'],
  reactors: [ring(12, 12, 8.5), 'M8.500 14c.8 1.500 2 2.200 3.500 2.200s2.700-.7 3.500-2.200', 'M9 9.500v.5M15 9.500v.5'],
  readers: ['M2 12.500l4 4 7.500-9', 'M11 15.500l1 1 8.500-9.500'],
  select: [ring(12, 12, 8.5), 'M8 12.200l2.800 2.800 5-6'],
  remove: ['M5 7h14M10 7V4.500h4V7M7 7l.8 12.500h8.400L17 7M10.500 10.500v5.500M13.500 10.500v5.500'],
  retry: ['M19 12a7 7 0 1 1-2-5', 'M19.500 3.500V8H15'],
  more: ['M6 12v.01M12 12v.01M18 12v.01'],
  add: [ring(11, 13, 7.5), 'M8 14.500c.7 1.300 1.700 1.900 3 1.900s2.300-.6 3-1.900M8.800 11v.4M13.200 11v.4M19 2.500v5M16.500 5h5'],
  list: ['M9 7h11M9 12h11M9 17h11', 'M4.500 7v.01M4.500 12v.01M4.500 17v.01'],
};

const flipping = new Set(['reply', 'forward', 'original']);
const known = { pin: 'pinned', close: 'close', discard: 'close' };

/** @param {string} name of an action @returns {SVGElement} */
export function chatIcon(name) {
  return drawings[name] ? drawing(drawings[name], flipping.has(name)) : icon(known[name] ?? name);
}
