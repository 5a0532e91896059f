/**
 * The one way an observable array reaches the document: a view per item, kept in the array's order by applying its
 * changes, so that only rows that changed are touched.
 */
import { motionAllowed } from './dom.js';

/**
 * @template T
 * @typedef {{node: HTMLElement, update: (item: T, previous: T) => void, remove?: () => void}} RowView
 */

/**
 * @template T
 * @param {object} options
 * @param {import('../models/observableArray.js').ObservableArray<T>} options.array
 * @param {HTMLElement} options.container holds the rows and nothing else
 * @param {(item: T) => RowView<T>} options.create makes the view of one item, already showing it
 * @param {boolean} [options.slides] whether rows glide to their new places where motion is allowed
 * @param {(apply: () => void, changes: object[]) => void} [options.around] wraps each batch, to hold a scroll position
 * @returns {{views: RowView<T>[], end: () => void}} the views in order, and a way to stop
 */
export function bindList({ array, container, create, slides = false, around = (apply) => apply() }) {
  /** @type {RowView<T>[]} */
  const views = [];

  const place = (view, index) => {
    const next = views[index]?.node ?? null;
    views.splice(index, 0, view);
    container.insertBefore(view.node, next);
  };

  const apply = (change) => {
    switch (change.type) {
      case 'insert':
        place(create(change.item), change.index);
        break;
      case 'remove': {
        const [view] = views.splice(change.index, 1);
        view.remove?.();
        view.node.remove();
        break;
      }
      case 'move': {
        const focused = document.activeElement;
        const [view] = views.splice(change.from, 1);
        place(view, change.to);
        // A node that moves loses the focus.
        if (focused instanceof HTMLElement && focused !== document.activeElement && view.node.contains(focused)) {
          focused.focus({ preventScroll: true });
        }
        break;
      }
      case 'update':
        views[change.index].update(change.item, change.previous);
        break;
    }
  };

  const unsubscribe = array.subscribe((changes) => {
    const glide = slides && motionAllowed() && changes.some((change) => change.type === 'move');
    const before = glide ? new Map(views.map((view) => [view, view.node.offsetTop])) : null;
    around(() => changes.forEach(apply), changes);
    if (before) slide(views, before);
  });
  array.items.forEach((item, index) => place(create(item), index));

  return {
    views,
    end() {
      unsubscribe();
      for (const view of views) view.remove?.();
    },
  };
}

/** Lets each row glide from where it was. */
function slide(views, before) {
  for (const view of views) {
    const was = before.get(view);
    const by = was === undefined ? 0 : was - view.node.offsetTop;
    if (by === 0) continue;
    const from = { transform: `translateY(${by}px)`, zIndex: by > 0 ? 1 : 0 };
    view.node.animate([from, { transform: 'none', zIndex: from.zIndex }], {
      duration: 160,
      easing: 'cubic-bezier(0.2, 0, 0, 1)',
    });
  }
}
