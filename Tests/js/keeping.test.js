import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { keptCount, pageSize } from '../../Public/js/models/keptMessages.js';
import { Observable } from '../../Public/js/models/observableArray.js';
import { KEPT_ROOMS, Keeping, changedChat, isRecord } from '../../Public/js/services/keeping.js';
import { Mirror } from '../../Public/js/services/mirror.js';
import { OfflineViewModel } from '../../Public/js/viewmodels/offlineViewModel.js';
import { MemoryStorage } from '../../Public/js/services/storage.js';
import {
  FakeClock, FakeLocks, FakeRoom, answer, failure, fakeApi, message, room, seeded, settle, shuffled,
} from './support/fakes.js';

const seqsOf = (record) => record?.messages.map(({ seq }) => seq);
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => message(from + index));

test('stored messages follow events, each once, and nothing is inserted below them', () => {
  const created = (seq, eventId, more) => ({ type: 'message', kind: 'created', message: message(seq, more), eventId });
  assert.equal(changedChat(undefined, [created(1, 5)], 50), undefined, 'of a chat that is not kept nothing begins');
  assert.equal(changedChat([message(1)], [], 50), undefined, 'what an older version wrote is none');
  const kept = { upTo: 10, whole: false, messages: range(5, 7) };
  const after = changedChat(kept, [
    created(4, 11), created(8, 9), created(8, 12), created(9, 13),
    { type: 'message', kind: 'updated', message: message(6, { text: 'new', edited_at: '2026-03-14T10:00:00Z' }),
      eventId: 14 },
    { type: 'message', kind: 'updated', message: message(3, { text: 'far' }), eventId: 15 },
    { type: 'hidden', seq: 7, eventId: 16 },
  ], 50);
  assert.deepEqual([seqsOf(after), after.messages[1].text, after.upTo], [[5, 6, 8, 9], 'new', 16]);
  const late = changedChat(after, [{ type: 'message', kind: 'created', message: message(6), eventId: 17 }], 50);
  assert.equal(late.messages[1].text, 'new', 'an older state does not undo a newer one');
  const gone = changedChat(late, [
    { type: 'message', kind: 'deleted', message: message(6, { text: '', deleted_at: '2026-03-14T10:01:00Z' }),
      eventId: 18 },
    { type: 'message', kind: 'updated', message: message(6, { text: 'back', edited_at: '2026-03-15T10:01:00Z' }),
      eventId: 19 },
    { type: 'cleared', seq: 5, eventId: 20 },
  ], 2);
  assert.deepEqual([seqsOf(gone), late.messages.length], [[8, 9], 4]);
  assert.deepEqual(seqsOf(changedChat({ upTo: 1, whole: true, messages: [] }, [created(1, 2)], 50)), [1]);
});

test('a page overrides stored messages in its range; those not adjacent are dropped', () => {
  const page = (messages, eventId, whole) => ({ type: 'page', messages, eventId, whole });
  const kept = { upTo: 10, whole: true, messages: range(1, 6) };
  const joined = changedChat(kept, [page([message(4), message(6, { text: 'new' }), message(8)], 12)], 50);
  assert.deepEqual([seqsOf(joined), joined.messages[4].text, joined.upTo, joined.whole],
    [[1, 2, 3, 4, 6, 8], 'new', 10, true]);
  const apart = changedChat(kept, [page(range(20, 22), 30)], 50);
  assert.deepEqual([seqsOf(apart), apart.upTo, apart.whole], [[20, 21, 22], 30, false]);
  const earlier = changedChat(apart, [page(range(17, 19), 31)], 50);
  assert.deepEqual([seqsOf(earlier), earlier.upTo], [[17, 18, 19, 20, 21, 22], 30]);
  const first = changedChat({ ...kept, messages: range(3, 6) }, [page(range(2, 4), 12, true)], 50);
  assert.deepEqual([seqsOf(first), first.whole], [[2, 3, 4, 5, 6], true]);
  const cut = changedChat(kept, [], 3);
  assert.deepEqual([seqsOf(cut), cut.whole], [[4, 5, 6], false]);
  const empty = changedChat(undefined, [page([], 5, true)], 50);
  assert.deepEqual(empty, { upTo: 5, whole: true, messages: [] });
  assert.equal(isRecord({ messages: [] }), null);
});

test('an outdated page is fetched again', { shows: ['O2', 'C4'] }, async () => {
  const storage = new MemoryStorage();
  const store = new ChatStore();
  const clock = new FakeClock();
  const keeper = new Keeping({ store, storage, clock, settled: () => false, most: () => 50 });
  keeper.take({ type: 'message', kind: 'updated', message: message(2, { text: 'new' }) }, 105);
  assert.equal(keeper.keep('room', range(1, 3), 100, true), false);
  assert.equal(keeper.keep('room', range(1, 3), 105, true), true);
  await keeper.write();
  assert.deepEqual(seqsOf(await storage.get('messages', 'room')), [1, 2, 3]);
});

test('tabs write in any order: the stored result equals the server’s', () => {
  const random = seeded(7);
  for (let round = 0; round < 200; round += 1) {
    const truth = new Map();
    const log = [];
    for (let eventId = 1; eventId <= 30; eventId += 1) {
      const seq = truth.size === 0 || random() < 0.5 ? truth.size + 1 : 1 + Math.floor(random() * truth.size);
      const known = truth.get(seq);
      if (known?.gone) continue;
      if (known && random() < 0.3) {
        truth.set(seq, { gone: true });
        log.push({ type: 'hidden', seq, eventId });
      } else {
        const editedAt = `2026-03-14T09:00:${String(eventId).padStart(2, '0')}Z`;
        const edited = known ? { text: `edit ${eventId}`, edited_at: editedAt } : {};
        const state = message(seq, edited);
        truth.set(seq, state);
        log.push({ type: 'message', kind: known ? 'updated' : 'created', message: state, eventId });
      }
    }
    // Two tabs see the same events in order; each writes some at a time.
    let record = { upTo: 0, whole: true, messages: [] };
    const tabs = [[...log], [...log]];
    while (tabs.some((tab) => tab.length > 0)) {
      const [tab] = shuffled(tabs.filter((one) => one.length > 0), random);
      record = changedChat(record, tab.splice(0, 1 + Math.floor(random() * 4)), 50);
    }
    const expected = [...truth].filter(([, state]) => !state.gone).map(([, state]) => [state.seq, state.text]);
    assert.deepEqual(record.messages.map(({ seq, text }) => [seq, text]), expected);
  }
});

/** A browser and a server with chats of `count` messages each. */
function world({
  counts = { a: 250, b: 30, c: 0 }, most = 200, locks = new FakeLocks(), storage = new MemoryStorage(),
} = {}) {
  const clock = new FakeClock();
  const store = new ChatStore();
  const serverOf = (id, count) => new FakeRoom(count, (seq) => message(seq, { room_id: id }));
  const servers = new Map(Object.entries(counts).map(([id, count]) => [id, serverOf(id, count)]));
  const api = fakeApi({ messages: async (id, cursor) => answer(servers.get(id).page(cursor), { eventId: 40 }) });
  const status = new Observable({ connection: 'online' });
  const sync = { get state() { return status.state; }, subscribe: (listener) => status.subscribe(listener) };
  storage.lasting ??= true;
  const limits = { most };
  const keeper = new Keeping({ store, storage, clock, settled: () => true, most: () => limits.most });
  store.subscribe((change) => keeper.take(change, store.lastEventId ?? 0));
  const mirror = new Mirror({ api, store, storage, sync, clock, keeper, locks, most: () => limits.most });
  keeper.onForgotten = () => mirror.soon();
  store.load([...servers].map(([id, { count }]) => room({
    id, last_seq: count, read_seq: count, last_message: count > 0 ? servers.get(id).at(count) : null,
  })), 40);
  const asked = () => api.calls.map(([, id, { before = 'newest' }]) => `${id} ${before}`);
  const kept = async () => Object.fromEntries(await Promise.all((await storage.keys('messages')).map(
    async (id) => [id, (await storage.get('messages', id)).messages.length])));
  return { clock, store, api, servers, status, storage, keeper, mirror, asked, kept, limits };
}

test('all chats are stored, newest first, a page at a time, without repeated requests',
  { shows: ['O1'] }, async () => {
  const { clock, store, asked, kept, mirror, servers, limits, storage } = world();
  await clock.advance(10_000);
  assert.deepEqual(asked(), ['a newest', 'a 151', 'b newest', 'c newest']);
  assert.deepEqual(await kept(), { a: 200, b: 30, c: 0 });
  await storage.put('messages', 'left long ago', { upTo: 1, whole: true, messages: [message(1)] });
  mirror.soon();
  await clock.advance(10_000);
  assert.equal(asked().length, 4);
  assert.deepEqual(Object.keys(await kept()), ['a', 'b', 'c'], 'what is no chat of mine goes');
  servers.set('d', new FakeRoom(2, (seq) => message(seq, { room_id: 'd' })));
  const made = room({ id: 'd', last_seq: 2, last_message: message(2, { room_id: 'd' }) });
  store.apply({ id: 41, event: 'room.created', data: made }, 0);
  await clock.advance(10_000);
  assert.deepEqual([asked().slice(4), (await kept()).d], [['d newest'], 2]);
  store.apply({ id: 42, event: 'message.created', data: message(3, { room_id: 'd' }) }, 0);
  await clock.advance(10_000);
  assert.deepEqual([asked().length, (await kept()).d], [5, 3], 'events keep it true');
  limits.most = 50;
  mirror.soon();
  await clock.advance(10_000);
  assert.deepEqual(await kept(), { a: 50, b: 30, c: 0, d: 3 }, 'fewer are wanted');
  limits.most = 1000;
  mirror.soon();
  await clock.advance(10_000);
  assert.deepEqual([asked().slice(5), (await kept()).a], [['a 201', 'a 101', 'a 1'], 250]);
});

test('nothing is fetched offline or without storage; failures are retried, deleted chats skipped', async () => {
  const { clock, status, asked, kept, mirror } = world();
  status.update({ connection: 'offline' });
  await clock.advance(60_000);
  assert.deepEqual(asked(), []);
  let failures = 2;
  const world2 = world({ counts: { a: 1, b: 1 } });
  mirror.close();
  status.update({ connection: 'online' });
  await clock.advance(60_000);
  assert.deepEqual([asked(), await kept()], [[], {}], 'closed');
  world2.api.messages = async (id, cursor) => {
    if (id === 'a') throw failure('not-found', { status: 404 });
    failures -= 1;
    if (failures > 0) throw failure('network');
    return answer(world2.servers.get(id).page(cursor), { eventId: 40 });
  };
  await world2.clock.advance(120_000);
  assert.deepEqual(await world2.kept(), { b: 1 });
  const storage = new MemoryStorage();
  storage.lasting = false;
  const poor = world({ storage });
  await poor.clock.advance(60_000);
  assert.deepEqual(poor.asked(), []);
});

test('tabs fetch one at a time, and the second finds everything there', async () => {
  const locks = new FakeLocks();
  const storage = new MemoryStorage();
  const one = world({ locks, storage });
  const other = world({ locks, storage });
  await Promise.all([one.clock.advance(20_000), other.clock.advance(20_000)]);
  await one.clock.advance(20_000);
  await other.clock.advance(20_000);
  assert.equal(one.asked().length + other.asked().length, 4);
});

test('after a reset nothing old stays, and everything is fetched again', { shows: ['O2'] }, async () => {
  const { clock, store, asked, kept, keeper } = world({ counts: { a: 3 } });
  await clock.advance(10_000);
  assert.deepEqual(await kept(), { a: 3 });
  store.tellReset();
  await settle();
  assert.deepEqual(await kept(), {});
  await clock.advance(10_000);
  assert.deepEqual([asked().length, await kept()], [2, { a: 3 }]);
  await keeper.close();
  keeper.keep('a', [message(4)], 50);
  store.tellReset();
  await clock.advance(10_000);
  assert.deepEqual(await kept(), { a: 3 }, 'nothing is written after the end');
});

test('for very many chats the list is stored, but marked as incomplete', async () => {
  const { clock, store, storage } = world({ counts: {} });
  store.load(Array.from({ length: KEPT_ROOMS + 1 }, (_, index) => room({ id: `r${index}` })), 41);
  await clock.advance(1000);
  const { eventId, rooms } = await storage.get('meta', 'rooms');
  assert.deepEqual([eventId, rooms.length], [null, KEPT_ROOMS]);
});

test('the settings show and change the choices, and storage follows', { shows: ['O1'] }, async () => {
  const values = new Map();
  const preferences = { get: (name) => values.get(name) ?? '', set: (name, value) => values.set(name, value) };
  let anew = 0;
  const storage = { lasting: true, put: async () => { storage.lasting = false; } };
  const model = new OfflineViewModel({ preferences, storage, keepAnew: () => { anew += 1; } });
  assert.deepEqual(model.state, { kept: 200, page: 50, lasting: true });
  await settle();
  model.setKept(1000);
  model.setPage(100);
  model.setKept(3);
  model.setPage(3);
  assert.deepEqual([model.state, anew], [{ kept: 1000, page: 100, lasting: false }, 1]);
  assert.deepEqual([keptCount(preferences), pageSize(preferences)], [1000, 100]);
});

test('the amounts stored and requested are a choice', { shows: ['O1'] }, () => {
  const chosen = (values) => ({ get: (name) => values[name] ?? '' });
  assert.deepEqual([keptCount(), pageSize()], [200, 50]);
  assert.deepEqual([keptCount(chosen({ kept_messages: '1000' })), pageSize(chosen({ page_size: '25' }))], [1000, 25]);
  assert.deepEqual([keptCount(chosen({ kept_messages: '7' })), pageSize(chosen({ page_size: 'x' }))], [200, 50]);
});

test('the lines of a group’s log are kept beside its messages, once, and again where one came meanwhile',
  { shows: ['O1', 'R5'] }, async () => {
  const { clock, store, api, storage, mirror } = world({ counts: { a: 2 } });
  const line = (id) => ({ id, room_id: 'a', at: '2026-03-14T12:00:00.000Z', kind: 'joined', by: message(1).sender });
  let tells = true;
  api.request = async (_method, path) => {
    assert.equal(path, '/rooms/a/changes');
    if (!tells) return answer([line(7), line(41)], { eventId: 41 });
    tells = false;
    store.apply({ id: 41, event: 'room.changed', data: line(41) }, 0);
    return answer([line(7)], { eventId: 40 });
  };
  store.load([room({ id: 'a', kind: 'group', peer: null, last_seq: 2, read_seq: 2 })], 40);
  await clock.advance(10_000);
  const changes = async () => (await storage.get('messages', 'a')).changes?.map(({ id }) => id);
  assert.deepEqual(await changes(), [7, 41]);
  mirror.soon();
  store.apply({ id: 42, event: 'room.changed', data: line(42) }, 0);
  await clock.advance(10_000);
  assert.deepEqual(await changes(), [7, 41, 42]);
  assert.equal(api.calls.filter(([name]) => name === 'request').length, 2, 'and no more was asked');
});
