import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMarkdown } from '../../Public/js/models/markdown/parse.js';

const COMMIT = 'a5c3785ed8d6a35868bc169f07e40e889087fd2e';
const home = { owner: 'Ada', repo: 'engine.js' };
const partsOf = (markdown, options = { repository: home }) =>
  parseMarkdown(markdown, options).children[0].children ?? [];
const referencesIn = (markdown, options) => partsOf(markdown, options).filter(({ type }) => type === 'reference');
const shown = (markdown, options) => referencesIn(markdown, options).map(({ text, href }) => [text, href]);
const nowhere = {};

test('people are mentioned by their login', () => {
  assert.deepEqual(partsOf('Ask @ada-l, or (@Bob).'), ['Ask ',
    { type: 'reference', kind: 'person', href: 'https://github.com/ada-l', text: '@ada-l', login: 'ada-l' }, ', or (',
    { type: 'reference', kind: 'person', href: 'https://github.com/Bob', text: '@Bob', login: 'Bob' }, ').']);
  assert.deepEqual(shown('@ada. @bob- **@eve**').map(([text]) => text), ['@ada', '@bob']);
  for (const none of ['a@ada', 'me@ada.org', '@org/team', '@ada.org', '@ada_b', '@-ada', '@ada--b', '@@ada',
    `@${'a'.repeat(40)}`, '`@ada`', '@ ada', '<b c="@ada">', '[@ada](/a)', '![@ada](/a)']) {
    assert.deepEqual(shown(none), [], none);
  }
});

test('a mention of a person here is no reference', () => {
  const mentions = (name) => ['ada', 'ZoëM', 'under_score'].includes(name);
  assert.deepEqual(partsOf('@ada @ZoëM- @under_score @bob', { mentions }), [
    { type: 'mention', name: 'ada' }, ' ', { type: 'mention', name: 'ZoëM' }, '- ',
    { type: 'mention', name: 'under_score' }, ' ',
    { type: 'reference', kind: 'person', href: 'https://github.com/bob', text: '@bob', login: 'bob' },
  ]);
});

test('issues and pull requests, with and without a repository of their own', () => {
  assert.deepEqual(referencesIn('octo-org/repo.js#12', nowhere), [{
    type: 'reference', kind: 'issue', href: 'https://github.com/octo-org/repo.js/issues/12',
    text: 'octo-org/repo.js#12', owner: 'octo-org', repo: 'repo.js', number: 12,
  }]);
  assert.deepEqual(shown('#12, GH-3 (#4) #5.'), [
    ['#12', 'https://github.com/Ada/engine.js/issues/12'], ['GH-3', 'https://github.com/Ada/engine.js/issues/3'],
    ['#4', 'https://github.com/Ada/engine.js/issues/4'], ['#5', 'https://github.com/Ada/engine.js/issues/5'],
  ]);
  for (const none of ['#12a', 'a#12', '&#35;12x', '#x', 'C#7', 'a/b#x', 'a/b/c#12', '-a/b#12', '`#12`', '[#12](/a)',
    '    #12', '# 12', 'SGH-3']) {
    assert.deepEqual(shown(none), [], none);
  }
  assert.deepEqual(shown('#12 GH-3 abc1234', nowhere), []);
});

test('commits by their ids', () => {
  const address = `https://github.com/Ada/engine.js/commit/${COMMIT}`;
  assert.deepEqual(shown(`${COMMIT} a5c3785.`), [['a5c3785', address], ['a5c3785',
    'https://github.com/Ada/engine.js/commit/a5c3785']]);
  assert.deepEqual(shown(`octo/repo@${COMMIT}`, nowhere), [['octo/repo@a5c3785',
    `https://github.com/octo/repo/commit/${COMMIT}`]]);
  assert.deepEqual(shown(`octo@${COMMIT}`), [['octo@a5c3785', `https://github.com/octo/engine.js/commit/${COMMIT}`]]);
  for (const none of ['abcdef', 'facade', 'defaced', '12345678', `${COMMIT}0`, 'a5c3785.js', 'x-a5c3785', 'A5C3785',
    '#a5c3785', `\`${COMMIT}\``]) {
    assert.deepEqual(shown(none), [], none);
  }
});

test('GitHub’s addresses are shortened as GitHub shortens them', () => {
  const at = 'https://github.com/octo/repo';
  const table = [
    [`${at}/issues/26`, 'octo/repo#26'],
    [`${at}/pull/26`, 'octo/repo#26'],
    [`${at}/discussions/26`, 'octo/repo#26'],
    [`${at}/issues/26#issuecomment-123`, 'octo/repo#26 (comment)'],
    [`${at}/pull/26#discussion_r123`, 'octo/repo#26 (comment)'],
    [`${at}/discussions/26#discussioncomment-123`, 'octo/repo#26 (comment)'],
    [`${at}/pull/26#pullrequestreview-123`, 'octo/repo#26 (review)'],
    [`${at}/pull/26/files`, 'octo/repo#26 (files)'],
    [`${at}/pull/26/commits/${COMMIT}`, 'octo/repo@a5c3785'],
    [`${at}/commit/${COMMIT}`, 'octo/repo@a5c3785'],
    [`${at}/commit/${COMMIT}#commitcomment-1`, 'octo/repo@a5c3785 (comment)'],
    [`${at}/compare/v1.0...main`, 'octo/repo@v1.0...main'],
    [`${at}/compare/${COMMIT}...main`, 'octo/repo@a5c3785...main'],
    ['https://github.com/ADA/Engine.js/issues/26', '#26'],
    [`https://github.com/ada/engine.js/commit/${COMMIT}`, 'a5c3785'],
    ['https://github.com/ada/engine.js/compare/a..b', 'a..b'],
    [`https://github.com/ada/engine.js/blob/${COMMIT}/src/a.js#L5`, 'a5c3785/src/a.js#L5'],
  ];
  for (const [address, text] of table) {
    assert.deepEqual(shown(`See ${address}, please`), [[text, address]], address);
    assert.deepEqual(shown(`<${address}>`), [[text, address]], address);
    assert.deepEqual(shown(`[so](${address}) \`${address}\``), [], address);
  }
  for (const none of ['https://github.com/octo/repo', `${at}/issues`, `${at}/issues/26?q=1`, `${at}/issues/26#else`,
    `${at}/settings`, 'https://github.com.evil.org/octo/repo/issues/1', 'https://gitlab.com/octo/repo/issues/1',
    `${at}/blob/main/a.js#L5`, 'https://evil.org/https://github.com/a/b/issues/1']) {
    assert.deepEqual(shown(none), [], none);
    assert.equal(partsOf(none)[0].type, 'link', none);
  }
});

test('permalinks to lines say which', () => {
  const address = `https://github.com/octo/repo/blob/${COMMIT}/src/a%20b.js#L5C1-L12C8`;
  assert.deepEqual(referencesIn(address), [{
    type: 'reference', kind: 'lines', href: address, text: 'octo/repo@a5c3785/src/a b.js#L5-L12', owner: 'octo',
    repo: 'repo', commit: COMMIT, path: 'src/a b.js', from: 5, to: 12,
  }]);
  const [one] = referencesIn(`https://github.com/octo/repo/blob/${COMMIT}/a.js#L5`);
  assert.deepEqual([one.from, one.to, one.text], [5, 5, 'octo/repo@a5c3785/a.js#L5']);
  const [file] = referencesIn(`https://github.com/octo/repo/blob/${COMMIT}/%E0%A4%A`);
  assert.deepEqual([file.path, 'from' in file], ['%E0%A4%A', false]);
});

test('references stand in all text but code, links and raw HTML', () => {
  const text = '- [x] *#1* ~~#2~~\n\n| #3 |\n| - |\n| #4 |\n\n> # #5\n\na[^1]\n\n[^1]: #6';
  const found = [];
  const visit = (value) => {
    if (value?.type === 'reference') found.push(value.number);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(parseMarkdown(text, { repository: home }));
  assert.deepEqual(found, [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(shown('```\n#1 @ada\n```'.replace(/^/, 'a #2\n\n')).map(([short]) => short), ['#2']);
});

test('with strict nothing is found but addresses', () => {
  const parts = partsOf(`@ada #1 octo/repo#2 ${COMMIT} https://github.com/octo/repo/issues/3`, {
    strict: true, repository: home, mentions: () => true,
  });
  assert.deepEqual(parts.map((part) => part.type ?? 'text'), ['text', 'link']);
  assert.equal(parts[1].children[0], 'https://github.com/octo/repo/issues/3');
});
