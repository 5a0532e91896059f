process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { returnPath } from '../../Public/js/models/returnAddress.js';
import { gitHubFailure } from '../../Public/js/models/gitHubFailure.js';
import { gitHubTexts } from '../../Public/js/models/texts/gitHub.js';
import { Profile } from '../../Public/js/services/profile.js';
import { EmailViewModel } from '../../Public/js/viewmodels/profile/emailViewModel.js';
import { GitHubViewModel } from '../../Public/js/viewmodels/profile/gitHubViewModel.js';
import { PasswordViewModel } from '../../Public/js/viewmodels/profile/passwordViewModel.js';
import { FakeClock, ada, answer, bob, failure, fakeApi } from './support/fakes.js';

const me = {
  ...ada, login: undefined, github_id: undefined, email: 'ada@example.org', admin: false, has_password: true,
};
const linked = { ...me, login: 'octocat', github_id: 583231 };

function world(own, methods = {}, page = { offered: true }) {
  const store = new ChatStore();
  if (own) store.setMe(own);
  const went = [];
  const services = { store, clock: new FakeClock(), profile: fakeApi(methods), go: (address) => went.push(address) };
  return { ...services, went, services, model: new GitHubViewModel(services, page) };
}

test('linking redirects to GitHub, once; a failure is explained', { shows: ['A6'] }, async () => {
  let error = failure('conflict', { detail: 'Open Hubbub at http://127.0.0.1.' });
  const { model, went, profile } = world(me, {
    linkGitHub: async () => {
      if (error) throw error;
      return answer({ url: 'https://github.example/authorize' });
    },
  });
  assert.deepEqual([model.state.shown, model.state.linked, model.state.mayLink, model.state.mayUnlink],
    [true, false, true, false]);
  assert.equal(await model.link(), false);
  assert.match(model.state.error, /127/);
  error = failure('network');
  await model.link();
  assert.match(model.state.error, /connection/);
  error = null;
  assert.equal(await model.link(), true);
  assert.equal(await model.link(), false);
  assert.equal(await model.unlink(), false);
  assert.deepEqual(went, ['https://github.example/authorize']);
  assert.deepEqual(profile.calls.at(-1), ['linkGitHub', '/settings/account', undefined]);
  model.close();
});

test('an older session requires the password, or a new sign-in without one', { shows: ['A6'] }, async () => {
  let error = failure('invalid', { errors: [{ field: 'password', code: 'required', detail: '' }] });
  const { model, profile } = world(linked, { unlinkGitHub: async () => { throw error; } });
  assert.equal(model.state.asksPassword, false);
  assert.equal(await model.unlink(), false);
  assert.deepEqual([model.state.asksPassword, model.state.passwordError, model.state.error],
    [true, 'Enter your password.', null]);
  error = failure('invalid', { errors: [{ field: 'password', code: 'wrong', detail: '' }] });
  await model.unlink('guess');
  assert.equal(model.state.passwordError, 'This is not your password.');
  assert.deepEqual(profile.calls.at(-1), ['unlinkGitHub', 'guess']);
  error = failure('forbidden');
  await model.unlink('guess');
  assert.equal(model.state.error, gitHubTexts.recent);
  model.close();
});

test('unlinking removes the login; if it is the only way to sign in, it says what to do first',
  { shows: ['A6'] }, async () => {
  let error = failure('conflict');
  const { model, store } = world(linked, {
    unlinkGitHub: async () => {
      if (error) throw error;
      return answer({ ...me, login: undefined, github_id: undefined });
    },
  });
  assert.deepEqual([model.state.linked, model.state.login, model.state.mayUnlink], [true, 'octocat', true]);
  assert.equal(await model.unlink(), false);
  assert.equal(model.state.error, gitHubTexts.onlyWay);
  error = failure('server');
  await model.unlink();
  assert.ok(model.state.error);
  error = null;
  assert.equal(await model.unlink(), true);
  assert.equal(model.state.note, gitHubTexts.unlinked);
  assert.equal(store.me.login, undefined);
  assert.deepEqual([model.state.linked, model.state.mayLink], [false, true]);
  for (const only of [{ ...linked, has_password: false }, { ...linked, email: null }]) {
    const { model: other } = world(only);
    assert.deepEqual([other.state.mayUnlink, other.state.hint], [false, gitHubTexts.onlyWay]);
  }
});

test('without an application only the operator gets a hint; a linked account is shown nevertheless',
  { shows: ['A1'] }, () => {
  const off = { offered: false };
  assert.equal(world(me, {}, off).model.state.shown, false);
  const { state } = world({ ...me, admin: true }, {}, off).model;
  assert.deepEqual([state.shown, state.mayLink, state.hint], [true, false, gitHubTexts.notSetUp]);
  assert.equal(world(linked, {}, off).model.state.shown, true);
  const late = world(null, {}, off);
  assert.equal(late.model.state.known, false);
  late.store.setMe(linked);
  assert.equal(late.model.state.login, 'octocat');
});

test('the outcome of a GitHub sign-in is shown by its code, and no other text', { shows: ['A1'] }, () => {
  for (const name of Object.keys(gitHubTexts.failures)) {
    assert.equal(world(me, {}, { offered: true, failure: name }).model.state.error, gitHubTexts.failures[name]);
    assert.ok(/[.]$/.test(gitHubFailure(name)));
  }
  for (const name of [null, '', 'toString', '<b>', 'constructor']) assert.equal(gitHubFailure(name), '');
});

test('events add and remove the GitHub account, others’ too', { shows: ['A6'] }, () => {
  const { model, store } = world(me);
  store.apply({ id: 1, event: 'user.updated', data: linked }, 0);
  assert.equal(model.state.login, 'octocat');
  store.apply({ id: 2, event: 'me.updated', data: { ...me, login: undefined } }, 0);
  assert.equal(model.state.linked, false);
  const { login: _gone, github_id: _id, ...unlinked } = bob;
  store.meet({ ...bob, login: 'bob', github_id: 7 });
  store.apply({ id: 3, event: 'user.updated', data: unlinked }, 0);
  assert.equal(store.user(bob.id).login, undefined);
  assert.equal(store.usersByGitHubId().has(7), false);
});

test('a chat merged into another says where', { shows: ['D7'] }, () => {
  const { store } = world(me);
  const room = (id, peer) => ({
    id, kind: 'direct', name: peer.name, peer, last_seq: 0, read_seq: 0, cleared_seq: 0, unread_count: 0,
    mention_count: 0, last_message: null, draft: '', members_count: 2, created_at: '2026-03-14T00:00:00.000Z',
    updated_at: '2026-03-14T00:00:00.000Z',
  });
  const guest = { ...bob, id: 'guest', member: false };
  store.load([room('old', guest), room('present', bob)], 0);
  const heard = [];
  store.subscribe((change) => heard.push(change));
  store.apply({ id: 1, event: 'room.removed', data: room('old', bob) }, 0);
  assert.deepEqual(heard.find(({ type }) => type === 'removed'), {
    type: 'removed', roomId: 'old', kind: 'direct', into: 'present',
    removal: { name: bob.name, by: null, banned: false },
  });
  store.apply({ id: 2, event: 'room.removed', data: room('present', bob) }, 0);
  assert.equal(heard.findLast(({ type }) => type === 'removed').into, undefined);
});

test('the first address and password require no password, but a recent sign-in', { shows: ['A6'] }, async () => {
  const own = { ...linked, email: null, has_password: false };
  let error = failure('forbidden');
  const calls = {
    changeEmail: async (email) => {
      if (error) throw error;
      return answer({ ...own, email });
    },
    changePassword: async () => {
      if (error) throw error;
      return answer(null, { status: 204 });
    },
  };
  const { services, store, profile } = world(own, calls);
  const [email, password] = [new EmailViewModel(services), new PasswordViewModel(services)];
  assert.ok(email.state.first && password.state.first);
  email.toggle(true);
  email.set('email', 'octo@example.org');
  password.toggle(true);
  password.set('new', 'correct horse battery');
  for (const form of [email, password]) {
    assert.equal(await form.save(), false);
    assert.deepEqual([form.state.formError, form.state.again], [gitHubTexts.recent, true]);
  }
  error = null;
  assert.equal(await email.save(), true);
  assert.equal(await password.save(), true);
  assert.deepEqual(profile.calls.slice(-2), [
    ['changeEmail', 'octo@example.org', null], ['changePassword', null, 'correct horse battery'],
  ]);
  assert.equal(store.me.has_password, true);
  assert.ok(!email.state.first && !password.state.first && !email.state.again);
  email.toggle(true);
  email.set('email', 'other@example.org');
  await email.save();
  assert.deepEqual(Object.keys(email.state.fieldErrors), ['password']);
  email.close();
  password.close();
});

test('the requests for linking and first passwords contain only the given values', { shows: ['A6'] }, async () => {
  const api = fakeApi({ request: async () => answer({}) });
  const profile = new Profile(api, null);
  await profile.linkGitHub('/settings');
  await profile.linkGitHub('/settings', 'p');
  await profile.unlinkGitHub();
  await profile.unlinkGitHub('p');
  await profile.changeEmail('a@b', null);
  await profile.changeEmail('a@b', 'p');
  await profile.changePassword(null, 'n');
  assert.deepEqual(api.calls, [
    ['request', 'POST', '/me/github', { body: { return_to: '/settings' } }],
    ['request', 'POST', '/me/github', { body: { return_to: '/settings', password: 'p' } }],
    ['request', 'DELETE', '/me/github'],
    ['request', 'DELETE', '/me/github', { body: { password: 'p' } }],
    ['request', 'PUT', '/me/email', { body: { email: 'a@b' } }],
    ['request', 'PUT', '/me/email', { body: { email: 'a@b', password: 'p' } }],
    ['request', 'PUT', '/me/password', { body: { new: 'n' } }],
  ]);
});

test('signing in leads to a page on this site, or to the chats', { shows: ['control 14'] }, () => {
  const kept = ['/chats', '/', '/chats/a?at=5', '/search?q=a%20b', '/invite/abc_DEF-1', '/settings?github=denied'];
  for (const wanted of kept) assert.equal(returnPath(wanted), wanted);
  const refused = [
    null, undefined, '', 'chats', '//evil.example', '/\\evil', '/..//evil.example', '/a/../b', '/%2e%2e/x', '/%2F/evil',
    '/%252Fevil', '/%5cevil', '/%09/evil', '/\tevil', '/\n/evil', 'https://evil.example', 'javascript:alert(1)', '/#x',
    '/auth/github', '/api/v1/session', '/%', '/%zz', `/${'a'.repeat(1024)}`, '/ü', '/chats//x', '/./x',
  ];
  for (const wanted of refused) assert.equal(returnPath(wanted), '/chats', String(wanted));
  for (const wanted of kept) {
    assert.equal(new URL(returnPath(wanted), 'https://hub.example/sign-in').origin, 'https://hub.example');
  }
});
