/** Style sheets of pages that are not there from the start. */

const loads = new Map();

/**
 * Fetches a sheet of `css/later` once; the layers that the first sheet named keep the order.
 * @param {string} name
 * @returns {Promise<void>} when it is in force, so that no page shows undressed; rejects when it did not arrive
 */
export function loadStyles(name) {
  if (!loads.has(name)) {
    const loading = new Promise((resolve, reject) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = new URL(`../../css/later/${name}.css`, import.meta.url).href;
      link.onload = () => resolve();
      link.onerror = () => {
        link.remove();
        loads.delete(name);
        reject(new Error(`The style sheet ${name} did not arrive.`));
      };
      document.head.append(link);
    });
    loads.set(name, loading);
  }
  return loads.get(name);
}
