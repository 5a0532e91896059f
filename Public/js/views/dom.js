/**
 * Small helpers around the document. Text goes in as text, never as markup; nothing here parses HTML.
 */

/** Names that are set as properties, since they are not attributes or behave better so. */
const properties = new Set(['value', 'hidden', 'checked', 'disabled', 'textContent', 'indeterminate']);

/**
 * Makes an element: `element("button", { class: "button", onclick: press }, "Retry")`.
 * @param {string} name tag name
 * @param {Record<string, unknown>} [attributes] `on…` are listeners; `null`, `undefined` and `false` are left out
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (properties.has(key)) node[key] = value;
    else node.setAttribute(key, value === true ? '' : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/**
 * Sets a text only where it differs, so that an unchanged row is not touched.
 * @param {Node} node @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Sets, changes or removes an attribute, only where it differs. `true` is an empty attribute, `false` and null none.
 * @param {Element} node @param {string} name @param {string|number|boolean|null|undefined} value
 */
export function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Collects what a view must undo when it leaves: subscriptions, observers, listeners. */
export class Scope {
  #undo = [];

  /** @param {() => void} undo */
  add(undo) {
    this.#undo.push(undo);
  }

  /** Listens until the scope ends. @param {EventTarget} target @param {string} type @param {EventListener} listener */
  listen(target, type, listener, options = undefined) {
    target.addEventListener(type, listener, options);
    this.add(() => target.removeEventListener(type, listener, options));
  }

  /**
   * Shows a view model's state now and after each change.
   * @template S
   * @param {{state: S, subscribe: (listener: (state: S) => void) => () => void}} viewModel
   * @param {(state: S) => void} show
   */
  bind(viewModel, show) {
    this.add(viewModel.subscribe(show));
    show(viewModel.state);
  }

  end() {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
  }
}

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
const coarsePointer = matchMedia('(hover: none) and (pointer: coarse)');

/** Whether things may move. */
export const motionAllowed = () => !reducedMotion.matches;

/** Whether fingers are the means of input, so that fields need an on-screen keyboard. */
export const isTouch = () => coarsePointer.matches;

/** What lies over the page. In `:is()`: browsers that know no popovers would refuse the whole otherwise. */
const COVERS = ':is(dialog[open], [role="menu"], [popover]:popover-open)';

/** Whether an input method has the key; some browsers tell it by the number alone. @param {KeyboardEvent} event */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

/**
 * Whether a key may be a shortcut of the page. To be asked while the key is handled, since what covers the page may close
 * with it. @param {KeyboardEvent} event
 */
export function mayBeShortcut(event) {
  const plain = event.key.length === 1 && !event.altKey && !event.ctrlKey && !event.metaKey;
  if (plain && event.target instanceof Element && event.target.matches('input, textarea')) return false;
  return !isComposing(event) && document.querySelector(COVERS) === null;
}

/** Pixels of a length that goes with the size of letters, which people choose in their browser. @param {number} count */
export const rem = (count) => count * parseFloat(getComputedStyle(document.documentElement).fontSize);

const announcer = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });

/** The live region that speaks for the log and the toasts; the shell puts it into the page. */
export const announcerNode = announcer;

/**
 * Says something to screen readers, politely. The text goes again after a while, so that it is not found by browsing.
 * @param {string} text
 */
export function announce(text) {
  const line = element('p', {}, text);
  announcer.append(line);
  setTimeout(() => line.remove(), 5000);
}

/**
 * Copies a text; where the clipboard is missing (insecure origins), by way of a selected field.
 * @param {string} text @returns {Promise<boolean>} whether it worked
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement;
    const attributes = { class: 'visually-hidden', readonly: true, value: text };
    const field = /** @type {HTMLTextAreaElement} */ (element('textarea', attributes));
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return copied;
  }
}
