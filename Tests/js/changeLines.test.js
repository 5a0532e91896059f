process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangeLines } from '../../Public/js/viewmodels/changeLines.js';
import { changedChat } from '../../Public/js/services/keeping.js';
import { conversationWorld } from './support/conversationWorld.js';
import { ada, answer, bob, deferred, failure, message, mirror, settle } from './support/fakes.js';

const carl = { ...bob, id: 'carl', login: 'carl', name: 'Carl' };
/** Message `seq` of the fakes is of second `seq` after eight; a change stands half a second after. */
const at = (seconds, hours = 8) => new Date(Date.parse(`2026-03-14T0${hours}:00:00Z`) + seconds * 1000).toISOString();
const change = (id, seconds, more = {}) => (
  { id, room_id: 'room', at: at(seconds), kind: 'renamed', by: bob, text: `${id}`, ...more });

/** A group whose changes are `changes`, or what `ask` answers. */
async function world({ changes = [], ask = null, group = {}, open = true, ...options } = {}) {
  const asked = [];
  const made = conversationWorld({
    count: 3, ...options, members: { kind: 'group', peer: null, name: 'Group', ...group, ...options.members },
  });
  const { view, services, sync } = made;
  services.messageApi.changes = async (_roomId, prev) => {
    asked.push(prev);
    return ask ? ask(prev) : answer(changes);
  };
  sync.keep = (_roomId, messages, _whole, lines) => {
    if (lines) sync.keptLines = lines;
    else sync.keptNow = messages;
  };
  const lines = view.extras.showChanges((...given) => new ChangeLines('room', services, ...given));
  view.onClose(() => lines.close());
  if (open) {
    await view.open();
    await lines.open();
    await made.clock.advance(50);
  }
  const shown = () => view.rows.items.map((row) => (row.kind === 'message' ? row.seq ?? row.text : row.text));
  const tell = async (data) => {
    made.event('room.changed', data);
    await made.clock.advance(50);
  };
  return { ...made, lines, shown, asked, tell };
}

const renamed = (id) => `Bob renamed the group to “${id}”`;

test('changes stand between messages by their time, and the kept ones are the server’s',
  { shows: ['R5'] }, async () => {
  const changes = [change(1, 0.5), change(2, 1.5), change(3, 1.6), change(4, 9)];
  const { shown, sync, view } = await world({ changes });
  assert.deepEqual(shown(), [renamed(1), 1, renamed(2), renamed(3), 2, 3, renamed(4)]);
  assert.deepEqual(sync.keptLines.map(({ id }) => id), [1, 2, 3, 4]);
  const line = view.rows.items[0];
  assert.deepEqual([line.kind, line.seq, line.own, line.newLine, line.isNews], ['change', null, false, false, false]);
  assert.equal(line.timeTitle, 'Saturday, 14 March 2026, 08:00');
});

test('each kind has words, with names as they are now, and the reader is addressed',
  { shows: ['R5', 'L2'] }, async () => {
  const kinds = [
    ['joined', 'Bob joined'], ['left', 'Bob left'], ['added', 'Bob added Carl', { user: carl }],
    ['removed', 'Bob removed Carl', { user: carl }], ['banned', 'Bob banned Carl', { user: carl }],
    ['made_owner', 'Bob made you the owner', { user: ada }], ['made_admin', 'Bob made Carl an admin', { user: carl }],
    ['made_member', 'You made Carl a member without admin rights', { by: ada, user: carl }],
    ['renamed', 'You renamed the group to “N”', { by: ada, text: 'N' }],
    ['described', 'Bob changed the topic to “T”', { text: 'T' }], ['described', 'Bob removed the topic', { text: '' }],
    ['repository_set', 'Bob set the group’s repository to a/b', { text: 'a/b' }],
    ['repository_set', 'Bob removed the group’s repository', { text: '' }],
    ['picture_set', 'Bob changed the group’s picture'], ['picture_removed', 'Bob removed the group’s picture'],
    ['made_public', 'Bob made the group public'], ['made_private', 'Bob made the group private'],
    ['pinned', 'Bob pinned a message', { message_seq: 2 }], ['unpinned', 'Bob unpinned a message', { message_seq: 2 }],
    ['painted', 'Bob changed something in the group'],
  ];
  const { view, event, clock } = await world({
    count: 40,
    changes: kinds.map(([kind, , more], index) => change(index + 1, index + 1.5, { kind, text: '', ...more })),
  });
  const lines = () => view.rows.items.filter(({ kind }) => kind === 'change');
  assert.deepEqual(lines().map(({ text }) => text), kinds.map(([, text]) => text));
  const hrefs = lines().map(({ href }) => href).filter(Boolean);
  assert.deepEqual(hrefs, ['/chats/room?at=2', '/chats/room?at=2']);
  event('user.updated', { ...bob, name: 'Robert' });
  await clock.advance(50);
  assert.equal(lines()[0].text, 'Robert joined');
});

test('a change that arrives is one row more, unread to nobody, and ends no question of where one reads',
  { shows: ['R5', 'S4'] }, async () => {
  const { view, store, receiptsSent, clock, tell } = await world({ group: { read_seq: 1, unread_count: 2 } });
  const before = { ...store.room('room') };
  const { ticket } = view.state.place;
  const copy = mirror(view.rows);
  await view.visible({ lastSeqVisible: 1, focused: true, atBottom: false });
  await clock.advance(2000);
  const sent = receiptsSent().length;
  const below = view.state.newBelow;
  await tell(change(101, 60));
  await tell(change(101, 60));
  assert.deepEqual(copy.steps.filter((step) => step === 'insert'), ['insert']);
  assert.deepEqual([copy.at(-1).text, copy.at(-1).isNews], [renamed(101), true]);
  await clock.advance(2000);
  assert.equal(receiptsSent().length, sent);
  const { unread_count: unread, read_seq: read, updated_at: updated } = store.room('room');
  assert.deepEqual([unread, read, updated], [before.unread_count, before.read_seq, before.updated_at]);
  assert.deepEqual([view.state.newBelow, view.state.place.ticket], [below, ticket]);
  assert.equal(view.lastOwn(), null);
  assert.deepEqual(view.selectedRows(), []);
  assert.equal(view.rows.items.find((row) => row.newLine).seq, 2);
});

test('a line ends a run of one sender, and begins a day where it is the first of it',
  { shows: ['R5', 'C2'] }, async () => {
  const { view } = await world({
    count: 4, changes: [change(1, 2.5), { ...change(2, 0), at: '2026-03-15T07:00:00.000Z' }],
    make: (seq) => message(seq, seq === 4 ? { created_at: '2026-03-15T08:00:00.000Z' } : {}),
  });
  const flags = view.rows.items.map((row) =>
    [row.seq ?? 'line', row.firstOfSender && 'first', row.lastOfSender && 'last', row.dayLabel].filter(Boolean)
      .join(' '));
  assert.deepEqual(flags, [
    '1 first Today', '2 last', 'line first last', '3 first last', 'line first last 15 March 2026', '4 first last',
  ]);
});

test('only lines of the window show: earlier ones come with earlier pages, later ones with the newest',
  { shows: ['R5', 'C3'] }, async () => {
  const changes = [change(1, 0.5), change(2, 30.5), change(3, 100.5), change(4, 120.5)];
  const { view, shown } = await world({ count: 120, changes });
  const lines = () => shown().filter((one) => typeof one === 'string');
  assert.deepEqual(lines(), [renamed(3), renamed(4)]);
  await view.loadEarlier();
  assert.deepEqual(lines(), [renamed(2), renamed(3), renamed(4)]);
  await view.loadEarlier();
  assert.deepEqual(lines(), [renamed(1), renamed(2), renamed(3), renamed(4)]);
  await view.jumpTo(2);
  const far = await world({ count: 500, changes: [change(1, 0.5), change(2, 100.5), change(3, 480.5)] });
  await far.view.jumpTo(100);
  assert.equal(far.view.state.atLatest, false);
  assert.deepEqual(far.shown().filter((one) => typeof one === 'string'), [renamed(2)]);
});

test('pages of changes are asked for as far back as messages are shown, and no further',
  { shows: ['R5'] }, async () => {
  const pages = {
    null: answer([change(9, 110)], { prev: '/p1' }), '/p1': answer([change(8, 75)], { prev: '/p2' }),
    '/p2': answer([change(7, 60)], { prev: '/p3' }), '/p3': answer([change(6, 1.5)]),
  };
  const { view, asked, shown, clock } = await world({ count: 120, ask: (prev) => pages[prev] });
  await settle();
  await clock.advance(50);
  assert.deepEqual(asked, [null, '/p1', '/p2'], 'the first message is the 71st');
  await view.loadEarlier();
  await clock.advance(50);
  assert.deepEqual(asked, [null, '/p1', '/p2', '/p3']);
  assert.deepEqual(shown().filter((one) => typeof one === 'string'), [7, 8, 9].map(renamed));
});

test('unsent messages stay last, and many lines in a row are one that counts', { shows: ['R5', 'S2'] }, async () => {
  const { outbox, shown, tell } = await world({ methods: { send: () => deferred().promise } });
  outbox.add({ roomId: 'room', text: 'waits' });
  await tell(change(101, 60));
  assert.deepEqual(shown(), [1, 2, 3, renamed(101), 'waits']);
  const changes = Array.from({ length: 30 }, (_one, index) => change(index + 1, 2 + index / 100));
  const many = await world({ changes });
  assert.deepEqual(many.shown(), [
    1, 2, '20 earlier changes', ...Array.from({ length: 10 }, (_one, index) => renamed(index + 21)), 3,
  ]);
  const alone = await world({ count: 0, changes });
  assert.deepEqual(alone.shown(), ['27 earlier changes', ...[28, 29, 30].map(renamed)]);
  await many.tell(change(200, 60));
  assert.equal(many.shown().at(-1), renamed(200));
});

test('a group with lines only says that it is empty; before messages are there no line is', { shows: ['R5', 'C6'] },
  async () => {
  const empty = await world({ count: 0, changes: [change(1, 1)] });
  assert.deepEqual([empty.view.state.empty, empty.shown()], [true, [renamed(1)]]);
  const gate = deferred();
  const { view, lines, shown } = await world({
    open: false, changes: [change(1, 1)], methods: { messages: () => gate.promise },
  });
  view.open();
  await lines.open();
  assert.deepEqual([view.state.loading, shown()], [true, []]);
});

test('what is cleared goes on all devices, also where lines are all that there is',
  { shows: ['R5', 'L4'] }, async () => {
  const { shown, store, event, clock, tell } = await world({ count: 0, changes: [change(1, 1), change(2, 2)] });
  event('room.updated', { ...store.room('room'), cleared_change: 2 });
  await clock.advance(50);
  assert.deepEqual(shown(), []);
  await tell(change(103, 3));
  assert.deepEqual(shown(), [renamed(103)]);
});

test('without a connection kept lines show; back online, after a reset and let in again they are asked for',
  { shows: ['R5', 'O1', 'S5'] }, async () => {
  let fails = true;
  const { view, shown, asked, lines, sync, status, store, event, clock } = await world({
    open: false, ask: () => {
      if (fails) throw failure('network');
      return answer([change(1, 1.5), change(2, 2.5)]);
    },
  });
  sync.kept = async (_roomId, what) => (what === 'changes' ? [change(1, 1.5)] : [1, 2, 3].map((seq) => message(seq)));
  status.update({ connection: 'offline' });
  await view.open();
  await lines.open();
  await clock.advance(50);
  assert.deepEqual([asked, shown()], [[null], [1, renamed(1), 2, 3]]);
  fails = false;
  status.update({ connection: 'online' });
  await settle();
  assert.deepEqual(asked, [null, null]);
  store.tellReset();
  await settle();
  assert.equal(asked.length, 3);
  const room = store.room('room');
  event('room.removed', room);
  await settle();
  event('room.created', room);
  await clock.advance(50);
  assert.equal(asked.length, 4);
  assert.deepEqual(shown().filter((one) => typeof one === 'string'), [renamed(1), renamed(2)]);
});

test('kept changes: a page and events add to them once; unknown they stay, and clearing takes them', { shows: ['O1'] },
  () => {
  const record = { upTo: 40, whole: true, messages: [message(1)] };
  const event = (id) => ({ type: 'line', line: change(id, id), eventId: id });
  assert.equal(changedChat(record, [event(41)], 50).changes, undefined, 'older ones were never loaded');
  const loaded = { type: 'lines', lines: [change(7, 1), change(41, 2)] };
  const kept = changedChat(record, [event(41), loaded, event(41), event(42)], 50);
  assert.deepEqual(kept.changes.map(({ id }) => id), [7, 41, 42]);
  assert.deepEqual([kept.upTo, kept.messages.length], [42, 1]);
  const page = { type: 'page', messages: [message(9)], eventId: 50, whole: false };
  assert.equal(changedChat(kept, [page], 50).changes.length, 3, 'a page of messages leaves them');
  assert.deepEqual(changedChat(kept, [event(43)], 2).changes.map(({ id }) => id), [42, 43]);
  const cleared = changedChat(kept, [{ type: 'cleared', seq: 1, eventId: 41 }], 50);
  assert.deepEqual(cleared.changes.map(({ id }) => id), [42]);
});
