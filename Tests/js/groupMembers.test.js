process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MembersViewModel } from '../../Public/js/viewmodels/groups/membersViewModel.js';
import { ada, answer, bob, deferred, failure, mirror, room, settle } from './support/fakes.js';
import { cyd, group, withChats, world, zoë } from './support/groupsWorld.js';

function members(methods, role = 'owner', rooms = [group({ role })]) {
  const services = world({ members: async () => answer([
    { ...ada, role: 'owner' }, { ...cyd, role: 'admin' }, { ...bob, role: 'member' },
  ]), ...methods }, rooms);
  const list = new MembersViewModel('room', services, () => services.store.room('room')?.role ?? null);
  return { services, list, shown: mirror(list.rows) };
}

test('members are listed owner first, page by page, with the allowed actions', { shows: ['R1'] }, async () => {
  const { services, list, shown } = members({
    members: async (_room, next) => (next === null
      ? answer([{ ...ada, role: 'owner' }, { ...bob, role: 'member' }], { next: '/api/v1/next' })
      : answer([{ ...bob, role: 'member' }, { ...zoë, role: 'member' }])),
  });
  await list.open();
  assert.equal(list.state.folded, true);
  await list.nearEnd();
  assert.equal(services.groups.calls.length, 1);
  await list.unfold();
  assert.equal(list.state.folded, false);
  await list.nearEnd();
  assert.equal(services.groups.calls.length, 2);
  assert.deepEqual(shown.map(({ id, role, me }) => [id, role, me]),
    [['ada', 'owner', true], ['bob', 'member', false], ['zoe', 'member', false]]);
  assert.equal(shown[0].actions, '');
  assert.equal(shown[1].actions, 'write makeAdmin handOver remove ban');
  assert.equal(list.has('zoe'), true);
  list.close();
});

test('of many members few show until all are requested', { shows: ['R1'] }, async () => {
  const many = Array.from({ length: 200 },
    (_, number) => ({ ...bob, id: `u${number}`, name: `N ${number}`, role: 'member' }));
  const { list, shown } = members({ members: async () => answer(many) });
  await list.open();
  assert.equal(shown.length, 12);
  await list.search('N 19');
  assert.deepEqual(shown.map(({ name }) => name).slice(0, 3), ['N 19', 'N 190', 'N 191']);
  list.search('');
  assert.equal(shown.length, 12);
  await list.unfold();
  assert.equal(shown.length, 200);
});

test('searching members loads all of them, and ignores accents', { shows: ['R1'] }, async () => {
  const { list, shown } = members({
    members: async (_room, next) => (next === null
      ? answer([{ ...ada, role: 'owner' }], { next: '/api/v1/next' }) : answer([{ ...zoë, role: 'member' }])),
  });
  await list.open();
  await list.search('zoe');
  assert.deepEqual(shown.map(({ id }) => id), ['zoe']);
  assert.equal(list.state.foundText, '1 member found');
  await list.search('nobody');
  assert.match(list.state.empty, /“nobody”/);
  list.search('');
  assert.equal(shown.length, 2);
});

test('joins, leaves and role changes show at once; so do names and presence',
  { shows: ['R1', 'A4'] }, async () => {
  const { services, list, shown } = members({}, 'admin');
  await list.open();
  const event = (id, data) =>
    services.store.apply({ id, event: 'member.updated', data: { room_id: 'room', ...data } }, 0);
  assert.equal(shown.find(({ id }) => id === 'bob').actions, 'write remove ban');
  event(1, { user: zoë, role: 'member', members_count: 4 });
  event(2, { user: bob, role: null, members_count: 3 });
  event(3, { user: cyd, role: 'member', members_count: 3 });
  services.store.apply({ id: 4, event: 'user.updated', data: { ...cyd, name: 'Cydney' } }, 0);
  services.store.apply({ id: null, event: 'presence', data: { user_id: 'cyd', online: true, last_seen_at: null } }, 0);
  await settle();
  assert.deepEqual(shown.map(({ id, name, role, online }) => [id, name, role, online]), [
    ['ada', 'Ada Lovelace', 'owner', false], ['cyd', 'Cydney', 'member', true], ['zoe', 'Zoë', 'member', false],
  ]);
  assert.equal(services.store.room('room').members_count, 3);
  event(5, { user: ada, role: 'member', members_count: 3 });
  await settle();
  assert.equal(services.store.room('room').role, 'member');
  assert.equal(shown.find(({ id }) => id === 'cyd').actions, 'write');
  event(6, { user: bob, role: 'member', members_count: 9, room_id: 'elsewhere' });
  await settle();
  assert.equal(shown.length, 3);
  list.close();
});

test('roles, removing and banning work, once, and a refusal is shown', { shows: ['R1'] }, async () => {
  const gate = deferred();
  const { services, list, shown } = members({
    putMember: async () => answer(null), removeMember: () => gate.promise,
    ban: async () => { throw failure('forbidden', { detail: 'Not you.' }); },
  });
  await list.open();
  const row = (id) => shown.find((one) => one.id === id);
  assert.equal(await list.act('makeAdmin', row('bob')), true);
  assert.equal(row('bob').role, 'admin');
  assert.equal(list.state.note, 'Bob is admin now.');
  await list.act('makeMember', row('cyd'));
  await list.act('handOver', row('cyd'));
  assert.deepEqual(services.groups.calls.filter(([name]) => name === 'putMember').map(([, , id, role]) => [id, role]),
    [['bob', 'admin'], ['cyd', 'member'], ['cyd', 'owner']]);
  const removal = list.act('remove', row('bob'));
  assert.equal(row('bob').busy, true);
  assert.equal(await list.act('remove', row('bob')), false);
  gate.resolve(answer(null));
  assert.equal(await removal, true);
  assert.equal(row('bob'), undefined);
  assert.equal(await list.act('ban', row('cyd')), false);
  assert.equal(list.state.actionError, 'Not you.');
  assert.equal(row('cyd').busy, false);
});

test('adding people continues after a failure, and says who failed', { shows: ['R1'] }, async () => {
  const { list, shown } = members({
    putMember: async (_room, id) => {
      if (id === 'cyd') throw failure('conflict', { detail: 'Lift the ban first.' });
      return answer({ ...zoë, role: 'member' }, { status: 201 });
    },
    members: async () => answer([{ ...ada, role: 'owner' }]),
  });
  await list.open();
  const { added, failed } = await list.add([cyd, zoë]);
  assert.deepEqual(added.map(({ id }) => id), ['zoe']);
  assert.equal(failed, 'Cyd could not be added. Lift the ban first.');
  assert.deepEqual(shown.map(({ id }) => id), ['ada', 'zoe']);
});

test('members can be written to in an existing chat or a new one', { shows: ['D6'] }, async () => {
  const direct = room({ id: 'direct' });
  const openDirect = async () => answer(room({ id: 'made', peer: cyd }));
  const { services, list, shown } = members({ openDirect }, 'owner',
    [group(), direct]);
  await list.open();
  assert.equal(await list.write(shown.find(({ id }) => id === 'bob')), 'direct');
  assert.equal(await list.write(shown.find(({ id }) => id === 'cyd')), 'made');
  assert.ok(services.store.room('made'));
  const refused = members({ openDirect: async () => { throw failure('network'); } });
  await refused.list.open();
  assert.equal(await refused.list.write(refused.shown[1]), null);
  assert.match(refused.list.state.actionError, /reached/);
});

test('members that failed to load can be retried; a reset retries by itself', { shows: ['R1'] }, async () => {
  let fails = true;
  const { services, list, shown } = members({
    members: async () => {
      if (fails) throw failure('network');
      return answer([{ ...ada, role: 'owner' }]);
    },
  });
  await list.open();
  assert.match(list.state.error, /could not be loaded/);
  fails = false;
  services.store.tellReset();
  await settle();
  assert.equal(list.state.error, null);
  assert.equal(shown.length, 1);
});

test('people who decide themselves who adds them are invited, as the note says', { shows: ['R1'] }, async () => {
  const refusal = failure('forbidden', { errors: [{ field: 'user', code: 'invite' }] });
  const { services, list } = members({
    putMember: async (_room, id) => { if (id === 'zoe') throw refusal; return answer({ ...bob, id, role: 'member' }); },
    invite: async () => answer({ url: 'https://hub.example/i/token' }, { status: 201 }),
  });
  withChats(services);
  await list.open();
  const outcome = await list.add([{ id: 'dan', name: 'Dan' }, { id: 'zoe', name: 'Zoë' }]);
  const ids = (people) => people.map(({ id }) => id);
  assert.deepEqual([ids(outcome.added), ids(outcome.invited), outcome.failed], [['dan'], ['zoe'], null]);
  assert.match(list.state.note, /1 person is in the group now\. Zoë: invited/);
  assert.deepEqual(services.sent.map(({ roomId }) => roomId), ['chat-zoe']);
  services.groups.invite = async () => { throw failure('network'); };
  assert.match((await list.add([{ id: 'zoe', name: 'Zoë' }])).failed ?? '', /Zoë could not be added/);
  list.close();
});
