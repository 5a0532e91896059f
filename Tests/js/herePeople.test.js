import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ada, answer, bob, deferred, failure, settle } from './support/fakes.js';
import { FIRST, STORED, person, users, world } from './support/people.js';

const zoe = { ...bob, id: 'zoe', login: undefined, github_id: undefined, name: 'Zoe', online: false };
const ONLINE = '/users?online=1&limit=100';
const ALL = '/users?limit=100';

/** People here by path, before one account of GitHub's, who is Bob too. */
function here(pages, gitHub = answer([person(bob.github_id), person(9)])) {
  return world({ [STORED]: answer([]), [FIRST]: gitHub }, {
    people: async (path) => {
      const page = typeof pages === 'function' ? pages(path) : pages[path];
      if (page === undefined || page instanceof Error) throw page ?? new Error(path);
      return page;
    },
  });
}

const shown = ({ people }) => people.rows.items.map((row) => (row.divider ? '-' : row.name || row.login));

test('people begins with everybody here, online first, each once; then GitHub', { shows: ['D9', 'D6'] }, async () => {
  const one = here({
    [ONLINE]: answer([{ ...ada, online: true }, { ...bob, online: true }]),
    [ALL]: answer([ada, { ...bob, online: true }, zoe]),
  });
  await one.people.open(users);
  assert.deepEqual(shown(one), ['Bob', 'Zoe', '-', 'user9']);
  assert.deepEqual(one.people.rows.items.slice(0, 2).map(({ online }) => online), [true, false]);
  assert.deepEqual([0, 1, 3].map((index) => one.people.rows.items[index].userId), ['bob', 'zoe', undefined]);
  one.store.apply({ id: null, event: 'presence', data: { user_id: 'zoe', online: true, last_seen_at: null } }, 0);
  await settle();
  assert.equal(one.people.rows.items[1].online, true, 'as the stream tells');
});

test('pages of people here come before GitHub’s list', { shows: ['D9'] }, async () => {
  const next = '/api/v1/users?limit=100&cursor=2';
  const one = here({ [ONLINE]: answer([]), [ALL]: answer([bob], { next }), [next]: answer([zoe]) });
  await one.people.open(users);
  assert.deepEqual(shown(one), ['Bob']);
  assert.equal(one.people.state.end, false);
  await one.people.nearEnd();
  assert.deepEqual(shown(one), ['Bob', 'Zoe', '-', 'user9']);
  assert.equal(one.people.state.end, true);
});

test('people here show while GitHub is awaited, and when it fails', { shows: ['D9', 'D4'] }, async () => {
  const gate = deferred();
  const one = here({ [ONLINE]: answer([bob]), [ALL]: answer([bob]) }, () => gate.promise);
  const opened = one.people.open(users);
  await settle();
  assert.deepEqual([shown(one), one.people.state.loadingFirst], [['Bob'], false]);
  assert.equal(one.people.state.loadingMore, true);
  gate.reject(failure('github-unavailable', { status: 503 }));
  await opened;
  assert.deepEqual([shown(one), one.people.state.alert.kind], [['Bob'], 'failure']);
  assert.equal(one.people.state.loadingMore, false);
});

test('when people here cannot be asked, GitHub’s show, with the failure and a retry', { shows: ['D4'] }, async () => {
  let fails = true;
  const one = here((path) => (fails ? failure('internal', { status: 500 }) : answer(path === ALL ? [zoe] : [])));
  await one.people.open(users);
  assert.deepEqual([shown(one), one.people.state.alert?.kind], [['user2', 'user9'], 'failure']);
  fails = false;
  await one.people.retry();
  assert.deepEqual([shown(one), one.people.state.alert], [['Zoe', '-', 'user2', 'user9'], null]);
});

test('search looks here first; who came meanwhile is there on the way back', { shows: ['D9'] }, async () => {
  const found = [zoe];
  const asked = [];
  const one = here((path) => { asked.push(path); return answer(path.includes('online') ? [] : found); });
  one.pages['/github/search/users?q=zo'] = answer([]);
  await one.people.open({ kind: 'search', subject: 'zo' });
  assert.deepEqual(shown(one), ['Zoe']);
  assert.equal(one.people.state.empty, false);
  assert.deepEqual(asked, [`${ONLINE}&query=zo`, `${ALL}&query=zo`]);
  found.push(bob);
  await one.people.refresh();
  assert.deepEqual(shown(one), ['Zoe', 'Bob']);
});

test('pressing somebody here opens the chat by their id', { shows: ['D6'] }, async () => {
  const one = here({ [ONLINE]: answer([]), [ALL]: answer([zoe]) });
  one.api.openDirect = async (body) => { one.body = body; return answer({ id: 'room', kind: 'direct', peer: zoe }); };
  await one.people.open(users);
  assert.equal(await one.people.press(one.people.rows.items[0]), 'room');
  assert.equal(one.body.user_id, 'zoe');
});
