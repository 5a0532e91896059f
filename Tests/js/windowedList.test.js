import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { seeded, shuffled } from './support/fakes.js';
import { FakeNode, FakeScroller, document, page } from './support/listDocument.js';

const { ObservableArray } = await import('../../Public/js/models/observableArray.js');
const { WindowedList } = await import('../../Public/js/views/windowedList.js');

/** A row as its view shows it. */
const shown = ({ key, value }) => `${key}:${value}`;

/** A list in its page, and a model that computes what must show from the list and the scroll bar alone. */
class World {
  random;
  height;
  spare;
  array = new ObservableArray();
  container = new FakeNode();
  scroller;
  made = 0;
  removed = 0;
  held = null;
  changedFocus = false;
  nextKey = 0;
  moved = new Set();

  constructor(seed) {
    this.random = seeded(seed);
    this.height = 1 + this.below(90) + (this.below(2) ? 0.5 : 0);
    this.spare = 1 + this.below(12);
    this.scroller = new FakeScroller(this.container, this.below(900));
    page.add(this.scroller);
    this.array.replaceAll(this.fresh(this.below(300)));
    this.array.subscribe((changes) => {
      for (const { type, item } of changes) if (type === 'move') this.moved.add(item.key);
    });
    this.list = new WindowedList({
      array: this.array,
      container: this.container,
      scroller: this.scroller,
      create: (item) => this.create(item),
      key: ({ key }) => key,
      height: this.height,
      spare: this.spare,
    });
  }

  below(number) {
    return Math.floor(this.random() * number);
  }

  fresh(count) {
    return Array.from({ length: count }, () => ({ key: `k${(this.nextKey += 1)}`, value: this.below(3) }));
  }

  create(item) {
    this.made += 1;
    const node = new FakeNode();
    node.key = item.key;
    node.text = shown(item);
    return {
      node,
      update(next, previous) {
        assert.equal(node.text, shown(previous), 'it is told from what it changes');
        node.text = shown(next);
      },
      remove: () => (this.removed += 1),
      isHeld: () => item.key === this.held,
    };
  }

  /** Inserts, removes, moves and changes rows anywhere, at the ends, around the visible ones, or all of them. */
  changeRows() {
    const items = [...this.array.items];
    const onTop = Math.floor(this.scroller.scrollTop / this.height);
    const at = [0, items.length, this.below(items.length + 1), onTop][this.below(4)];
    const count = [1, 1, 3, 40][this.below(4)];
    const far = this.below(items.length + 1);
    switch (this.below(8)) {
      case 0: case 1: return items.toSpliced(at, 0, ...this.fresh(count));
      case 2: case 3: return items.toSpliced(at, count);
      case 4: return [...items.splice(far, count), ...items];
      case 5: return items.toSpliced(at, 0, ...items.splice(far, count)).filter(Boolean);
      case 6: return items.map((item) => (this.below(4) ? item : { ...item, value: this.below(3) }));
      default: return this.below(6)
        ? shuffled(items, this.random).slice(this.below(items.length)) : this.fresh(this.below(80));
    }
  }

  /** The first completely visible row stays, and is not moved. */
  anchor(before, painted, top, room) {
    const after = new Set(this.array.items.map(({ key }) => key));
    const start = Math.ceil(top / this.height);
    return before.slice(start, Math.ceil((top + room) / this.height))
      .find(({ key }) => painted.has(key) && after.has(key) && !this.moved.has(key));
  }

  /** Adds and removes rows, and checks that the visible ones stay. */
  change() {
    const look = this.look();
    this.array.replaceAll(this.changeRows());
    const { top, isUntold } = look;
    if (this.scroller.clientHeight === 0 || this.container.hidden) return;
    const end = this.end();
    // A reader who has just scrolled is not moved back.
    const { scrollTop } = this.scroller;
    const rows = (scrollTop - top) / this.height;
    assert.ok(scrollTop === 0 || scrollTop === end || Math.abs(rows - Math.round(rows)) < 1e-6,
      `scrolled by ${rows} rows`);
    if (!isUntold) this.checkLook(look);
  }

  /** Where the scroll bar ends. */
  end() {
    return Math.max(0, this.array.length * this.height - this.scroller.clientHeight);
  }

  /** Records the visible rows. */
  look() {
    const { scrollTop: top, clientHeight: room, isUntold } = this.scroller;
    this.moved.clear();
    const painted = new Set(this.container.children.map(({ key }) => key));
    return { before: [...this.array.items], painted, top, room, isUntold };
  }

  /** The rows that were visible are where they were, as far as the list allows. */
  checkLook({ before, painted, top, room }) {
    const anchor = this.anchor(before, painted, top, room);
    // At the top the reader sees new rows, not the former ones.
    if (!anchor || top <= this.height) return;
    const by = (this.array.indexOfKey(anchor.key) - before.indexOf(anchor)) * this.height;
    const wanted = Math.max(0, Math.min(this.end(), top + by));
    assert.ok(Math.abs(this.scroller.scrollTop - wanted) <= 1,
      `it stands at ${this.scroller.scrollTop}, not ${wanted}`);
  }

  /** The list is taken out of the page, or hidden with its scroller, while it changes once, and is put in again. */
  leave() {
    page.frame();
    const look = this.look();
    if (look.room === 0 || this.container.hidden) return;
    this.scroller.attach(false);
    page.frame();
    if (this.below(3)) this.array.replaceAll(this.changeRows());
    page.frame();
    this.scroller.attach(true);
    page.frame();
    this.checkLook(look);
  }

  focus() {
    const rows = this.container.children;
    this.changedFocus = true;
    document.activeElement = rows.length > 0 && this.below(3) ? rows[this.below(rows.length)] : document.body;
  }

  hold() {
    const { children } = this.container;
    this.held = this.below(2) ? (children[this.below(children.length)]?.key ?? null) : null;
  }

  /** A row that no longer has to stay is removed with the next change. */
  touch() {
    if (this.array.length > 0) this.array.update(0, { ...this.array.items[0], value: (this.nextKey += 1) });
  }

  /** One thing that happens to a list. */
  step() {
    const { scroller } = this;
    switch (this.below(17)) {
      case 0: case 1: scroller.scrollTop = this.below(this.array.length * this.height + 50); break;
      case 2: scroller.scrollTop += this.below(3 * this.height) - this.height; break;
      case 3: scroller.resize(this.below(8) ? this.below(900) : 0); break;
      case 4: this.focus(); this.touch(); break;
      case 5: this.hold(); this.touch(); break;
      case 6: this.container.hidden = this.below(3) === 0; break;
      case 7: scroller.attach(this.below(3) > 0); break;
      case 8: this.list.reach(this.below(this.array.length + 3) - 1, (view) => this.reached(view)); break;
      case 9: this.leave(); break;
      case 10: this.begin(); break;
      default: this.change();
    }
  }

  /** Does a step; the row with the focus, and one under a finger, stay, wherever they are. */
  stepKeeping() {
    const { held } = this;
    const focused = document.activeElement;
    const kept = this.container.children.filter((row) => row === focused || row.key === held);
    this.step();
    const mustStay = (row) => (row === focused && !this.changedFocus) || (row.key === held && this.held === held);
    for (const row of kept.filter(mustStay)) {
      const stays = this.array.indexOfKey(row.key) >= 0;
      assert.equal(this.container.children.includes(row), stays, `the row ${row.key} stays as long as it exists`);
      if (stays && row === focused && !this.changedFocus) {
        assert.equal(document.activeElement, row, 'the focus is where it was');
      }
    }
    this.changedFocus = false;
  }

  /** A position set while the list is detached applies when it is attached. */
  begin() {
    page.frame();
    const isIn = this.scroller.clientHeight > 0;
    const top = this.below(this.array.length * this.height + 50);
    this.list.begin(top);
    if (this.container.hidden) return;
    if (!isIn) {
      this.scroller.attach(true);
      page.frame();
    }
    if (this.scroller.clientHeight > 0) assert.ok(Math.abs(this.scroller.scrollTop - Math.min(top, this.end())) <= 1);
  }

  reached(view) {
    if (this.scroller.clientHeight === 0 || this.container.hidden) return;
    assert.ok(view, 'a row that is asked for is there');
    const place = this.array.indexOfKey(view.node.key) * this.height;
    const { scrollTop, clientHeight } = this.scroller;
    const isInView = place >= scrollTop - 1 && place + this.height <= scrollTop + clientHeight + 1;
    assert.ok(isInView || clientHeight < this.height,
      `from ${scrollTop} to ${scrollTop + clientHeight} one sees ${place}`);
  }

  /** The naive computation: the range of rows that exist, and those that must not be removed. */
  wanted() {
    const { items } = this.array;
    const start = Math.max(0, Math.floor(this.scroller.scrollTop / this.height) - this.spare);
    const end = start + Math.ceil(this.scroller.clientHeight / this.height) + 2 * this.spare;
    const focused = document.activeElement.key;
    return items.filter(({ key }, index) => (index >= start && index < end)
      || ((key === focused || key === this.held) && this.container.children.some((row) => row.key === key)));
  }

  /** What would be painted now equals newly built rows. */
  check() {
    const rows = this.container.children;
    assert.equal(new Set(rows).size, rows.length);
    assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length, 'no row is there twice');
    assert.equal(rows.length, this.made - this.removed, 'what left was told so');
    if (this.scroller.clientHeight === 0 || this.container.hidden) return;
    const wanted = this.wanted();
    assert.deepEqual(rows.map(({ text }) => text), wanted.map(shown));
    for (const [index, row] of rows.entries()) {
      const place = this.array.indexOfKey(wanted[index].key);
      assert.equal(row.style.transform, `translateY(${place * this.height}px)`);
      assert.equal(row.getAttribute('aria-posinset'), String(place + 1));
      assert.equal(row.getAttribute('aria-setsize'), String(this.array.length));
      assert.equal(this.list.viewOf(row.key)?.node, row);
    }
    const most = Math.ceil(this.scroller.clientHeight / this.height) + 2 * this.spare + 2;
    assert.ok(rows.length <= most, `${rows.length} rows, of ${most}`);
    assert.equal(this.container.style.blockSize, `${this.array.length * this.height}px`);
  }
}

afterEach(() => page.clear());

test('a windowed list shows the right rows, once, in order, and the visible ones stay, for random changes',
  { shows: ['L2', 'D2'] }, () => {
  const first = Number(process.env.HUBBUB_SEED ?? 1);
  const rounds = Number(process.env.HUBBUB_ROUNDS ?? 150);
  for (let seed = first; seed < first + rounds; seed += 1) {
    const world = new World(seed);
    for (let step = 0; step < 40; step += 1) {
      try {
        if (step > 0) world.stepKeeping();
        // Sometimes several things happen before the next frame.
        if (world.below(4) === 0) continue;
        page.frame();
        world.check();
      } catch (error) {
        error.message += ` (HUBBUB_SEED=${seed} HUBBUB_ROUNDS=1, step ${step})`;
        throw error;
      }
    }
    page.clear();
  }
});
