process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { browserName } from '../../Public/js/models/userAgent.js';
import { Groups } from '../../Public/js/services/groupApi.js';
import { Profile } from '../../Public/js/services/profile.js';
import { EmailViewModel } from '../../Public/js/viewmodels/profile/emailViewModel.js';
import { PasswordViewModel } from '../../Public/js/viewmodels/profile/passwordViewModel.js';
import { PrivacyViewModel } from '../../Public/js/viewmodels/profile/privacyViewModel.js';
import { QuotaViewModel } from '../../Public/js/viewmodels/quotaViewModel.js';
import { SessionsViewModel } from '../../Public/js/viewmodels/profile/sessionsViewModel.js';
import { FakeClock, ada, answer, failure, fakeApi, mirror } from './support/fakes.js';

const me = { ...ada, email: 'ada@example.org', admin: false, settings: { read_receipts: true, last_seen: true } };

function world(methods) {
  const store = new ChatStore();
  store.setMe(me);
  return { store, clock: new FakeClock(), profile: fakeApi(methods) };
}

test('changing the email requires the password; the two failures show at their fields',
  { shows: ['A4'] }, async () => {
  let error = failure('invalid', { errors: [{ field: 'password', code: 'wrong' }] });
  const services = world({
    changeEmail: async (email) => {
      if (error) throw error;
      return answer({ ...me, email });
    },
  });
  const form = new EmailViewModel(services);
  form.toggle();
  assert.equal(await form.save(), false);
  assert.deepEqual(Object.keys(form.state.fieldErrors), ['email', 'password']);
  form.set('email', 'nothing');
  form.set('password', 'secret words');
  await form.save();
  assert.deepEqual(Object.keys(form.state.fieldErrors), ['email']);
  form.set('email', 'ADA@example.org');
  await form.save();
  assert.match(form.state.fieldErrors.email, /already/);
  assert.equal(services.profile.calls.length, 0);
  form.set('email', ' new@example.org ');
  assert.equal(await form.save(), false);
  assert.deepEqual(Object.keys(form.state.fieldErrors), ['password']);
  error = failure('invalid', { errors: [{ field: 'email', code: 'taken' }] });
  form.set('password', 'right');
  await form.save();
  assert.deepEqual(Object.keys(form.state.fieldErrors), ['email']);
  error = failure('conflict');
  await form.save();
  assert.match(form.state.fieldErrors.email, /already/);
  error = failure('invalid', { errors: [{ field: 'email', code: 'invalid' }] });
  await form.save();
  assert.match(form.state.fieldErrors.email, /look like/);
  error = failure('rate-limited', { retryAfter: 60_000 });
  await form.save();
  assert.match(form.state.formError, /12:01|12:02/);
  error = failure('rate-limited');
  await form.save();
  assert.match(form.state.formError, /a minute/);
  error = null;
  assert.equal(await form.save(), true);
  assert.deepEqual([form.state.open, form.state.values.password], [false, '']);
  assert.match(form.state.note, /new@example\.org/);
  assert.equal(services.store.me.email, 'new@example.org');
  assert.deepEqual(services.profile.calls.at(-1), ['changeEmail', 'new@example.org', 'right']);
});

test('changing the password follows the server’s rules and says which field was wrong', { shows: ['A4'] }, async () => {
  let error = failure('invalid',
    { errors: [{ field: 'current', code: 'wrong' }, { field: 'new', code: 'too_common' }] });
  const services = world({ changePassword: async () => { if (error) throw error; return answer(null); } });
  const form = new PasswordViewModel(services);
  let changes = 0;
  form.onChanged = () => { changes += 1; };
  form.toggle();
  await form.save();
  assert.deepEqual(Object.keys(form.state.fieldErrors), ['current', 'new']);
  const complaint = async (current, next) => {
    form.set('current', current);
    form.set('new', next);
    await form.save();
    return form.state.fieldErrors.new;
  };
  assert.match(await complaint('old words', 'short'), /8/);
  assert.match(await complaint('old words', 'x'.repeat(257)), /256/);
  assert.match(await complaint('old words', 'old words'), /already/);
  assert.equal(services.profile.calls.length, 0);
  assert.match(await complaint('old words', 'new words here'), /Too many people/);
  assert.match(form.state.fieldErrors.current, /present password/);
  error = failure('network');
  await form.save();
  assert.match(form.state.formError, /reached/);
  error = null;
  assert.equal(await form.save(), true);
  assert.deepEqual([changes, form.state.open, form.state.values.new], [1, false, '']);
  assert.match(form.state.note, /other sessions are ended/);
});

test('a new password says that a linked GitHub account can still sign in, and where to unlink it',
  { shows: ['A4'] }, async () => {
  for (const [login, told] of [['octocat', true], [undefined, false]]) {
    const services = world({ changePassword: async () => answer(null) });
    services.store.setMe({ ...me, login });
    const form = new PasswordViewModel(services);
    form.toggle();
    form.set('current', 'old words');
    form.set('new', 'new words here');
    assert.equal(await form.save(), true);
    assert.equal(/octocat still signs in .* unlink it above/.test(form.state.note), told);
  }
});

test('privacy switches move at once, and back if the server refuses', { shows: ['S6'] }, async () => {
  let fails = false;
  const services = world({
    changeSettings: async (settings) => {
      if (fails) throw failure('network');
      return answer({ ...me, settings: { ...me.settings, ...settings } });
    },
  });
  const privacy = new PrivacyViewModel(services);
  const done = privacy.set('last_seen', false);
  assert.equal(privacy.state.last_seen, false);
  await done;
  assert.deepEqual([privacy.state.read_receipts, privacy.state.last_seen], [true, false]);
  fails = true;
  await privacy.set('read_receipts', false);
  assert.equal(privacy.state.read_receipts, true);
  assert.match(privacy.state.error, /not saved/);
  const data = { ...me, settings: { read_receipts: false, last_seen: true } };
  services.store.apply({ id: 1, event: 'me.updated', data }, 0);
  assert.deepEqual([privacy.state.read_receipts, privacy.state.last_seen], [false, true]);
  fails = false;
  assert.equal(privacy.state.added_by, 'everybody');
  await privacy.set('added_by', 'nobody');
  assert.deepEqual(services.profile.calls.at(-1), ['changeSettings', { added_by: 'nobody' }]);
  assert.equal(privacy.state.added_by, 'nobody');
  privacy.close();
});

test('sessions list this browser first, and can be ended one by one or all others', { shows: ['A5'] }, async () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
  const session = (id, members = {}) => ({
    id, user_agent: firefox, created_at: '2026-03-14T09:00:00.000Z', current: false, ...members,
  });
  let error = null;
  const services = world({
    sessions: async () => answer([
      session('a', { created_at: '2026-03-01T09:00:00.000Z', last_used_at: '2026-03-14T11:00:00.000Z' }), session('b'),
      session('me', { current: true, created_at: '2026-02-01T09:00:00.000Z' }),
    ]),
    endSession: async () => { if (error) throw error; return answer(null); },
    endOtherSessions: async () => { if (error) throw error; return answer(null); },
  });
  const list = new SessionsViewModel(services);
  const shown = mirror(list.rows);
  await list.open();
  assert.deepEqual(shown.map(({ id }) => id), ['me', 'b', 'a']);
  assert.equal(shown[1].name, 'Firefox 128 on Linux');
  assert.equal(shown[1].when, 'Signed in today at 09:00');
  assert.equal(shown[2].when, 'Signed in on 1 March 2026, last used 1 hour ago');
  assert.equal(await list.end('b'), true);
  assert.deepEqual(shown.map(({ id }) => id), ['me', 'a']);
  error = failure('network');
  assert.equal(await list.endOthers(), false);
  assert.match(list.state.error, /reached/);
  error = failure('not-found');
  assert.equal(await list.end('a'), true);
  assert.equal(list.state.alone, true);
  await list.open();
  error = null;
  assert.equal(await list.endOthers(), true);
  assert.deepEqual(shown.map(({ id }) => id), ['me']);
  const broken = new SessionsViewModel(world({ sessions: async () => { throw failure('network'); } }));
  await broken.open();
  assert.match(broken.state.error, /could not be loaded/);
});

test('browsers have their usual names', { shows: ['A5'] }, () => {
  const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const chrome = `${blink} Chrome/126.0.0.0 Safari/537.36`;
  const cases = [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 'Chrome 126 on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/126.0.0.0`, 'Edge 126 on Windows'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} OPR/112.0`, 'Opera 112 on macOS'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/17.5 Safari/605.1.15`,
      'Safari 17 on macOS'],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webKit} CriOS/126.0 Mobile/15E148 Safari/604.1`,
      'Chrome 126 on iPhone'],
    [`Mozilla/5.0 (Linux; Android 14) ${blink} SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36`,
      'Samsung Internet 25 on Android'],
    ['curl/8.5.0', 'curl'], ['Mozilla/5.0 (X11; Linux x86_64)', 'Unknown browser on Linux'], ['', 'Unknown browser'],
    [null, 'Unknown browser'],
  ];
  for (const [agent, name] of cases) assert.equal(browserName(agent), name);
});

test('the routes are those of docs/api.md', { shows: ['R1', 'A4', 'A5'] }, async () => {
  const asked = [];
  const api = { request: async (method, path, { query, body } = {}) => { asked.push([method, path, query ?? body]); } };
  const sender = { put: async (path) => { asked.push(['PUT', path, 'picture']); } };
  const groups = new Groups(api, sender);
  const profile = new Profile(api, sender);
  await groups.people('', {});
  await groups.people('bo', {});
  await groups.create({ name: 'A' });
  await groups.room('r/1');
  await groups.change('r', { muted: true });
  await groups.join('r');
  await groups.leave('r');
  await groups.members('r');
  await groups.members('r', '/api/v1/next');
  await groups.putMember('r', 'u');
  await groups.putMember('r', 'u', 'admin');
  await groups.removeMember('r', 'u');
  await groups.bans('r');
  await groups.ban('r', 'u');
  await groups.lift('r', 'u');
  await groups.invitations('r');
  await groups.invite(null, { max_uses: 1 });
  await groups.endInvitation('r', 'i');
  await groups.invitation('t/t');
  await groups.accept('t');
  await groups.publicRooms('');
  await groups.publicRooms('x');
  await groups.publicRooms('x', '/api/v1/next');
  await groups.clear('r');
  await groups.hide('r');
  await groups.putPicture('r', new Blob([]), {});
  await groups.removePicture('r');
  await profile.putPicture(new Blob([]), {});
  await profile.removePicture();
  await profile.changeEmail('e', 'p');
  await profile.changePassword('c', 'n');
  await profile.changeSettings({ last_seen: false });
  await profile.sessions();
  await profile.endSession('s');
  await profile.endOtherSessions();
  assert.deepEqual(asked.map(([method, path]) => `${method} ${path}`), [
    'GET /users', 'GET /users', 'POST /rooms', 'GET /rooms/r%2F1', 'PATCH /rooms/r', 'PUT /rooms/r/membership',
    'DELETE /rooms/r/membership', 'GET /rooms/r/members', 'GET /api/v1/next', 'PUT /rooms/r/members/u',
    'PUT /rooms/r/members/u', 'DELETE /rooms/r/members/u', 'GET /rooms/r/bans', 'PUT /rooms/r/bans/u',
    'DELETE /rooms/r/bans/u', 'GET /rooms/r/invitations', 'POST /invitations', 'DELETE /rooms/r/invitations/i',
    'GET /invitations/t%2Ft', 'POST /invitations/t', 'GET /public_rooms', 'GET /public_rooms', 'GET /api/v1/next',
    'POST /rooms/r/clearing', 'POST /rooms/r/hiding', 'PUT /rooms/r/avatar', 'DELETE /rooms/r/avatar',
    'PUT /me/avatar', 'DELETE /me/avatar', 'PUT /me/email', 'PUT /me/password', 'PATCH /me', 'GET /sessions',
    'DELETE /sessions/s', 'DELETE /sessions',
  ]);
  assert.deepEqual(asked[1][2], { query: 'bo', sort: 'name', limit: 30 });
  assert.deepEqual(asked[2][2], { kind: 'group', name: 'A' });
  assert.deepEqual([asked[9][2], asked[10][2]], [{}, { role: 'admin' }]);
  assert.deepEqual(asked[30][2], { current: 'c', new: 'n' });
});

test('the quota shows what is left of each resource, its reset time, the GitHub account, and the pause', async () => {
  const clock = new FakeClock();
  const reset = '2026-03-14T14:05:00.000Z';
  let given = answer([
    { resource: 'core', limit: 5000, remaining: 4312, used: 688, reset_at: reset },
    { resource: 'search', limit: 30, remaining: 30, used: 0, reset_at: reset },
    { resource: 'code_search', limit: 0, remaining: 0, used: 0, reset_at: reset },
  ], { header: (name) => (name === 'Hubbub-Asks-As' ? 'application' : null) });
  const api = fakeApi({ request: async () => { if (given instanceof Error) throw given; return given; } });
  const quota = new QuotaViewModel({ api, clock });
  await quota.open();
  assert.deepEqual(quota.state.rows.map(({ name, left, full, share }) => [name, left, full, share]), [
    ['Lists, people and news', '4,312 of 5,000 requests left', 'full again at 14:05', 0.8624],
    ['Searches', '30 of 30 requests left', '', 1],
    ['code_search', '0 of 0 requests left', '', 0],
  ]);
  assert.match(quota.state.asks, /application/);
  assert.deepEqual([quota.state.known, quota.state.limited, quota.state.error], [true, '', null]);
  given = answer([], { header: (name) => ({ 'Hubbub-Asks-As': 'anonymous', 'Hubbub-Limited-Until': reset })[name] });
  await clock.advance(60_000);
  assert.deepEqual([quota.state.rows.length, quota.state.limited], [0, 'GitHub answers again at 14:05.']);
  assert.match(quota.state.asks, /nobody/);
  given = failure('network');
  await clock.advance(60_000);
  assert.match(quota.state.error, /could not be loaded/);
  given = answer([]);
  await clock.advance(60_000);
  assert.equal(quota.state.error, null);
  const late = quota.open();
  quota.close();
  await late;
  given = failure('network');
  const later = quota.open();
  await later;
  assert.equal(quota.state.error, null, 'closed');
  assert.equal(clock.pending, 0);
});
