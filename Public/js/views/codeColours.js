/** Colours code that is in view, by CSS custom highlights: no element changes, so that nothing shifts. */
import { highlight } from '../models/highlight/highlight.js';

const highlights = /** @type {Map<string, Highlight>} */ (CSS.highlights);
/** The ranges of the code in view. @type {WeakMap<Element, [string, Range][]>} */
const shown = new WeakMap();
/** @type {WeakMap<Element, string>} */
const languages = new WeakMap();
/** Code that left the view while its colours were computed stays plain. @type {WeakSet<Element>} */
const inView = new WeakSet();

const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) {
      inView.add(target);
      colour(target).catch(() => {});
    } else {
      inView.delete(target);
      for (const [kind, range] of shown.get(target) ?? []) highlights.get(kind)?.delete(range);
      shown.delete(target);
    }
  }
}, { rootMargin: '200px 0px' });

/** @param {Element} code @param {string} info behind the fence */
export function colourInView(code, info) {
  // Each word would get the background of a selection.
  if (matchMedia('(forced-colors: active)').matches) return;
  languages.set(code, info);
  watcher.observe(code);
}

/** @param {Element} code */
async function colour(code) {
  const tokens = await highlight(code.textContent ?? '', languages.get(code) ?? '');
  if (shown.has(code) || !inView.has(code)) return;
  const nodes = document.createNodeIterator(code, NodeFilter.SHOW_TEXT);
  const places = [];
  for (let node = nodes.nextNode(), start = 0; node; node = nodes.nextNode()) {
    const end = start + (node.nodeValue?.length ?? 0);
    places.push({ node, start, end });
    start = end;
  }
  const ranges = [];
  let first = 0;
  for (const [start, end, kind] of tokens) {
    while (places[first] && places[first].end <= start) first += 1;
    for (let index = first; places[index] && places[index].start < end; index += 1) {
      const { node, start: from, end: to } = places[index];
      const range = new Range();
      range.setStart(node, Math.max(start, from) - from);
      range.setEnd(node, Math.min(end, to) - from);
      ranges.push(/** @type {[string, Range]} */ ([`code-${kind}`, range]));
    }
  }
  shown.set(code, ranges);
  for (const [kind, range] of ranges) {
    if (!highlights.has(kind)) highlights.set(kind, new Highlight());
    highlights.get(kind)?.add(range);
  }
}
