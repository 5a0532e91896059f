/** Loads the style sheets of later pages. */

const loads = new Map();

/**
 * Loads sheets of `css/later`, each once, in the order of the arguments.
 * @param {...string} names
 * @returns {Promise<void[]>} when they apply, so that no page shows unstyled; rejects if one fails to load
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
