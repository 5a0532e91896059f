process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareMembers, memberActions, plainText } from '../../Public/js/models/groupRules.js';
import { CreateGroupViewModel } from '../../Public/js/viewmodels/groups/createGroupViewModel.js';
import { PeoplePickerViewModel } from '../../Public/js/viewmodels/groups/peoplePickerViewModel.js';
import { PublicRoomsViewModel } from '../../Public/js/viewmodels/groups/publicRoomsViewModel.js';
import { ada, answer, bob, deferred, failure, mirror, settle } from './support/fakes.js';
import { cyd, group, withChats, world, zoë } from './support/groupsWorld.js';

test('permissions are as in docs/api.md', { shows: ['R1'] }, () => {
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

test('people are found while typing, after a pause, without oneself and those selected',
  { shows: ['R1'] }, async () => {
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

test('a search that fails or finds nobody says so; a late response is ignored', { shows: ['R1'] }, async () => {
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

test('a group is created from the input and the selection', { shows: ['R1'] }, async () => {
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

test('errors show at their fields, before and after the server, and nothing is lost',
  { shows: ['R1'] }, async () => {
  let error = failure('invalid', { errors: [
    { field: 'name', code: 'too_long' }, { field: 'member_ids.0', code: 'unknown' },
    { field: 'topic', code: 'x', detail: 'No.' },
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

test('a group is created even if its picture fails; only the picture is retried', { shows: ['R1'] }, async () => {
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

test('who is not added to a new group is invited in their chat', { shows: ['R1'] }, async () => {
  const { services, picker, form } = creation({
    create: async () => answer({ ...group({ id: 'new', name: 'Reading' }), not_added: ['cyd'] }, { status: 201 }),
    invite: async () => answer({ url: 'https://hub.example/i/token' }, { status: 201 }),
  });
  withChats(services);
  picker.open();
  await settle();
  picker.pick('cyd');
  form.set('name', 'Reading');
  assert.equal(await form.submit(), 'new');
  assert.deepEqual(services.groups.calls.at(-1), ['invite', 'new', { max_uses: 1 }]);
  assert.deepEqual(services.sent.map(({ roomId }) => roomId), ['chat-cyd']);
  assert.match(services.sent[0].text, /“Reading”.*https:\/\/hub\.example\/i\/token/);
  assert.equal(services.store.room('new').not_added, undefined);
  form.close();
});

test('public rooms are found by name, page after page, and joined', { shows: ['R1'] }, async () => {
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

test('an empty list of public rooms, and a failure to load it, say so', { shows: ['R1'] }, async () => {
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
