process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { PeopleViewModel } from '../../Public/js/viewmodels/peopleViewModel.js';
import { FakeClock, ada, answer, bob, deferred, failure, fakeApi, mirror, room, settle } from './support/fakes.js';

const person = (id, members = {}) => ({
  github_id: id, login: `user${id}`, type: 'User', avatar_url: `/api/v1/avatars/${id}`, user_id: null, online: false,
  member: false, ...members,
});

/** A directory whose answers are given by path; a path that is missing fails. */
function world(pages, methods = {}) {
  const clock = new FakeClock();
  const store = new ChatStore();
  store.setMe(ada);
  store.load([], 1);
  const api = fakeApi({
    directory: async (path, { signal }) => {
      const page = pages[path];
      if (page === undefined) throw failure('network', { detail: `unexpected ${path}` });
      const result = typeof page === 'function' ? await page(signal) : page;
      if (result instanceof Error) throw result;
      return result;
    },
    ...methods,
  });
  const people = new PeopleViewModel({ api, store, clock });
  const asked = () => api.calls.filter(([name]) => name === 'directory').map(([, path]) => path);
  const logins = () => people.rows.items.map((row) => row.login);
  return { clock, store, api, people, asked, logins, pages };
}

const users = { kind: 'users', subject: '' };
const FIRST = '/github/users';
const STORED = '/github/users?stored=1';
const NEXT = '/api/v1/github/users?since=2';

test('while the first page is awaited the list is hidden; then it shows, and pages follow (D1, D2)', async () => {
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

test('what is stored shows at once, and only rows that changed are repainted (D5)', async () => {
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

test('stored people that come after the list do not replace it', async () => {
  const gate = deferred();
  const { people, logins } = world({ [STORED]: () => gate.promise, [FIRST]: answer([person(5)]) });
  const opened = people.open(users);
  await settle();
  gate.resolve(answer([person(1)]));
  await opened;
  assert.deepEqual(logins(), ['user5']);
});

test('a rate limit says when it resets, counts down, and the list retries by itself (D3)', async () => {
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

test('a limit without a time waits as told, or a minute; a stored list stays readable (D3)', async () => {
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

test('any other failure has a debug line and Retry, never HTML (D4)', async () => {
  const github = { status: 502, requestId: 'G:1', message: 'Server Error' };
  const { people, pages, logins } = world({ [STORED]: answer([]), [FIRST]: failure('github-unavailable', { status: 503, github }) });
  await people.open(users);
  assert.deepEqual(people.state.alert, {
    kind: 'failure', message: 'GitHub’s answer could not be loaded.', debug: 'status 502 · request G:1 · Server Error', canRetry: true,
  });
  pages[FIRST] = failure('internal', { status: 500, requestId: 'r', detail: '<html><body>stack\n at x' });
  await people.retry();
  assert.equal(people.state.alert.debug, 'status 500 · request r');
  pages[FIRST] = answer([person(1)]);
  await people.retry();
  assert.equal(people.state.alert, null);
  assert.deepEqual(logins(), ['user1']);
});

test('a later page that fails is tried again alone (D4)', async () => {
  const { people, pages, asked, logins } = world({
    [STORED]: failure('network'), [FIRST]: answer([person(1)], { next: NEXT }), [NEXT]: failure('internal', { status: 500 }),
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

test('every kind of list has its path, title and empty text (D1)', async () => {
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

test('another list that is opened meanwhile wins; the first one’s answers are dropped', async () => {
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

test('rows say who is here and online, live (D6)', async () => {
  const { people, store } = world({ [STORED]: answer([]), [FIRST]: answer([person(2), person(8, { member: true, online: true })]) });
  await people.open(users);
  assert.deepEqual(people.rows.items.map((row) => [row.member, row.online]), [[false, false], [true, true]]);
  const copy = mirror(people.rows);
  store.putRoom(room({ peer: bob }));
  store.apply({ id: null, event: 'presence', data: { user_id: 'bob', online: true } }, 0);
  await settle();
  assert.deepEqual(copy.steps, ['update']);
  assert.deepEqual([copy[0].member, copy[0].online, copy[0].initials], [true, true, 'U']);
});

test('pressing opens the present chat, or a new one; a failure says so (D6)', async () => {
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
  assert.deepEqual(api.calls.filter(([name]) => name === 'openDirect'), [['openDirect', 'user3', 3]]);
  gate = deferred();
  gate.promise.catch(() => {});
  gate.reject(failure('network'));
  assert.equal(await people.press({ githubId: 4, login: 'user4' }), null);
  assert.match(people.state.pressError, /cannot be reached/);
});

/** The fields of an answer. */
const fields = (values) => ({ header: (name) => values[name] ?? null });
const stale = (reason, more = {}) => ({
  stale: true, fetchedAt: new FakeClock().now() - 20 * 60_000, ...fields({ 'Hubbub-Stale-Reason': reason, ...more }),
});

test('with GitHub down the stored list shows, says so once, and is tried again by itself (D5, outage)', async () => {
  const down = answer([person(1)], { next: NEXT, ...stale('github-unavailable') });
  const { people, clock, pages, asked, logins } = world({ [STORED]: answer([]), [FIRST]: down, [NEXT]: answer([person(2)]) });
  await people.open(users);
  assert.equal(people.state.notice, 'GitHub cannot be reached · Stored 20 minutes ago');
  assert.equal(people.state.alert, null, 'quietly');
  await people.nearEnd();
  assert.equal(people.state.notice, 'GitHub cannot be reached · Stored 20 minutes ago', 'whatever else is loaded');
  const times = () => asked().filter((path) => path === FIRST).length;
  for (const wait of [15_000, 30_000, 60_000, 120_000, 240_000, 240_000]) {
    const before = times();
    await clock.advance(wait - 1);
    assert.equal(times(), before);
    await clock.advance(1);
    assert.equal(times(), before + 1, 'less and less often');
  }
  pages[FIRST] = answer([person(1)], { next: NEXT });
  await clock.advance(240_000);
  assert.equal(people.state.notice, null);
  assert.deepEqual(logins(), ['user1', 'user2']);
  assert.equal(clock.pending, 0);
});

test('a stored list of a GitHub that limits us has the alert with its countdown, and stays (D3)', async () => {
  const resetAt = new Date(new FakeClock().now() + 60_000).toISOString();
  const limited = answer([person(1)], stale('github-rate-limited', { 'Hubbub-Reset-At': resetAt }));
  const { people, clock, pages, logins } = world({ [STORED]: answer([]), [FIRST]: limited });
  await people.open(users);
  assert.deepEqual([people.state.alert.kind, people.state.alert.countdownText], ['rate-limit', 'Trying again in 1:01']);
  assert.equal(people.state.notice, 'Stored 20 minutes ago');
  assert.deepEqual(logins(), ['user1']);
  pages[FIRST] = answer([person(1)]);
  await clock.advance(61_000);
  assert.deepEqual([people.state.alert, people.state.notice], [null, null]);
  pages[FIRST] = answer([person(1)], stale('github-rate-limited'));
  await people.retry();
  assert.equal(people.state.alert.countdownText, 'Trying again in 1:00');
});

test('a list that GitHub has no more stays readable, and is not asked for again and again', async () => {
  const { people, clock } = world({ [STORED]: answer([]), [FIRST]: answer([person(1)], stale('not-found')) });
  await people.open(users);
  assert.equal(people.state.notice, 'GitHub does not have this list any more · Stored 20 minutes ago');
  assert.equal(clock.pending, 0);
});

test('a name that GitHub does not know says so, with the next step (D1)', async () => {
  const path = '/github/users/nobody/followers';
  const org = '/github/orgs/nothing/members';
  const missing = failure('not-found', { status: 404 });
  const { people, pages, logins } = world({ [path]: missing, [`${path}?stored=1`]: answer([]), [org]: missing, [`${org}?stored=1`]: answer([]) });
  await people.open({ kind: 'followers', subject: 'nobody' });
  assert.equal(people.state.alert, null);
  assert.equal(people.state.loadingFirst, false);
  assert.deepEqual([people.state.missing.text, people.state.missing.query, people.state.missing.action],
    ['GitHub knows nobody called nobody.', 'nobody', 'Search for “nobody”']);
  pages[path] = answer([person(1)]);
  await people.retry();
  assert.deepEqual([people.state.missing, logins()], [null, ['user1']]);
  await people.open({ kind: 'org', subject: 'nothing' });
  assert.match(people.state.missing.text, /no organisation called nothing/);
});

test('a login that was renamed meanwhile leads to the list by its present name (D1)', async () => {
  const before = '/github/users/old/followers';
  const now = '/github/users/new%20er/followers';
  const { people, asked, logins } = world({
    [before]: answer([person(1)], { next: `/api/v1${now}?cursor=2`, ...fields({ 'Content-Location': `/api/v1${now}` }) }),
    [`${before}?stored=1`]: answer([person(1)]),
    [`/api/v1${now}?cursor=2`]: answer([person(2)]),
  });
  await people.open({ kind: 'followers', subject: 'old' });
  assert.deepEqual(people.state.list, { kind: 'followers', subject: 'new er' });
  assert.equal(people.state.movedTo, people.state.list);
  assert.equal(people.state.title, 'Followers of new er');
  assert.equal(people.state.notice, 'old is called new er on GitHub now.');
  await people.nearEnd();
  assert.deepEqual(logins(), ['user1', 'user2']);
  assert.equal(asked().at(-1), `/api/v1${now}?cursor=2`);
});

test('a search says how many it found, and where GitHub did not look everywhere or shows no more (D1)', async () => {
  const path = '/github/search/users?q=tom';
  const open = async (total, incomplete, next = null) => {
    const { people } = world({ [path]: answer([person(1)], { next, ...fields({ 'Hubbub-Total': total, 'Hubbub-Incomplete': incomplete }) }) });
    await people.open({ kind: 'search', subject: 'tom' });
    return [people.state.found, people.state.endText];
  };
  assert.deepEqual(await open('1', null), ['1 found', '']);
  assert.deepEqual(await open('12345', null, NEXT), ['12,345 found', '']);
  assert.deepEqual(await open('12345', null),
    ['12,345 found', 'GitHub shows the first 1 of 12,345. More words find fewer people.']);
  assert.deepEqual(await open('1', '1'), ['1 found so far', 'GitHub ran out of time: somebody may be missing.']);
});

test('a list stored in part goes on where storage ends', async () => {
  const gate = deferred();
  const { people, asked, logins } = world({
    [STORED]: answer([person(1)], { next: '/api/v1/github/users?stored=1&since=1' }), [FIRST]: () => gate.promise,
    '/api/v1/github/users?since=1': answer([person(2)]),
  });
  const opened = people.open(users);
  await settle();
  await people.nearEnd();
  assert.deepEqual(logins(), ['user1', 'user2']);
  assert.equal(asked().at(-1), '/api/v1/github/users?since=1');
  gate.resolve(answer([person(1)], { next: '/api/v1/github/users?since=1' }));
  await opened;
});

/** Thirty thousand followers, a hundred a page. */
function crowd(total = 30_000, answering = (asked, found) => found) {
  const path = '/github/users/big/followers';
  const page = (number) => answer(
    Array.from({ length: 100 }, (_, index) => person((number - 1) * 100 + index + 1)),
    { next: number * 100 < total ? `/api/v1${path}?cursor=${number + 1}` : null },
  );
  const pages = new Proxy({}, {
    get: (_, asked) => answering(asked, page(Number(/cursor=(\d+)/.exec(asked)?.[1] ?? 1))),
  });
  return { ...world(pages), list: { kind: 'followers', subject: 'big' } };
}

test('of thirty thousand people only those near the screen are held, and the others come again (lists of tens of thousands)', async () => {
  const { people, list, asked } = crowd();
  await people.open(list);
  for (let row = 0; !people.state.end; row = people.rows.length) {
    people.look(row - 15, row);
    await people.nearEnd();
  }
  assert.equal(people.rows.length, 30_000);
  const held = () => people.rows.items.flatMap((row, index) => (typeof row === 'number' ? [] : [index]));
  assert.ok(held().length <= 1300, `${held().length} are held`);
  assert.equal(people.rows.items[0], 1, 'of the first the number is left');
  const before = asked().length;
  const copy = mirror(people.rows);
  people.look(15_000, 15_012);
  await settle();
  people.look(15_000, 15_012);
  await settle();
  for (let row = 14_900; row < 15_100; row += 1) assert.equal(people.rows.items[row].login, `user${row + 1}`);
  assert.ok(asked().length - before <= 5, 'a page each');
  assert.ok(asked().slice(before).every((path) => path.endsWith('stored=1')), 'from the server’s storage');
  assert.deepEqual([...new Set(copy.steps)], ['update'], 'nobody moves');
  assert.ok(held().length <= 1300);
  people.close();
});

test('a page that the server has let go is asked for again', async () => {
  let stored = (path, found) => found;
  const { people, list, asked } = crowd(5000, (path, found) => stored(path, found));
  await people.open(list);
  for (let row = 0; !people.state.end; row = people.rows.length) {
    people.look(row - 15, row);
    await people.nearEnd();
  }
  stored = (path, found) => (path.endsWith('stored=1') ? answer([]) : found);
  people.look(0, 12);
  await settle();
  assert.equal(people.rows.items[0].login, 'user1');
  assert.ok(asked().slice(-4).includes('/github/users/big/followers'));
  stored = () => failure('network');
  people.look(4900, 4912);
  await settle();
  people.look(2000, 2012);
  await settle();
  assert.equal(typeof people.rows.items[2000], 'number', 'still on its way');
});

test('the way back shows a list as it was left (back and forward)', async () => {
  const { people, list, asked, logins } = crowd(2000);
  await people.open(list);
  while (!people.state.end) await people.nearEnd();
  people.look(1500, 1512);
  await settle();
  await people.open({ kind: 'following', subject: 'big' });
  const before = asked().length;
  const opened = people.open(list);
  assert.equal(people.rows.length, 2000, 'at once');
  assert.equal(people.rows.items[1505].login, 'user1506');
  assert.deepEqual([people.state.loadingFirst, people.state.end], [false, true]);
  await opened;
  assert.deepEqual(asked().slice(before), ['/github/users/big/followers'], 'confirmed, and not read from storage first');
  assert.equal(logins().length, 2000);
  for (let index = 0; index < 8; index += 1) await people.open({ kind: 'followers', subject: `other${index}` });
  people.open(list);
  assert.equal(people.rows.length, 0, 'not for ever');
});

test('somebody who moved between two pages shows once', async () => {
  const second = '/api/v1/github/users?since=2';
  const { people, pages, logins } = world({
    [STORED]: answer([]), [FIRST]: answer([person(1), person(2)], { next: second }), [second]: answer([person(2), person(3), person(4)]),
  });
  await people.open(users);
  await people.nearEnd();
  assert.deepEqual(logins(), ['user1', 'user2', 'user3', 'user4']);
  pages[FIRST] = answer([person(3), person(1)], { next: second });
  await people.retry();
  assert.deepEqual(logins(), ['user3', 'user1', 'user4']);
});
