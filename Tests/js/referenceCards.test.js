import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardOf } from '../../Public/js/models/cards.js';
import { cardReference, linesNamed } from '../../Public/js/models/markdown/addresses.js';
import { GitHubCards } from '../../Public/js/services/gitHubCards.js';
import { PersonCardViewModel } from '../../Public/js/viewmodels/personCardViewModel.js';
import { ChatStore } from '../../Public/js/models/chatStore.js';

const now = Date.parse('2026-03-14T18:00:00Z');
const base = 'https://github.com';

test('addresses of things have a card, in one spelling', { shows: ['K5'] }, () => {
  const id = 'a1'.repeat(20);
  const spellings = {
    '/octocat': '/octocat', '/Octocat/Hello-World/': '/octocat/hello-world', '/o/r.js': '/o/r.js',
    '/o/r/issues/12': '/o/r/issues/12', '/o/r/pull/12': '/o/r/issues/12', '/o/r/pull/12/files': '/o/r/issues/12',
    '/o/r/issues/12#issuecomment-3': '/o/r/issues/12', '/o/r/commit/abcdef0': '/o/r/commit/abcdef0',
    '/o/r/pull/12/commits/abcdef0': '/o/r/commit/abcdef0', '/o/R/releases/tag/v1.0': '/o/r/releases/tag/v1.0',
    '/o/r/releases/tag/V%2F1': '/o/r/releases/tag/V%2F1',
    [`/o/R/blob/${id}/A%20b/c,d.md?plain=1#L3C1-L7C2`]: `/o/r/blob/${id}/A%20b/c%2Cd.md#L3-L7`,
    [`/o/R/blob/${id}/a.js#L3`]: `/o/r/blob/${id}/a.js#L3`, [`/o/R/blob/${id}/a.js#L3-L3`]: `/o/r/blob/${id}/a.js#L3`,
  };
  for (const [path, spelling] of Object.entries(spellings)) {
    assert.equal(cardReference(base + path), spelling && base + spelling, path);
  }
  for (const path of [
    '', '/', '/o/r/wiki', '/o/r/issues', '/o/r/discussions/3', '/o/r/compare/a...b', '/o/r?tab=readme', '/a b', '/-x',
    '/o/r/commit/main', '/o/r/releases/tag/a,b', `/o/r/blob/${id}/README.md`, '/o/r/blob/main/a#L1',
  ]) assert.equal(cardReference(base + path), null, path);
  assert.equal(cardReference('https://example.com/o/r'), null);
  assert.equal(cardReference('https://github.com.example.com/o/r'), null);
  assert.deepEqual(['a#L3', 'a#L3-L7', 'a#L7-L3', 'a', 'o/r#12'].map(linesNamed), [1, 5, 0, 0, 0]);
});

const thing = {
  kind: 'issue', repo: { name: 'o/r' }, number: 5, title: 'It fails', text: '# Long', state: 'open',
  author: { github_id: 1, login: 'ada', name: 'Ada', avatar_url: '/api/v1/avatars/github-1' }, labels: [], topics: [],
  counts: { comments: 3 }, notes: {}, created_at: '2026-03-14T15:00:00Z', path: '/github/o/r/issues/5',
  url: 'https://github.com/o/r/issues/5',
};

test('a card says title, state and author; of a repository what it is; of a person who', { shows: ['K5'] }, () => {
  const issue = cardOf(thing, now);
  assert.deepEqual(
    [issue.where, issue.title, issue.stateText, issue.by, issue.about], ['o/r#5', 'It fails', 'Open', 'Ada', '']);
  assert.match(issue.when, /^opened /);
  assert.equal(issue.path, '/github/o/r/issues/5');
  const repository = cardOf({
    ...thing, kind: 'repository', number: undefined, title: 'o/r', text: 'A  small\nthing', state: undefined,
    notes: { language: 'Swift' }, counts: { stars: 1200, forks: 3 },
  }, now);
  assert.deepEqual([repository.where, repository.title, repository.about], ['Repository', 'o/r', 'A small thing']);
  assert.deepEqual(repository.facts, ['Swift', '1,200 stars']);
  assert.equal(repository.by, '');
  const commit = cardOf({
    ...thing, kind: 'commit', number: undefined, ref: 'abcdef0123', title: 'Tidy up', state: undefined, author: null,
    author_name: 'Grace', counts: { additions: 2, deletions: 0, files: 1 },
  }, now);
  assert.deepEqual([commit.where, commit.by, commit.facts], ['o/r abcdef0', 'Grace', ['+2 lines']]);
  const lines = cardOf({
    ...thing, kind: 'lines', number: undefined, ref: 'abcdef0123', title: 'src/a.b.py', text: 'one\ntwo', first_line: 7,
    state: undefined, author: null, counts: {}, path: null,
  }, now);
  assert.deepEqual([lines.where, lines.title, lines.about], ['o/r@abcdef0', 'src/a.b.py', 'Lines 7 to 8']);
  assert.deepEqual(lines.code, { text: 'one\ntwo', first: 7, info: 'py' });
  const person = cardOf({
    kind: 'person', github_id: 1, login: 'ada', type: 'User', name: 'Ada', avatar_url: '', user_id: null,
    bio: 'Packets', followers: 2, following: 0, public_repos: 1, url: 'https://github.com/ada', path: '/people/ada',
  }, now);
  assert.deepEqual(
    [person.where, person.title, person.about, person.facts[0]], ['@ada', 'Ada', 'Packets', '2 followers']);
  assert.equal(cardOf({ ...thing, path: '//evil.example', url: 'javascript:alert(1)' }, now).path, null);
  assert.equal(cardOf({ ...thing, url: 'javascript:alert(1)' }, now).url, null);
});

/** A clock that runs timers when told, and an API that answers by reference. */
function world(answer) {
  const timers = [];
  const clock = { time: now, now: () => clock.time, setTimeout: (work) => timers.push(work) };
  const asked = [];
  const directory = async (path, { query }) => {
    const references = query.refs.split(',');
    asked.push(references);
    return answer(references, path);
  };
  const cards = new GitHubCards({ api: { directory }, clock });
  const pass = () => { for (const work of timers.splice(0)) work(); };
  return { cards, clock, asked, pass };
}

const told = (references, stale = false, thingOf = () => thing) =>
  ({ body: references.map((ref) => ({ ref, thing: thingOf(ref) })), stale });

test('what comes in one moment is asked at once, at most fifty in a request, and kept for an hour', { shows: ['K5'] },
  async () => {
    const { cards, clock, asked, pass } = world((references) =>
      told(references, false, (ref) => (ref === 'r3' ? null : { ref })));
    const wanted = Array.from({ length: 60 }, (_, index) => `r${index}`);
    const answers = [...wanted, 'r1'].map((reference) => cards.ask(reference));
    assert.equal(cards.known('r1'), undefined);
    pass();
    const things = await Promise.all(answers);
    assert.deepEqual(things[1], { ref: 'r1' });
    assert.equal(things[3], null);
    assert.deepEqual(asked.map(({ length }) => length), [50, 10]);
    assert.equal(cards.known('r3'), null, 'that there is none is kept too');
    clock.time += 3_599_999;
    assert.deepEqual(await cards.ask('r60'.replace('60', '59')), { ref: 'r59' });
    assert.equal(asked.length, 2);
    clock.time += 1;
    cards.ask('r3');
    pass();
    assert.equal(asked.length, 3);
  });

test('with GitHub away old cards show, the others are links, until it is asked again', { shows: ['K5'] }, async () => {
  let isAway = true;
  const { cards, clock, asked, pass } = world((references) =>
    told(references, isAway, (ref) => (isAway && ref === 'new' ? null : { ref })));
  const answers = [cards.ask('old'), cards.ask('new')];
  pass();
  assert.deepEqual(await Promise.all(answers), [{ ref: 'old' }, null]);
  assert.equal(cards.known('new'), undefined, 'nobody knows');
  assert.equal(await cards.ask('new'), null);
  assert.equal(asked.length, 1, 'and is not asked for a while');
  isAway = false;
  clock.time += 15_000;
  const again = cards.ask('new');
  pass();
  assert.deepEqual(await again, { ref: 'new' });
});

test('with the server away or its limit reached each reference is a link for a while', { shows: ['K5'] }, async () => {
  const { cards, clock, asked, pass } = world(() => {
    throw Object.assign(new Error('limit'), { kind: 'rate-limited', retryAfter: 60_000 });
  });
  const answer = cards.ask('a');
  pass();
  assert.equal(await answer, null);
  clock.time += 59_999;
  assert.equal(await cards.ask('b'), null);
  assert.equal(asked.length, 1);
});

test('the card of somebody who is not here shows their account, and opens a chat', { shows: ['K5'] }, async () => {
  const store = new ChatStore();
  store.setMe({ id: 'a', name: 'Ada', handle: 'ada' });
  const opened = [];
  const api = {
    request: () => assert.fail('nothing is asked'), directory: () => assert.fail('nothing is asked'),
    openDirect: async (person) => {
      opened.push(person);
      return { body: { id: 'r', kind: 'direct', peer: { id: 'x', name: 'Bob' } } };
    },
  };
  const account = { login: 'bobk', github_id: 7, type: 'User', bio: 'Packets', location: null, avatar_url: '' };
  const face = { name: 'Bob', initials: 'B', colour: 1, avatarUrl: null };
  const card = new PersonCardViewModel({ store, api, clock: { now: () => now } }, { account, face });
  await card.open();
  const { login, handle, bio, me, canWrite } = card.state;
  assert.deepEqual({ login, handle, bio, me, canWrite },
    { login: 'bobk', handle: '', bio: 'Packets', me: false, canWrite: true });
  assert.equal(await card.write(), 'r');
  assert.deepEqual(opened, [{ user_id: undefined, github_login: 'bobk', github_id: 7 }]);
  const bot = new PersonCardViewModel({ store, api, clock: { now: () => now } },
    { account: { ...account, type: 'Bot' }, face });
  assert.equal(bot.state.canWrite, false);
});
