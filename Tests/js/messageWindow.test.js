process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversationWorld as world } from './support/conversationWorld.js';
import { FakeRoom, answer, deferred, failure, message, mirror, room, seeded, settle } from './support/fakes.js';

test('a hundred thousand messages: jumps and pages both ways, never more than 300 rows',
  { shows: ['C3'] }, async () => {
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
      const lastSeqVisible = shown[Math.floor(random() * shown.length)];
      await view.visible({ lastSeqVisible, focused: false, atBottom: false });
    }
    if (random() < 0.3) await clock.advance(1100);
    assert.ok(view.rows.length <= 300, `${view.rows.length} rows`);
    const shown = seqs();
    assert.ok(shown.every((seq, index) => index === 0 || seq === shown[index - 1] + 1), 'no gap, no repeat');
  }
  await clock.advance(20);
  assert.deepEqual([...copy], [...view.rows.items]);
});

test('paging to both ends stops there', { shows: ['C3'] }, async () => {
  const { view, seqs, pages, clock } = world({ count: 130 });
  await view.open();
  await view.loadEarlier();
  const loading = view.loadEarlier();
  assert.equal(view.state.page, 'earlier');
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

test('a jump to a date shows the first message of that local day', { shows: ['C3'] }, async () => {
  const timeOf = (seq) => new Date(Date.parse('2025-01-01T00:00:00Z') + seq * 3_600_000).toISOString();
  const make = (seq) => message(seq, { created_at: timeOf(seq) });
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

test('a gap in the stream is fetched; numbers hidden from this person are not requested again',
  { shows: ['C4'] }, async () => {
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

test('a page that is short because of large messages is not the end, and closes no gap by itself',
  { shows: ['control 21'] }, async () => {
  const here = world({
    count: 40,
    methods: {
      messages: async (_roomId, cursor) => {
        const whole = here.server.page(cursor);
        const page = cursor.after === undefined ? whole.slice(-10) : whole.slice(0, 10);
        const prev = page[0]?.seq > 1 ? `before=${page[0].seq}` : null;
        const next = page.at(-1)?.seq < here.server.count ? `after=${page.at(-1).seq}` : null;
        return answer(page, { prev, next });
      },
    },
  });
  const { view, seqs, arrive, clock } = here;
  await view.open();
  assert.equal(seqs()[0], 31);
  assert.equal(view.state.hasEarlier, true);
  for (const first of [21, 11, 1]) {
    await view.loadEarlier();
    assert.equal(seqs()[0], first);
  }
  assert.equal(view.state.hasEarlier, false);
  arrive(65);
  await clock.advance(20);
  assert.deepEqual(seqs(), Array.from({ length: 65 }, (_, index) => index + 1));
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

test('a page older than the list of chats is loaded again, whichever came first', async () => {
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

test('with a kept list of chats only, the New line waits for the true pointer', { shows: ['C1'] }, async () => {
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

test('messages that arrive while the first page is loading are not lost', async () => {
  const gate = deferred();
  const { view, arrive, seqs } = world({ count: 3, methods: { messages: () => gate.promise } });
  const opened = view.open();
  await settle();
  arrive(4);
  gate.resolve(answer(new FakeRoom(3).range(1, 3)));
  await opened;
  assert.deepEqual(seqs(), [1, 2, 3, 4]);
});

test('a burst is processed once per frame and stays within the window', async () => {
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
