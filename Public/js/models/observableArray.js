/**
 * The two ways in which anything here can be watched: one value (`Observable`) and one list (`ObservableArray`).
 * Neither knows the document.
 */

/**
 * Work that is done at the end of the present microtask, once however often it was asked for meanwhile.
 * @param {() => void} work
 * @param {(act: () => void) => void} [wait] another time for it: after the next paint
 * @returns {() => void} asks for it
 */
export function onceSoon(work, wait = queueMicrotask) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    wait(() => {
      isDue = false;
      work();
    });
  };
}

/**
 * A value that notifies its listeners at the end of the microtask in which it changed, once for several changes. View
 * models extend it: their value is what a view shows.
 * @template {object} S
 */
export class Observable {
  /** @type {S} */
  #state;
  #listeners = new Set();
  #endings = [];
  /** Whether the view is closed: later responses change nothing. */
  isClosed = false;
  #tellSoon = onceSoon(() => {
    for (const listener of [...this.#listeners]) listener(this.#state);
  });

  /** @param {S} initial */
  constructor(initial) {
    this.#state = Object.freeze(/** @type {S} */ (Object.assign({}, initial)));
  }

  /** The present state: a frozen plain object, replaced (never changed) by each update. */
  get state() {
    return this.#state;
  }

  /**
   * Calls the listener with the new state after each change (not at once with the present one).
   * @param {(state: S) => void} listener
   * @returns {() => void} ends the subscription
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Replaces some members. Nothing happens when all of them are what they were.
   * @param {Partial<S>} patch
   */
  update(patch) {
    const changed = Object.keys(patch).some((name) => !Object.is(patch[name], this.#state[name]));
    if (!changed) return;
    this.#state = Object.freeze(Object.assign({}, this.#state, patch));
    this.#tellSoon();
  }

  /** Runs these on `close()`. @param {((() => unknown)|undefined)[]} endings such as what `subscribe` returns */
  onClose(...endings) { this.#endings.push(...endings); }

  close() {
    this.isClosed = true;
    for (const end of this.#endings.splice(0)) end?.();
  }
}

/**
 * One step of a change. Steps are applied in their order, each to the list that the step before left.
 * A move takes the item out at `from` and puts it in at `to` of the list without it.
 * @template T
 * @typedef {{type: 'insert', index: number, item: T}
 *   | {type: 'remove', index: number, item: T}
 *   | {type: 'move', from: number, to: number, item: T}
 *   | {type: 'update', index: number, item: T, previous: T}} Change
 */

/** True when both objects have the same members, compared by identity. */
export function shallowEqual(one, other) {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && Object.is(one[name], other[name]));
}

/**
 * A list that says what changed, by index: the only way a list reaches the document.
 * Items are values: to change one is to put another in its place.
 * @template T
 */
export class ObservableArray {
  #items = [];
  /** The keys of all items. */
  #known = new Set();
  #listeners = new Set();
  #key;
  #equals;

  /**
   * @param {{key?: (item: T) => unknown, equals?: (one: T, other: T) => boolean}} options `key`: identity of an item,
   *   unique in the list; `equals`: whether two items with the same key look the same
   */
  constructor({ key = (/** @type {any} */ item) => item.key, equals = shallowEqual } = {}) {
    this.#key = key;
    this.#equals = equals;
  }

  /** @returns {readonly T[]} the present items; not to be changed, and not kept beyond the next change */
  get items() {
    return this.#items;
  }

  get length() { return this.#items.length; }

  /**
   * Calls the listener with the steps of each change, at once after it was made.
   * @param {(changes: Change<T>[]) => void} listener
   * @returns {() => void} ends the subscription
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @returns {number} where the item with that key is, or -1 */
  indexOfKey(key) {
    if (!this.#known.has(key)) return -1;
    return this.#items.findIndex((item) => this.#key(item) === key);
  }

  insert(index, item) {
    this.#items.splice(index, 0, item);
    this.#known.add(this.#key(item));
    this.#tell([{ type: 'insert', index, item }]);
  }

  removeAt(index) {
    const [item] = this.#items.splice(index, 1);
    this.#known.delete(this.#key(item));
    this.#tell([{ type: 'remove', index, item }]);
    return item;
  }

  /** Puts another item with the same key in its place; says nothing when it looks the same. */
  update(index, item) {
    const previous = this.#items[index];
    if (this.#equals(previous, item)) return;
    this.#items[index] = item;
    this.#tell([{ type: 'update', index, item, previous }]);
  }

  move(from, to) {
    if (from === to) return;
    const [item] = this.#items.splice(from, 1);
    this.#items.splice(to, 0, item);
    this.#tell([{ type: 'move', from, to, item }]);
  }

  /**
   * Makes the list equal to `items` with few steps: removals, then insertions and the least number of moves,
   * then updates of what looks different. What is the same at both ends costs next to nothing: lists are long, and
   * change in few places.
   * @param {readonly T[]} items with unique keys
   * @returns {Change<T>[]} the steps
   */
  replaceAll(items) {
    /** @type {Change<T>[]} */
    const changes = [];
    const { start, workEnd, end } = this.#differing(items, 0, this.#items.length, items.length);
    const staying = this.#removeMissing(items.slice(start, end), start, workEnd, changes);
    this.#arrange(items, start, staying, end, changes);
    for (let index = 0; index < items.length; index += 1) {
      const previous = this.#items[index];
      if (previous === items[index] || this.#equals(previous, items[index])) continue;
      this.#items[index] = items[index];
      changes.push({ type: 'update', index, item: items[index], previous });
    }
    this.#tell(changes);
    return changes;
  }

  /** The part that differs, without the common prefix and suffix: here up to `workEnd`, in `items` up to `end`. */
  #differing(items, from, workTo, to) {
    const work = this.#items;
    const keyOf = this.#key;
    let [start, workEnd, end] = [from, workTo, to];
    while (start < workEnd && start < end && keyOf(work[start]) === keyOf(items[start])) start += 1;
    while (workEnd > start && end > start && keyOf(work[workEnd - 1]) === keyOf(items[end - 1])) {
      workEnd -= 1;
      end -= 1;
    }
    return { start, workEnd, end };
  }

  /** Takes out what is not in `middle` any more. @returns {number} where the differing part ends then */
  #removeMissing(middle, start, workEnd, changes) {
    const wanted = new Set(middle.map(this.#key));
    const present = new Set(this.#items.slice(start, workEnd).map(this.#key));
    const isTwice = (key) => this.#known.has(key) && !present.has(key);
    if (wanted.size !== middle.length || [...wanted].some(isTwice)) {
      throw new RangeError('two items of a list have the same key');
    }
    let end = workEnd;
    for (let index = workEnd - 1; index >= start; index -= 1) {
      const key = this.#key(this.#items[index]);
      if (wanted.has(key)) continue;
      const [item] = this.#items.splice(index, 1);
      this.#known.delete(key);
      changes.push({ type: 'remove', index, item });
      end -= 1;
    }
    return end;
  }

  /** Brings the differing part, all of whose keys are wanted, into the wanted order and puts the missing ones in. */
  #arrange(items, from, workTo, to, changes) {
    const work = this.#items;
    const { start, workEnd, end } = this.#differing(items, from, workTo, to);
    if (workEnd === start) {
      for (let index = start; index < end; index += 1) {
        work.splice(index, 0, items[index]);
        this.#known.add(this.#key(items[index]));
        changes.push({ type: 'insert', index, item: items[index] });
      }
      return;
    }
    this.#rearrange(items.slice(start, end), start, workEnd, changes);
  }

  /** The middle, from its end backwards: what is not on the longest ascending run is put before its successor. */
  #rearrange(middle, start, workEnd, changes) {
    const work = this.#items;
    const keyOf = this.#key;
    const target = new Map(middle.map((item, index) => [keyOf(item), index]));
    const present = work.slice(start, workEnd).map((item) => target.get(keyOf(item)));
    const known = new Set(present);
    const staying = longestAscending(present);
    let anchor = workEnd;
    for (let position = middle.length - 1; position >= 0; position -= 1) {
      const item = middle[position];
      const key = keyOf(item);
      if (!known.has(position)) {
        work.splice(anchor, 0, item);
        this.#known.add(key);
        changes.push({ type: 'insert', index: anchor, item });
        continue;
      }
      let from = start;
      while (keyOf(work[from]) !== key) from += 1;
      if (staying.has(position)) {
        anchor = from;
        continue;
      }
      const to = from < anchor ? anchor - 1 : anchor;
      const [moved] = work.splice(from, 1);
      work.splice(to, 0, moved);
      if (from !== to) changes.push({ type: 'move', from, to, item: moved });
      anchor = to;
    }
  }

  #tell(changes) {
    if (changes.length === 0) return;
    for (const listener of [...this.#listeners]) listener(changes);
  }
}

/** The members of one longest strictly ascending subsequence of distinct numbers (patience sorting). */
function longestAscending(numbers) {
  const tails = [];
  const before = new Map();
  for (const number of numbers) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tails[middle] < number) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before.set(number, tails[low - 1]);
    tails[low] = number;
  }
  const members = new Set();
  for (let number = tails.at(-1); number !== undefined; number = before.get(number)) members.add(number);
  return members;
}
