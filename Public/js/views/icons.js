/** Every drawing of the app, as SVG elements made by hand: no markup is parsed. */

const svgNamespace = 'http://www.w3.org/2000/svg';

/** A circle as a path. */
export const ring = (x, y, radius) =>
  `M${x} ${y + radius}a${radius} ${radius} 0 1 0 0-${2 * radius} ${radius} ${radius} 0 0 0 0 ${2 * radius}z`;

/** Line drawings on a grid of 24, in the order in which the pen goes. */
const drawings = {
  chats: [
    'M4 6.5a2.5 2.5 0 0 1 2.5-2.5h11a2.5 2.5 0 0 1 2.5 2.5v7a2.5 2.5 0 0 1-2.5 2.5h-7l-4.5 4v-4a2 2 0 0 1-2-2z',
  ],
  people: [
    ring(9, 7.75, 3.75),
    'M2.5 20c0-3.3 2.9-5.5 6.5-5.5s6.5 2.2 6.5 5.5',
    'M15.5 4.4a3.75 3.75 0 0 1 0 6.7M17.8 14.9c2.2.8 3.7 2.6 3.7 5.1',
  ],
  news: [
    'M4 5h13v12.5a2.5 2.5 0 0 0 2.5 2.5h-13a2.5 2.5 0 0 1-2.5-2.5z',
    'M17 9h3v8.5a2.5 2.5 0 0 1-.5 1.5M8 9h5M8 12.5h5M8 16h3',
  ],
  settings: ['M4 7h9M17.5 7H20M4 17h2.5M11 17h9', ring(15.25, 7, 2.25), ring(8.75, 17, 2.25)],
  back: ['M15 5l-7 7 7 7'],
  send: ['M12 19V5.5M6 11.5l6-6 6 6'],
  down: ['M12 5v13.5M6 12.5l6 6 6-6'],
  search: [ring(10.5, 10.5, 6.5), 'M20 20l-4.8-4.8'],
  compose: [
    'M12 5H7a3 3 0 0 0-3 3v9a3 3 0 0 0 3 3h9a3 3 0 0 0 3-3v-5',
    'M18.7 3.8a1.9 1.9 0 0 1 2.6 2.6L13 14.7 9.3 15.7l1-3.7z',
  ],
  close: ['M6 6l12 12M18 6L6 18'],
  chevron: ['M6 9.5l6 6 6-6'],
  warning: ['M12 4.2L2.9 19.5h18.2z', 'M12 10v4.5M12 17v.1'],
  clock: [ring(12, 12, 9), 'M12 7v5l3.5 2'],
  muted: [
    'M6 16.5c1.2-1.3 1.5-3 1.5-6.5 0-.8.2-1.5.5-2.1M18 16.5H6M10 20h4',
    'M16.5 12.5V10a4.5 4.5 0 0 0-7-3.7M4 4l16 16',
  ],
  pinned: ['M9 4h6l-.7 6.5 3.2 3.5h-11l3.2-3.5zM12 14v6'],
  light: [
    ring(12, 12, 4),
    'M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2',
    'M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  ],
  dark: ['M20 14.2A8.25 8.25 0 0 1 9.8 4a8.25 8.25 0 1 0 10.2 10.2z'],
  system: ['M4 5h16v11H4zM9 20h6M12 16v4'],
  github: [
    ring(7, 5.25, 2.25),
    ring(7, 18.75, 2.25),
    ring(17, 8.25, 2.25),
    'M7 7.5v9M17 10.5c0 3-2.5 4-5.5 4s-4.5.5-4.5 2',
  ],
  out: ['M10 4H6.5A2.5 2.5 0 0 0 4 6.5v11A2.5 2.5 0 0 0 6.5 20H10M15 8l4 4-4 4M19 12H9.5'],
};

/** Drawings that point somewhere and turn round where text runs from right to left. */
const flipping = new Set(['back', 'out']);

/** The states of a message on a grid of 17 × 12: a clock, one tick, two ticks, a mark of failure. */
const states = {
  unsent: 'M8.5 11a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM8.5 3.5V6l1.7 1.2',
  sent: 'M4.5 6.5l3 3 6-7',
  delivered: 'M1 6.5l3 3 6-7M7.7 9l.5.500 6-7',
  read: 'M1 6.5l3 3 6-7M7.7 9l.5.500 6-7',
  failed: 'M8.5 11a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM8.5 3.5v3M8.5 8.6v.1',
};

/** @param {string} name @param {Record<string, string>} attributes @returns {SVGElement} */
function svg(name, attributes, ...children) {
  const node = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/**
 * An icon that only decorates: the words beside it, or its button's name, say what it means.
 * @param {keyof typeof drawings} name @returns {SVGElement}
 */
export function icon(name) {
  return drawing(drawings[name], flipping.has(name));
}

/** An icon from its lines on a grid of 24. @param {string[]} lines @param {boolean} [flips] with the text's direction */
export function drawing(lines, flips = false) {
  const paths = lines.map((d) => svg('path', { d }));
  const classes = flips ? 'icon flips' : 'icon';
  return svg('svg', { class: classes, viewBox: '0 0 24 24', 'aria-hidden': 'true' }, ...paths);
}

/** The mark: two speech bubbles that overlap into an H. @returns {SVGElement} */
export function mark() {
  return svg(
    'svg',
    { class: 'mark', viewBox: '0 0 64 64', 'aria-hidden': 'true' },
    svg('path', { class: 'second', d: 'M39 15a9.5 9.5 0 0 1 19 0v43l-9-8h-1a9 9 0 0 1-9-9z' }),
    svg('path', {
      class: 'first',
      d: 'M25 15a9.5 9.5 0 0 0-19 0v43l9-8h1a9 9 0 0 0 9-9v-2h15.5a7.5 7.5 0 0 0 0-15h-15.5z',
    }),
  );
}

/** The sign of an own message's state; `show` redraws it in place. */
export class StateSign {
  #path = svg('path', {});
  node = svg('svg', { class: 'state', viewBox: '0 0 17 12', role: 'img' }, this.#path);

  /** @param {keyof typeof states} state @param {string} label what screen readers say */
  show(state, label) {
    if (this.node.getAttribute('aria-label') === label) return;
    this.#path.setAttribute('d', states[state]);
    this.node.setAttribute('aria-label', label);
  }
}
