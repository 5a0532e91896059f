/**
 * Parts that many views share. Icons are `<symbol>`s of the page, and structures of several elements are `<template>`s
 * (`Templates/app.mustache`): no markup is parsed.
 */
import { clone, element, setAttribute, setText } from './dom.js';

const namespace = 'http://www.w3.org/2000/svg';
/** Actions whose icon has another name. */
const drawnAs = {
  mute: 'muted', pin: 'pinned', leave: 'out', readers: 'read', remove: 'delete', discard: 'close', copyText: 'copy',
  copyLink: 'link',
};
/** Icons with a direction, which are mirrored in right-to-left text. */
const flipping = new Set(['back', 'out', 'reply', 'forward', 'original']);

/** An SVG of one of the page's symbols. @param {string} className @param {string|null} name the symbol's id */
export function symbol(className, name) {
  const node = document.createElementNS(namespace, 'svg');
  node.setAttribute('class', className);
  node.append(document.createElementNS(namespace, 'use'));
  setAttribute(node.firstElementChild, 'href', name && `#${name}`);
  return node;
}

/**
 * A decorative icon: the text beside it, or its button's name, says what it means.
 * @param {string} name of a symbol, or of an action @returns {SVGElement}
 */
export function icon(name) {
  const drawn = drawnAs[name] ?? name;
  const node = symbol(flipping.has(drawn) ? 'icon flips' : 'icon', `icon-${drawn}`);
  node.setAttribute('aria-hidden', 'true');
  return node;
}

/** The mark: two speech bubbles that overlap into an H. */
export const mark = () => clone('mark').node;

/**
 * @param {string|(Node|string)[]} label text, or an icon and a text
 * @param {((event: Event) => void)|null} act
 * @param {string} [look] further classes: `small`, `primary`, `danger`
 * @param {Record<string, unknown>} [attributes]
 */
export function button(label, act, look = '', attributes = {}) {
  const all = { type: 'button', class: `button ${look}`.trim(), onclick: act, ...attributes };
  return element('button', all, ...[label].flat());
}

/** @param {string} name of the icon @param {string|null} label @param {(() => void)|null} act */
export function iconButton(name, label, act, attributes = {}) {
  const all = { type: 'button', class: 'icon-button', 'aria-label': label, onclick: act, ...attributes };
  return element('button', all, icon(name));
}

/** The link back from a page. @param {string} href used if there is no page before this one @param {string} label */
export function backLink(href, label, look = ' back') {
  return element('a', { class: `icon-button${look}`, href, 'aria-label': label, 'data-back': true }, icon('back'));
}

/** The heading of a page, which takes the focus after a navigation. */
export const pageHeading = (text = '', attributes = {}) => element('h1', { tabindex: '-1', ...attributes }, text);

/** The flexible space between the two ends of a bar. */
export const gap = () => element('span', { class: 'gap' });

/** A search field in its own form. @param {string} label @param {Record<string, unknown>} [attributes] */
export function searchForm(label, attributes = {}) {
  const field = /** @type {HTMLInputElement} */ (element('input', {
    type: 'search', class: 'input', 'aria-label': label, placeholder: label, autocomplete: 'off', spellcheck: 'false',
    enterkeyhint: 'search', ...attributes,
  }));
  return { field, form: element('form', { class: 'search', role: 'search' }, icon('search'), field) };
}

/**
 * An empty state: what is missing, and what to do.
 * @param {{sign?: Node|null, title?: string, hint?: string, level?: 'p'|'h1'|'h2', actions?: Node[]}} says
 */
export function emptyPlace({ sign = null, title = '', hint = '', level = 'p', actions = [] }) {
  const what = element(level, { class: 'what', tabindex: level === 'p' ? null : '-1' }, title);
  const how = element('p', { class: 'how' }, hint);
  return { node: element('div', { class: 'empty' }, sign, what, how, ...actions), what, how };
}

/** An error above a list, with a retry button. @param {() => void} retry @param {string} label */
export function problemAlert(retry, label) {
  const what = element('p', { class: 'what', role: 'alert' });
  const node = element('div', { class: 'alert', hidden: true }, icon('warning'), what, button(label, retry, 'small'));
  return { node, what };
}

/** Skeleton rows in the real size for a list that is loading. @param {string} label @param {number} count */
export function skeletonRows(label, count) {
  const rows = Array.from({ length: count }, () => clone('skeleton-row').node);
  return element('div', { class: 'rows', role: 'progressbar', 'aria-label': label }, ...rows);
}

/** The most pictures that load in parallel, so that they never take all connections of the browser. */
const atOnce = 3;
/** @type {Avatar[]} */
const waiting = [];
let loading = 0;

function loadNext() {
  while (loading < atOnce && waiting.length > 0) {
    loading += 1;
    waiting.shift().load(() => {
      loading -= 1;
      loadNext();
    });
  }
}

const owners = new WeakMap();
/** @type {IntersectionObserver} */
let nearby;

/** @typedef {{initials: string, colour: number, avatarUrl: string|null, online?: boolean}} Face */

/**
 * A face: the picture, a placeholder until it is loaded, or initials on a colour if there is none. Pictures load near
 * the screen. A face that leaves the screen before that gives up its place in the queue, or cancels the load.
 */
export class Avatar {
  #initials;
  #dot = element('span', { class: 'dot' });
  #url = null;
  #image = null;
  /** Cancels the running load; null if there is none. */
  #finish = null;
  node;

  /** @param {24|32|36|40|96|HTMLElement} place a size in CSS pixels, or the face of a template */
  constructor(place) {
    this.node = typeof place === 'number' ? clone('face').node : place;
    if (typeof place === 'number') this.node.dataset.size = String(place);
    this.#initials = this.node.firstElementChild;
    owners.set(this.node, this);
    nearby ??= new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) owners.get(target)?.near(isIntersecting);
    }, { rootMargin: '200px', scrollMargin: '300px' });
  }

  /** @param {Face} face */
  show(face) {
    setText(this.#initials, face.initials);
    setAttribute(this.node, 'data-colour', face.colour);
    if (face.online && !this.#dot.isConnected) this.node.append(this.#dot);
    if (!face.online) this.#dot.remove();
    if (face.avatarUrl === this.#url) return;
    this.release();
    this.#url = face.avatarUrl;
    setAttribute(this.node, 'data-awaits', Boolean(this.#url));
    if (this.#url) nearby.observe(this.node);
  }

  /** Called when the face comes near the screen or leaves it. @param {boolean} isNear */
  near(isNear) {
    if (isNear && this.#url && !this.#image && !waiting.includes(this)) {
      waiting.push(this);
      loadNext();
    } else if (!isNear && !this.#image?.dataset.loaded) {
      this.#drop();
    }
  }

  /** Starts the load; `finished` is called once, however it ends. @param {() => void} finished */
  load(finished) {
    const image = /** @type {HTMLImageElement} */ (element('img', { alt: '', decoding: 'async' }));
    this.#image = image;
    this.#finish = () => {
      this.#finish = null;
      finished();
    };
    image.onload = () => {
      image.dataset.loaded = 'yes';
      this.#arrived();
      this.#finish?.();
    };
    image.onerror = () => {
      this.#arrived();
      image.remove();
      this.#finish?.();
    };
    const pixels = Number(this.node.dataset.size) * Math.min(3, Math.ceil(devicePixelRatio));
    image.src = `${this.#url}${this.#url.includes('?') ? '&' : '?'}s=${pixels}`;
    this.#initials.after(image);
  }

  #arrived() {
    nearby.unobserve(this.node);
    setAttribute(this.node, 'data-awaits', false);
  }

  /** Drops the picture, and cancels its load. */
  release() {
    nearby.unobserve(this.node);
    this.#drop();
    this.#url = null;
  }

  #drop() {
    const place = waiting.indexOf(this);
    if (place >= 0) waiting.splice(place, 1);
    const image = this.#image;
    if (!image) return;
    this.#image = null;
    image.onload = null;
    image.onerror = null;
    image.removeAttribute('src');
    image.remove();
    this.#finish?.();
  }
}

/** A view of one item, made from a template of the page; releases its face, if there is one. */
export class RowView {
  /** By their names, the row itself as `node`. */
  parts;
  node;
  face;
  item;

  /** @param {string} template */
  constructor(template) {
    this.parts = clone(template);
    this.node = this.parts.node;
    this.face = this.parts.face ? new Avatar(this.parts.face) : null;
  }

  remove() {
    this.face?.release();
  }
}
