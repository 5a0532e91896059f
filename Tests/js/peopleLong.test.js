process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, deferred, failure, mirror, settle } from './support/fakes.js';
import { FIRST, STORED, person, users, world } from './support/people.js';

test('a partly stored list continues where storage ends', async () => {
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

test('of thirty thousand people only those near the screen are kept; others are loaded again', async () => {
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

test('a page that the server has evicted is requested again', async () => {
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

test('going back shows a list as it was left (back and forward)', async () => {
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
  assert.deepEqual(asked().slice(before), ['/github/users/big/followers'],
    'confirmed, and not read from storage first');
  assert.equal(logins().length, 2000);
  for (let index = 0; index < 8; index += 1) await people.open({ kind: 'followers', subject: `other${index}` });
  people.open(list);
  assert.equal(people.rows.length, 0, 'not for ever');
});

test('somebody who moved between two pages appears once', async () => {
  const second = '/api/v1/github/users?since=2';
  const { people, pages, logins } = world({
    [STORED]: answer([]), [FIRST]: answer([person(1), person(2)], { next: second }),
    [second]: answer([person(2), person(3), person(4)]),
  });
  await people.open(users);
  await people.nearEnd();
  assert.deepEqual(logins(), ['user1', 'user2', 'user3', 'user4']);
  pages[FIRST] = answer([person(3), person(1)], { next: second });
  await people.retry();
  assert.deepEqual(logins(), ['user3', 'user1', 'user4']);
});
