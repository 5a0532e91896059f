/**
 * DOM helpers. Text is inserted as text, never as markup; nothing parses HTML.
 */

/** Names set as properties instead of attributes. */
const properties = new Set(['value', 'hidden', 'checked', 'disabled', 'textContent', 'indeterminate']);

/**
 * Makes an element: `element("button", { class: "button", onclick: press }, "Retry")`.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name tag name
 * @param {Record<string, unknown>} [attributes] `on…` are listeners; `null`, `undefined` and `false` are left out
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (properties.has(key)) node[key] = value;
    else node.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}

/**
 * Sets a text if it differs, so that unchanged rows are not touched.
 * @param {Node} node @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Sets or removes an attribute if it differs. `true` is an empty attribute; `false` and null remove it.
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

/**
 * Sets values that differ: `text`, properties, and attributes as in `setAttribute`.
 * @param {Element} node @param {Record<string, unknown>} values
 */
export function set(node, values) {
  for (const [name, value] of Object.entries(values)) {
    if (name === 'text') setText(node, String(value));
    else if (!properties.has(name)) setAttribute(node, name, /** @type {string|null} */ (value));
    else if (node[name] !== value) node[name] = value;
  }
}

/**
 * Sets values of a view's parts, by name: a string is a part's text, an object what `set` takes.
 * @param {Record<string, Element>} parts @param {Record<string, string|Record<string, unknown>>} values
 */
export function fill(parts, values) {
  for (const [name, value] of Object.entries(values)) {
    set(parts[name], typeof value === 'object' ? value : { text: value });
  }
}

/** Template elements by id, without the whitespace of the page's source. */
const shapes = new Map();

function shapeOf(name) {
  if (!shapes.has(name)) {
    const { content } = /** @type {HTMLTemplateElement} */ (document.getElementById(name));
    const texts = document.createNodeIterator(content, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (/^\s*\n\s*$/.test(node.nodeValue)) node.nodeValue = '';
    }
    content.normalize();
    shapes.set(name, content.firstElementChild);
  }
  return shapes.get(name);
}

/**
 * Clones a `<template>` of the page. @param {string} name the template's id
 * @returns {Record<string, HTMLElement>} the clone as `node`, and by its name each element in it that has `data-part`
 */
export function clone(name) {
  const node = /** @type {HTMLElement} */ (shapeOf(name).cloneNode(true));
  const parts = { node };
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll('[data-part]'))) {
    parts[part.dataset.part] = part;
    part.removeAttribute('data-part');
  }
  return parts;
}

/** Collects what must be undone when a view ends: subscriptions, observers, listeners. */
export class Scope {
  #undo = [];

  /** @param {() => void} undo */
  add(undo) {
    this.#undo.push(undo);
  }

  /** Shows a list until the scope ends. @param {{end: () => void}} list @returns {object} the same list */
  keep(list) {
    this.add(() => list.end());
    return list;
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

/** Whether animations are allowed. */
export const motionAllowed = () => !reducedMotion.matches;

/** Whether input is by touch, so that fields need an on-screen keyboard. */
export const isTouch = () => coarsePointer.matches;

/** What covers the page. In `:is()`, or browsers without popovers would reject the whole selector. */
const COVERS = ':is(dialog[open], [role="menu"], [popover]:popover-open)';

/** Whether an input method handles the key; some browsers report it by `keyCode`. @param {KeyboardEvent} event */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

/**
 * Makes a list one tab stop (roving tabindex): the row focused last, else the current one, else the first. The list
 * handles arrow keys. @param {HTMLElement} list @param {string} selector of the focusable element in a row
 */
export function makeOneStop(list, selector) {
  let stop = null;
  const move = (row) => {
    if (stop) setAttribute(stop, 'tabindex', -1);
    stop = row;
    if (row) setAttribute(row, 'tabindex', 0);
  };
  // Looks only at new rows: a list may have thousands.
  const take = (nodes) => {
    for (const node of nodes) {
      if (!(node instanceof Element)) continue;
      const rows = node.matches(selector) ? [node] : node.querySelectorAll(selector);
      for (const row of rows) if (row !== stop) setAttribute(row, 'tabindex', -1);
    }
    if (!stop || !list.contains(stop)) {
      move(list.querySelector(`${selector}[aria-current]`) ?? list.querySelector(selector));
    }
  };
  list.addEventListener('focusin', (event) => {
    const row = event.target instanceof Element ? event.target.closest(selector) : null;
    if (row) move(row);
  });
  new MutationObserver((changes) => take(changes.flatMap(({ addedNodes }) => [...addedNodes])))
    .observe(list, { childList: true });
  take(list.children);
}

/** Whether the element is a text field, or in one. @param {EventTarget|null} target */
export const isField = (target) => target instanceof Element
  && target.closest('input, textarea, select, [contenteditable]') !== null;

/**
 * Whether a key writes a character that no focused element takes: an open chat's composer does. Space presses buttons
 * and scrolls. @param {KeyboardEvent} event
 */
export function isUnclaimedText(event) {
  const isCommand = event.ctrlKey || event.metaKey || event.altKey;
  if (event.key.length !== 1 || event.key === ' ' || (isCommand && !event.getModifierState('AltGraph'))) return false;
  return !event.defaultPrevented && !isField(event.target) && document.querySelector(COVERS) === null;
}

/**
 * Whether a key may be a shortcut of the page. Call it while the event is dispatched: the key may close what covers the
 * page. @param {KeyboardEvent} event
 */
export function mayBeShortcut(event) {
  const plain = event.key.length === 1 && !event.altKey && !event.ctrlKey && !event.metaKey;
  // An open chat's composer takes the focus, and the character, on keydown.
  if (plain && isField(document.activeElement)) return false;
  return !isComposing(event) && document.querySelector(COVERS) === null;
}

/**
 * A length in rem as CSS pixels; the user chooses the font size in the browser.
 * @param {number} count
 */
export const rem = (count) => count * parseFloat(getComputedStyle(document.documentElement).fontSize);

const announcer = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });

/** The live region for the log and the toasts; the shell inserts it. */
export const announcerNode = announcer;

/**
 * Announces a text to screen readers, politely. It is removed after a while, so that browsing does not find it.
 * @param {string} text
 */
export function announce(text) {
  const line = element('p', {}, text);
  announcer.append(line);
  setTimeout(() => line.remove(), 5000);
}
