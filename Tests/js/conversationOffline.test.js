process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversationWorld as world } from './support/conversationWorld.js';
import { ada, answer, deferred, failure, message, settle } from './support/fakes.js';

test('without a server stored messages show at once, and page on from there', { shows: ['O1'] }, async () => {
  const kept = Array.from({ length: 180 }, (_, index) => message(index + 21));
  const down = async () => { throw failure('network'); };
  const methods = { messages: down, receipts: down };
  const { view, status, seqs, pages, event, clock } = world({ count: 200, kept, methods });
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

test('stored messages start at the first unread one if they reach back to it, a page at most',
  { shows: ['O1', 'C1'] }, async () => {
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

test('messages read on another device are not new once the stored list of chats is up to date',
  { shows: ['C1', 'S4'] }, async () => {
  const unread = { read_seq: 0, unread_count: 40 };
  const elsewhere = (read) => ({ room_id: 'room', user_id: ada.id, delivered_seq: 40, read_seq: read });
  for (const [read, place] of [[30, ['new', '#31']], [40, ['latest', undefined]], [0, ['new', '#1']]]) {
    const { view, event, status, clock, receiptsSent } = world({ count: 40, members: unread, asked: false });
    await view.open();
    assert.deepEqual([view.state.place.kind, view.state.place.key], ['new', '#1']);
    view.visible({ lastSeqVisible: 35, focused: true, atBottom: false });
    if (read > 0) event('receipt.updated', elsewhere(read));
    await clock.advance(2000);
    assert.ok(receiptsSent().every((pointers) => !pointers.read_seq), 'a kept list says nothing of what is unread');
    status.update({ asked: true });
    await settle();
    assert.deepEqual([view.state.place.kind, view.state.place.key ?? undefined], place);
    assert.equal(view.rows.items.some((row) => row.newLine), read < 40);
  }
});

test('a jump goes on although the stored list of chats was outdated', { shows: ['C1', 'C3'] }, async () => {
  const around = deferred();
  const all = Array.from({ length: 100 }, (_, index) => message(index + 1));
  const messages = async (_, { around: seq, limit }) =>
    seq ? around.promise : answer(all.slice(-limit), { links: { prev: '/earlier' } });
  const members = { read_seq: 100, unread_count: 0 };
  const { view, event, status, seqs } = world({ count: 100, members, asked: false, methods: { messages } });
  const opened = view.open({ at: 40 });
  await settle();
  event('receipt.updated', { room_id: 'room', user_id: ada.id, delivered_seq: 100, read_seq: 5 });
  status.update({ asked: true });
  await settle();
  around.resolve(answer(all.slice(20, 60), { links: { prev: '/earlier', next: '/later' } }));
  assert.equal(await opened, true);
  assert.deepEqual([view.state.place.kind, view.state.place.key, seqs()[0]], ['message', '#40', 21]);
});

test('nothing is read where a stored list of chats led to the wrong place', { shows: ['C1', 'S4'] }, async () => {
  const members = { read_seq: 100, unread_count: 0 };
  const { view, event, status, clock, receiptsSent } = world({ count: 100, members, asked: false });
  await view.open();
  assert.equal(view.state.place.kind, 'latest');
  const atEnd = { lastSeqVisible: 100, focused: true, atBottom: true };
  view.visible(atEnd);
  event('receipt.updated', { room_id: 'room', user_id: ada.id, delivered_seq: 100, read_seq: 5 });
  status.update({ asked: true });
  view.visible(atEnd);
  await settle();
  assert.deepEqual([view.state.place.kind, view.state.place.key], ['new', '#6'], 'marked as unread elsewhere');
  view.visible({ lastSeqVisible: 12, focused: true, atBottom: false });
  await clock.advance(2000);
  assert.deepEqual(receiptsSent().map((pointers) => pointers.read_seq).filter(Boolean), [12]);
});

test('while messages are shown, only the title bar says offline', { shows: ['S5'] }, async () => {
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

test('who writes without a server while reading old messages sees their message at the end, and stays there',
  { shows: ['S5', 'C3'] }, async () => {
  let isDown = false;
  const kept = Array.from({ length: 60 }, (_, index) => message(index + 141));
  const messages = async (_roomId, cursor) => {
    if (isDown) throw failure('network');
    return answer(server.page(cursor));
  };
  const { view, outbox, status, seqs, server } = world({ count: 200, kept, methods: { messages } });
  await view.open();
  await view.jumpTo(20);
  isDown = true;
  status.update({ connection: 'offline' });
  outbox.add({ roomId: 'room', text: 'anybody there?' });
  await settle();
  assert.deepEqual(seqs().slice(-2), [200, null], 'the stored end, then what is unsent');
  assert.equal(view.state.place.kind, 'latest');
  server.count = 203;
  isDown = false;
  status.update({ connection: 'online' });
  await settle();
  assert.deepEqual(seqs().slice(-2), [203, null], 'what came meanwhile');
  await view.loadEarlier();
  assert.equal(seqs()[0], 104, 'and the way back is open');
});
