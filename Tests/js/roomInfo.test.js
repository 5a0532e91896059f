process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { tokenOf } from '../../Public/js/models/invitationToken.js';
import { BansViewModel } from '../../Public/js/viewmodels/groups/bansViewModel.js';
import { InvitationsViewModel } from '../../Public/js/viewmodels/groups/invitationsViewModel.js';
import { InviteViewModel } from '../../Public/js/viewmodels/groups/inviteViewModel.js';
import { RoomInfoViewModel } from '../../Public/js/viewmodels/groups/roomInfoViewModel.js';
import { FakeClock, ada, answer, bob, deferred, failure, fakeApi, mirror, room, settle } from './support/fakes.js';

const group = (members = {}) => room({
  kind: 'group', peer: null, name: 'Reading', topic: 'Books', public: false, role: 'owner', mention_level: 'all',
  ...members,
});

function world(methods, rooms = [group()]) {
  const store = new ChatStore();
  store.setMe(ada);
  store.load(rooms, 0);
  return { store, clock: new FakeClock(), groups: fakeApi(methods), origin: 'https://hub.example' };
}

function info(methods, rooms) {
  const services = world({ room: async () => answer(group()), ...methods }, rooms);
  return { services, page: new RoomInfoViewModel('room', services) };
}

test('known data shows at once, unknown data is requested', { shows: ['R1'] }, async () => {
  const known = info({}, [group({ members_count: 3 })]);
  assert.equal(known.page.state.loading, false);
  assert.equal(known.page.state.room.name, 'Reading');
  assert.equal(known.page.state.room.governs, true);
  const unknown = info({ room: async () => answer(group({ public: true, role: null })) }, []);
  assert.equal(unknown.page.state.room, null);
  await unknown.page.open();
  assert.equal(unknown.page.role, null);
  assert.deepEqual([unknown.page.state.room.public, unknown.page.state.room.governs], [true, false]);
  const missing = info({ room: async () => { throw failure('not-found'); } }, []);
  await missing.page.open();
  assert.equal(missing.page.state.missing, true);
  const failed = info({ room: async () => { throw failure('network'); } }, []);
  await failed.page.open();
  assert.match(failed.page.state.error, /could not be loaded/);
  known.page.close();
});

test('those permitted change name and topic; errors show at their fields', { shows: ['R1'] }, async () => {
  let refusal = failure('invalid', { errors: [{ field: 'name', code: 'missing' }] });
  const { services, page } = info({
    change: async (_room, patch) => {
      if (refusal) throw refusal;
      return answer(group(patch));
    },
  });
  page.edit();
  assert.deepEqual(page.state.values, { name: 'Reading', topic: 'Books' });
  page.set('name', ' ');
  assert.equal(await page.save(), false);
  assert.equal(services.groups.calls.length, 0);
  page.set('name', ' Writing ');
  assert.equal(await page.save(), false);
  assert.match(page.state.fieldErrors.name, /name/);
  assert.equal(page.state.values.name, ' Writing ');
  refusal = null;
  page.set('name', 'Writing');
  assert.equal(await page.save(), true);
  assert.equal(page.state.editing, false);
  assert.equal(services.store.room('room').name, 'Writing');
  page.edit();
  page.stopEditing();
  assert.equal(page.state.editing, false);
});

test('mute, pin and level change at once, and revert if the server refuses',
  { shows: ['R3', 'L3'] }, async () => {
  const gate = deferred();
  let turn = 0;
  const { services, page } = info({
    change: async (_room, patch) => {
      turn += 1;
      if (turn === 1) return gate.promise;
      if (turn === 2) throw failure('network');
      return answer(group(patch));
    },
  });
  const muting = page.setMine('muted', true);
  assert.equal(page.state.room.muted, true);
  services.store.apply({ id: 1, event: 'room.updated', data: group({ topic: 'New' }) }, 0);
  assert.equal(page.state.room.muted, true, 'an older state that comes meanwhile does not move the switch');
  gate.resolve(answer(group({ muted: true })));
  await muting;
  assert.equal(page.state.room.muted, true);
  await page.setMine('mention_level', 'nothing');
  assert.equal(page.state.room.level, 'all');
  assert.match(page.state.mineError, /not saved/);
  await page.setMine('mention_level', 'mentions');
  assert.equal(page.state.room.level, 'mentions');
  assert.equal(page.state.mineError, null);
});

test('changes by others show at once; a person removed while looking is told', { shows: ['R1'] }, async () => {
  const { services, page } = info({});
  services.store.apply({ id: 1, event: 'room.updated', data: group({ name: 'Writing', role: 'admin' }) }, 0);
  assert.equal(page.state.room.name, 'Writing');
  services.store.apply({
    id: 2, event: 'member.updated', data: { room_id: 'room', user: bob, role: 'member', members_count: 7 },
  }, 0);
  assert.equal(page.state.room.members, 7);
  services.store.apply({ id: 3, event: 'room.removed', data: { id: 'room' } }, 0);
  assert.deepEqual([page.state.removed, page.state.removedText], [true, '']);
  services.store.apply({ id: 4, event: 'room.created', data: group() }, 0);
  assert.equal(page.state.removed, false);
  const gone = { ...group(), removed_by: bob, banned: true };
  services.store.apply({ id: 5, event: 'room.removed', data: gone }, 0);
  assert.match(page.state.removedText, /^Bob banned you from “/);
});

test('leaving does not show a removal notice', { shows: ['R1'] }, async () => {
  const gate = deferred();
  const { services, page } = info({ leave: () => gate.promise });
  const leaving = page.leave();
  services.store.apply({ id: 1, event: 'room.removed', data: { id: 'room' } }, 0);
  gate.resolve(answer(null));
  assert.equal(await leaving, true);
  assert.deepEqual([page.state.left, page.state.removed], [true, false]);
  const refused = info({ leave: async () => { throw failure('network'); } });
  assert.equal(await refused.page.leave(), false);
  assert.match(refused.page.state.actionError, /reached/);
  refused.services.store.apply({ id: 1, event: 'room.removed', data: { id: 'room' } }, 0);
  assert.equal(refused.page.state.removed, true);
});

test('a public group is joined from its information; banned people are told', { shows: ['R1'] }, async () => {
  let banned = true;
  const { services, page } = info({
    room: async () => answer(group({ public: true, role: null })),
    join: async () => {
      if (banned) throw failure('forbidden', { detail: 'You are banned from this group.' });
      return answer(group({ public: true, role: 'member' }));
    },
  }, []);
  await page.open();
  assert.equal(await page.join(), false);
  assert.match(page.state.actionError, /banned/);
  banned = false;
  assert.equal(await page.join(), true);
  assert.equal(page.role, 'member');
  assert.ok(services.store.room('room'));
});

test('the picture of a group is stored and removed', { shows: ['R1'] }, async () => {
  const { services, page } = info({
    putPicture: async () => answer(group({ avatar_url: '/api/v1/avatars/upload-1' })),
    removePicture: async () => answer(group({ avatar_url: '/api/v1/avatars/initials-1-R' })),
  });
  await page.putPicture(new Blob(['x']), {});
  assert.equal(page.state.room.avatarUrl, '/api/v1/avatars/upload-1');
  await page.removePicture();
  assert.equal(page.state.room.avatarUrl, null);
  assert.equal(services.store.room('room').avatar_url, '/api/v1/avatars/initials-1-R');
});

test('a person is shown with login and last seen; clearing and deleting the chat',
  { shows: ['L4', 'S6'] }, async () => {
  const seen = { ...bob, online: false, last_seen_at: '2026-03-14T09:30:00.000Z' };
  const { services, page } = info({ clear: async () => answer(null), hide: async () => answer(null) },
    [room({ peer: seen })]);
  assert.deepEqual(page.state.person,
    { id: 'bob', login: 'bob', online: false, member: true, seen: 'last seen today at 09:30' });
  services.store.apply({ id: null, event: 'presence', data: { user_id: 'bob', online: true, last_seen_at: null } }, 0);
  assert.equal(page.state.person.seen, 'online');
  assert.equal(await page.clear(), true);
  assert.match(page.state.note, /cleared/);
  assert.equal(await page.hide(), true);
  assert.equal(page.state.left, true);
});

test('an invite link is an invitation for one use; without permission it is the sign-in page',
  { shows: ['D7'] }, async () => {
  const invited = info({ invite: async () => answer({ id: 'i', url: '/invite/abc' }) }, [room()]);
  assert.equal(await invited.page.inviteLink('https://hub.example'), 'https://hub.example/invite/abc');
  assert.deepEqual(invited.services.groups.calls, [['invite', null, { max_uses: 1 }]]);
  const refused = info({ invite: async () => { throw failure('forbidden'); } }, [room()]);
  assert.equal(await refused.page.inviteLink('https://hub.example'), 'https://hub.example/sign-in');
  const failed = info({ invite: async () => { throw failure('network'); } }, [room()]);
  assert.equal(await failed.page.inviteLink('https://hub.example'), null);
  assert.match(failed.page.state.actionError, /reached/);
});

test('bans are listed, all pages of them, and lifted', { shows: ['R1'] }, async () => {
  let fails = false;
  const services = world({
    bans: async (_room, next) => (next
      ? answer([{ ...ada, id: 'x', name: 'X' }]) : answer([{ user: bob }], { next: '/next' })),
    lift: async () => {
      if (fails) throw failure('network');
      return answer(null);
    },
  });
  const bans = new BansViewModel('room', services);
  const shown = mirror(bans.rows);
  await bans.open();
  assert.deepEqual(shown.map(({ id }) => id), ['bob', 'x']);
  assert.equal(await bans.lift(shown[0]), true);
  assert.match(bans.state.note, /Bob may come back/);
  fails = true;
  assert.equal(await bans.lift(shown[0]), false);
  assert.match(bans.state.error, /reached/);
  assert.equal(shown.length, 1);
  fails = false;
  await bans.lift(shown[0]);
  assert.equal(bans.state.empty, true);
  const broken = new BansViewModel('room', world({ bans: async () => { throw failure('network'); } }));
  await broken.open();
  assert.match(broken.state.error, /could not be loaded/);
});

test('a link is shown once, with its limits in words, and can be ended', { shows: ['R1'] }, async () => {
  let refusal = null;
  const services = world({
    invitations: async () => answer([{
      id: 'old', inviter: bob, created_at: '2026-03-14T11:40:00.000Z', expires_at: null, max_uses: 10, uses: 3,
    }]),
    invite: async () => {
      if (refusal) throw refusal;
      return answer({
        id: 'new', url: '/invite/secret', inviter: ada, created_at: '2026-03-14T12:00:00.000Z',
        expires_at: '2026-03-15T12:00:00.000Z', max_uses: null, uses: 0,
      }, { status: 201 });
    },
    endInvitation: async () => answer(null),
  });
  const links = new InvitationsViewModel('room', services);
  const shown = mirror(links.rows);
  await links.open();
  assert.deepEqual([shown[0].by, shown[0].limits], ['Bob, 20 minutes ago', 'used 3 of 10 · no end']);
  links.choose('lasting', 'day');
  links.choose('times', 'one');
  assert.equal(await links.create(), 'https://hub.example/invite/secret');
  assert.deepEqual(services.groups.calls.at(-1), ['invite', 'room', { expires_in: 86_400, max_uses: 1 }]);
  assert.equal(links.state.url, 'https://hub.example/invite/secret');
  assert.equal(shown[0].limits, 'used 0 times · until 15 March 2026, 12:00');
  links.choose('lasting', 'ever');
  links.choose('times', 'any');
  refusal = failure('conflict');
  assert.equal(await links.create(), null);
  assert.deepEqual(services.groups.calls.at(-1), ['invite', 'room', {}]);
  assert.match(links.state.error, /as many open links/);
  refusal = failure('invalid', { errors: [{ field: 'max_uses', code: 'x', detail: 'At most 1,000.' }] });
  await links.create();
  assert.equal(links.state.error, 'At most 1,000.');
  assert.equal(await links.end('new'), true);
  assert.equal(await links.end('old'), true);
  assert.deepEqual([links.state.empty, links.state.url], [true, null]);
});

test('without permission to invite nothing is offered; a failure is shown', { shows: ['A3'] }, async () => {
  const refused = new InvitationsViewModel(null, world({ invitations: async () => { throw failure('forbidden'); } }));
  await refused.open();
  assert.deepEqual([refused.state.allowed, refused.state.error], [false, null]);
  const failed = new InvitationsViewModel(null, world({
    invitations: async () => { throw failure('network'); }, endInvitation: async () => { throw failure('network'); },
  }));
  await failed.open();
  assert.match(failed.state.error, /could not be loaded/);
  assert.equal(await failed.end('x'), false);
});

test('a token is found in whatever was pasted', () => {
  assert.equal(tokenOf(' https://hub.example/invite/ab%2Dc?x=1 '), 'ab-c');
  assert.equal(tokenOf('/invite/abc'), 'abc');
  assert.equal(tokenOf('http://hub/api/v1/invitations/abc'), 'abc');
  assert.equal(tokenOf(' abc '), 'abc');
  assert.equal(tokenOf('/invite/%zz'), '%zz');
  assert.equal(tokenOf(''), '');
});

test('an invitation says where it leads and can be accepted', { shows: ['R1'] }, async () => {
  const services = world({
    invitation: async () => answer({
      inviter: bob, room: { id: 'r', name: 'Reading', topic: 'Books', members_count: 1, avatar_url: '/avatars/x' },
      makes_accounts: true,
    }),
    accept: async () => answer(group({ id: 'r' })),
  }, []);
  const page = new InviteViewModel('token', services);
  assert.equal(page.state.loading, true);
  await page.open();
  assert.deepEqual([page.state.inviter, page.state.room.name, page.state.room.members, page.state.joined],
    ['Bob', 'Reading', '1 member', false]);
  assert.deepEqual([page.state.makesAccounts, page.state.room.avatarUrl], [true, '/avatars/x']);
  assert.equal(await page.accept(), 'r');
  assert.ok(services.store.room('r'));
  await page.open();
  assert.equal(page.state.joined, true);
  const early = world({ invitation: async () => answer({
    inviter: bob, room: { id: 'r', name: 'Reading', members_count: 2, avatar_url: '/api/v1/avatars/initials-x' },
  }) }, []);
  const first = new InviteViewModel('token', early);
  await first.open();
  assert.deepEqual([first.state.joined, first.state.room.avatarUrl], [false, null], 'initials are drawn as everywhere');
  early.store.load([group({ id: 'r' })], 1);
  assert.equal(first.state.joined, true, 'one’s chats may come later than the answer');
  first.close();
  const instance = new InviteViewModel('token', world({
    invitation: async () => answer({ inviter: bob, room: null }), accept: async () => answer(null),
  }));
  await instance.open();
  assert.equal(instance.state.room, null);
  assert.equal(await instance.accept(), null);
  page.close();
});

test('an invitation that does not work says why: unknown, expired, ended, used up, banned',
  { shows: ['R1'] }, async () => {
  const cases = [
    [failure('not-found', { status: 404 }), /mistyped/],
    [failure('invalid', { errors: [{ field: 'token', code: 'expired' }] }), /expired/],
    [failure('conflict', { errors: [{ field: 'token', code: 'used' }] }), /used as often/],
    [failure('invalid', { status: 410, errors: [{ field: 'token', code: 'ended' }] }), /ended/],
    [failure('forbidden', { status: 403 }), /banned/],
    [failure('conflict', { status: 409 }), /full/],
  ];
  for (const [error, pattern] of cases) {
    const page = new InviteViewModel('token', world({ invitation: async () => { throw error; } }));
    await page.open();
    assert.match(page.state.problem.text, pattern);
  }
  const offline = new InviteViewModel('token', world({
    invitation: async () => answer({ inviter: bob, room: null }), accept: async () => { throw failure('network'); },
  }));
  await offline.open();
  assert.equal(await offline.accept(), null);
  assert.match(offline.state.error, /reached/);
  assert.equal(offline.state.busy, false);
  await settle();
});
