process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversationWorld as world } from './support/conversationWorld.js';
import { answer, deferred, failure, message, settle } from './support/fakes.js';

test('without a server what is kept shows at once, and pages on from there (O1)', async () => {
  const kept = Array.from({ length: 180 }, (_, index) => message(index + 21));
  const down = async () => { throw failure('network'); };
  const { view, status, seqs, pages, event, clock } = world({ count: 200, kept, methods: { messages: down, receipts: down } });
  await view.open();
  await settle();
  assert.deepEqual([seqs()[0], seqs().at(-1), seqs().length], [151, 200, 50]);
  assert.match(view.state.error, /./);
  await view.loadEarlier();
  assert.deepEqual([seqs()[0], seqs().length], [101, 100], 'after a request that failed');
  status.update({ connection: 'offline' });
  const asked = pages().length;
  for (let step = 0; step < 4; step += 1) await view.loadEarlier();
  assert.deepEqual([seqs()[0], pages().length > asked], [21, true], 'where nothing more is kept, the server is asked');
  event('message.deleted', message(200, { text: '', deleted_at: '2026-03-14T12:00:00Z' }));
  await clock.advance(100);
  assert.ok(view.rows.items.at(-1).deleted);
});

test('kept messages begin at the first unread one if they reach back to it, and are as many as a page (O1, C1)', async () => {
  const down = async () => { throw failure('network'); };
  const far = { last_seq: 200, read_seq: 80, unread_count: 120 };
  const kept = Array.from({ length: 180 }, (_, index) => message(index + 21));
  const methods = { messages: down, receipts: down };
  const one = world({ count: 200, kept, methods, members: far });
  await one.view.open();
  await settle();
  assert.deepEqual([one.seqs()[0], one.view.state.place.kind, one.view.rows.items[1].newLine], [80, 'new', true]);
  const other = world({ count: 200, kept: kept.slice(-50), methods, members: far });
  await other.view.open();
  await settle();
  assert.deepEqual([other.seqs()[0], other.seqs().length], [151, 50], 'better than nothing');
  const late = deferred();
  const third = world({ count: 200, kept: kept.slice(-50), methods: { messages: () => late.promise }, members: far });
  third.view.open();
  await settle();
  assert.deepEqual(third.seqs(), [], 'not from the middle of what is unread while the server may answer');
});

test('where messages are shown, being offline is told by the title bar alone (S5)', async () => {
  const down = async () => { throw failure('network'); };
  const { view, status } = world({ count: 3, kept: [message(3)], methods: { messages: down, receipts: down } });
  status.update({ connection: 'offline' });
  await view.open();
  await settle();
  assert.deepEqual([view.rows.length, view.state.error], [1, null]);
  const empty = world({ count: 3, methods: { messages: down, receipts: down } });
  empty.status.update({ connection: 'offline' });
  await empty.view.open();
  assert.match(empty.view.state.error, /reached/);
});
