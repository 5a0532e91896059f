process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { byTime, rowsOf, safeLink } from '../../Public/js/models/newsRows.js';
import { newsTexts } from '../../Public/js/models/texts/news.js';
import { NewsViewModel } from '../../Public/js/viewmodels/newsViewModel.js';
import { FakeClock, ada, answer, bob, deferred, failure, mirror, room, settle } from './support/fakes.js';

const NOW = Date.parse('2026-03-14T12:00:00Z');
const FIRST = '/news?limit=50';
const STORED = '/news?limit=50&stored=1';
const NEXT = '/api/v1/news?limit=50&page=2';

/** An item of so many minutes ago. */
function item(id, minutes = 0, members = {}) {
  const { subject, actor, ...rest } = members;
  return {
    id: String(id), type: 'WatchEvent', action: 'started', repo: { name: 'o/r' }, org: null,
    url: 'https://github.com/o/r',
    actor: {
      github_id: 7, login: 'octocat', type: 'User', avatar_url: '/api/v1/avatars/github-7', online: false, ...actor,
    },
    subject: { kind: 'repository', path: '/github/o/r', ...subject },
    created_at: new Date(NOW - minutes * 60_000).toISOString(), ...rest,
  };
}

const issue = (id, minutes, number = id, members = {}) => item(id, minutes, {
  type: 'IssuesEvent', action: 'opened', url: `https://github.com/o/r/issues/${number}`,
  subject: {
    kind: 'issue', number, title: `Title ${number}`,
    text: '**Text**', state: 'open', path: `/github/o/r/issues/${number}`,
  },
  ...members,
});

const world = { now: NOW, expanded: new Set(), isOnline: () => false };
const words = (row) => row.sentence.map(({ text }) => text).join('');

/** A feed with responses by address; others fail. */
function newsWorld(pages) {
  const clock = new FakeClock();
  const store = new ChatStore();
  store.setMe(ada);
  store.load([], 1);
  const asked = [];
  const api = {
    async request(method, path, { query = {} } = {}) {
      const parameters = new URLSearchParams(Object.entries(query)).toString();
      const address = parameters ? `${path}?${parameters}` : path;
      asked.push(address);
      const page = pages[address];
      if (page === undefined) throw failure('network', { detail: `unexpected ${address}` });
      const result = typeof page === 'function' ? await page() : page;
      if (result instanceof Error) throw result;
      return result;
    },
  };
  const news = new NewsViewModel({ api, store, clock });
  return { clock, store, news, asked, pages, keys: () => news.rows.items.map(({ key }) => key) };
}

/** An answer as the server gives it. */
function page(items, { next = null, fetchedAt = NOW, poll = 60, feed = 'public', stale = false, resetAt = null } = {}) {
  const headers = { 'Hubbub-Poll-Interval': String(poll), 'Hubbub-Feed': feed, 'Hubbub-Reset-At': resetAt };
  return answer(items, { next, fetchedAt, stale, header: (name) => headers[name] ?? null });
}

test('a card says who did what where, with links, whatever the payload contains', { shows: ['N1', 'N3'] }, () => {
  const cases = [
    [item(1), 'octocat starred o/r'],
    [issue(2, 0), 'octocat opened an issue in o/r'],
    [item(3, 0, { type: 'PushEvent', action: undefined, subject: { kind: 'branch', ref: 'main', count: 2 } }),
      'octocat pushed 2 commits to main in o/r'],
    [item(4, 0, { type: 'PushEvent', action: undefined, subject: { kind: 'branch', ref: 'main' } }),
      'octocat pushed to main in o/r'],
    [item(5, 0, {
      type: 'PullRequestReviewEvent', action: 'created', subject: { kind: 'pull', number: 4, state: 'approved' },
    }),
      'octocat approved a pull request in o/r'],
    [item(6, 0, { type: 'GollumEvent', action: 'created', subject: { kind: 'page', title: 'Home', count: 1 } }),
      'octocat wrote a wiki page of o/r'],
    [item(7, 0, {
      type: 'MemberEvent', action: 'added', subject: { kind: 'person', title: 'ada', path: '/people/ada' },
    }),
      'octocat added ada to o/r'],
    [item(8, 0, { type: 'MarsLandingEvent', action: 'landed', subject: { kind: 'other' } }),
      'octocat did something in o/r'],
    [item(9, 0, { type: 'WatchEvent', repo: null, subject: { kind: 'other' } }), 'octocat did something on GitHub'],
    [item(10, 0, { type: 'CommitCommentEvent', subject: { kind: 'commit', ref: '1ad1d8309317a4240d5f' } }),
      'octocat commented on commit 1ad1d83 in o/r'],
    [item(11, 0, {
      type: 'SponsorshipEvent', action: 'created', repo: null, subject: { kind: 'person', title: 'ada' },
    }),
      'octocat sponsors ada'],
    [item(12, 0, { type: 'CreateEvent', subject: { kind: 'tag' }, action: undefined }),
      'octocat created the tag … in o/r'],
  ];
  for (const [news, said] of cases) {
    const [row] = rowsOf([news], world);
    assert.equal(words(row), said);
    assert.equal(row.sentence.find(({ kind }) => kind === 'actor').href, '/people/octocat');
    const repo = row.sentence.find(({ kind }) => kind === 'repo');
    if (repo) assert.equal(repo.href, '/github/o/r');
  }
  const [row] = rowsOf([issue(2, 5)], world);
  assert.deepEqual(row.subject, {
    title: 'Title 2 #2', href: '/github/o/r/issues/2', outside: false, text: 'Text', state: 'open', stateText: 'Open',
    repo: 'o/r',
  });
  assert.equal(row.day, 'Today');
  assert.equal(row.time, '11:55');
  assert.equal(row.timeFull, 'Saturday, 14 March 2026, 11:55');
});

test('a trimmed payload still leads to its page, and discussions and wiki pages out to GitHub',
  { shows: ['N1', 'N3'] }, () => {
  const pull = { kind: 'pull', number: 7, path: '/github/o/r/pulls/7' };
  const trimmed = item(1, 0, { type: 'PullRequestEvent', action: 'opened', subject: pull });
  assert.equal(rowsOf([trimmed], world)[0].subject.title, 'Pull request #7');
  const page = { kind: 'page', title: 'A', path: '/github/o/r' };
  const wiki = item(2, 0, { type: 'GollumEvent', url: 'https://github.com/o/r/wiki/A', subject: page });
  const { subject } = rowsOf([wiki], world)[0];
  assert.deepEqual([subject.href, subject.outside], ['https://github.com/o/r/wiki/A', true]);
});

test('nothing but addresses of the web become links', { shows: ['control 10'] }, () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '//evil', '', null, undefined, 'https://a b']) {
    assert.equal(safeLink(url), null, String(url));
  }
  assert.equal(safeLink('HTTPS://github.com/x'), 'HTTPS://github.com/x');
  assert.equal(rowsOf([item(1, 0, { url: 'javascript:alert(1)' })], world)[0].url, null);
});

test('items are ordered by time, then by id, which is not a number', { shows: ['N1'] }, () => {
  const items = [item('28417092178', 2), item('4712145307', 1), item('9', 1), item('10', 1), item('9', 1)];
  assert.deepEqual([...items].sort(byTime).map(({ id }) => id), ['4712145307', '10', '9', '9', '28417092178']);
});

test('repeated actions are one card that expands; comments have a card each',
  { shows: ['N1'] }, () => {
  const star = (id, minutes, name) => item(id, minutes, { repo: { name }, subject: { path: `/github/${name}` } });
  const other = item(2, 30, { actor: { github_id: 8, login: 'x' } });
  const items = [star(5, 0, 'a/a'), star(4, 10, 'b/b'), star(3, 20, 'c/c'), other, issue(1, 40), issue(0, 41)];
  const rows = rowsOf(items, world);
  assert.deepEqual(rows.map(({ key }) => key), ['3', '2', '1', '0']);
  assert.equal(rows[0].moreText, '2 more like this');
  assert.deepEqual(rows[0].more.map(({ pieces }) => pieces.map(({ text }) => text).join('')), ['b/b', 'c/c']);
  assert.equal(rows[0].expanded, false);
  assert.equal(rowsOf(items, { ...world, expanded: new Set(['3']) })[0].expanded, true);
  // A newer one joins the card; the card stays the same.
  assert.deepEqual(rowsOf([star(6, -1, 'd/d'), ...items], world)[0].key, '3');
  const apart = rowsOf([star(2, 0, 'a/a'), star(1, 61, 'a/a')], world);
  assert.equal(apart.length, 2);
  const days = rowsOf([star(2, 0, 'a/a'), star(1, 24 * 60, 'a/a'), star(0, 24 * 60 + 61, 'a/a')], world);
  assert.deepEqual(days.map(({ day }) => day), ['Today', 'Yesterday', '']);
  const subject = { kind: 'branch', ref: 'main' };
  const pushes = [1, 2].map((id) => item(id, id, { type: 'PushEvent', repo: { name: `o/${id}` }, subject }));
  assert.equal(rowsOf(pushes, world).length, 2);
});

test('the stored feed shows at once, then GitHub’s; the page says whose it is', { shows: ['N1'] }, async () => {
  const gate = deferred();
  const stored = page([issue(1, 60)], { fetchedAt: NOW - 7_200_000 });
  const { news, keys, asked } = newsWorld({ [STORED]: stored, [FIRST]: () => gate.promise });
  assert.equal(news.state.loadingFirst, true);
  const shown = news.show();
  await settle();
  assert.deepEqual(keys(), ['1']);
  assert.deepEqual([news.state.loadingFirst, news.state.feed, news.state.refreshing], [false, 'public', true]);
  const copy = mirror(news.rows);
  gate.resolve(page([issue(2, 1), issue(1, 60)], { feed: 'received' }));
  await shown;
  assert.deepEqual(copy.steps.filter((step) => step === 'insert'), ['insert']);
  assert.deepEqual(keys(), ['2', '1']);
  assert.deepEqual([news.state.feed, news.state.stale, news.state.end, news.state.refreshing],
    ['received', null, true, false]);
  assert.deepEqual(asked, [STORED, FIRST]);
});

test('older pages load near the end, without duplicates, to the end', { shows: ['N1', 'N2'] }, async () => {
  const { news, keys, asked } = newsWorld({
    [STORED]: page([]), [FIRST]: page([issue(3, 1), issue(2, 2)], { next: NEXT }),
    [NEXT]: page([issue(2, 2), issue(1, 3)]),
  });
  await news.show();
  await Promise.all([news.nearEnd(), news.nearEnd()]);
  assert.deepEqual(keys(), ['3', '2', '1']);
  assert.equal(news.state.end, true);
  await news.nearEnd();
  assert.deepEqual(asked, [STORED, FIRST, NEXT]);
});

test('newer items show by themselves at the top, and wait behind a button further down',
  { shows: ['N1'] }, async () => {
  const pages = { [STORED]: page([]), [FIRST]: page([issue(1, 1)]) };
  const { news, clock, keys, asked } = newsWorld(pages);
  await news.show();
  pages[FIRST] = page([issue(2, 0), issue(1, 1)], { fetchedAt: NOW + 60_000 });
  await clock.advance(60_000);
  assert.deepEqual(keys(), ['2', '1']);
  news.scrolled(false);
  pages[FIRST] = page([issue(4, -2), issue(3, -1), issue(2, 0)], { fetchedAt: NOW + 120_000 });
  await clock.advance(60_000);
  assert.deepEqual([keys().length, news.state.newer], [2, 2]);
  pages[FIRST] = page([issue(5, -3), issue(4, -2)], { fetchedAt: NOW + 180_000 });
  await clock.advance(60_000);
  assert.equal(news.state.newer, 3);
  news.showNewer();
  assert.deepEqual(keys(), ['5', '4', '3', '2', '1']);
  assert.equal(news.state.newer, 0);
  // Late items are inserted in order.
  pages[FIRST] = page([issue(6, 0.5), issue(5, -3)], { fetchedAt: NOW + 240_000 });
  await clock.advance(60_000);
  news.scrolled(true);
  assert.deepEqual(keys(), ['5', '4', '3', '2', '6', '1']);
  assert.equal(asked.length, 6);
});

test('the feed is polled at the server’s interval, and only while visible', { shows: ['N1'] }, async () => {
  const { news, clock, asked, pages } = newsWorld({ [STORED]: page([]), [FIRST]: page([issue(1, 1)], { poll: 120 }) });
  await news.show();
  await clock.advance(119_000);
  assert.equal(asked.length, 2);
  pages[FIRST] = page([issue(1, 1)], { poll: 120, fetchedAt: NOW + 120_000 });
  await clock.advance(1000);
  assert.equal(asked.length, 3);
  news.hide();
  await clock.advance(3_600_000);
  assert.equal(asked.length, 3);
  assert.equal(clock.pending, 0);
  pages[FIRST] = page([issue(2, -60), issue(1, 1)], { fetchedAt: NOW + 3_720_000 });
  await news.show();
  await clock.advance(1000);
  assert.equal(asked.length, 4);
});

test('refreshing polls if it is possible, and says when it is the next time', { shows: ['N1'] }, async () => {
  const { news, clock, asked, pages } = newsWorld({ [STORED]: page([]), [FIRST]: page([issue(1, 1)]) });
  await news.show();
  await clock.advance(18_000);
  await news.refresh();
  assert.equal(news.state.said, newsTexts.upToDate('0:42'));
  assert.equal(asked.length, 2);
  await clock.advance(8000);
  assert.equal(news.state.said, '');
  news.hide();
  await clock.advance(60_000);
  pages[FIRST] = page([issue(2, 0), issue(1, 1)], { fetchedAt: NOW + 86_000 });
  await news.refresh();
  assert.equal(asked.length, 3);
  assert.equal(news.rows.length, 2);
  assert.equal(news.state.said, newsTexts.upToDate('1:00'));
});

test('refreshing while the feed loads waits for it', { shows: ['N1'] }, async () => {
  const gate = deferred();
  const { news, asked } = newsWorld({ [STORED]: page([]), [FIRST]: () => gate.promise });
  const shown = news.show();
  await settle();
  const refreshed = news.refresh();
  gate.resolve(page([issue(1, 1)]));
  await Promise.all([shown, refreshed]);
  assert.deepEqual([asked.length, news.state.said], [2, newsTexts.upToDate('1:00')]);
});

test('while GitHub is down the stored feed shows with its age, and with the end of a rate limit',
  { shows: ['N4'] }, async () => {
  const { news, clock, asked, pages } = newsWorld({
    [STORED]: page([issue(1, 300)]),
    [FIRST]: page([issue(1, 300)],
      { fetchedAt: NOW - 3 * 3_600_000, stale: true, resetAt: '2026-03-14T12:30:00.000Z' }),
  });
  await news.show();
  assert.equal(news.state.stale, 'As of 3 hours ago. GitHub answers again at 12:30.');
  assert.equal(news.state.alert, null);
  // Not every second, although it is overdue.
  await clock.advance(59_000);
  assert.equal(asked.length, 2);
  pages[FIRST] = page([issue(2, 0), issue(1, 300)], { fetchedAt: NOW + 60_000 });
  await clock.advance(1000);
  assert.equal(news.state.stale, null);
  assert.equal(news.rows.length, 2);
});

test('a rate limit is an alert with a countdown and a retry; another failure has Retry',
  { shows: ['N1', 'N4'] }, async () => {
  const limited = failure('github-rate-limited', { resetAt: NOW + 4000 });
  const { news, clock, asked, pages } = newsWorld({ [STORED]: page([], { fetchedAt: null }), [FIRST]: limited });
  await news.show();
  assert.deepEqual([news.state.alert.kind, news.state.alert.countdownText.includes('0:05')], ['rate-limit', true]);
  await clock.advance(1000);
  assert.ok(news.state.alert.countdownText.includes('0:04'));
  pages[FIRST] = failure('github-unavailable', { github: { status: 503, requestId: 'A:B', message: 'Server' } });
  await clock.advance(4000);
  assert.equal(news.state.alert.kind, 'failure');
  assert.match(news.state.alert.debug, /status 503/);
  assert.equal(asked.length, 3);
  pages[FIRST] = page([issue(1, 1)]);
  await news.retry();
  assert.deepEqual([news.state.alert, news.rows.length, news.state.loadingFirst], [null, 1, false]);
});

test('returning to a failed feed retries it instead of showing an old countdown',
  { shows: ['N4'] }, async () => {
  const { news, clock, asked, pages } = newsWorld({
    [STORED]: page([issue(1, 60)], { fetchedAt: NOW - 3_600_000 }),
    [FIRST]: failure('github-rate-limited', { resetAt: NOW + 60_000 }),
  });
  await news.show();
  assert.equal(news.state.alert.kind, 'rate-limit');
  news.hide();
  await clock.advance(120_000);
  assert.equal(asked.length, 2);
  pages[FIRST] = page([issue(2, 0), issue(1, 60)], { fetchedAt: NOW + 120_000 });
  await news.show();
  assert.deepEqual([news.state.alert, news.state.stale, news.rows.length], [null, null, 2]);
});

test('a failure keeps the stored items, with their age; one of an older page can be retried',
  { shows: ['N4'] }, async () => {
  const { news, pages, keys } = newsWorld({
    [STORED]: page([issue(1, 60)], { fetchedAt: NOW - 3_600_000, next: NEXT }), [FIRST]: failure('network'),
  });
  await news.show();
  assert.deepEqual(keys(), ['1']);
  assert.equal(news.state.stale, 'As of 1 hour ago');
  assert.equal(news.state.alert.kind, 'failure');
  pages[FIRST] = page([issue(1, 60)], { next: NEXT });
  pages[NEXT] = failure('timeout');
  await news.retry();
  await news.nearEnd();
  assert.equal(news.state.alert.kind, 'failure');
  await news.nearEnd();
  pages[NEXT] = page([issue(0, 70)]);
  await news.retry();
  assert.deepEqual([keys(), news.state.alert], [['1', '0'], null]);
});

test('the number of rows is limited; an empty feed says so', { shows: ['N2'] }, async () => {
  const many = (from, count) => Array.from({ length: count },
    (_, index) => issue(from - index, 10 + (1000 - from) + index));
  const pages = {
    [STORED]: page([]), [FIRST]: page(many(1000, 200), { next: NEXT }), [NEXT]: page(many(800, 200), { next: NEXT }),
  };
  const { news } = newsWorld(pages);
  await news.show();
  await news.nearEnd();
  assert.deepEqual([news.rows.length, news.state.end], [300, true]);
  const empty = newsWorld({ [STORED]: page([]), [FIRST]: page([]) });
  await empty.news.show();
  assert.deepEqual([empty.news.state.empty, empty.news.state.end], [true, false]);
});

test('a card opens and closes; coming online shows on a person’s cards', { shows: ['N1'] }, async () => {
  const { news, store } = newsWorld({ [STORED]: page([]), [FIRST]: page([item(2, 1), item(1, 2)]) });
  await news.show();
  news.toggle('1');
  assert.equal(news.rows.items[0].expanded, true);
  news.toggle('1');
  assert.equal(news.rows.items[0].expanded, false);
  store.putRoom(room({ peer: { ...bob, github_id: 7 } }));
  store.apply({ id: null, event: 'presence', data: { user_id: 'bob', online: true } }, 0);
  await settle();
  assert.equal(news.rows.items[0].actor.online, true);
});
