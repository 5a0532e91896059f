process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { Observable } from '../../Public/js/models/observableArray.js';
import { Outbox } from '../../Public/js/services/outbox.js';
import { Receipts } from '../../Public/js/services/receipts.js';
import { LocalTexts, MemoryStorage } from '../../Public/js/services/storage.js';
import { ComposerViewModel } from '../../Public/js/viewmodels/composerViewModel.js';
import { ConversationViewModel } from '../../Public/js/viewmodels/conversationViewModel.js';
import {
  FakeClock, FakeLocalStorage, FakeRoom, ada, answer, bob, deferred, failure, fakeApi, ids, message, mirror, room, seeded, settle,
} from './support/fakes.js';

function world({ count = 0, members = {}, methods = {}, kept = [], known = true, make } = {}) {
  const clock = new FakeClock();
  const server = new FakeRoom(count, make);
  const store = new ChatStore();
  store.setMe(ada);
  const last = count > 0 ? server.at(count) : null;
  if (known) store.load([room({ last_seq: count, read_seq: count, last_message: last, ...members })], 100);
  const api = fakeApi({
    messages: async (_roomId, cursor) => answer(server.page(cursor)),
    receipts: async () => answer([{ user_id: 'bob', delivered_seq: 0, read_seq: 0 }]),
    putReceipt: async () => answer(null),
    typing: async () => answer(null),
    ...methods,
  });
  const status = new Observable({ connection: 'online', loading: false, error: null });
  const sync = {
    get state() { return status.state; },
    subscribe: (listener) => status.subscribe(listener),
    kept: async () => kept,
    keep: (_roomId, messages) => { sync.keptNow = messages; },
  };
  const storage = new MemoryStorage();
  const outbox = new Outbox({
    api, storage, clock, random: seeded(1), locks: null, newId: ids(), connection: () => status.state.connection,
  });
  const receipts = new Receipts({ api, store, clock });
  const drafts = new LocalTexts(new FakeLocalStorage(), 'draft');
  const services = { store, api, outbox, receipts, sync, clock, drafts };
  const view = new ConversationViewModel('room', services);
  let id = 100;
  const event = (name, data) => {
    id += 1;
    store.apply({ id, event: name, data }, clock.now());
  };
  /** A message is stored on the server and told by the stream. */
  const arrive = (seq, more = {}) => {
    server.count = Math.max(server.count, seq);
    server.changed.set(seq, message(seq, more));
    event('message.created', server.at(seq));
  };
  const receiptsSent = () => api.calls.filter(([name]) => name === 'putReceipt').map(([, , pointers]) => pointers);
  const pages = () => api.calls.filter(([name]) => name === 'messages').map(([, , cursor]) => cursor);
  const seqs = () => view.rows.items.map((row) => row.seq);
  return { ...services, view, server, status, event, arrive, receiptsSent, pages, seqs, services };
}

test('opening shows the newest messages, tells they were delivered, and keeps them (C1)', async () => {
  const { view, clock, sync, receiptsSent, seqs } = world({ count: 120 });
  const opened = view.open();
  assert.equal(view.state.loading, true);
  await opened;
  assert.deepEqual([seqs()[0], seqs().at(-1)], [71, 120]);
  assert.equal(view.state.loading, false);
  assert.equal(view.state.atLatest, true);
  assert.equal(view.state.hasEarlier, true);
  assert.equal(view.state.title, 'Bob');
  assert.equal(view.state.subtitle, 'online');
  assert.equal(view.state.place.kind, 'latest');
  assert.equal(sync.keptNow.length, 50);
  await clock.advance(1000);
  assert.deepEqual(receiptsSent(), [{ delivered_seq: 120 }]);
});

test('what is stored shows before the server answers, then only differences are patched (C1, D5)', async () => {
  const gate = deferred();
  const { view, server } = world({
    count: 60, kept: new FakeRoom(60).range(11, 59),
    methods: { messages: async (_roomId, cursor) => { await gate.promise; return answer(server.page(cursor)); } },
  });
  const opened = view.open();
  await settle();
  assert.equal(view.rows.length, 49);
  assert.equal(view.state.loading, false);
  const copy = mirror(view.rows);
  gate.resolve();
  await opened;
  assert.equal(view.rows.length, 50);
  assert.deepEqual(copy.steps, ['insert', 'update']);
});

test('the first unread message stands under the New line, however far back (C1)', async () => {
  const near = world({ count: 30, members: { read_seq: 25, unread_count: 5 } });
  await near.view.open();
  assert.equal(near.view.rows.items.find((row) => row.newLine).seq, 26);
  assert.deepEqual([near.view.state.place.kind, near.view.state.place.key], ['new', '#26']);
  const far = world({ count: 500, members: { read_seq: 100, unread_count: 400 } });
  await far.view.open();
  assert.deepEqual(far.pages()[0], { around: 101, limit: 50 });
  assert.equal(far.view.rows.items.find((row) => row.newLine).seq, 101);
  assert.equal(far.view.state.hasLater, true);
  assert.equal(far.view.state.atLatest, false);
});

test('an own message is one row from the key press to the second tick, from whichever source first (S1, C4)', async () => {
  for (const order of ['answer first', 'stream first', 'page first']) {
    const gate = deferred();
    const { view, outbox, server, arrive, event } = world({ count: 3, methods: { send: () => gate.promise } });
    await view.open();
    const copy = mirror(view.rows);
    const { clientId } = outbox.add({ roomId: 'room', text: 'hello' });
    assert.equal(view.rows.items.at(-1).state, 'unsent');
    assert.equal(view.rows.items.at(-1).key, clientId);
    assert.equal(view.state.place.kind, 'latest');
    const mine = message(4, { client_id: clientId, sender: ada, text: 'hello' });
    await settle();
    if (order === 'stream first') arrive(4, mine);
    if (order === 'page first') {
      server.changed.set(4, mine);
      server.count = 4;
      await view.reload();
    }
    gate.resolve(answer(mine, { status: 201 }));
    await settle();
    arrive(4, mine);
    await settle();
    assert.deepEqual(view.rows.items.map((row) => row.key), ['#1', '#2', '#3', clientId], order);
    assert.equal(view.rows.items.at(-1).state, 'sent');
    assert.equal(view.rows.items.at(-1).seq, 4);
    assert.deepEqual([...copy], [...view.rows.items]);
    assert.deepEqual(copy.steps, ['insert', 'update'], order);
    assert.equal(outbox.waiting, 0);
    event('receipt.updated', { room_id: 'room', user_id: 'bob', delivered_seq: 4, read_seq: 0 });
    assert.equal(view.rows.items.at(-1).state, 'delivered');
    event('receipt.updated', { room_id: 'room', user_id: 'bob', delivered_seq: 4, read_seq: 4 });
    assert.equal(view.rows.items.at(-1).state, 'read');
  }
});

test('edits and deletions arrive live and touch their own row only (C4)', async () => {
  const { view, event, clock } = world({ count: 10 });
  await view.open();
  await clock.advance(100);
  const copy = mirror(view.rows);
  event('message.updated', message(5, { text: 'new', edited_at: '2026-03-14T11:00:00.000Z' }));
  await clock.advance(100);
  event('message.deleted', message(6, { text: '', deleted_at: '2026-03-14T11:00:00.000Z' }));
  assert.deepEqual(copy.steps, ['update', 'update']);
  assert.deepEqual([copy[4].text, copy[4].edited, copy[5].deleted], ['new', true, true]);
});

test('a hundred thousand messages: jumps and pages both ways, never more than 300 rows (C3)', async () => {
  const random = seeded(17);
  const { view, clock, seqs, server } = world({ count: 100_000 });
  await view.open();
  const copy = mirror(view.rows);
  for (let step = 0; step < 300; step += 1) {
    const choice = random();
    if (choice < 0.2) await view.jumpTo(1 + Math.floor(random() * server.count));
    else if (choice < 0.5) await view.loadEarlier();
    else if (choice < 0.8) await view.loadLater();
    else if (choice < 0.85) await view.jumpToLatest();
    else {
      const shown = seqs();
      await view.visible({ lastSeqVisible: shown[Math.floor(random() * shown.length)], focused: false, atBottom: false });
    }
    if (random() < 0.3) await clock.advance(1100);
    assert.ok(view.rows.length <= 300, `${view.rows.length} rows`);
    const shown = seqs();
    assert.ok(shown.every((seq, index) => index === 0 || seq === shown[index - 1] + 1), 'no gap, no repeat');
  }
  await clock.advance(20);
  assert.deepEqual([...copy], [...view.rows.items]);
});

test('paging to both ends stops there (C3)', async () => {
  const { view, seqs, pages, clock } = world({ count: 130 });
  await view.open();
  await view.loadEarlier();
  const loading = view.loadEarlier();
  assert.equal(view.state.loadingEarlier, true);
  view.loadEarlier();
  await loading;
  assert.equal(seqs()[0], 1);
  assert.equal(view.state.hasEarlier, false);
  const asked = pages().length;
  await view.loadEarlier();
  await view.loadLater();
  assert.equal(pages().length, asked);
  await view.jumpTo(5);
  assert.equal(pages().length, asked, 'what is loaded is not asked for');
  assert.deepEqual([view.state.place.kind, view.state.place.key], ['message', '#5']);
  await clock.advance(2000);
});

test('a jump to a date shows the first message of that local day (C3)', async () => {
  const make = (seq) => message(seq, { created_at: new Date(Date.parse('2025-01-01T00:00:00Z') + seq * 3_600_000).toISOString() });
  const { view, pages } = world({ count: 5000, make });
  await view.open();
  await view.jumpToDate('2025-03-14');
  assert.deepEqual(pages().at(-1), { on: '2025-03-14T00:00:00.000Z', limit: 50 });
  const row = view.rows.items.find((one) => one.key === view.state.place.key);
  assert.equal(row.timeISO, '2025-03-14T00:00:00.000Z');
  await view.jumpToDate('2030-01-01');
  assert.equal(view.state.place.kind, 'latest');
  assert.equal(view.state.atLatest, true);
  const asked = pages().length;
  await view.jumpToDate('nonsense');
  assert.equal(pages().length, asked);
});

test('a gap in the stream is fetched; numbers hidden from this person are not asked for again (C4)', async () => {
  const { view, server, arrive, seqs, pages, clock } = world({ count: 5 });
  await view.open();
  await clock.advance(20);
  server.changed.set(6, message(6, { text: 'missed' }));
  arrive(8);
  assert.deepEqual(seqs(), [1, 2, 3, 4, 5, 8]);
  await settle();
  assert.deepEqual(pages().at(-1), { after: 5, limit: 200 });
  assert.deepEqual(seqs(), [1, 2, 3, 4, 5, 6, 7, 8]);
  server.range = () => [];
  arrive(10);
  await settle();
  const asked = pages().length;
  arrive(11);
  await clock.advance(20);
  assert.equal(pages().length, asked);
  assert.deepEqual(seqs().slice(-3), [8, 10, 11]);
});

test('a gap whose fetch fails is fetched again; a huge one is left for paging', async () => {
  let fails = true;
  const { view, server, arrive, seqs, clock } = world({
    count: 5,
    methods: {
      messages: async (_roomId, cursor) => {
        if (cursor.after && fails) throw failure('network');
        return answer(server.page(cursor));
      },
    },
  });
  await view.open();
  arrive(7);
  await settle();
  fails = false;
  await clock.advance(2100);
  assert.deepEqual(seqs(), [1, 2, 3, 4, 5, 6, 7]);
  await view.visible({ lastSeqVisible: 3, focused: true, atBottom: false });
  arrive(5000);
  await settle();
  assert.equal(view.state.hasLater, true);
  await view.loadLater();
  assert.equal(seqs().length, 57);
  await view.jumpToLatest();
  await view.visible({ lastSeqVisible: 5000, focused: true, atBottom: true });
  arrive(9000);
  await clock.advance(20);
  assert.deepEqual([seqs()[0], seqs().at(-1)], [8951, 9000]);
});

test('a page that is older than the list of chats is read again, whichever came first', async () => {
  for (const order of ['page first', 'list first']) {
    let eventId = 90;
    const gate = deferred();
    const { view, server, store, pages } = world({
      count: 3, known: false,
      methods: {
        room: async () => answer(room({ last_seq: 3, read_seq: 3 })),
        messages: async (_roomId, cursor) => {
          const page = answer(server.page(cursor), { eventId });
          if (order === 'list first' && eventId === 90) await gate.promise;
          return page;
        },
      },
    });
    const opened = view.open();
    await settle();
    server.changed.set(2, message(2, { text: 'edited', edited_at: '2026-03-14T11:00:00.000Z' }));
    eventId = 95;
    store.load([room({ last_seq: 3, read_seq: 3 })], 95);
    gate.resolve();
    await opened;
    await settle();
    assert.equal(view.rows.items[1].text, 'edited', order);
    assert.equal(pages().length, 2);
    assert.equal(view.state.loading, false);
  }
});

test('with a kept list of chats only, the New line waits for the true pointer (C1)', async () => {
  const { view, store } = world({
    count: 9, known: false, methods: { room: async () => answer(room({ last_seq: 9, read_seq: 6, unread_count: 3 })) },
  });
  store.load([room({ last_seq: 6, read_seq: 6 })]);
  await view.open();
  assert.equal(view.rows.items.find((row) => row.newLine).seq, 7);
  const offline = world({ count: 9, known: false });
  offline.store.load([room({ last_seq: 6, read_seq: 6 })]);
  await offline.view.open();
  assert.equal(offline.view.rows.length, 9);
});

test('messages that arrive while the first page is on its way are not lost', async () => {
  const gate = deferred();
  const { view, arrive, seqs } = world({ count: 3, methods: { messages: () => gate.promise } });
  const opened = view.open();
  await settle();
  arrive(4);
  gate.resolve(answer(new FakeRoom(3).range(1, 3)));
  await opened;
  assert.deepEqual(seqs(), [1, 2, 3, 4]);
});

test('reading older messages, arrivals are counted, and the view is told to stay (C5)', async () => {
  const { view, arrive, clock } = world({ count: 60 });
  await view.open();
  const { ticket } = view.state.place;
  await view.visible({ lastSeqVisible: 40, focused: true, atBottom: false });
  arrive(61);
  arrive(62, { sender: ada });
  arrive(63);
  arrive(64);
  await clock.advance(20);
  assert.equal(view.state.newBelowText, '3 new');
  assert.equal(view.state.place.ticket, ticket);
  await view.visible({ lastSeqVisible: 61, focused: true, atBottom: false });
  assert.equal(view.state.newBelow, 2);
  await view.jumpToLatest();
  assert.equal(view.state.newBelow, 0);
  assert.equal(view.state.place.kind, 'latest');
  await view.visible({ lastSeqVisible: 64, focused: true, atBottom: true });
  arrive(65);
  assert.equal(view.state.newBelow, 0);
  await clock.advance(100);
  assert.equal(view.rows.items.at(-1).seq, 65);
});

test('in a window of older messages, arrivals count but do not show; sending goes to the newest', async () => {
  const { view, arrive, outbox, seqs } = world({ count: 1000, methods: { send: () => new Promise(() => {}) } });
  await view.open({ at: 200 });
  assert.deepEqual([view.state.place.kind, view.state.place.key], ['message', '#200']);
  arrive(1001);
  assert.equal(view.state.newBelow, 1);
  assert.ok(seqs().at(-1) < 300);
  outbox.add({ roomId: 'room', text: 'x' });
  await settle();
  assert.deepEqual([seqs().at(-2), seqs().at(-1)], [1001, null]);
  assert.equal(view.state.atLatest, true);
});

test('only what a focused window showed is read; an old place reads nothing below (S4)', async () => {
  const { view, clock, receiptsSent, store } = world({ count: 500, members: { read_seq: 400, unread_count: 100 } });
  await view.open({ at: 50 });
  await view.visible({ lastSeqVisible: 60, focused: true, atBottom: false });
  await clock.advance(1000);
  assert.ok(receiptsSent().every((pointers) => !pointers.read_seq));
  await view.jumpTo(430);
  await view.visible({ lastSeqVisible: 430, focused: false, atBottom: false });
  await clock.advance(1000);
  assert.equal(store.room('room').unread_count, 100);
  await view.visible({ lastSeqVisible: 425, focused: true, atBottom: false });
  await view.visible({ lastSeqVisible: 430, focused: true, atBottom: false });
  assert.equal(store.room('room').unread_count, 70);
  assert.equal(view.state.lastReadSeq, 430);
  await clock.advance(1000);
  assert.deepEqual(receiptsSent().map((pointers) => pointers.read_seq).filter(Boolean), [430]);
});

test('an unfocused window draws the New line before what arrives; sending takes it away', async () => {
  const { view, arrive, outbox, clock } = world({ count: 3, methods: { send: () => new Promise(() => {}) } });
  await view.open();
  await view.visible({ lastSeqVisible: 3, focused: false, atBottom: true });
  arrive(4);
  await clock.advance(20);
  arrive(5);
  await clock.advance(20);
  assert.deepEqual(view.rows.items.map((row) => row.newLine), [false, false, false, true, false]);
  outbox.add({ roomId: 'room', text: 'x' });
  assert.ok(view.rows.items.every((row) => !row.newLine));
});

test('a failed message says why, and can be retried or deleted (S3)', async () => {
  const { view, outbox } = world({ count: 1, methods: { send: async () => { throw failure('too-large', { status: 413 }); } } });
  await view.open();
  const { clientId } = outbox.add({ roomId: 'room', text: 'x' });
  await settle();
  assert.deepEqual([view.rows.items[1].state, view.rows.items[1].failure], ['failed', 'It is too long.']);
  await view.retry(clientId);
  await settle();
  assert.equal(view.rows.items[1].state, 'failed');
  await view.remove(clientId);
  assert.equal(view.rows.length, 1);
});

test('the subtitle says typing, online or last seen; names change live (S6, L2)', async () => {
  const { view, store, clock, event } = world({ count: 1 });
  await view.open();
  const passing = (name, data) => store.apply({ id: null, event: name, data }, clock.now());
  const peer = view.state.peer;
  passing('typing', { room_id: 'room', user_id: 'bob', typing: true });
  assert.deepEqual([view.state.subtitle, view.state.typing], ['typing…', true]);
  assert.equal(view.state.peer, peer);
  await clock.advance(6000);
  store.expireTyping(clock.now());
  assert.equal(view.state.subtitle, 'online');
  passing('presence', { user_id: 'bob', online: false, last_seen_at: '2026-03-14T11:30:00.000Z' });
  assert.equal(view.state.subtitle, 'last seen today at 11:30');
  event('user.updated', { ...bob, name: 'Robert', online: false });
  assert.equal(view.state.title, 'Robert');
  assert.equal(view.rows.items[0].sender.name, 'Robert');
});

test('a peer who never signed in is waited for; a group shows its members (D7)', async () => {
  const waiting = world({ members: { peer: { ...bob, member: false } } });
  assert.equal(waiting.view.state.waiting, true);
  const group = world({ members: { kind: 'group', name: 'Team', peer: null, members_count: 3 } });
  assert.deepEqual([group.view.state.title, group.view.state.subtitle], ['Team', '3 members']);
  group.store.meet({ ...bob, id: 'carl', name: 'Carl' });
  for (const id of ['bob', 'carl']) {
    group.store.apply({ id: null, event: 'typing', data: { room_id: 'room', user_id: id, typing: true } }, group.clock.now());
    if (id === 'bob') group.store.meet(bob);
  }
  assert.equal(group.view.state.subtitle, '2 people are typing…');
});

test('an empty chat says so, and its first message ends that (C6)', async () => {
  const { view, arrive, clock } = world();
  await view.open();
  assert.equal(view.state.empty, true);
  assert.equal(view.state.hasEarlier, false);
  arrive(1);
  await clock.advance(20);
  assert.equal(view.state.empty, false);
});

test('a chat that is not mine is missing; one that is removed goes', async () => {
  const gone = world({ known: false, methods: { room: async () => { throw failure('not-found', { status: 404 }); } } });
  await gone.view.open();
  assert.equal(gone.view.state.missing, true);
  const found = world({ known: false, methods: { room: async () => answer(room()) } });
  await found.view.open();
  assert.equal(found.view.state.title, 'Bob');
  const removed = world({ count: 3 });
  await removed.view.open();
  removed.event('room.removed', { id: 'room' });
  assert.deepEqual([removed.view.state.missing, removed.view.rows.length], [true, 0]);
});

test('what failed to load says so and loads again when the connection is back', async () => {
  let fails = true;
  const { view, server, status } = world({
    count: 3,
    methods: {
      messages: async (_roomId, cursor) => {
        if (fails) throw failure('network');
        return answer(server.page(cursor));
      },
    },
  });
  await view.open();
  assert.match(view.state.error, /could not be loaded/);
  assert.equal(view.state.loading, false);
  fails = false;
  status.update({ connection: 'connecting' });
  await settle();
  status.update({ connection: 'online' });
  await settle();
  assert.equal(view.state.error, null);
  assert.equal(view.rows.length, 3);
});

test('after a reset the window is read anew where the reader is (S5)', async () => {
  const { view, server, store, seqs } = world({ count: 400 });
  await view.open();
  server.changed.set(399, message(399, { text: 'edited meanwhile', edited_at: '2026-03-14T11:00:00.000Z' }));
  store.tellReset();
  await settle();
  assert.equal(view.rows.items.find((row) => row.seq === 399).text, 'edited meanwhile');
  await view.jumpTo(100);
  await view.visible({ lastSeqVisible: 100, focused: true, atBottom: false });
  store.tellReset();
  await settle();
  assert.ok(seqs().includes(100));
});

test('a burst is derived once a frame and stays within the window', async () => {
  const { view, arrive, clock, seqs } = world({ count: 250 });
  await view.open();
  await clock.advance(100);
  const copy = mirror(view.rows);
  for (let seq = 251; seq <= 700; seq += 1) arrive(seq);
  await clock.advance(20);
  assert.ok(view.rows.length <= 300);
  assert.equal(seqs().at(-1), 700);
  assert.deepEqual([...copy], [...view.rows.items]);
  await clock.advance(1100);
  assert.ok(view.rows.length <= 250);
});

test('at midnight Today becomes Yesterday', async () => {
  const { view, clock } = world({ count: 1 });
  await view.open();
  assert.equal(view.rows.items[0].dayLabel, 'Today');
  await clock.advance(12 * 3_600_000 + 10);
  assert.equal(view.rows.items[0].dayLabel, 'Yesterday');
  view.close();
  assert.equal(clock.pending, 0);
});

test('a draft belongs to its chat, is kept, and is sent only there (K3)', () => {
  const { services, drafts, outbox } = world({ methods: { send: () => new Promise(() => {}) } });
  const one = new ComposerViewModel('one', services);
  const two = new ComposerViewModel('two', services);
  one.input('for one');
  two.input('for two');
  assert.equal(new ComposerViewModel('one', services).state.text, 'for one');
  assert.equal(two.send(), true);
  assert.deepEqual(outbox.entries('two').map((entry) => entry.text), ['for two']);
  assert.deepEqual(outbox.entries('one'), []);
  assert.equal(drafts.get('two'), '');
  assert.equal(drafts.get('one'), 'for one');
  assert.equal(two.state.text, '');
});

test('nothing empty and nothing too long is sent; characters are counted as people count them', () => {
  const { services, outbox } = world();
  const composer = new ComposerViewModel('room', services);
  composer.input('  \n ');
  assert.deepEqual([composer.state.canSend, composer.send()], [false, false]);
  composer.input('😀'.repeat(9_600));
  assert.deepEqual([composer.state.remaining, composer.state.hint, composer.state.canSend], [400, '400 characters left', true]);
  composer.input('😀'.repeat(10_001));
  assert.deepEqual([composer.state.tooLong, composer.state.canSend, composer.state.remaining], [true, false, -1]);
  assert.match(composer.state.hint, /1 character too long/);
  assert.equal(composer.send(), false);
  assert.equal(outbox.waiting, 0);
  composer.input('x');
  assert.equal(composer.state.remaining, null);
});

test('typing is told at most every four seconds, and its end (S6)', async () => {
  const { services, api, clock } = world({ methods: { send: () => new Promise(() => {}) } });
  const composer = new ComposerViewModel('room', services);
  const told = () => api.calls.filter(([name]) => name === 'typing').map(([, , typing]) => typing);
  composer.input('a');
  composer.input('ab');
  assert.deepEqual(told(), [true]);
  await clock.advance(4000);
  composer.input('abc');
  assert.deepEqual(told(), [true, true]);
  await clock.advance(5000);
  assert.deepEqual(told(), [true, true, false]);
  composer.input('abcd');
  composer.send();
  composer.blur();
  assert.deepEqual(told(), [true, true, false, true], 'a message ends typing by itself');
  composer.input('x');
  composer.input('');
  assert.deepEqual(told().slice(-2), [true, false]);
  composer.close();
  assert.deepEqual(told().slice(-1), [false]);
});
