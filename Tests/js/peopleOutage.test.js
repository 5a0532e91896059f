process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, answer, failure } from './support/fakes.js';
import { FIRST, NEXT, STORED, person, users, world } from './support/people.js';

/** The header fields of a response. */
const fields = (values) => ({ header: (name) => values[name] ?? null });
const stale = (reason, more = {}) => ({
  stale: true, fetchedAt: new FakeClock().now() - 20 * 60_000, ...fields({ 'Hubbub-Stale-Reason': reason, ...more }),
});

test('with GitHub down the stored list shows, says so once, and retries by itself', { shows: ['D5'] }, async () => {
  const down = answer([person(1)], { next: NEXT, ...stale('github-unavailable') });
  const answers = { [STORED]: answer([]), [FIRST]: down, [NEXT]: answer([person(2)]) };
  const { people, clock, pages, asked, logins } = world(answers);
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

test('a stored list during a rate limit shows the alert with its countdown, and stays',
  { shows: ['D3'] }, async () => {
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

test('a list that GitHub no longer has stays readable, and is not requested again and again', async () => {
  const { people, clock } = world({ [STORED]: answer([]), [FIRST]: answer([person(1)], stale('not-found')) });
  await people.open(users);
  assert.equal(people.state.notice, 'GitHub does not have this list any more · Stored 20 minutes ago');
  assert.equal(clock.pending, 0);
});

test('an unknown GitHub name says so, with the next step', { shows: ['D1'] }, async () => {
  const path = '/github/users/nobody/followers';
  const org = '/github/orgs/nothing/members';
  const missing = failure('not-found', { status: 404 });
  const { people, pages, logins } = world({
    [path]: missing, [`${path}?stored=1`]: answer([]), [org]: missing, [`${org}?stored=1`]: answer([]),
  });
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

test('a renamed login leads to the list under its current name', { shows: ['D1'] }, async () => {
  const before = '/github/users/old/followers';
  const now = '/github/users/new%20er/followers';
  const { people, asked, logins } = world({
    [before]: answer([person(1)],
      { next: `/api/v1${now}?cursor=2`, ...fields({ 'Content-Location': `/api/v1${now}` }) }),
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

test('a search says how many it found, and whether GitHub’s search is incomplete or cut off',
  { shows: ['D1'] }, async () => {
  const path = '/github/search/users?q=tom';
  const open = async (total, incomplete, next = null) => {
    const { people } = world({
      [path]: answer([person(1)], { next, ...fields({ 'Hubbub-Total': total, 'Hubbub-Incomplete': incomplete }) }),
    });
    await people.open({ kind: 'search', subject: 'tom' });
    return [people.state.found, people.state.endText];
  };
  assert.deepEqual(await open('1', null), ['1 found', '']);
  assert.deepEqual(await open('12345', null, NEXT), ['12,345 found', '']);
  assert.deepEqual(await open('12345', null),
    ['12,345 found', 'GitHub shows the first 1 of 12,345. More words find fewer people.']);
  assert.deepEqual(await open('1', '1'), ['1 found so far', 'GitHub ran out of time: somebody may be missing.']);
});
