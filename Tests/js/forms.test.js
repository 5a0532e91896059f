process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { LocalTexts } from '../../Public/js/services/storage.js';
import { SessionViewModel } from '../../Public/js/viewmodels/sessionViewModel.js';
import { SettingsViewModel } from '../../Public/js/viewmodels/settingsViewModel.js';
import { FakeClock, FakeLocalStorage, ada, answer, deferred, failure, fakeApi } from './support/fakes.js';

function session(methods, mode = 'sign-in', more = {}) {
  const clock = new FakeClock();
  const api = fakeApi(methods);
  const signedIn = [];
  const form = new SessionViewModel({ ...more, api, clock, mode, onSignedIn: (user) => signedIn.push(user) });
  const fill = (values) => { for (const [name, value] of Object.entries(values)) form.set(name, value); };
  return { api, form, fill, signedIn };
}

test('wrong input is shown at the field, before any request', { shows: ['A2'] }, async () => {
  const { form, fill, api } = session({}, 'sign-up');
  assert.equal(await form.submit(), false);
  assert.deepEqual(Object.keys(form.state.fieldErrors).sort(), ['email', 'first_name', 'password']);
  fill({ email: 'no address', password: 'short', first_name: 'Ada', last_name: 'x'.repeat(51) });
  assert.deepEqual(form.state.fieldErrors, {});
  form.leave('email');
  form.leave('first_name');
  assert.deepEqual(Object.keys(form.state.fieldErrors), ['email']);
  await form.submit();
  assert.match(form.state.fieldErrors.password, /8/);
  assert.match(form.state.fieldErrors.last_name, /50/);
  form.set('password', 'x'.repeat(257));
  await form.submit();
  assert.match(form.state.fieldErrors.password, /256/);
  form.show('sign-in');
  assert.deepEqual(form.state.fieldErrors, {});
  form.set('password', 'old');
  form.set('email', '');
  form.leave('email');
  form.leave('password');
  await form.submit();
  assert.deepEqual(Object.keys(form.state.fieldErrors), ['email']);
  assert.equal(api.calls.length, 0);
  form.close();
});

test('signing up sends trimmed values once and passes on the user', { shows: ['A2'] }, async () => {
  const gate = deferred();
  const { form, fill, api, signedIn } = session({ signUp: () => gate.promise }, 'sign-up');
  fill({ email: ' ada@example.org ', password: ' pass word ', first_name: ' Ada ', last_name: ' ' });
  const done = form.submit();
  assert.equal(form.state.busy, true);
  assert.equal(await form.submit(), false);
  gate.resolve(answer(ada, { status: 201 }));
  assert.equal(await done, true);
  assert.deepEqual(api.calls, [['signUp', { email: 'ada@example.org', password: ' pass word ', first_name: 'Ada' }]]);
  assert.deepEqual(signedIn, [ada]);
  assert.equal(form.state.values.password, '');
  const named = session({ signUp: async () => answer(ada) }, 'sign-up');
  named.fill({ email: 'a@b', password: '12345678', first_name: 'A', last_name: 'L' });
  await named.form.submit();
  assert.equal(named.api.calls[0][1].last_name, 'L');
});

test('signing in never reveals which of the two was wrong', { shows: ['A2'] }, async () => {
  const said = new Set();
  for (const error of [failure('unauthenticated', { status: 401 }), failure('not-found', { status: 404 }),
    failure('invalid', { status: 422, errors: [{ field: 'password', code: 'too_short' }] })]) {
    const { form, fill } = session({ signIn: async () => { throw error; } });
    fill({ email: 'ada@example.org', password: 'x' });
    assert.equal(await form.submit(), false);
    assert.deepEqual(form.state.fieldErrors, {});
    said.add(form.state.formError);
  }
  assert.deepEqual([...said], ['Email or password is wrong.']);
});

test('the server’s errors go to their fields; a limit says when to try again', { shows: ['A2'] }, async () => {
  const cases = [
    [failure('conflict', { status: 409 }), { email: /already/ }],
    [failure('invalid', {
      errors: [{ field: 'email', code: 'taken' }, { field: 'email', code: 'x' }, { field: 'other', code: 'x' }],
    }), { email: /already/ }],
    [failure('invalid', { errors: [{ field: 'email', code: 'missing' }] }), { email: /Enter/ }],
    [failure('invalid', { errors: [{ field: 'email', code: 'invalid' }] }), { email: /look like/ }],
    [failure('invalid', { errors: [{ field: 'password', code: 'too_common' }] }), { password: /Too many/ }],
    [failure('invalid', { errors: [{ field: 'password', code: 'too_short' }] }), { password: /8/ }],
    [failure('invalid', { errors: [{ field: 'password', code: 'too_long' }] }), { password: /256/ }],
    [failure('invalid', { errors: [{ field: 'first_name', code: 'missing' }] }), { first_name: /Enter/ }],
    [failure('invalid', { errors: [{ field: 'last_name', code: 'too_long' }] }), { last_name: /50/ }],
    [failure('invalid', { errors: [{ field: 'last_name', code: 'odd', detail: 'Odd name.' }] }),
      { last_name: /^Odd name\.$/ }],
    [failure('invalid', { errors: [{ field: 'last_name' }] }), { last_name: /correct/ }],
    [failure('invalid', { detail: 'No.' }), /^No\.$/],
    [failure('forbidden', { status: 403 }), /invitation/],
    [failure('rate-limited', { retryAfter: 120_000 }), /at 12:02\./],
    [failure('rate-limited'), /in a minute/],
    [failure('network'), /cannot be reached/],
    [failure('internal', { status: 500 }), /went wrong/],
  ];
  for (const [error, expected] of cases) {
    const { form, fill } = session({ signUp: async () => { throw error; } }, 'sign-up');
    fill({ email: 'ada@example.org', password: '12345678', first_name: 'Ada' });
    assert.equal(await form.submit(), false);
    assert.equal(form.state.busy, false);
    if (expected instanceof RegExp) assert.match(form.state.formError, expected);
    else for (const [field, pattern] of Object.entries(expected)) assert.match(form.state.fieldErrors[field], pattern);
  }
});

function settings(methods = {}, signOut = async () => {}) {
  const store = new ChatStore();
  store.setMe({ ...ada, email: 'ada@example.org' });
  const preferences = new LocalTexts(new FakeLocalStorage(), 'preference');
  const model = new SettingsViewModel({ api: fakeApi(methods), store, preferences, signOut });
  const event = (name, data) => store.apply({ id: null, event: name, data }, 0);
  return { store, event, model, preferences };
}

test('names are saved and show at once; errors show at the field', { shows: ['A4'] }, async () => {
  let error = null;
  const { model, store, event } = settings({
    changeMe: async (values) => {
      if (error) throw error;
      return answer({ ...ada, ...values, name: `${values.first_name} ${values.last_name}` });
    },
  });
  assert.deepEqual([model.state.values.first_name, model.state.email, model.state.changed],
    ['Ada', 'ada@example.org', false]);
  model.set('first_name', ' ');
  assert.equal(await model.save(), false);
  assert.match(model.state.fieldErrors.first_name, /Enter/);
  model.set('first_name', ' Augusta ');
  assert.equal(model.state.changed, true);
  event('user.updated', { ...ada, first_name: 'Elsewhere' });
  assert.equal(model.state.values.first_name, ' Augusta ', 'what is being typed stays');
  assert.equal(await model.save(), true);
  assert.deepEqual([model.state.saved, model.state.changed, store.me.first_name, store.me.email],
    [true, false, 'Augusta', 'ada@example.org']);
  assert.equal(model.state.me.name, 'Augusta Lovelace');
  error = failure('invalid', { errors: [{ field: 'last_name', code: 'too_long' }] });
  assert.equal(await model.save(), false);
  assert.match(model.state.fieldErrors.last_name, /50/);
  error = failure('network');
  await model.save();
  assert.match(model.state.formError, /cannot be reached/);
  model.close();
});

test('the theme is stored; a failed sign-out is reported', async () => {
  let fails = true;
  const { model, preferences } = settings({}, async () => { if (fails) throw failure('network'); });
  assert.equal(model.state.theme, 'system');
  model.setTheme('dark');
  assert.equal(preferences.get('theme'), 'dark');
  assert.equal(await model.signOut(), false);
  assert.match(model.state.formError, /still signed in/);
  fails = false;
  assert.equal(await model.signOut(), true);
  assert.equal(model.state.busy, false);
});

test('with registration by invite one is required, as a token or a whole link',
  { shows: ['A3'] }, async () => {
  let error = failure('invalid', { errors: [{ field: 'invitation', code: 'invalid' }] });
  const { form, fill, api } = session({
    signUp: async () => {
      if (error) throw error;
      return answer(ada);
    },
  }, 'sign-up', { needsInvitation: true });
  await form.open();
  assert.equal(api.calls.length, 0);
  fill({ email: 'ada@example.org', password: 'long enough', first_name: 'Ada' });
  assert.equal(await form.submit(), false);
  assert.match(form.state.fieldErrors.invitation, /Enter/);
  form.set('invitation', ' https://hub.example/invite/abc ');
  assert.equal(await form.submit(), false);
  assert.equal(api.calls[0][1].invitation, 'abc');
  assert.match(form.state.fieldErrors.invitation, /does not work/);
  error = failure('invalid', { errors: [{ field: 'invitation', code: 'used' }] });
  await form.submit();
  assert.match(form.state.fieldErrors.invitation, /does not work\. It was used as often/);
  error = failure('invalid', { errors: [{ field: 'invitation', code: 'required' }] });
  await form.submit();
  assert.match(form.state.fieldErrors.invitation, /Enter/);
  error = null;
  assert.equal(await form.submit(), true);
});

test('an invitation link is kept, and says whose it is and to what',
  { shows: ['A3', 'R1'] }, async () => {
  const bob = { name: 'Bob' };
  const led = session({ request: async () => answer({ inviter: bob, room: { id: 'r', name: 'Reading' } }) }, 'sign-up',
    { invitation: 'abc' });
  await led.form.open();
  assert.deepEqual(led.api.calls[0].slice(0, 3), ['request', 'GET', '/invitations/abc']);
  assert.equal(led.form.state.invited, 'Bob invites you to Reading.');
  assert.equal(led.form.state.invitedTo, '/chats/r');
  assert.equal(led.form.state.values.invitation, 'abc');
  const whole = session({ request: async () => answer({ inviter: bob, room: null }) }, 'sign-up',
    { invitation: 'abc' });
  await whole.form.open();
  assert.deepEqual([whole.form.state.invited, whole.form.state.invitedTo], ['Bob invites you.', null]);
  const gone = session({ request: async () => { throw failure('not-found'); } }, 'sign-up', { invitation: 'abc' });
  await gone.form.open();
  assert.match(gone.form.state.fieldErrors.invitation, /does not work/);
  const why = failure('not-found', { errors: [{ field: 'invitation', code: 'expired' }] });
  const late = session({ request: async () => { throw why; } }, 'sign-up', { invitation: 'abc' });
  await late.form.open();
  assert.match(late.form.state.fieldErrors.invitation, /It has expired/);
  const offline = session({ request: async () => { throw failure('network'); } }, 'sign-up', { invitation: 'abc' });
  await offline.form.open();
  assert.deepEqual(offline.form.state.fieldErrors, {});
});

test('a handle is sent only if it changed; if it is taken, the field says so', { shows: ['L6', 'A4'] }, async () => {
  const store = new ChatStore();
  store.setMe({ ...ada, handle: 'ada', email: 'ada@example.org' });
  let refusal = null;
  const api = fakeApi({
    changeMe: async (values) => {
      if (refusal) throw refusal;
      return answer({ ...ada, ...values });
    },
  });
  const sent = () => api.calls.at(-1)[1];
  const preferences = new LocalTexts(new FakeLocalStorage(), 'preference');
  const form = new SettingsViewModel({ api, store, preferences });
  assert.equal(form.state.values.handle, 'ada');
  form.set('first_name', 'Augusta');
  await form.save();
  assert.deepEqual(sent(), { first_name: 'Augusta', last_name: 'Lovelace' });
  form.set('handle', ' @bob ');
  refusal = failure('conflict', { status: 409, errors: [{ field: 'handle', code: 'taken', detail: '' }] });
  assert.equal(await form.save(), false);
  assert.equal(sent().handle, 'bob');
  assert.equal(form.state.fieldErrors.handle, 'Somebody else has this handle.');
  refusal = failure('invalid', { status: 422, errors: [{ field: 'handle', code: 'invalid', detail: '' }] });
  await form.save();
  assert.match(form.state.fieldErrors.handle, /^Letters/);
  const asked = api.calls.length;
  form.set('handle', '');
  assert.equal(await form.save(), false);
  assert.equal(api.calls.length, asked);
  form.set('handle', 'augusta');
  refusal = null;
  assert.equal(await form.save(), true);
  assert.equal(store.me.handle, 'augusta');
});
