/**
 * A face: the picture, an empty place until it is loaded, or initials on a colour where there is none (D8). Pictures load when they come near the
 * screen, three at a time, so that they never take all the browser's connections from what matters; a face that leaves
 * before its turn, or while it loads, gives its place back. A late picture finds its element gone and shows nowhere.
 */
import { element, setAttribute, setText } from './dom.js';

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
const nearby = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) owners.get(entry.target)?.near(entry.isIntersecting);
  },
  { rootMargin: '200px', scrollMargin: '300px' },
);

/** @typedef {{initials: string, colour: number, avatarUrl: string|null, online?: boolean}} Face */

export class Avatar {
  #initials = element('span');
  #dot = element('span', { class: 'dot' });
  #size;
  #url = null;
  #image = null;
  /** Ends the load under way; null when none is. */
  #finish = null;
  node;

  /** @param {32|36|40|96} size in CSS pixels */
  constructor(size) {
    this.#size = size;
    this.node = element('span', { class: 'avatar', 'data-size': size, 'aria-hidden': 'true' }, this.#initials);
    owners.set(this.node, this);
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
    const pixels = this.#size * Math.min(3, Math.ceil(devicePixelRatio));
    image.src = `${this.#url}${this.#url.includes('?') ? '&' : '?'}s=${pixels}`;
    this.#initials.after(image);
  }

  #arrived() {
    nearby.unobserve(this.node);
    setAttribute(this.node, 'data-awaits', false);
  }

  /** Forgets the picture, and cancels it where it is still under way. */
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
