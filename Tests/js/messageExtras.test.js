process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_REACTIONS } from '../../Public/js/models/messageRows.js';
import { withCount, withMine } from '../../Public/js/models/reactions.js';
import { conversationWorld as world } from './support/conversationWorld.js';
import { MessageExtras } from '../../Public/js/viewmodels/messageExtras.js';
import { ada, answer, bob, deferred, failure, message, mirror, seeded, settle } from './support/fakes.js';

const reaction = (emoji, count, mine = false) => ({ emoji, count, mine });
const at = (view, seq) => view.rows.items.find((row) => row.seq === seq);

test('an event sets the count, my own sets whether I have it, and none is none', { shows: ['R3'] }, () => {
  const one = withCount(undefined, { emoji: '👍', count: 1 }, null);
  assert.deepEqual(one, [reaction('👍', 1)]);
  const two = withCount(one, { emoji: '👍', count: 2 }, true);
  assert.deepEqual(two, [reaction('👍', 2, true)]);
  assert.deepEqual(withCount(two, { emoji: '👍', count: 1 }, null), [reaction('👍', 1, true)],
    'another took theirs away');
  assert.deepEqual(withCount(two, { emoji: '👍', count: 0 }, false), []);
  assert.deepEqual(withCount(two, { emoji: '🎉', count: 1 }, null).map(({ emoji }) => emoji), ['👍', '🎉']);
  assert.equal(withMine(two, '👍', true), two, 'what is so already stays the same object');
  assert.deepEqual(withMine(two, '👍', false), [reaction('👍', 1)]);
  assert.deepEqual(withMine(NO_REACTIONS, '👍', true), [reaction('👍', 1, true)]);
});

test('my reaction shows at once, stays one when its event comes first or last, and patches its row only',
  { shows: ['R3', 'C4'] }, async () => {
  for (const order of ['event first', 'answer first']) {
    const gate = deferred();
    const { view, server, event } = world({ count: 3 });
    server.answers.set('PUT /messages/2/reactions/%F0%9F%91%8D', () => gate.promise);
    await view.open();
    const copy = mirror(view.rows);
    const reacted = view.extras.react(2, '👍');
    assert.deepEqual(at(view, 2).reactions, [reaction('👍', 1, true)]);
    const told = () => event('reaction.added', { room_id: 'room', seq: 2, emoji: '👍', user_id: 'ada', count: 1 });
    if (order === 'event first') told();
    gate.resolve(null);
    assert.equal(await reacted, null);
    if (order === 'answer first') told();
    await settle();
    assert.deepEqual(at(view, 2).reactions, [reaction('👍', 1, true)], order);
    assert.deepEqual(copy.steps, ['update'], order);
  }
});

test('a refused reaction is reverted with a reason; the limit and being offline have their own',
  { shows: ['R3'] }, async () => {
  const { view, server, status } = world({ count: 2 });
  await view.open();
  assert.match(await view.extras.react(2, '👍'), /not saved.*not there any more/);
  assert.equal(at(view, 2).reactions, NO_REACTIONS);
  server.answers.set('PUT /messages/2/reactions/x', () => { throw failure('invalid', { status: 422 }); });
  assert.match(await view.extras.react(2, 'x'), /as many different reactions/);
  status.update({ connection: 'offline' });
  assert.match(await view.extras.react(2, '👍'), /You are offline/);
  assert.equal(await view.extras.react(99, '👍'), null, 'not in view');
});

test('clicked twice before the first response, the last state wins and requests stay in order',
  { shows: ['R3'] }, async () => {
  const gate = deferred();
  const told = [];
  const { view, server } = world({ count: 2 });
  server.answers.set('PUT /messages/2/reactions/x', () => { told.push('put'); return gate.promise; });
  server.answers.set('DELETE /messages/2/reactions/x', () => { told.push('delete'); });
  await view.open();
  const first = view.extras.react(2, 'x');
  await view.extras.react(2, 'x');
  assert.equal(at(view, 2).reactions.length, 0);
  await settle();
  assert.deepEqual(told, ['put']);
  gate.resolve(null);
  assert.equal(await first, null);
  assert.deepEqual(told, ['put', 'delete']);
  assert.equal(at(view, 2).reactions.length, 0);
});

test('pages and events of reactions agree in whatever order they come', { shows: ['C4', 'R3'] }, async () => {
  const random = seeded(5);
  for (let round = 0; round < 30; round += 1) {
    const gate = deferred();
    let asked = 0;
    let count = 0;
    let page;
    const { view, event, server } = world({
      count: 3,
      methods: {
        messages: async () => {
          asked += 1;
          page ??= answer(server.page({ limit: 50 }).map((one) => ({ ...one, reactions: [], pinned_at: null })),
            { eventId: 100 });
          if (asked === 1) return page;
          await gate.promise;
          return page;
        },
      },
    });
    await view.open();
    const add = () => {
      count += 1;
      event('reaction.added', { room_id: 'room', seq: 2, emoji: '👍', user_id: 'bob', count });
    };
    const reloaded = view.reload();
    for (let step = 0; step < 4; step += 1) {
      add();
      // The server may have read the page after any of the events.
      if (random() < 0.4) {
        const reactions = [reaction('👍', count)];
        page = answer(server.page({ limit: 50 }).map((one) => ({ ...one, reactions: one.seq === 2 ? reactions : [] })),
          { eventId: 100 + count });
      }
    }
    gate.resolve();
    await reloaded;
    await settle();
    assert.deepEqual(at(view, 2).reactions, [reaction('👍', 4)], `round ${round}`);
    view.close();
  }
});

test('an edit from the stream keeps reactions and pin, which events lack', { shows: ['C4'] }, async () => {
  const { view, event, server, clock } = world({ count: 2 });
  server.changed.set(2, message(2, { reactions: [reaction('👍', 1)], pinned_at: '2026-03-14T09:00:00.000Z' }));
  await view.open();
  assert.equal(at(view, 2).pinned, true);
  event('message.updated', message(2, { text: 'new', edited_at: '2026-03-14T10:00:00.000Z' }));
  await clock.advance(20);
  assert.deepEqual([at(view, 2).text, at(view, 2).pinned, at(view, 2).reactions.length], ['new', true, 1]);
  assert.match(at(view, 2).editedTitle, /Edited Saturday, 14 March 2026, 10:00/);
});

test('pins: loaded with the chat, live by events, walked through, removed with their message',
  { shows: ['R3'] }, async () => {
  const { view, event, server, clock, arrive } = world({ count: 100 });
  server.answers.set('GET /pins', () => [message(3, { text: 'old pin' })]);
  await view.open();
  await view.extras.pins.load();
  await settle();
  assert.deepEqual(view.extras.pins.state.items, [{ seq: 3, name: 'Bob', text: 'old pin' }]);
  event('pin.added', { room_id: 'room', seq: 99, user_id: 'bob', pinned_at: '2026-03-14T11:00:00.000Z' });
  event('pin.added', { room_id: 'room', seq: 4, user_id: 'bob', pinned_at: '2026-03-14T11:00:01.000Z' });
  await settle();
  assert.deepEqual(view.extras.pins.state.items.map(({ seq }) => seq), [4, 99, 3],
    'also one that is not in the window');
  await clock.advance(20);
  assert.equal(at(view, 99).pinned, true);
  assert.deepEqual(Array.from({ length: 4 }, () => view.extras.pins.next()), [4, 99, 3, 4]);
  event('message.updated', message(3, { text: 'mended', edited_at: '2026-03-14T11:00:00.000Z' }));
  assert.equal(view.extras.pins.state.items.at(-1).text, 'mended');
  event('message.deleted', message(99, { text: '', deleted_at: '2026-03-14T11:00:00.000Z' }));
  event('pin.removed', { room_id: 'room', seq: 4, user_id: 'bob', pinned_at: null });
  await settle();
  assert.deepEqual(view.extras.pins.state.items.map(({ seq }) => seq), [3]);
  view.extras.pinned(98, '2026-03-14T11:00:02.000Z');
  await settle();
  assert.equal(view.extras.pins.state.current.seq, 98);
  view.extras.pinned(98, null);
  event('message.hidden', { room_id: 'room', seq: 3 });
  await settle();
  assert.deepEqual([view.extras.pins.state.current, view.extras.pins.next()], [null, null]);
  event('pin.added', { room_id: 'elsewhere', seq: 98, user_id: 'bob', pinned_at: 'x' });
  assert.equal(view.extras.pins.state.current, null);
  arrive(101);
});

test('a hidden message disappears from all my devices and leaves no gap', { shows: ['C7'] }, async () => {
  const { view, event, seqs, arrive, clock, api } = world({ count: 5 });
  await view.open();
  const before = api.calls.filter(([name]) => name === 'messages').length;
  event('message.hidden', { room_id: 'room', seq: 3 });
  assert.deepEqual(seqs(), [1, 2, 4, 5]);
  arrive(6);
  await clock.advance(50);
  assert.deepEqual(seqs(), [1, 2, 4, 5, 6]);
  event('message.hidden', { room_id: 'room', seq: 6 });
  arrive(7);
  await clock.advance(50);
  assert.deepEqual(seqs(), [1, 2, 4, 5, 7]);
  assert.equal(api.calls.filter(([name]) => name === 'messages').length, before, 'nothing is asked for again');
});

test('messages cleared on another device disappear here', { shows: ['L4'] }, async () => {
  const { view, store, seqs } = world({ count: 5 });
  await view.open();
  store.putRoom({ ...store.room('room'), cleared_seq: 4 });
  assert.deepEqual(seqs(), [5]);
});

test('a reply’s original comes from the window, otherwise is requested once, otherwise shown as gone',
  { shows: ['C7'] }, async () => {
  const { view, server, api, event, clock } = world({ count: 100 });
  for (const [seq, to] of [[98, 97], [99, 3], [100, 3]]) server.changed.set(seq, message(seq, { reply_to: to }));
  server.changed.set(96, message(96, { reply_to: 1 }));
  server.answers.set('GET /messages/1', () => { throw failure('not-found', { status: 404 }); });
  await view.open();
  await clock.advance(20);
  assert.equal(at(view, 98).replyTo.text, 'text 97');
  assert.deepEqual([at(view, 99).replyTo.text, at(view, 100).replyTo.name], ['text 3', 'Bob']);
  assert.equal(at(view, 96).replyTo.missing, true);
  const asked = () => api.calls
    .filter(([name, method, path]) => name === 'request' && path.endsWith('/messages/3')).length;
  assert.equal(asked(), 1);
  event('message.updated', message(3, { text: 'mended', edited_at: '2026-03-14T11:00:00.000Z' }));
  await clock.advance(20);
  assert.equal(at(view, 99).replyTo.text, 'mended');
  event('message.hidden', { room_id: 'room', seq: 3 });
  await clock.advance(20);
  assert.equal(at(view, 99).replyTo.missing, true);
});

test('an original that failed to load is requested again when the connection is back',
  { shows: ['C7'] }, async () => {
  const { view, server, status, clock } = world({ count: 100 });
  server.changed.set(100, message(100, { reply_to: 3 }));
  server.answers.set('GET /messages/3', () => { throw failure('network'); });
  await view.open();
  await clock.advance(20);
  assert.deepEqual([at(view, 100).replyTo.text, at(view, 100).replyTo.missing], ['', false]);
  server.answers.delete('GET /messages/3');
  status.update({ connection: 'connecting' });
  await settle();
  status.update({ connection: 'online' });
  await settle();
  await clock.advance(20);
  assert.equal(at(view, 100).replyTo.text, 'text 3');
});

test('a link to a message that is gone shows what is near and says so', { shows: ['C3', 'C7'] }, async () => {
  const { view, server } = world({ count: 100 });
  const page = server.page.bind(server);
  server.page = (cursor) => page(cursor).filter(({ seq }) => seq !== 40);
  assert.equal(await view.open({ at: 40 }), false);
  assert.equal(view.state.place.key, '#41');
  assert.equal(await view.jumpTo(30), true);
  assert.equal(view.state.place.key, '#30');
});

test('selecting marks rows, patches only those, and ends', { shows: ['C7'] }, async () => {
  const { view } = world({ count: 4 });
  await view.open();
  view.select(2);
  assert.deepEqual(view.rows.items.map((row) => row.selected), [false, true, false, false]);
  const copy = mirror(view.rows);
  view.select(4);
  assert.deepEqual(copy.steps, ['update']);
  assert.deepEqual([view.state.selected, view.selectedRows().map((row) => row.seq)], [2, [2, 4]]);
  view.hide(4);
  assert.equal(view.state.selected, 1);
  view.select(2);
  assert.equal(view.state.selected, 0, 'none, but still selecting');
  view.select(null);
  assert.equal(view.state.selected, null);
  assert.ok(view.rows.items.every((row) => row.selected === null));
});

test('the up-arrow edits my last editable message', { shows: ['K4'] }, async () => {
  const { view, server } = world({ count: 5 });
  server.changed.set(3, message(3, { sender: ada, client_id: 'a' }));
  server.changed.set(4, message(4, { sender: ada, client_id: 'b', forwarded_from: bob }));
  server.changed.set(5, message(5, { sender: ada, client_id: 'c', deleted_at: '2026-03-14T09:00:00.000Z', text: '' }));
  await view.open();
  assert.equal(view.lastOwn().seq, 3);
  assert.equal(at(view, 4).forwardedFrom, 'Bob');
  const none = world({ count: 2 });
  await none.view.open();
  assert.equal(none.view.lastOwn(), null);
});

test('changes before the rest of a chat is loaded show once it is', { shows: ['C4', 'R3'] }, async () => {
  const { view, event, server, services, clock } = world({ count: 3, extended: false });
  server.changed.set(3, message(3, { reply_to: 2, reactions: [reaction('🎉', 1)] }));
  await view.open();
  assert.deepEqual([at(view, 3).replyTo.text, at(view, 3).reactions.length, view.extras], ['text 2', 1, null]);
  event('reaction.added', { room_id: 'room', seq: 3, emoji: '👍', user_id: 'bob', count: 1 });
  event('pin.added', { room_id: 'room', seq: 1, user_id: 'bob', pinned_at: '2026-03-14T11:00:00.000Z' });
  event('message.hidden', { room_id: 'room', seq: 2 });
  assert.deepEqual(view.rows.items.map((row) => row.seq), [1, 3]);
  view.extend((window, onChange) => new MessageExtras('room', services, window, onChange));
  await clock.advance(20);
  assert.deepEqual(at(view, 3).reactions.map(({ emoji }) => emoji), ['🎉', '👍']);
  assert.deepEqual([at(view, 1).pinned, view.extras.pins.state.current.seq, at(view, 3).replyTo.missing],
    [true, 1, true]);
});
