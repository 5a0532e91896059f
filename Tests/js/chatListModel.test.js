process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { Observable } from '../../Public/js/models/observableArray.js';
import { LocalTexts } from '../../Public/js/services/storage.js';
import { ChatListViewModel } from '../../Public/js/viewmodels/chatListViewModel.js';
import { FakeClock, FakeLocalStorage, ada, mirror, seeded, settle } from './support/fakes.js';
import { RoomsServer } from './support/roomsServer.js';

const ROUNDS = Number(process.env.ROUNDS ?? 150);
const STEPS = 40;

/** A device of Ada's, whose list follows events and reloads if they do not suffice. */
function device(server) {
  const store = new ChatStore();
  store.setMe(ada);
  const status = new Observable({ connection: 'online', loading: false, error: null });
  const services = {
    store,
    clock: new FakeClock(),
    drafts: new LocalTexts(new FakeLocalStorage(), 'draft'),
    outbox: { entries: () => [], subscribe: () => () => {} },
    sync: { get state() { return status.state; }, subscribe: (listener) => status.subscribe(listener) },
  };
  store.subscribe(({ type, roomId }) => {
    if (type === 'unknown-room' || type === 'inexact') store.putRoom(server.room(roomId));
  });
  store.load(server.list(), server.eventId);
  return { store, list: new ChatListViewModel(services) };
}

function step(server, random) {
  const below = (count) => Math.floor(random() * count);
  const id = server.ids[below(server.ids.length)];
  const { last_seq: last, cleared_seq: cleared } = server.room(id);
  const seq = cleared + 1 + below(last - cleared);
  const isListed = server.listed.includes(id);
  switch (below(12)) {
    case 0: return server.letIn();
    case 1: return last > cleared ? server.edit(id, seq) : [];
    case 2: return last > cleared ? server.delete(id, seq) : [];
    case 3: return last > cleared ? server.read(id, seq) : [];
    case 4: return last > cleared && isListed ? server.markUnread(id, seq) : [];
    case 5: return isListed ? server.set(id, { pinned: random() < 0.5 }) : [];
    case 6: return isListed ? server.set(id, { muted: random() < 0.5 }) : [];
    case 7: return isListed ? server.set(id, { level: ['all', 'mentions', 'nothing'][below(3)] }) : [];
    case 8: return isListed ? server.clear(id) : [];
    case 9: return isListed ? server.hide(id) : [];
    default: return server.write(id, { own: random() < 0.3, mentions: random() < 0.3 });
  }
}

test('a list updated by events equals a new one: pins, mutes, marks, clearing, deleting',
  { shows: ['L1', 'L2', 'L3', 'L4'] }, async () => {
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    const random = seeded(seed);
    const server = new RoomsServer(6);
    const { store, list } = device(server);
    const copy = mirror(list.rows);
    for (let count = 0; count < STEPS; count += 1) {
      for (const event of step(server, random)) store.apply(event, 0);
      if (count % 8 !== 7) continue;
      await settle();
      const anew = device(server);
      assert.deepEqual([...copy], anew.list.rows.items, `seed ${seed}, step ${count}`);
      assert.equal(store.totalUnread(), anew.store.totalUnread(), `the sum; seed ${seed}, step ${count}`);
      anew.list.close();
    }
    list.close();
  }
});

test('one message among five thousand chats rebuilds one row', { shows: ['L1'] }, async () => {
  const server = new RoomsServer(5000);
  const { store, list } = device(server);
  const before = new Set(list.rows.items);
  assert.equal(before.size, 5000);
  const copy = mirror(list.rows);
  for (const event of server.write(server.ids[7], { own: false, mentions: false })) store.apply(event, 0);
  await settle();
  assert.deepEqual(copy.steps, ['move', 'update']);
  assert.equal(list.rows.items.filter((row) => !before.has(row)).length, 1);
  list.close();
});
