/**
 * The part of a document that a long list needs: nodes with ordered children, a scroller whose scroll bar behaves as in
 * browsers, and frames in the browser's order: scroll events, layout, size observers. Assertions after a frame see what
 * would have been painted.
 */
import assert from 'node:assert/strict';

/** An element. */
export class FakeNode {
  children = [];
  parent = null;
  attributes = new Map();
  style = {};
  hidden = false;
  text = '';
  key = undefined;

  get firstChild() {
    return this.children[0] ?? null;
  }

  get nextSibling() {
    return this.parent?.children[this.parent.children.indexOf(this) + 1] ?? null;
  }

  append(...nodes) {
    for (const node of nodes) if (node instanceof FakeNode) this.insertBefore(node, null);
  }

  insertBefore(node, next) {
    assert.notEqual(node, next, 'nothing stands before itself');
    node.remove();
    assert.ok(next === null || next.parent === this, 'the one to stand before is a child');
    this.children.splice(next === null ? this.children.length : this.children.indexOf(next), 0, node);
    node.parent = this;
  }

  remove() {
    if (!this.parent) return;
    this.parent.children.splice(this.parent.children.indexOf(this), 1);
    this.parent = null;
    // A node that leaves the document loses the focus, even if it is inserted again at once.
    if (document.activeElement === this) document.activeElement = document.body;
  }

  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  hasAttribute(name) {
    return this.attributes.has(name);
  }

  contains(node) {
    return node === this || this.children.some((child) => child.contains(node));
  }

  focus() {
    document.activeElement = this;
  }

  animate() {}

  addEventListener() {}
}

/** A scroller with one container. */
export class FakeScroller {
  isConnected = true;
  #container;
  #room;
  #top = 0;
  #isUntold = false;
  #listeners = [];

  constructor(container, room) {
    this.#container = container;
    this.#room = room;
  }

  get clientHeight() {
    return this.isConnected ? this.#room : 0;
  }

  get #end() {
    const size = this.#container.hidden ? 0 : parseFloat(this.#container.style.blockSize ?? 0);
    return Math.max(0, size - this.clientHeight);
  }

  /** Reading it forces a layout. */
  get scrollTop() {
    this.layOut();
    return this.#top;
  }

  set scrollTop(top) {
    if (this.clientHeight > 0) this.#move(top);
  }

  #move(top) {
    const before = this.#top;
    this.#top = Math.max(0, Math.min(top, this.#end));
    if (this.#top !== before) this.#isUntold = true;
  }

  layOut() {
    this.#move(this.clientHeight === 0 ? 0 : this.#top);
  }

  resize(room) {
    this.#room = room;
  }

  attach(isConnected) {
    this.isConnected = isConnected;
    this.layOut();
  }

  addEventListener(type, listener) {
    assert.equal(type, 'scroll');
    this.#listeners.push(listener);
  }

  /** Whether it was scrolled since the last frame. */
  get isUntold() {
    this.layOut();
    return this.#isUntold;
  }

  tellScroll() {
    if (!this.#isUntold) return;
    this.#isUntold = false;
    for (const listener of this.#listeners) listener();
  }

  sizeOf(node) {
    if (node === this) return this.clientHeight;
    return this.clientHeight === 0 || node.hidden ? 0 : parseFloat(node.style.blockSize ?? 0);
  }
}

/** A frame after the other. */
class FakePage {
  scrollers = [];
  observers = [];

  add(scroller) {
    this.scrollers.push(scroller);
  }

  frame() {
    for (const scroller of this.scrollers) scroller.tellScroll();
    // Repeats while observers change sizes, a few times at most.
    for (let times = 0; times < 4; times += 1) {
      for (const scroller of this.scrollers) scroller.layOut();
      if (!this.observers.map((observer) => observer.look()).some(Boolean)) break;
    }
  }

  clear() {
    this.scrollers = [];
    this.observers = [];
    document.activeElement = document.body;
  }
}

/** The page of a test. */
export const page = new FakePage();

class FakeResizeObserver {
  #act;
  #sizes = new Map();

  constructor(act) {
    this.#act = act;
    page.observers.push(this);
  }

  observe(node) {
    this.#sizes.set(node, -1);
  }

  look() {
    const changed = [...this.#sizes].filter(([node, size]) => page.scrollers[0].sizeOf(node) !== size);
    for (const [node] of changed) this.#sizes.set(node, page.scrollers[0].sizeOf(node));
    if (changed.length > 0) this.#act();
    return changed.length > 0;
  }
}

/** The part of `document` that lists use. */
export const document = { createElement: () => new FakeNode(), body: new FakeNode(), activeElement: null };
document.activeElement = document.body;
Object.assign(globalThis, {
  document, HTMLElement: FakeNode, ResizeObserver: FakeResizeObserver, innerHeight: 800,
  matchMedia: () => ({ matches: false }),
});
