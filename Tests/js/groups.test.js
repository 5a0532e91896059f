process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { compareMembers, memberActions, plainText } from '../../Public/js/models/groupRules.js';
import { CreateGroupViewModel } from '../../Public/js/viewmodels/groups/createGroupViewModel.js';
import { MembersViewModel } from '../../Public/js/viewmodels/groups/membersViewModel.js';
import { PeoplePickerViewModel } from '../../Public/js/viewmodels/groups/peoplePickerViewModel.js';
import { PublicRoomsViewModel } from '../../Public/js/viewmodels/groups/publicRoomsViewModel.js';
import { FakeClock, ada, answer, bob, deferred, failure, fakeApi, mirror, room, settle } from './support/fakes.js';

const cyd = { ...bob, id: 'cyd', login: 'cyd', github_id: 3, first_name: 'Cyd', name: 'Cyd', online: false };
const zoë = { ...bob, id: 'zoe', login: null, github_id: null, first_name: 'Zoë', name: 'Zoë', online: false };
const group = (members = {}) => room({
  kind: 'group', peer: null, name: 'Reading', topic: '', public: false, role: 'owner', mention_level: 'all', ...members,
});

function world(methods, rooms = [group()]) {
  const store = new ChatStore();
  store.setMe(ada);
  store.load(rooms, 0);
  return { store, clock: new FakeClock(), groups: fakeApi(methods) };
}

test('who may do what with whom is as docs/api.md says (R1)', () => {
  const table = [
    ['owner', 'admin', ['write', 'makeMember', 'handOver', 'remove', 'ban']],
    ['owner', 'member', ['write', 'makeAdmin', 'handOver', 'remove', 'ban']],
    ['admin', 'owner', ['write']], ['admin', 'admin', ['write']], ['admin', 'member', ['write', 'remove', 'ban']],
    ['member', 'owner', ['write']], ['member', 'member', ['write']], [null, 'member', ['write']],
  ];
  for (const [mine, theirs, actions] of table) assert.deepEqual(memberActions(mine, theirs, false), actions);
  for (const role of ['owner', 'admin', 'member']) assert.deepEqual(memberActions(role, role, true), []);
  const order = [{ ...bob, role: 'member' }, { ...cyd, role: 'admin' }, { ...ada, role: 'owner' }].sort(compareMembers);
  assert.deepEqual(order.map(({ id }) => id), ['ada', 'cyd', 'bob']);
  const twins = [{ id: 'b', name: 'X', role: 'member' }, { id: 'a', name: 'x', role: 'member' }].sort(compareMembers);
  assert.deepEqual(twins.map(({ id }) => id), ['a', 'b']);
  assert.equal(plainText('Zoë ÅNGSTRÖM'), 'zoe angstrom');
});

test('people are found as one types, once it pauses, without oneself and those who are chosen (R1)', async () => {
  const services = world({ people: async () => answer([ada, bob, cyd, zoë]) });
  const picker = new PeoplePickerViewModel(services, (id) => id === 'zoe');
  const shown = mirror(picker.results);
  picker.input('b');
  picker.input('bo');
  assert.equal(services.groups.calls.length, 0);
  await services.clock.advance(150);
  assert.deepEqual(services.groups.calls.map(([name, query]) => [name, query]), [['people', 'bo']]);
  assert.deepEqual(shown.map(({ id }) => id), ['bob', 'cyd']);
  picker.move(1);
  assert.equal(picker.state.active, 'bob');
  picker.move(-1);
  assert.equal(picker.state.active, 'cyd');
  picker.move(1);
  assert.equal(picker.pick().id, 'bob');
  assert.deepEqual([picker.state.query, picker.state.open], ['', false]);
  picker.move(-1);
  await settle();
  assert.deepEqual([picker.state.open, picker.state.active], [true, 'cyd']);
  assert.deepEqual(picker.chosen.items.map(({ id }) => id), ['bob']);
  assert.deepEqual(shown.map(({ id }) => id), ['cyd']);
  assert.equal(picker.pick().id, 'cyd');
  picker.open();
  await settle();
  assert.match(picker.state.message, /Everybody/);
  assert.equal(picker.pick(), null);
  assert.equal(picker.state.count, 2);
  assert.equal(picker.remove().id, 'cyd');
  assert.equal(picker.remove('nobody'), null);
  services.store.apply({ id: 1, event: 'user.updated', data: { ...cyd, name: 'Cydney' } }, 0);
  assert.equal(shown[0].name, 'Cydney');
  picker.clear();
  assert.equal(picker.chosen.length, 0);
  assert.equal(picker.state.open, false);
  picker.close();
});

test('a search that fails or finds nobody says so; a late answer shows nothing (R1)', async () => {
  const first = deferred();
  let calls = 0;
  const services = world({
    people: async () => {
      calls += 1;
      if (calls === 1) return first.promise;
      if (calls === 2) throw failure('network');
      return answer([]);
    },
  });
  const picker = new PeoplePickerViewModel(services);
  picker.open();
  picker.input('x');
  await services.clock.advance(150);
  assert.match(picker.state.error, /could not be loaded.*reached/);
  first.resolve(answer([bob]));
  await settle();
  assert.equal(picker.results.length, 0);
  picker.input('nobody');
  await services.clock.advance(150);
  assert.equal(picker.state.error, null);
  assert.match(picker.state.message, /“nobody”/);
  picker.move(1);
  assert.equal(picker.state.active, null);
  picker.dismiss();
  picker.move(1);
  assert.equal(picker.state.open, true);
  picker.close();
});

function creation(methods, blob = null) {
  const services = world({ people: async () => answer([bob, cyd]), ...methods }, []);
  const picker = new PeoplePickerViewModel(services);
  const picture = { state: { blob }, close() {} };
  return { services, picker, form: new CreateGroupViewModel(services, picker, picture) };
}

test('a group is made of what was typed and chosen (R1)', async () => {
  const made = group({ id: 'new' });
  const { services, picker, form } = creation({ create: async () => answer(made, { status: 201 }) });
  picker.open();
  await settle();
  picker.pick('cyd');
  form.set('name', ' Reading ');
  form.set('topic', ' Books\n and more ');
  form.setPublic(true);
  assert.equal(await form.submit(), 'new');
  const [, sent] = services.groups.calls.find(([name]) => name === 'create');
  assert.deepEqual(sent, { name: 'Reading', topic: 'Books and more', public: true, member_ids: ['cyd'] });
  assert.equal(services.store.room('new').name, 'Reading');
  form.close();
});

test('what is wrong is told at its field, before and after the server, and nothing is lost (R1)', async () => {
  let error = failure('invalid', { errors: [
    { field: 'name', code: 'too_long' }, { field: 'member_ids.0', code: 'unknown' }, { field: 'topic', code: 'x', detail: 'No.' },
  ] });
  const { services, form } = creation({ create: async () => { throw error; } });
  assert.equal(await form.submit(), null);
  assert.match(form.state.fieldErrors.name, /name/);
  form.set('name', 'x'.repeat(81));
  form.set('topic', '🙂'.repeat(402));
  assert.equal(form.state.fieldErrors.name, undefined);
  await form.submit();
  assert.match(form.state.fieldErrors.name, /80/);
  assert.match(form.state.fieldErrors.topic, /^2 characters too long/);
  assert.equal(services.groups.calls.length, 0);
  form.set('name', 'Reading');
  form.set('topic', '🙂'.repeat(400));
  await form.submit();
  assert.deepEqual(Object.keys(form.state.fieldErrors), ['name', 'member_ids', 'topic']);
  assert.equal(form.state.fieldErrors.topic, 'No.');
  error = failure('network');
  await form.submit();
  assert.match(form.state.formError, /reached/);
  error = failure('invalid', { detail: 'Not so.' });
  await form.submit();
  assert.equal(form.state.formError, 'Not so.');
  assert.equal(form.state.values.name, 'Reading');
});

test('a group whose picture fails is there; the picture is tried again alone (R1)', async () => {
  let pictures = 0;
  const { services, form } = creation({
    create: async () => answer(group({ id: 'new' })),
    putPicture: async () => {
      pictures += 1;
      if (pictures === 1) throw failure('network');
      return answer(group({ id: 'new', avatar_url: '/api/v1/avatars/upload-1' }));
    },
  }, new Blob(['x']));
  form.set('name', 'Reading');
  assert.equal(await form.submit(), null);
  assert.equal(form.state.roomId, 'new');
  assert.match(form.state.formError, /picture could not be stored/);
  assert.equal(await form.submit(), 'new');
  assert.equal(services.groups.calls.filter(([name]) => name === 'create').length, 1);
  assert.equal(services.store.room('new').avatar_url, '/api/v1/avatars/upload-1');
});

function members(methods, role = 'owner', rooms = [group({ role })]) {
  const services = world({ members: async () => answer([
    { ...ada, role: 'owner' }, { ...cyd, role: 'admin' }, { ...bob, role: 'member' },
  ]), ...methods }, rooms);
  const list = new MembersViewModel('room', services, () => services.store.room('room')?.role ?? null);
  return { services, list, shown: mirror(list.rows) };
}

test('members show owner first, page after page, each once, with what may be done (R1)', async () => {
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

test('of many members few show until all are asked for (R1)', async () => {
  const many = Array.from({ length: 200 }, (_, number) => ({ ...bob, id: `u${number}`, name: `N ${number}`, role: 'member' }));
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

test('to search members all of them are loaded, and accents do not matter (R1)', async () => {
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

test('who comes, goes, or gets another role shows at once; so do names and presence (R1, A4)', async () => {
  const { services, list, shown } = members({}, 'admin');
  await list.open();
  const event = (id, data) => services.store.apply({ id, event: 'member.updated', data: { room_id: 'room', ...data } }, 0);
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

test('roles, removing and banning do what they say, once, and a refusal is told (R1)', async () => {
  const gate = deferred();
  const { services, list, shown } = members({
    putMember: async () => answer(null), removeMember: () => gate.promise, ban: async () => { throw failure('forbidden', { detail: 'Not you.' }); },
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

test('adding people goes on after one that fails, and says who it was (R1)', async () => {
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

test('members can be written to: the chat that is there, or a new one (D6)', async () => {
  const direct = room({ id: 'direct' });
  const { services, list, shown } = members({ openDirect: async () => answer(room({ id: 'made', peer: cyd })) }, 'owner',
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

test('members that could not be loaded can be asked for again; a reset asks by itself (R1)', async () => {
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

test('public rooms are found by name, page after page, and joined (R1)', async () => {
  const pages = {
    '': answer([group({ id: 'a', name: 'A', role: null }), group({ id: 'room', name: 'Mine' })], { next: '/next' }),
    next: answer([group({ id: 'b', name: 'B', role: null, members_count: 1 }), group({ id: 'a', role: null })]),
  };
  let joins = 0;
  const services = world({
    publicRooms: async (query, next) => (query === 'none' ? answer([]) : pages[next ? 'next' : '']),
    join: async (id) => {
      joins += 1;
      if (joins === 1) throw failure('forbidden');
      if (joins === 2) throw failure('network');
      return answer(group({ id, name: 'A', role: 'member' }));
    },
  });
  const list = new PublicRoomsViewModel(services);
  const shown = mirror(list.rows);
  await list.open();
  await list.nearEnd();
  assert.deepEqual(shown.map(({ id, joined, members: count }) => [id, joined, count]),
    [['a', false, '2 members'], ['room', true, '2 members'], ['b', false, '1 member']]);
  assert.equal(await list.join({ id: 'a' }), false);
  assert.match(list.state.joinError, /banned/);
  assert.equal(await list.join({ id: 'a' }), false);
  assert.match(list.state.joinError, /reached/);
  assert.equal(await list.join({ id: 'a' }), true);
  assert.equal(shown[0].joined, true);
  services.store.apply({ id: 1, event: 'room.removed', data: { id: 'a' } }, 0);
  assert.equal(shown[0].joined, false);
  list.input('none');
  await services.clock.advance(200);
  assert.match(list.state.none, /“none”/);
  assert.equal(shown.length, 0);
  list.close();
});

test('no public rooms, and rooms that could not be loaded, say so (R1)', async () => {
  let fails = true;
  const services = world({
    publicRooms: async () => {
      if (fails) throw failure('network');
      return answer([]);
    },
  });
  const list = new PublicRoomsViewModel(services);
  await list.open();
  assert.match(list.state.error, /could not be loaded/);
  fails = false;
  await list.open();
  assert.equal(list.state.error, null);
  assert.equal(list.state.empty, true);
  list.close();
});
