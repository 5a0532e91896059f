/**
 * Shows an observable array as a view per item, in its order, and applies its changes one by one: only rows that
 * changed are touched.
 * @template T
 * @template {import('./windowedList.js').RowView<T>} V
 * @param {object} options
 * @param {import('../models/observableArray.js').ObservableArray<T>} options.array
 * @param {HTMLElement} options.container holds the rows and nothing else
 * @param {(item: T) => V} options.create makes the view of one item, already showing it
 * @param {(apply: () => void, changes: object[]) => void} [options.around] wraps each batch, to hold a scroll position
 * @returns {{views: V[], end: () => void}} the views in order, and a way to stop
 */
export function bindList({ array, container, create, around = (apply) => apply() }) {
  /** @type {V[]} */
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
        // Moving a node drops its focus.
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
    around(() => changes.forEach(apply), changes);
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
