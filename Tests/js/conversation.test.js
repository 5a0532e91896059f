process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversationWorld as world } from './support/conversationWorld.js';
import { FakeRoom, ada, answer, bob, deferred, failure, message, mirror, settle } from './support/fakes.js';

test('opening shows the newest messages, reports delivery, and stores them', { shows: ['C1'] }, async () => {
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

test('stored messages show before the server responds, then only differences are patched',
  { shows: ['C1', 'D5'] }, async () => {
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

test('the first unread message is below the New line, however far back', { shows: ['C1'] }, async () => {
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

test('an own message is one row from the key press to the second tick, whichever source is first',
  { shows: ['S1', 'C4'] }, async () => {
  for (const order of ['answer first', 'stream first', 'page first']) {
    const gate = deferred();
    const { view, outbox, server, arrive, event, clock } = world({ count: 3, methods: { send: () => gate.promise } });
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
    await clock.advance(100);
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

test('edits and deletions arrive live and change only their own row', { shows: ['C4'] }, async () => {
  const { view, event, clock } = world({ count: 10 });
  await view.open();
  await clock.advance(100);
  const copy = mirror(view.rows);
  event('message.updated', message(5, { text: 'new', edited_at: '2026-03-14T11:00:00.000Z' }));
  await clock.advance(100);
  event('message.deleted', message(6, { text: '', deleted_at: '2026-03-14T11:00:00.000Z' }));
  await clock.advance(100);
  assert.deepEqual(copy.steps, ['update', 'update']);
  assert.deepEqual([copy[4].text, copy[4].edited, copy[5].deleted], ['new', true, true]);
});

test('while older messages are read, arrivals are counted and the view stays', { shows: ['C5'] }, async () => {
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

test('what is unread from the start is counted below the screen, less what was passed', { shows: ['C5'] }, async () => {
  const { view } = world({ count: 80, members: { read_seq: 5, unread_count: 70 } });
  await view.open();
  await view.visible({ lastSeqVisible: 20, focused: false, atBottom: false });
  const passed = view.rows.items.filter(({ seq, own }) => seq > 5 && seq <= 20 && !own).length;
  assert.equal(view.state.newBelow, 70 - passed);
  await view.jumpToLatest();
  assert.equal(view.state.newBelow, 0);
});

test('in a window of older messages arrivals are counted but not shown; sending goes to the newest', async () => {
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

test('only messages shown in a focused window are read, and none below the position', { shows: ['S4'] }, async () => {
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

test('stored messages that were visible count as read when the server has responded',
  { shows: ['S4'] }, async () => {
  const gate = deferred();
  const { view, server, store } = world({
    count: 5, members: { read_seq: 3, unread_count: 2 }, kept: new FakeRoom(5).range(1, 5),
    methods: { messages: async (_roomId, cursor) => { await gate.promise; return answer(server.page(cursor)); } },
  });
  const opened = view.open();
  await settle();
  await view.visible({ lastSeqVisible: 5, focused: true, atBottom: true });
  assert.equal(store.room('room').unread_count, 2);
  gate.resolve();
  await opened;
  assert.equal(store.room('room').unread_count, 0);
});

test('an unfocused window shows the New line before arrivals; sending removes it', async () => {
  const { view, arrive, outbox, clock } = world({ count: 3, methods: { send: () => new Promise(() => {}) } });
  await view.open();
  await view.visible({ lastSeqVisible: 3, focused: false, atBottom: true });
  arrive(4);
  await clock.advance(20);
  arrive(5);
  await clock.advance(20);
  assert.deepEqual(view.rows.items.map((row) => row.newLine), [false, false, false, true, false]);
  await view.visible({ lastSeqVisible: 5, focused: true, atBottom: true });
  outbox.add({ roomId: 'room', text: 'x' });
  assert.ok(view.rows.items.every((row) => !row.newLine));
});

test('sending goes to the newest and reads nothing unseen; scrolling there does',
  { shows: ['S4'] }, async () => {
  const { view, clock, outbox, store, receiptsSent } = world({
    count: 200, members: { read_seq: 100, unread_count: 100 }, methods: { send: () => new Promise(() => {}) },
  });
  await view.open();
  const see = (first, last) => view.visible({
    firstSeqVisible: first, lastSeqVisible: last, focused: true, atBottom: last === 200,
  });
  await see(95, 105);
  outbox.add({ roomId: 'room', text: 'x' });
  await settle();
  await see(190, 200);
  await clock.advance(1000);
  assert.deepEqual([store.room('room').unread_count, receiptsSent().at(-1).read_seq], [95, 105]);
  assert.equal(view.rows.items.find((row) => row.newLine)?.seq ?? view.rows.items[0].seq, view.rows.items[0].seq);
  // Back to where it was left, and on from there.
  await view.jumpTo(106);
  await see(104, 115);
  await see(116, 126);
  assert.equal(store.room('room').unread_count, 74);
  await view.jumpToLatest();
  await see(190, 200);
  assert.equal(store.room('room').unread_count, 0);
});

test('a failed message says why, and can be retried or deleted', { shows: ['S3'] }, async () => {
  const send = async () => { throw failure('too-large', { status: 413 }); };
  const { view, outbox } = world({ count: 1, methods: { send } });
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

test('the subtitle says typing, online or last seen; names change live', { shows: ['S6', 'L2'] }, async () => {
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
  await clock.advance(20);
  assert.equal(view.rows.items[0].sender.name, 'Robert');
});

test('a peer who never signed in is marked as waiting; a group shows its members', { shows: ['D7'] }, async () => {
  const waiting = world({ members: { peer: { ...bob, member: false, online: false } } });
  assert.equal(waiting.view.state.waiting, true);
  const tell = (online) => waiting.event('presence', { user_id: 'bob', online, last_seen_at: null });
  tell(true);
  assert.equal(waiting.view.state.waiting, false, 'who is online reads along');
  assert.equal(waiting.view.state.subtitle, 'online');
  tell(false);
  assert.equal(waiting.view.state.waiting, true);
  const group = world({ members: { kind: 'group', name: 'Team', peer: null, members_count: 3 } });
  assert.deepEqual([group.view.state.title, group.view.state.subtitle], ['Team', '3 members']);
  group.store.meet({ ...bob, id: 'carl', name: 'Carl' });
  for (const id of ['bob', 'carl']) {
    group.store.apply({ id: null, event: 'typing', data: { room_id: 'room', user_id: id, typing: true } },
      group.clock.now());
    if (id === 'bob') group.store.meet(bob);
  }
  assert.equal(group.view.state.subtitle, '2 people are typing…');
});
