/** Fakes of time, randomness and the server. Each allows only what a test opens. */

import { setLimits } from '../../../Public/js/models/limits.js';

export * from './browserFakes.js';

setLimits('message=10000,draft=10000,query=200,person_name=50,short_password=8,password=256,room_name=80,topic=400,'
  + 'members=5000');

/** A clock that a test advances. */
export class FakeClock {
  #now;
  #timers = new Map();
  #nextId = 1;

  constructor(now = Date.parse('2026-03-14T12:00:00Z')) {
    this.#now = now;
  }

  now = () => this.#now;

  setTimeout = (act, time) => {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#timers.set(id, { act, at: this.#now + Math.max(0, time) });
    return id;
  };

  clearTimeout = (id) => {
    this.#timers.delete(id);
  };

  get pending() {
    return this.#timers.size;
  }

  /** Advances, runs due timers in order, and lets promises settle after each. */
  async advance(time) {
    const end = this.#now + time;
    await settle();
    for (;;) {
      const due = [...this.#timers].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.#now = Math.max(this.#now, due[1].at);
      due[1].act();
      await settle();
    }
    this.#now = end;
    await settle();
  }
}

/** Lets pending promises settle. */
export async function settle(turns = 8) {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Repeatable random numbers (mulberry32). */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function shuffled(items, random) {
  const result = [...items];
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [result[index], result[other]] = [result[other], result[index]];
  }
  return result;
}

export function ids() {
  let count = 0;
  return () => {
    count += 1;
    return `id-${count}`;
  };
}

export const ada = {
  id: 'ada', login: 'ada', github_id: 1, first_name: 'Ada', last_name: 'Lovelace', name: 'Ada Lovelace',
  avatar_url: '/api/v1/avatars/aaa', member: true, online: false,
};
export const bob = {
  id: 'bob', login: 'bob', github_id: 2, first_name: 'Bob', last_name: '', name: 'Bob',
  avatar_url: '/api/v1/avatars/initials-2', member: true, online: true,
};

/** A message of the API. Ada is the user of the tests. */
export function message(seq, members = {}) {
  return {
    room_id: 'room', seq, client_id: `client-${seq}`, sender: bob, text: `text ${seq}`, reply_to: null,
    created_at: new Date(Date.parse('2026-03-14T08:00:00Z') + seq * 1000).toISOString(),
    edited_at: null, deleted_at: null, ...members,
  };
}

export function room(members = {}) {
  return {
    id: 'room', kind: 'direct', name: '', topic: '', peer: bob, members_count: 2, role: 'member', muted: false,
    pinned: false, last_seq: 0, read_seq: 0, unread_count: 0, last_message: null, draft: '',
    created_at: '2026-03-01T00:00:00.000Z', updated_at: '2026-03-01T00:00:00.000Z', ...members,
  };
}

/** A response of `Api`. */
export function answer(body, members = {}) {
  const links = { next: null, prev: null };
  const header = () => null;
  return { status: 200, body, eventId: null, fetchedAt: null, stale: false, ...links, header, ...members };
}

/** An error as `Api` throws it. */
export function failure(kind, members = {}) {
  return Object.assign(new Error(kind), {
    kind, status: 0, detail: '', errors: [], requestId: '', retryAfter: null, resetAt: null,
    github: { status: null, requestId: '', message: '' }, ...members,
  });
}

/** An API whose methods fail unless the test gives them; `calls` records all. */
export function fakeApi(methods = {}) {
  const calls = [];
  const api = new Proxy(methods, {
    get(target, name) {
      if (name === 'calls') return calls;
      if (name === 'onUnauthenticated') return target.onUnauthenticated;
      return async (...input) => {
        calls.push([name, ...input]);
        if (!target[name]) throw failure('network', { detail: `unexpected ${String(name)}` });
        return target[name](...input);
      };
    },
    set(target, name, value) {
      target[name] = value;
      return true;
    },
  });
  return api;
}

/** A promise that a test settles. */
export function deferred() {
  const result = {};
  result.promise = new Promise((resolve, reject) => Object.assign(result, { resolve, reject }));
  return result;
}

/** A room on a server, whose messages are made on demand. */
export class FakeRoom {
  constructor(count, make = message) {
    this.count = count;
    this.make = make;
    this.changed = new Map();
  }

  at(seq) {
    return this.changed.get(seq) ?? this.make(seq);
  }

  range(from, to) {
    const first = Math.max(1, from);
    const last = Math.min(this.count, to);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => this.at(first + index));
  }

  /** Responses to `MessageApi`; tests add to `answers`, by method and path below the room. */
  answers = new Map([['GET /pins', () => []], ['PATCH ', () => ({})]]);

  request(method, path, options = {}) {
    const rest = path.replace(/^\/rooms\/[^/]+/, '');
    const given = this.answers.get(`${method} ${rest}`);
    if (given) return given(options);
    const [, seq] = /^\/messages\/(\d+)$/.exec(rest) ?? [];
    if (method === 'GET' && seq && Number(seq) <= this.count) return this.at(Number(seq));
    throw failure('not-found', { status: 404 });
  }

  page({ before, after, around, on, limit }) {
    if (before !== undefined) return this.range(before - limit, before - 1);
    if (after !== undefined) return this.range(after + 1, after + limit);
    let middle = around;
    if (on !== undefined) {
      middle = this.count + 1;
      for (let low = 1, high = this.count; low <= high;) {
        const probe = (low + high) >> 1;
        if (this.at(probe).created_at >= on) [middle, high] = [probe, probe - 1];
        else low = probe + 1;
      }
      if (middle > this.count) return [];
    }
    if (middle !== undefined) return this.range(middle - limit / 2, middle + limit / 2 - 1);
    return this.range(this.count - limit + 1, this.count);
  }
}

/** Applies the steps of an `ObservableArray` to a copy and counts them. */
export function mirror(array) {
  const copy = [...array.items];
  copy.steps = [];
  array.subscribe((changes) => {
    for (const change of changes) {
      copy.steps.push(change.type);
      if (change.type === 'insert') copy.splice(change.index, 0, change.item);
      else if (change.type === 'remove') copy.splice(change.index, 1);
      else if (change.type === 'update') copy[change.index] = change.item;
      else copy.splice(change.to, 0, ...copy.splice(change.from, 1));
    }
  });
  return copy;
}
