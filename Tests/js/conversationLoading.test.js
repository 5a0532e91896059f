process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversationWorld as world } from './support/conversationWorld.js';
import { ada, answer, bob, failure, message, room, settle } from './support/fakes.js';

test('a chat opened by address requests its room and messages at once, even an unknown one',
  { shows: ['C1'] }, async () => {
  const asked = [];
  let answerRoom;
  const { view, seqs, api } = world({
    known: false, count: 3, members: { last_seq: 3, read_seq: 1, unread_count: 2 },
    methods: { room: () => new Promise((resolve) => { asked.push('room'); answerRoom = resolve; }) },
  });
  const opened = view.open();
  assert.deepEqual(api.calls.map(([name]) => name).sort(), ['messages', 'receipts', 'room']);
  await Promise.resolve();
  assert.deepEqual(seqs(), [], 'nothing shows before it is known where reading ended');
  answerRoom(answer(room({ last_seq: 3, read_seq: 1, unread_count: 2 })));
  await opened;
  assert.deepEqual(seqs(), [1, 2, 3]);
  assert.deepEqual(view.rows.items.map((row) => row.newLine), [false, true, false]);
});

test('a chat opened by address with many unread messages shows the first of them',
  { shows: ['C1'] }, async () => {
  const unread = { last_seq: 400, read_seq: 100, unread_count: 300 };
  const { view, seqs, pages } = world({
    known: false, count: 400, methods: { room: async () => answer(room(unread)) },
  });
  await view.open();
  assert.ok(seqs().includes(101) && !seqs().includes(400));
  assert.equal(pages().length, 2);
  assert.equal(view.state.page, null);
});

test('no message is drawn before it is known who is signed in, and so whose it is', { shows: ['C1'] }, async () => {
  const { view, store } = world({
    known: false, me: null, count: 3, make: (seq) => message(seq, seq === 2 ? { sender: ada } : {}),
    methods: { room: async () => answer(room({ last_seq: 3, read_seq: 3 })) },
  });
  const opened = view.open();
  await settle();
  assert.deepEqual([view.rows.items, view.state.loading], [[], true]);
  store.setMe(ada);
  await opened;
  assert.deepEqual(view.rows.items.map((row) => row.own), [false, true, false]);
});

test('sending builds the rows once', { shows: ['S1'] }, async () => {
  const { view, outbox, clock } = world({ count: 2 });
  await view.open();
  const { rows } = view;
  const replaceAll = rows.replaceAll.bind(rows);
  let built = 0;
  rows.replaceAll = (items) => {
    built += 1;
    replaceAll(items);
  };
  outbox.add({ roomId: 'room', text: 'hello' });
  assert.equal(built, 1);
  await clock.advance(20);
});

test('an empty chat says so, until its first message', { shows: ['C6'] }, async () => {
  const { view, arrive, clock } = world();
  await view.open();
  assert.equal(view.state.empty, true);
  assert.equal(view.state.hasEarlier, false);
  arrive(1);
  await clock.advance(20);
  assert.equal(view.state.empty, false);
});

test('a chat of others is missing; a removed one disappears', async () => {
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
  removed.event('room.created', room({ last_seq: 3, read_seq: 3 }));
  await settle();
  assert.deepEqual([removed.view.state.missing, removed.view.rows.length], [false, 3], 'let in again');
});

test('a person removed or banned while looking is told from which group, and by whom', { shows: ['R1'] }, async () => {
  const group = { kind: 'group', name: 'Readers', peer: null };
  const told = async (more) => {
    const { view, event } = world({ count: 3, members: group });
    await view.open();
    event('room.removed', room({ ...group, ...more }));
    return view.state.missingText;
  };
  assert.match(await told({ removed_by: bob, banned: false }), /^Bob removed you from “Readers”/);
  assert.match(await told({ removed_by: bob, banned: true }), /^Bob banned you from “Readers”/);
  assert.equal(await told({}), 'You are no longer in “Readers”.');
});

test('a failed load says so and is retried when the connection is back', async () => {
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

test('after a reset the window is reloaded at the reader’s position', { shows: ['S5'] }, async () => {
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

test('at midnight Today becomes Yesterday', async () => {
  const { view, clock } = world({ count: 1 });
  await view.open();
  assert.equal(view.rows.items[0].dayLabel, 'Today');
  await clock.advance(12 * 3_600_000 + 10);
  assert.equal(view.rows.items[0].dayLabel, 'Yesterday');
  view.close();
  assert.equal(clock.pending, 0);
});

test('who scrolls among stored messages stays there when the server answers; who does not is taken to its end',
  { shows: ['C3', 'O2'] }, async () => {
  for (const atBottom of [false, true]) {
    const kept = Array.from({ length: 50 }, (_, index) => message(index + 71));
    let respond;
    const methods = { messages: () => new Promise((resolve) => { respond = () => resolve(answer(kept)); }) };
    const { view, seqs } = world({ count: 120, kept, methods });
    const opening = view.open();
    await settle();
    assert.deepEqual([seqs()[0], view.state.page], [71, 'all']);
    await view.visible({ firstSeqVisible: 75, lastSeqVisible: atBottom ? 120 : 85, focused: true, atBottom });
    const { ticket } = view.state.place;
    respond();
    await opening;
    assert.deepEqual([view.state.place.ticket > ticket, view.state.page], [atBottom, null]);
  }
});
