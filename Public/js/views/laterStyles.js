/** Style sheets of pages that are not there from the start. */

const loads = new Map();

/**
 * Fetches sheets of `css/later`, each once, in the order of their names.
 * @param {...string} names
 * @returns {Promise<void[]>} when they are in force, so that no page shows undressed; rejects when one did not arrive
 */
export function loadStyles(...names) {
  return Promise.all(names.map(load));
}

function load(name) {
  if (!loads.has(name)) {
    const loading = new Promise((resolve, reject) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = new URL(`../../css/later/${name}.css`, import.meta.url).href;
      link.onload = () => resolve();
      link.onerror = () => {
        link.remove();
        loads.delete(name);
        reject(new TypeError(`The style sheet ${name} did not arrive.`));
      };
      document.head.append(link);
    });
    loads.set(name, loading);
  }
  return loads.get(name);
}
