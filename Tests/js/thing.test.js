process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { apiPathOf, commentOf, commentsPathOf, personOf, shareText, thingOf } from '../../Public/js/models/thing.js';
import { ChatChoice } from '../../Public/js/viewmodels/chatChoice.js';
import { Fetched } from '../../Public/js/viewmodels/fetched.js';
import { routeOf } from '../../Public/js/viewmodels/shellViewModel.js';
import { FakeClock, ada, answer, failure, room, settle } from './support/fakes.js';

const NOW = Date.parse('2026-03-14T12:00:00Z');
const author = { github_id: 7, login: 'octocat', type: 'User', avatar_url: '/api/v1/avatars/github-7', online: true };

const thing = (members = {}) => ({
  kind: 'pull', repo: { name: 'o/r' }, number: 5, title: 'Title', text: 'Text', state: 'merged', author,
  labels: [{ name: 'bug', color: 'ff0000' }, { name: 'x', color: 'red;}' }], topics: ['swift'],
  counts: { comments: 1, additions: 10, files: 0 }, notes: { base: 'main', homepage: 'javascript:x' },
  created_at: '2026-03-14T10:00:00.000Z', closed_at: '2025-12-01T00:00:00.000Z', url: 'https://github.com/o/r/pull/5',
  ...members,
});

test('addresses lead to chats, lists, people, news and their targets, and to nothing else',
  { shows: ['N3', 'D1'] }, () => {
  const routes = {
    '/': { section: 'chats', roomId: undefined, at: undefined },
    '/chats/x?at=5': { section: 'chats', roomId: 'x', at: 5 },
    '/news': { section: 'news' }, '/people/octocat': { section: 'people', login: 'octocat' },
    '/people/octocat/followers': { section: 'people', list: { kind: 'followers', subject: 'octocat' } },
    '/people/a%5Bbot%5D': { section: 'people', login: 'a[bot]' },
    '/github/o/r': { section: 'news', thing: ['o', 'r'] },
    '/github/o/r/releases/v1%2F2': { section: 'news', thing: ['o', 'r', 'releases', 'v1/2'] },
    '/settings': { section: 'settings' }, '/settings/privacy': { section: 'settings' },
    '/settings/a/b': { section: null }, '/people/a/b': { section: null }, '/news/x': { section: null },
    '/x': { section: null }, '/people/%': { section: null },
  };
  for (const [address, route] of Object.entries(routes)) assert.deepEqual(routeOf(address), route, address);
});

test('comments are asked where GitHub has them, and safe to show', { shows: ['N3'] }, () => {
  assert.equal(commentsPathOf('/github/repos/o/pulls/pulls/5'), '/github/repos/o/pulls/issues/5/comments');
  assert.equal(commentsPathOf('/github/repos/o/r/commits/abc'), '/github/repos/o/r/commits/abc/comments');
  const comment = commentOf({ author, text: '**a**', created_at: '2026-03-14T10:00:00Z', url: 'javascript:x' }, NOW);
  assert.deepEqual([comment.author.login, comment.text, comment.url], ['octocat', '**a**', null]);
  assert.match(comment.made, /2 h/);
  assert.deepEqual(commentOf({ author: null, text: '', url: '' }, NOW).made, '');
});

test("a page's address is the API's path of a thing, or none", { shows: ['N3'] }, () => {
  assert.equal(apiPathOf(['o', 'r']), '/github/repos/o/r');
  assert.equal(apiPathOf(['o', 'r', 'issues', '5']), '/github/repos/o/r/issues/5');
  assert.equal(apiPathOf(['o', 'r', 'releases', 'v1/2']), '/github/repos/o/r/releases/v1%2F2');
  for (const path of ['', 'o', 'o/r/issues', 'o/r/wiki/x', 'o/r/issues/5/x', 'o/r/toString/x']) {
    const segments = path.split('/').filter(Boolean);
    assert.equal(apiPathOf(segments), null, path);
  }
});

test('a thing shows its kind, state, author, time and figures',
  { shows: ['N3', 'control 10'] }, () => {
  const shown = thingOf(thing(), NOW);
  assert.deepEqual([shown.kindText, shown.title, shown.mark, shown.stateText],
    ['Pull request', 'Title', '#5', 'Merged']);
  assert.deepEqual([shown.made, shown.ended], ['opened 2 hours ago', 'merged 1 December 2025']);
  assert.deepEqual(shown.counts, ['1 comment', '+10 lines']);
  assert.deepEqual(shown.labels.map(({ colour }) => colour), ['#ff0000', null]);
  assert.deepEqual(shown.notes.map(({ href, code }) => [href, code]), [[null, true], [null, false]]);
  assert.deepEqual([shown.author.href, shown.author.online, shown.repo.href], ['/people/octocat', true, '/github/o/r']);
  const commit = thingOf(thing({
    kind: 'commit', number: undefined, ref: 'abcdef0123', title: '', author: null, author_name: 'Ada', state: undefined,
    created_at: undefined, closed_at: undefined, url: 'x',
  }), NOW);
  assert.deepEqual([commit.title, commit.mark, commit.authorName, commit.made, commit.url],
    ['abcdef0', '', 'Ada', '', null]);
  const archived = { kind: 'repository', number: undefined, title: 'o/r', state: 'archived', counts: { stars: 0 } };
  const repository = thingOf(thing(archived), NOW);
  assert.deepEqual([repository.repo, repository.counts, repository.stateText], [null, ['0 stars'], 'Archived']);
  const reopened = thingOf(thing({ state: 'open' }), NOW);
  assert.equal(reopened.ended, '');
});

test('sharing sends a title with its repository, and the link', { shows: ['N3'] }, () => {
  assert.equal(shareText(thingOf(thing(), NOW)), 'o/r#5: Title\nhttps://github.com/o/r/pull/5');
  assert.equal(shareText({ title: 'Title', url: 'https://x.y' }), 'Title\nhttps://x.y');
  assert.equal(shareText({ title: 'Title', mark: 'v1', repo: { name: 'o/r' }, url: null }), 'o/r v1: Title');
});

test('a profile’s counts link to lists, and a person other than oneself can be written to',
  { shows: ['N3'] }, () => {
  const profile = {
    ...author, name: 'The Octocat', bio: null, company: '@x', location: null, blog: 'javascript:x', followers: 1,
    following: 2,
    public_repos: 3, created_at: '2011-01-25T00:00:00Z', url: 'https://github.com/octocat', member: true,
  };
  const shown = personOf(profile, 'ada');
  assert.deepEqual(shown.lists.map(({ text, href }) => [text, href]), [
    ['1 follower', '/people/octocat/followers'], ['2 following', '/people/octocat/following'],
  ]);
  assert.deepEqual([shown.title, shown.since, shown.canWrite, shown.repositories],
    ['The Octocat', 'On GitHub since 25 January 2011', true, '3 public repositories']);
  assert.deepEqual(shown.notes.map(({ value, href }) => [value, href]), [['@x', null], ['javascript:x', null]]);
  assert.equal(personOf(profile, 'OctoCat').canWrite, false);
  assert.equal(personOf({ ...profile, type: 'Bot' }, null).canWrite, false);
  const organisation = personOf({ ...profile, type: 'Organization', created_at: undefined }, null);
  assert.deepEqual([organisation.lists, organisation.since], [[], '']);
});

/** A page with a list of responses. */
function fetched(...answers) {
  const clock = new FakeClock();
  const api = {
    async request() {
      const next = answers.shift();
      if (next instanceof Error) throw next;
      return next;
    },
  };
  return { clock, page: new Fetched({ api, clock }, '/x', (body) => ({ ...body })) };
}

test('a page shows its content, its age while GitHub is down, or that there is nothing',
  { shows: ['N3', 'N4'] }, async () => {
  const { page } = fetched(answer({ a: 1 }, { fetchedAt: NOW - 7_200_000, stale: true }),
    answer({ a: 2 }, { fetchedAt: NOW }));
  assert.equal(page.state.loading, true);
  await page.load();
  assert.deepEqual([page.state.value.a, page.state.stale, page.state.loading], [1, 'As of 2 hours ago', false]);
  await page.load();
  assert.deepEqual([page.state.value.a, page.state.stale], [2, null]);
  const gone = fetched(failure('not-found'));
  await gone.page.load();
  assert.deepEqual([gone.page.state.missing, gone.page.state.alert], [true, null]);
});

test('a rate limit counts down and then the page retries, unless it was left', { shows: ['N3', 'N4'] }, async () => {
  const limited = () => failure('github-rate-limited', { resetAt: NOW + 2000 });
  const { page, clock } = fetched(limited(), answer({ a: 1 }));
  await page.load();
  assert.equal(page.state.alert.kind, 'rate-limit');
  await clock.advance(3000);
  assert.deepEqual([page.state.value.a, page.state.alert], [1, null]);
  const left = fetched(limited(), answer({ a: 1 }));
  await left.page.load();
  left.page.close();
  await left.clock.advance(10_000);
  assert.deepEqual([left.page.state.value, left.clock.pending], [null, 0]);
  const late = fetched(answer({ a: 1 }));
  const loading = late.page.load();
  late.page.close();
  await loading;
  assert.equal(late.page.state.value, null);
});

test('a chat is found by prefixes of words', { shows: ['N3'] }, async () => {
  const store = new ChatStore();
  store.setMe(ada);
  const group = (id, name) => room({ id, kind: 'group', peer: null, name });
  store.load([group('one', 'Reading circle'), group('two', 'Team')], 1);
  const choice = new ChatChoice({ store });
  assert.equal(choice.rows.length, 2);
  choice.search('cir re');
  await settle();
  assert.deepEqual(choice.rows.items.map(({ name }) => name), ['Reading circle']);
  choice.search('x');
  assert.equal(choice.state.empty, true);
});
