import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesIssue, wordsOf } from '../../Public/js/models/issueFilter.js';
import { issueRow } from '../../Public/js/models/issueRow.js';
import { isCodeAt } from '../../Public/js/models/writing/codeAt.js';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { CompletionViewModel } from '../../Public/js/viewmodels/completionViewModel.js';
import { IssueFinder } from '../../Public/js/viewmodels/issueFinder.js';
import { ada, deferred } from './support/fakes.js';

const thing = (number, title, minute = 0, kind = 'issue', state = 'open') => ({
  kind, number, title, state, updated_at: `2026-01-02T03:${`${minute}`.padStart(2, '0')}:00.000Z`,
});
const CRASH = thing(12, 'Crash when the list is empty', 9);
const DARK = thing(7, 'Add dark mode', 8, 'pull', 'merged');
const LONG = thing(120, 'A crash, long ago', 7);

/** A server with `stored` and `atGitHub`; `gate` holds what asks GitHub. */
function room({ stored = [], atGitHub = stored, gate = null, repository = 'o/r.x', offline = false } = {}) {
  const world = { stored, asked: [], repository, offline, time: 0, loads: 0, fails: null };
  const api = {
    async request(method, path, { query }) {
      assert.deepEqual([method, query.limit], ['GET', 8]);
      world.asked.push(`${query.stored ? 'stored' : 'github'} ${path.replace('/github/repos/', '')} ${query.q ?? ''}`);
      if (!query.stored) {
        await gate?.promise;
        if (world.fails) throw world.fails;
        world.stored = atGitHub;
      }
      const matches = ({ number, title }) => matchesIssue({ number, words: wordsOf(title) }, query.q ?? '');
      return { body: world.stored.filter(matches) };
    },
  };
  const finder = () => {
    world.loads += 1;
    const isOffline = () => world.offline;
    return new IssueFinder({ api, repository: () => world.repository, isOffline, now: () => world.time });
  };
  const store = new ChatStore();
  store.setMe(ada);
  const view = new CompletionViewModel({
    members: async () => [], emoji: async () => ({}), store,
    repository: () => world.repository, issues: async () => finder(),
  });
  return { ...world, world, view, type: (text, caret = text.length) => view.typed(text, caret) };
}

const numbers = (view) => view.state.items.map(({ detail }) => detail);
/** Until all that does not wait has run. */
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

test('# offers what is stored at once, then what GitHub has, and inserts the number', { shows: ['K4'] }, async () => {
  const gate = deferred();
  const { view, type, world } = room({ stored: [CRASH], atGitHub: [DARK, CRASH], gate });
  const typing = type('see #');
  await settled();
  assert.deepEqual([view.state.open, view.state.kind, numbers(view)], [true, 'issues', ['#12']]);
  assert.deepEqual(world.asked, ['github o/r.x/issues ', 'stored o/r.x/issues ']);
  gate.resolve();
  await typing;
  assert.deepEqual(numbers(view), ['#7', '#12']);
  await type('see #da');
  assert.deepEqual(numbers(view), ['#7']);
  assert.deepEqual(world.asked.slice(2), ['stored o/r.x/issues ', 'stored o/r.x/issues da'], 'GitHub is asked once');
  assert.deepEqual(view.accept(), { text: 'see #7 ', caret: 7 });
  await type('see #7 ');
  assert.equal(view.state.open, false);
  assert.deepEqual(issueRow(DARK).issue, { kind: 'pull', state: 'merged', text: 'Pull request, Merged' });
  assert.equal(issueRow({ ...DARK, state: 'unheard of' }).issue.state, 'open');
});

test('by number and by several words, in the middle of a text; nothing where # means something else',
  { shows: ['K4'] }, async () => {
  const { view, type, world } = room({ stored: [LONG, CRASH, DARK] });
  await type('#1');
  assert.deepEqual(numbers(view), ['#120', '#12']);
  await type('#12');
  await type('(#mode add');
  assert.deepEqual([view.state.open, numbers(view)], [true, ['#7']]);
  await type('say #crash the and more', 14);
  assert.deepEqual(view.accept(), { text: 'say #12 and more', caret: 8 });
  const { length } = world.asked;
  for (const text of [
    '# ', '# Heading', '## ', 'a#1', 'owner/repo#1', '#12 is', '#!', 'x\n# y', '`#1', '```\n#1', '    #1',
    'a `b` `c\nd #1', '~~~\nx\n#cra',
  ]) {
    await type(text);
    assert.equal(view.state.open, false, text);
  }
  assert.equal(world.asked.length, length, 'nothing is asked for them');
  for (const text of ['`a` #1', '```\na\n```\n#1', '- a\n\n    #1', '``a`b`` #1', '\\` #1', '> #1']) {
    await type(text);
    assert.equal(view.state.open, true, text);
  }
});

test('without a repository nothing is loaded; offline nothing appears; another repository begins anew',
  { shows: ['K4'] }, async () => {
  const none = room({ stored: [CRASH], repository: null });
  await none.type('#1');
  assert.deepEqual([none.view.state.open, none.world.loads, none.world.asked], [false, 0, []]);
  const { view, type, world } = room({ stored: [CRASH], offline: true });
  await type('#1');
  assert.deepEqual([view.state.open, world.asked], [false, []]);
  world.offline = false;
  await type('#12');
  assert.deepEqual(numbers(view), ['#12']);
  world.repository = 'o/other';
  world.stored = [];
  await type('#1');
  assert.deepEqual([view.state.open, world.asked.at(-1)], [true, 'stored o/other/issues 1']);
  world.offline = true;
  await type('#12');
  assert.equal(view.state.open, false);
});

test('a failure shows nothing and is not repeated for a while; then GitHub is asked again',
  { shows: ['K4'] }, async () => {
  const { view, type, world } = room({ atGitHub: [CRASH] });
  world.fails = new Error('not found');
  await type('#');
  await type('#c');
  assert.deepEqual([view.state.open, world.asked.filter((one) => one.startsWith('github')).length], [false, 1]);
  world.fails = null;
  world.time = 300_000;
  await type('#cr');
  assert.deepEqual(numbers(view), ['#12']);
  world.time += 60_000;
  await type('#cra');
  assert.equal(world.asked.filter((one) => one.startsWith('github')).length, 3);
});

test('what finds nothing is not asked for again with more behind it', { shows: ['K4'] }, async () => {
  const { view, type, world } = room({ stored: [CRASH] });
  await type('#');
  await type('#x');
  const { length } = world.asked;
  await type('#xy and so on');
  assert.deepEqual([view.state.open, world.asked.length], [false, length]);
  await type('#crash');
  assert.equal(view.state.open, true);
  await type('#9');
  await type('#9th crash');
  assert.equal(world.asked.at(-1), 'stored o/r.x/issues 9th crash');
});

test('late answers do not show for another text, and the chosen one stays chosen', { shows: ['K4'] }, async () => {
  const gate = deferred();
  const { view, type } = room({ stored: [CRASH, DARK], atGitHub: [LONG, DARK, CRASH], gate });
  const typing = type('#');
  await settled();
  view.move(1);
  assert.deepEqual([view.state.active, numbers(view)], [1, ['#12', '#7']]);
  gate.resolve();
  await typing;
  assert.deepEqual([view.state.active, numbers(view)], [1, ['#120', '#7', '#12']]);
  const late = deferred();
  const other = room({ stored: [], atGitHub: [CRASH], gate: late });
  const waiting = other.type('#');
  await other.type('no');
  late.resolve();
  await waiting;
  assert.equal(other.view.state.open, false);
  const closed = room({ stored: [CRASH], atGitHub: [DARK, CRASH], gate: (late.gate = deferred()) });
  const first = closed.type('#');
  await settled();
  closed.view.dismiss();
  late.gate.resolve();
  await first;
  await closed.type('#c');
  assert.equal(closed.view.state.open, false, 'Escape closes it for this word');
});

test('a finder that fails to load does not affect typing, and is retried', { shows: ['K4'] }, async () => {
  let fails = true;
  const view = new CompletionViewModel({
    members: async () => [], emoji: async () => ({}), store: new ChatStore(), repository: () => 'o/r',
    issues: async () => {
      if (fails) throw new TypeError('Failed to fetch');
      return { find: async (_, show) => show([issueRow(CRASH)]) };
    },
  });
  assert.equal(await view.typed('#', 1), null);
  assert.equal(view.state.open, false);
  fails = false;
  await view.typed('#c', 2);
  assert.equal(view.state.open, true);
});

test('words match as on the server: starts of words, without case and accents', { shows: ['K4'] }, () => {
  const title = 'Crash of URLSession when the Résumé list is empty: 検索';
  const issue = { number: 123, words: wordsOf(title) };
  for (const typed of ['', '1', '123', 'cra', 'RESU list', 'résumé', 'session', 'urls', '索', 'the WHEN']) {
    assert.ok(matchesIssue(issue, typed), typed);
  }
  for (const typed of ['2', '23', '1234', 'rash', 'crash full', '…', '- -', '1x']) {
    assert.ok(!matchesIssue(issue, typed), typed);
  }
});

test('looking for code takes linear time', { shows: ['control 10'] }, () => {
  const cost = (text) => {
    const began = process.cpuUsage();
    isCodeAt(text, text.length);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  for (const part of ['`', '`a', '\n`', '\\`', '``` ', '> `', '- `\n']) {
    let [once, twice] = [Infinity, Infinity];
    for (let round = 0; round < 5; round += 1) {
      once = Math.min(once, cost(part.repeat(20_000)));
      twice = Math.min(twice, cost(part.repeat(40_000)));
    }
    assert.ok(twice <= 2.5 * once + 2, `${part}: ${once} ms, then ${twice} ms`);
  }
});
