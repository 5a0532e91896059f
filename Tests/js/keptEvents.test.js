import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DURABLE, PASSING } from '../../Public/js/services/eventStream.js';
import { buildRows } from '../../Public/js/models/messageRows.js';
import { ada, answer, bob, message, room, settle } from './support/fakes.js';
import { syncWorld, visited } from './support/syncWorld.js';

const carl = { ...bob, id: 'carl', login: 'carl', name: 'Carl', github_id: 3 };
const group = (more = {}) => room({
  id: 'group', kind: 'group', name: 'Group', peer: null, members_count: 3, role: 'member', last_seq: 3, read_seq: 3,
  mention_count: 0, ...more,
});
const inGroup = (seq) => message(seq, { room_id: 'group', sender: carl, mentions: ['bob'], text: '@bob hi' });
const own = message(2, { sender: ada });
const chat = room({ last_seq: 2, read_seq: 2, mention_count: 0, last_message: own });

/**
 * Every event × everything kept: the event, and what of that it changes. Each kind the stream knows is listed, and what
 * it changes is the same after a reload without a network.
 */
const table = {
  'message.created': [message(3), ['rooms', 'messages']],
  'message.updated': [message(1, { text: 'new', edited_at: '2026-03-14T12:00:00.000Z' }), ['messages']],
  'message.deleted': [message(1, { text: '', deleted_at: '2026-03-14T12:00:00.000Z' }), ['messages']],
  'message.hidden': [{ room_id: 'room', seq: 1 }, ['messages']],
  'room.created': [room({ id: 'new', peer: carl, name: 'Carl' }), ['rooms']],
  'room.updated': [group({ name: 'Renamed' }), ['rooms']],
  'room.removed': [group(), ['rooms', 'group', 'changes']],
  'receipt.updated': [{ room_id: 'room', user_id: 'bob', delivered_seq: 2, read_seq: 2 }, ['messages']],
  'user.updated': [{ ...bob, name: 'Robert', handle: 'robert', avatar_url: '/api/v1/avatars/new' },
    ['people', 'rooms', 'messages', 'group']],
  'me.updated': [{ ...ada, name: 'Ada King', email: 'new@example.org' }, ['me', 'people', 'rooms', 'messages']],
  'draft.updated': [{ room_id: 'room', draft: 'half a' }, ['rooms']],
  'reaction.added': [{ room_id: 'room', seq: 1, emoji: '🎉', user_id: 'ada', count: 1 }, ['messages']],
  'reaction.removed': [{ room_id: 'room', seq: 2, emoji: '👍', user_id: 'bob', count: 0 }, ['messages']],
  'pin.added': [{ room_id: 'room', seq: 1, user_id: 'bob', pinned_at: '2026-03-14T12:00:00.000Z' }, ['messages']],
  'pin.removed': [{ room_id: 'room', seq: 2, user_id: 'bob', pinned_at: null }, ['messages']],
  'member.updated': [{ room_id: 'group', user: { ...carl, name: 'Carl Gauss' }, role: 'admin', members_count: 4 },
    ['people', 'rooms', 'group']],
  'room.changed': [{
    id: 41, room_id: 'group', at: '2026-03-14T12:00:00.000Z', kind: 'added', by: carl, user: bob,
  }, ['changes']],
  // These are not stored: presence and typing are requested again.
  typing: [{ room_id: 'room', user_id: 'bob', typing: true }, []],
  presence: [{ user_id: 'bob', online: true, last_seen_at: null }, []],
};

test('every kind of event is in the table', { shows: ['O1', 'L6'] }, () => {
  assert.deepEqual(Object.keys(table).sort(), [...DURABLE, ...PASSING].sort());
  // The server's own kinds: a new one must be followed, and put into the table.
  const server = readFileSync(new URL('../../Sources/Chat/Events/Event.swift', import.meta.url), 'utf8');
  const [, names] = / name: String \{(.*?)\n  \}\n/su.exec(server) ?? [];
  const kinds = Array.from(names.matchAll(/"([a-z.]+)"/gu), ([, name]) => name);
  assert.deepEqual(kinds.filter((name) => name !== 'session.ended').sort(), [...DURABLE, ...PASSING].sort());
});

/** What a page shows of the stored messages. */
async function shown({ store, sync }) {
  const face = (user) => (({ name, avatarUrl }) => ({ name, avatarUrl }))(store.person(user));
  const rows = async (id) => buildRows({
    messages: await sync.kept(id), pending: [], store, ticks: store.ticks(id), newAfter: null, now: 0, selection: null,
  }).map(({ seq, text, state, sender, reactions, pinned, edited, deleted, mentioned }) =>
    ({ seq, text, state, sender: sender.name, reactions, pinned, edited, deleted, mentioned }));
  return JSON.parse(JSON.stringify({
    me: { ...store.me, online: undefined },
    people: ['ada', 'bob', 'carl'].map((id) => face({ id })),
    rooms: store.orderedRooms().map(({ peer, last_message: last, ...one }) =>
      ({ ...one, peer: peer && face(peer), last: last && { text: last.text, by: face(last.sender).name } })),
    messages: await rows('room'),
    group: store.room('group') ? await rows('group') : null,
    changes: store.room('group') ? (await sync.kept('group', 'changes')).map(({ id, kind }) => ({ id, kind })) : null,
  }));
}

const marks = { reactions: [{ emoji: '👍', count: 1, mine: false }], pinned_at: '2026-03-14T11:00:00Z' };
const before = { id: 7, room_id: 'group', at: '2026-03-13T12:00:00.000Z', kind: 'joined', by: carl };
const begin = () => visited(
  [chat, group({ last_message: inGroup(3) })], 40,
  { room: [message(1), { ...own, ...marks }], group: [inGroup(3)] }, { group: [before] });

for (const [event, [data, parts]] of Object.entries(table)) {
  test(`${event} changes storage as it changes the view`, { shows: ['O1', 'L6'] }, async () => {
    const storage = await begin();
    const session = { ...ada, email: 'ada@example.org' };
    const live = syncWorld({ storage, methods: {
      session: async () => answer(session), sync: async () => answer({ reset: false, last_event_id: 40, events: [] }),
      presence: async () => answer([]), room: async () => answer(chat, { eventId: 41 }),
    } });
    await live.sync.start();
    live.attach();
    await settle();
    const before = await shown(live);
    const passes = PASSING.includes(event);
    live.stream.onEvent({ id: passes ? null : 41, event, data });
    await settle();
    await live.clock.advance(3000);
    const after = await shown(live);
    const differs = (part) => JSON.stringify(after[part]) !== JSON.stringify(before[part]);
    assert.deepEqual(Object.keys(after).filter(differs), parts);
    // The next visit, without a network.
    const offline = async () => { throw Object.assign(new Error('offline'), { status: 0, kind: 'network' }); };
    const next = syncWorld({ storage, methods: { session: offline, sync: offline, rooms: offline } });
    next.sync.start();
    await settle();
    assert.deepEqual(await shown(next), after);
  });
}
