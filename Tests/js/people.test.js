process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, ada, answer, bob, deferred, failure, mirror, room, settle } from './support/fakes.js';
import { FIRST, NEXT, STORED, person, users, world } from './support/people.js';

test('the list is hidden until the first page is loaded; further pages follow',
  { shows: ['D1', 'D2'] }, async () => {
  const gate = deferred();
  const { people, logins, asked } = world({
    [STORED]: answer([]), [FIRST]: () => gate.promise,
    [NEXT]: answer([person(2), person(3)]),
  });
  const opened = people.open(users);
  await settle();
  assert.equal(people.state.loadingFirst, true);
  await people.nearEnd();
  gate.resolve(answer([person(1), person(2)], { next: NEXT }));
  await opened;
  assert.equal(people.state.loadingFirst, false);
  const more = people.nearEnd();
  assert.equal(people.state.loadingMore, true);
  people.nearEnd();
  await more;
  assert.deepEqual(logins(), ['user1', 'user2', 'user3']);
  assert.equal(people.state.end, true);
  await people.nearEnd();
  assert.deepEqual(asked(), [STORED, FIRST, NEXT]);
});

test('stored people show at once, and only changed rows are repainted', { shows: ['D5'] }, async () => {
  const gate = deferred();
  const { people } = world({
    [STORED]: answer([person(1), person(2), person(3)], { fetchedAt: 0 }), [FIRST]: () => gate.promise,
  });
  const opened = people.open(users);
  await settle();
  assert.equal(people.rows.length, 3);
  assert.equal(people.state.loadingFirst, false);
  const copy = mirror(people.rows);
  gate.resolve(answer([person(1), person(2, { name: 'Two' }), person(3), person(4)]));
  await opened;
  assert.deepEqual(copy.steps, ['insert', 'update']);
  assert.equal(copy[1].name, 'Two');
  assert.equal(people.state.notice, null);
});

test('stored people that arrive after the list do not replace it', async () => {
  const gate = deferred();
  const { people, logins } = world({ [STORED]: () => gate.promise, [FIRST]: answer([person(5)]) });
  const opened = people.open(users);
  await settle();
  gate.resolve(answer([person(1)]));
  await opened;
  assert.deepEqual(logins(), ['user5']);
});

test('a rate limit says when it resets, counts down, and the list retries by itself', { shows: ['D3'] }, async () => {
  const clockStart = new FakeClock().now();
  const limit = failure('github-rate-limited', { status: 503, resetAt: clockStart + 299_000 });
  const { people, clock, pages, logins } = world({ [STORED]: answer([]), [FIRST]: limit });
  await people.open(users);
  const { alert } = people.state;
  assert.deepEqual([alert.kind, alert.resetAtText, alert.countdownText, alert.canRetry],
    ['rate-limit', '12:04', 'Trying again in 5:00', false]);
  await clock.advance(1000);
  assert.equal(people.state.alert.countdownText, 'Trying again in 4:59');
  pages[FIRST] = answer([person(1)]);
  await clock.advance(299_000);
  assert.equal(people.state.alert, null);
  assert.deepEqual(logins(), ['user1']);
});

test('a limit without a reset waits as told or a minute; a stored list stays readable', { shows: ['D3'] }, async () => {
  const { people, clock, pages, logins } = world({
    [STORED]: answer([person(1)], { next: NEXT, fetchedAt: new FakeClock().now() - 20 * 60_000 }),
    [FIRST]: failure('github-rate-limited', { status: 429, retryAfter: 30_000 }),
    [NEXT]: answer([person(2)], { stale: true, fetchedAt: null }),
  });
  await people.open(users);
  assert.equal(people.state.alert.resetAtText, null);
  assert.equal(people.state.alert.countdownText, 'Trying again in 0:30');
  assert.equal(people.state.notice, 'Stored 20 minutes ago');
  await people.nearEnd();
  assert.deepEqual(logins(), ['user1', 'user2']);
  assert.equal(people.state.alert.kind, 'rate-limit', 'the alert of the first page stays');
  assert.equal(people.state.notice, 'Stored 20 minutes ago', 'said once, of the list');
  pages[FIRST] = failure('rate-limited', { status: 429 });
  await clock.advance(30_000);
  assert.equal(people.state.alert.countdownText, 'Trying again in 1:00');
  pages[FIRST] = answer([person(9), person(1)], { next: NEXT });
  await clock.advance(60_000);
  assert.deepEqual(logins(), ['user9', 'user1', 'user2']);
  assert.equal(people.state.notice, null);
});

test('any other failure has a debug line and Retry, never HTML', { shows: ['D4'] }, async () => {
  const github = { status: 502, requestId: 'G:1', message: 'Server Error' };
  const down = failure('github-unavailable', { status: 503, github });
  const { people, pages, logins } = world({ [STORED]: answer([]), [FIRST]: down });
  await people.open(users);
  assert.deepEqual(people.state.alert, {
    kind: 'failure', message: 'GitHub’s answer could not be loaded.', debug: 'status 502 · request G:1 · Server Error',
    canRetry: true,
  });
  pages[FIRST] = failure('internal', { status: 500, requestId: 'r', detail: '<html><body>stack\n at x' });
  await people.retry();
  assert.equal(people.state.alert.debug, 'status 500 · request r');
  pages[FIRST] = answer([person(1)]);
  await people.retry();
  assert.equal(people.state.alert, null);
  assert.deepEqual(logins(), ['user1']);
});

test('a later page that fails is retried alone', { shows: ['D4'] }, async () => {
  const { people, pages, asked, logins } = world({
    [STORED]: failure('network'), [FIRST]: answer([person(1)], { next: NEXT }),
    [NEXT]: failure('internal', { status: 500 }),
  });
  await people.open(users);
  await people.nearEnd();
  assert.equal(people.state.alert.kind, 'failure');
  await people.nearEnd();
  assert.equal(asked().length, 3);
  pages[NEXT] = answer([person(2)], { stale: true, fetchedAt: new FakeClock().now() });
  await people.retry();
  assert.deepEqual(logins(), ['user1', 'user2']);
  assert.deepEqual([people.state.alert, people.state.notice], [null, 'Stored just now']);
});

test('every kind of list has its path, title and empty text', { shows: ['D1'] }, async () => {
  const cases = [
    [{ kind: 'followers', subject: 'a b' }, '/github/users/a%20b/followers', 'Followers of a b', /Nobody follows/],
    [{ kind: 'following', subject: 'ada' }, '/github/users/ada/following', 'Followed by ada', /follows nobody/],
    [{ kind: 'org', subject: 'acme' }, '/github/orgs/acme/members', 'Public members of acme', /no public members/],
    [{ kind: 'search', subject: 'x&y' }, '/github/search/users?q=x%26y', 'Results for “x&y”', /Nobody found/],
    [users, FIRST, 'People', /Nobody here/],
  ];
  for (const [list, path, title, emptyText] of cases) {
    const { people, asked } = world({ [path]: answer([]), [`${path}?stored=1`]: answer([]) });
    await people.open(list);
    assert.ok(asked().includes(path));
    assert.equal(people.state.title, title);
    assert.equal(people.state.empty, true);
    assert.match(people.state.emptyText, emptyText);
    assert.deepEqual(people.state.list, list);
  }
});

test('another list opened meanwhile wins; the first one’s responses are dropped', async () => {
  const gate = deferred();
  const { people, logins } = world({
    [STORED]: answer([]), [FIRST]: () => gate.promise,
    '/github/users/ada/followers': answer([person(7)]), '/github/users/ada/followers?stored=1': answer([]),
  });
  const first = people.open(users);
  await settle();
  await people.open({ kind: 'followers', subject: 'ada' });
  gate.resolve(answer([person(1)]));
  await first;
  assert.deepEqual(logins(), ['user7']);
  people.close();
});

test('rows say who is here and online, live', { shows: ['D6'] }, async () => {
  const found = answer([person(2), person(8, { member: true, online: true })]);
  const { people, store } = world({ [STORED]: answer([]), [FIRST]: found });
  await people.open(users);
  assert.deepEqual(people.rows.items.map((row) => [row.member, row.online]), [[false, false], [true, true]]);
  const copy = mirror(people.rows);
  store.putRoom(room({ peer: bob }));
  store.apply({ id: null, event: 'presence', data: { user_id: 'bob', online: true } }, 0);
  await settle();
  assert.deepEqual(copy.steps, ['update']);
  assert.deepEqual([copy[0].member, copy[0].online, copy[0].initials], [true, true, 'U']);
});

test('selecting opens the existing chat or a new one; a failure says so', { shows: ['D6'] }, async () => {
  let gate = deferred();
  const { people, store, api } = world({ [STORED]: answer([]), [FIRST]: answer([person(2), person(3)]) }, {
    openDirect: () => gate.promise,
  });
  await people.open(users);
  store.putRoom(room());
  const [here, there] = people.rows.items;
  assert.equal(await people.press(here), 'room');
  const pressed = people.press(there);
  assert.equal(people.rows.items[1].busy, true);
  assert.equal(await people.press(there), null);
  gate.resolve(answer(room({ id: 'new', peer: { ...bob, id: 'u3', github_id: 3, member: false } }), { status: 201 }));
  assert.equal(await pressed, 'new');
  assert.equal(store.room('new').peer.member, false);
  assert.deepEqual(api.calls.filter(([name]) => name === 'openDirect'),
    [['openDirect', { user_id: undefined, github_login: 'user3', github_id: 3 }]]);
  gate = deferred();
  gate.promise.catch(() => {});
  gate.reject(failure('network'));
  assert.equal(await people.press({ githubId: 4, login: 'user4' }), null);
  assert.match(people.state.pressError, /cannot be reached/);
});
