process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LocalTexts } from '../../Public/js/services/storage.js';
import { ForwardViewModel } from '../../Public/js/viewmodels/forwardViewModel.js';
import { MessageActions } from '../../Public/js/viewmodels/messageActions.js';
import { conversationWorld as world } from './support/conversationWorld.js';
import { FakeLocalStorage, ada, bob, failure, ids, message, room, settle } from './support/fakes.js';

async function opened(options) {
  const made = world(options);
  const preferences = new LocalTexts(new FakeLocalStorage(), 'preference');
  const services = { ...made.services, preferences, origin: 'https://chat.example.org', newId: ids() };
  await made.view.open();
  const actions = new MessageActions('room', services, made.view);
  const row = (seq) => made.view.rows.items.find((one) => one.seq === seq);
  return { ...made, services, actions, row };
}

const mine = (seq, members) => message(seq, { sender: ada, client_id: `mine-${seq}`, ...members });
const group = { kind: 'group', name: 'Team', peer: null, role: 'member', members_count: 3 };

test('a message’s actions depend on its sender, its state, and the person’s role',
  { shows: ['C7', 'R3', 'R4'] }, async () => {
  const direct = await opened({ count: 4 });
  direct.server.changed.set(2, mine(2, { reply_to: 1 }));
  direct.server.changed.set(3, message(3, { deleted_at: '2026-03-14T09:00:00.000Z', text: '' }));
  direct.server.changed.set(4,
    mine(4, { forwarded_from: bob, pinned_at: 'x', reactions: [{ emoji: 'x', count: 1, mine: false }] }));
  await direct.view.reload();
  const { actions, row } = direct;
  assert.deepEqual(actions.offered(row(1)), ['reply', 'copyText', 'copyLink', 'forward', 'pin', 'select', 'remove']);
  assert.deepEqual(actions.offered(row(2)),
    ['reply', 'edit', 'copyText', 'copyLink', 'forward', 'pin', 'original', 'select', 'remove']);
  assert.deepEqual(actions.offered(row(3)), ['select', 'remove']);
  assert.deepEqual(actions.offered(row(4)),
    ['reply', 'copyText', 'copyLink', 'forward', 'unpin', 'reactors', 'select', 'remove']);
  assert.deepEqual(actions.offered({ seq: null, state: 'failed' }), ['copyText', 'retry', 'discard']);
  assert.deepEqual(actions.offered({ seq: null, state: 'unsent' }), ['copyText']);
  assert.deepEqual([[row(1)], [row(2)], [row(2), row(4)]].map((rows) => actions.mayDeleteForAll(rows)),
    [false, true, true]);
  for (const [role, may] of [['member', false], ['admin', true], ['owner', true]]) {
    const { actions: there, row: rowOf, server, view } = await opened({ count: 2, members: { ...group, role } });
    server.changed.set(2, mine(2));
    await view.reload();
    assert.equal(there.offered(rowOf(1)).includes('pin'), may, role);
    assert.equal(there.mayDeleteForAll([rowOf(1)]), may, role);
    assert.deepEqual([there.offered(rowOf(1)), there.offered(rowOf(2))].map((ids) => ids.includes('readers')),
      [false, true]);
  }
});

test('texts and links to copy', { shows: ['C7'] }, async () => {
  const { actions, row } = await opened({ count: 3 });
  assert.equal(actions.link(row(2)), 'https://chat.example.org/chats/room?at=2');
  assert.equal(actions.textOf([row(2)]), 'text 2');
  assert.equal(actions.textOf([row(1), row(3)]), 'Bob, 08:00\ntext 1\n\nBob, 08:00\ntext 3');
});

test('deleting: for all leaves a tombstone, for me nothing; already gone succeeds, a refusal says why',
  { shows: ['C7'] }, async () => {
  const { actions, row, server, seqs } = await opened({ count: 5 });
  server.answers.set('DELETE /messages/1', () => null);
  server.answers.set('DELETE /messages/2', ({ query }) => {
    assert.deepEqual(query, { for: 'me' });
    return null;
  });
  server.answers.set('DELETE /messages/4', () => { throw failure('forbidden', { status: 403 }); });
  assert.equal(await actions.remove([row(1)], { forAll: true }), null);
  assert.equal(row(1).deleted, true);
  assert.equal(await actions.remove([row(2)], { forAll: false }), null);
  assert.deepEqual(seqs(), [1, 3, 4, 5]);
  assert.equal(await actions.remove([row(3)], { forAll: true }), null, '404: somebody was quicker');
  assert.match(await actions.remove([row(4)], { forAll: true }), /not deleted. You may not do this/);
  assert.match(await actions.remove([row(4), row(5)], { forAll: true }), /1 of 2 messages could not be done/);
  assert.deepEqual([row(4).deleted, row(5).deleted], [false, true]);
});

test('pinning shows at once, and says why when it is refused or there is no connection',
  { shows: ['R3'] }, async () => {
  const { actions, row, server, view, status, clock } = await opened({ count: 3 });
  server.answers.set('PUT /pins/2', () => null);
  server.answers.set('DELETE /pins/2', () => null);
  assert.equal(await actions.pin(row(2), true), null);
  await clock.advance(20);
  assert.deepEqual([view.extras.pins.state.current.seq, view.rows.items[1].pinned], [2, true]);
  assert.equal(await actions.pin(row(2), false), null);
  await settle();
  assert.equal(view.extras.pins.state.current, null);
  assert.match(await actions.pin(row(3), true), /not changed/);
  status.update({ connection: 'offline' });
  assert.match(await actions.pin(row(3), true), /You are offline/);
});

test('emoji that I use come first in the menu', { shows: ['R3'] }, async () => {
  const { actions, row, server } = await opened({ count: 1 });
  assert.deepEqual(actions.frequentEmoji(3), ['👍', '❤️', '😂']);
  server.answers.set(`PUT /messages/1/reactions/${encodeURIComponent('🚀')}`, () => null);
  assert.equal(await actions.react(row(1), '🚀'), null);
  assert.deepEqual(actions.frequentEmoji(3), ['🚀', '👍', '❤️']);
});

test('receipts of a message: read by whom, delivered to whom, page by page', { shows: ['R4'] }, async () => {
  const people = ['carl', 'dora', 'eve'].map((id) => ({ ...bob, id, login: id, name: id }));
  const { actions, row, api, server } = await opened({
    count: 5, members: group,
    methods: {
      receipts: async () => ({ body: [
        { user_id: 'bob', delivered_seq: 5, read_seq: 5 }, { user_id: 'carl', delivered_seq: 5, read_seq: 2 },
        { user_id: 'dora', delivered_seq: 1, read_seq: 1 },
      ] }),
      request: async (method, path) => {
        if (path.endsWith('/members')) return { body: [ada, bob], next: '/api/v1/next' };
        if (path === '/api/v1/next') return { body: people, next: null };
        return { body: server.request(method, path), next: null, eventId: null };
      },
    },
  });
  const { read, delivered, sent, all } = await actions.readers(row(3));
  assert.deepEqual([read, delivered, sent].map((list) => list.map((one) => one.name)),
    [['Bob'], ['carl'], ['dora', 'eve']]);
  assert.equal(all, 4);
  assert.ok(api.calls.some(([, , path]) => path === '/api/v1/next'));
});

test('lists that fail to load say so; the people who reacted include me as You', { shows: ['R3', 'R4'] }, async () => {
  const { actions, row, server } = await opened({ count: 1 });
  assert.match(await actions.readers(row(1)), /could not be loaded/);
  assert.match(await actions.reactors(row(1)), /could not be loaded/);
  server.answers.set('GET /messages/1/reactions', () => [{ emoji: '👍', users: [ada, bob] }]);
  const [{ emoji, people }] = await actions.reactors(row(1));
  assert.deepEqual([emoji, people.map((one) => one.name)], ['👍', ['You', 'Bob']]);
});

function forwarding(seqs, methods) {
  const made = world({ count: 3, methods });
  const carl = { ...bob, id: 'carl', login: 'carl', name: 'Carl Friedrich Gauss' };
  made.store.load([
    room({ last_message: message(3) }),
    room({ id: 'carl', peer: carl, created_at: '2026-03-13T00:00:00.000Z' }),
    room({ id: 'team', ...group, last_message: message(1, { created_at: '2026-03-15T00:00:00.000Z' }) }),
    room({ id: 'public', ...group, name: 'Not in it', role: null }),
  ], 100);
  return { ...made, picker: new ForwardViewModel('room', { ...made.services, newId: ids() }, seqs) };
}

test('forwarding offers my chats, newest first, filtered by prefixes of words', { shows: ['C7'] }, () => {
  const { picker } = forwarding([1]);
  assert.deepEqual(picker.rows.items.map((row) => row.name), ['Team', 'Bob', 'Carl Friedrich Gauss']);
  picker.search('ga ca');
  assert.deepEqual(picker.rows.items.map((row) => row.id), ['carl']);
  picker.search('zz');
  assert.equal(picker.state.empty, true);
});

test('a comment goes before what is forwarded, to each chosen chat, none of it twice', { shows: ['C7'] }, async () => {
  const sent = [];
  const tried = new Set();
  let losses = 2;
  const note = (room, what, id) => {
    tried.add(id);
    losses -= room === 'team' && what === 2 ? 1 : 0;
    if (room === 'team' && what === 2 && losses >= 0) throw failure('network');
    sent.push([room, what]);
    return { body: null };
  };
  const { picker } = forwarding([1, 2], {
    send: async (room, { text, client_id: id }) => note(room, text, id),
    request: async (method, path, { body }) => note(path.split('/')[2], body.forward.seq, body.client_id),
  });
  for (const id of ['carl', 'team', 'room']) picker.toggle({ id, name: id });
  picker.toggle({ id: 'room', name: 'room' });
  assert.equal(picker.state.count, 2);
  assert.deepEqual(picker.rows.items.filter(({ chosen }) => chosen).map(({ id }) => id), ['team', 'carl']);
  assert.equal(await picker.send(' look: '), false);
  assert.equal(await picker.send(' look: '), false);
  assert.equal(await picker.send(' look: '), true);
  assert.deepEqual(sent, ['carl', 'team'].flatMap((room) => ['look:', 1, 2].map((what) => [room, what])));
  assert.equal(tried.size, 6, 'each try of one message has the same id');
});

test('several are forwarded in their order; after a failure the rest follows, none twice',
  { shows: ['C7'] }, async () => {
  const sent = [];
  let refuses = true;
  const { picker, status } = forwarding([1, 2, 3], {
    request: async (method, path, { body }) => {
      if (body.forward.seq === 2 && refuses) throw failure('network');
      sent.push([path, body.forward]);
      return { body: null };
    },
  });
  status.update({ connection: 'offline' });
  assert.equal(await picker.send(), false, 'nobody is chosen');
  picker.toggle({ id: 'carl', name: 'Carl' });
  assert.equal(await picker.send(), false);
  assert.match(picker.state.error, /offline/);
  status.update({ connection: 'online' });
  assert.equal(await picker.send(), false);
  assert.match(picker.state.error, /not forwarded.*cannot be reached/);
  refuses = false;
  assert.equal(await picker.send(), true);
  assert.deepEqual(sent, [1, 2, 3].map((seq) => ['/rooms/carl/messages', { room_id: 'room', seq }]));
});
