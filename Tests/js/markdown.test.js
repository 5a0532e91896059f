import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_EMOJI, emojiNamed } from '../../Public/js/models/emoji.js';
import { shortcode } from '../../Public/js/models/emojiNames.js';
import { namedEntity } from '../../Public/js/models/markdown/namedEntities.js';
import { parseMarkdown } from '../../Public/js/models/markdown/parse.js';
import { writeHTML } from '../tools/markdownHTML.mjs';

const lines = (...all) => all.join('\n');
const htmlOf = (markdown, options = {}) => writeHTML(parseMarkdown(markdown, { emoji: emojiNamed, ...options }));
const blocksOf = (markdown) => parseMarkdown(markdown).children;
const textOf = (markdown) => blocksOf(markdown)[0].children;

test('a plain text is one paragraph', () => {
  assert.deepEqual(parseMarkdown('See you at eight, then.'), {
    children: [{ type: 'paragraph', children: ['See you at eight, then.'] }],
    footnotes: [], missing: { entities: false, emoji: false },
  });
  assert.deepEqual(blocksOf(''), []);
  assert.deepEqual(blocksOf(' \n\t\n'), []);
});

test('a newline is a line break, except in code and with --strict', () => {
  assert.deepEqual(textOf('one  \ntwo\nthree\\\nfour'),
    ['one', { type: 'break' }, 'two', { type: 'break' }, 'three', { type: 'break' }, 'four']);
  assert.deepEqual(textOf('`one\ntwo`'), [{ type: 'code', text: 'one two' }]);
  assert.equal(htmlOf('one\ntwo', { strict: true }), '<p>one\ntwo</p>\n');
  assert.deepEqual(textOf('one\r\ntwo\rthree').length, 5);
});

test('the five alerts, at the top level and with a text', () => {
  for (const kind of ['note', 'tip', 'important', 'warning', 'caution']) {
    const [alert, ...more] = blocksOf(`> [!${kind.toUpperCase()}]\n> Mind the *gap*.\n>\n> - and the step`);
    assert.equal(more.length, 0);
    assert.equal(alert.type, 'alert');
    assert.equal(alert.kind, kind);
    assert.deepEqual(alert.children.map(({ type }) => type), ['paragraph', 'list']);
    assert.deepEqual(alert.children[0].children[0], 'Mind the ');
  }
  const types = (markdown) => blocksOf(markdown).map(({ type }) => type);
  assert.deepEqual(types('> [!note]\n>\n> text behind a blank line'), ['alert']);
  assert.deepEqual(types('> [!NOTE]'), ['quote']);
  assert.deepEqual(types('> [!NOTE] in its own line only\n> text'), ['quote']);
  assert.deepEqual(types('> [!ADVICE]\n> text'), ['quote']);
  assert.deepEqual(types('> text\n> [!NOTE]\n> text'), ['quote']);
  assert.equal(blocksOf('> > [!NOTE]\n> > text')[0].children[0].type, 'quote');
  assert.equal(blocksOf('- > [!NOTE]\n  > text')[0].children[0].children[0].type, 'quote');
  assert.equal(parseMarkdown('> [!NOTE]\n> text', { strict: true }).children[0].type, 'quote');
  assert.equal(htmlOf('> [!TIP]\n> a'), lines('<div class="markdown-alert markdown-alert-tip">',
    '<p class="markdown-alert-title">Tip</p>', '<p>a</p>', '</div>', ''));
});

test('footnotes are numbered in the order of their references', () => {
  const { children, footnotes } = parseMarkdown(lines('A[^late] b[^first] c[^late] d[^none].', '', '[^first]: One.',
    '[^LATE]: Two', '    goes on.', '', '    - and on', '[^unused]: Three.'));
  assert.deepEqual(children, [{ type: 'paragraph', children: [
    'A', { type: 'footnote', number: 1, occurrence: 1, label: 'LATE' },
    ' b', { type: 'footnote', number: 2, occurrence: 1, label: 'first' },
    ' c', { type: 'footnote', number: 1, occurrence: 2, label: 'LATE' }, ' d[^none].',
  ] }]);
  assert.deepEqual(footnotes.map(({ label, occurrences }) => [label, occurrences]), [['LATE', 2], ['first', 1]]);
  assert.deepEqual(footnotes[0].children.map(({ type }) => type), ['paragraph', 'list']);
});

test('a footnote may refer to another one, to itself, and stands once', () => {
  const { footnotes } = parseMarkdown('a[^1]\n\n[^1]: b[^2]\n[^2]: c[^1][^2]\n[^1]: again');
  assert.deepEqual(footnotes.map(({ label, occurrences }) => [label, occurrences]), [['1', 2], ['2', 2]]);
  assert.equal(footnotes[0].children.length, 1);
  // An inline link comes first, and code keeps its brackets.
  assert.equal(htmlOf('[^1](/a) `[^1]`\n\n[^1]: b'), '<p><a href="/a">^1</a> <code>[^1]</code></p>\n');
  assert.equal(parseMarkdown('a[^1]\n\n[^1]: b', { strict: true }).footnotes.length, 0);
});

test('shortcodes are emoji where the table has them, not in code', () => {
  assert.equal(htmlOf('Done :tada: :+1: :no_such_thing: `:tada:` 10:30:15 ::tada::'),
    '<p>Done 🎉 👍 :no_such_thing: <code>:tada:</code> 10:30:15 :🎉:</p>\n');
  assert.equal(htmlOf('[:tada:](/a)'), '<p><a href="/a">🎉</a></p>\n');
  assert.equal(htmlOf(':tada:', { strict: true }), '<p>:tada:</p>\n');
  assert.equal(parseMarkdown(':tada:', { emoji: emojiNamed }).missing.emoji, false);
  assert.equal(parseMarkdown(':tada: :wood:', { emoji: (name) => (name === 'tada' ? '🎉' : null) }).missing.emoji, true);
});

test('all names of GitHub lead to an emoji', () => {
  assert.equal(htmlOf(':octopus: :flag_de: :de: :people_holding_hands: :man_cook: :+1:', { emoji: shortcode }),
    '<p>🐙 :flag_de: 🇩🇪 🧑‍🤝‍🧑 👨‍🍳 👍</p>\n');
  for (const { emoji, names } of ALL_EMOJI) for (const name of names) assert.equal(shortcode(name), emoji, name);
  assert.equal(shortcode('constructor'), null);
});

test('the common entities are built in, all others come with their table', () => {
  assert.deepEqual(textOf('&amp;&lt; &#64; &#x1f389; &#0; &nosuch; &mdash;'), ['&< @ 🎉 \ufffd &nosuch; —']);
  assert.equal(parseMarkdown('&eacute;').missing.entities, true);
  assert.equal(parseMarkdown('&eacute; &NotSquareSubset;', { entity: namedEntity }).missing.entities, false);
  assert.equal(htmlOf('&eacute;&NotSquareSubset;&fjlig;', { entity: namedEntity }), '<p>é⊏̸fj</p>\n');
  assert.equal(parseMarkdown('&constructor;&toString;', { entity: namedEntity }).children[0].children[0],
    '&constructor;&toString;');
});

test('raw HTML is text, and Markdown within a line of it counts', () => {
  assert.deepEqual(textOf('a <b>*c*</b>'), ['a ', { type: 'html', text: '<b>' },
    { type: 'emphasis', children: ['c'] }, { type: 'html', text: '</b>' }]);
  assert.deepEqual(blocksOf('<details>\n*a*\n</details>'), [
    { type: 'htmlBlock', text: '<details>\n*a*\n</details>' }]);
  assert.equal(htmlOf('<script>alert("1 & 2")</script>'),
    '&lt;script&gt;alert(&quot;1 &amp; 2&quot;)&lt;/script&gt;\n');
});

test('task lists know what is done', () => {
  const [list] = blocksOf('- [ ] open\n- [x] done\n- [X] done, too\n- [y] neither\n- [ ]\n1) [x] one');
  assert.deepEqual(list.children.map(({ checked }) => checked), [false, true, true, null, null]);
  assert.deepEqual(list.children[0].children, [{ type: 'paragraph', children: ['open'] }]);
  assert.equal(blocksOf('1) [x] one')[0].children[0].checked, true);
  assert.equal(htmlOf('- [x] a'), '<ul>\n<li><input checked="" disabled="" type="checkbox"> a</li>\n</ul>\n');
});

test('strikethrough has one or two tildes, as many on both sides', () => {
  assert.equal(htmlOf('~a~ ~~b~~ ~~~c~~~ ~d~~ ~~ e~~ ~~*f*~~'),
    '<p><del>a</del> <del>b</del> ~~~c~~~ ~d~~ ~~ e~~ <del><em>f</em></del></p>\n');
});

test('tables: columns, escaped pipes, missing and surplus cells', () => {
  const [table] = blocksOf('a | b | c\n:- | :-: | -:\n`1\\|2` | **x** | y | z\nlast\n\nnot');
  assert.deepEqual(table, { type: 'table', columns: ['left', 'center', 'right'], rows: [
    [['a'], ['b'], ['c']], [[{ type: 'code', text: '1|2' }], [{ type: 'strong', children: ['x'] }], ['y']], [['last']],
  ] });
  const types = (markdown) => blocksOf(markdown).map(({ type }) => type);
  assert.deepEqual(types('text\n| a |\n| - |'), ['paragraph', 'table']);
  assert.deepEqual(types('a | b\n-|-|-'), ['paragraph']);
  assert.deepEqual(types('| a |\n| - |\n> b'), ['table', 'quote']);
  assert.deepEqual(types('| a |\n| - |\n- b'), ['table', 'list']);
});

test('a table does not grow beyond what its text has', () => {
  const wide = `${'|a'.repeat(500)}\n${'|-'.repeat(500)}\n${'b\n'.repeat(500)}`;
  const [table, ...rest] = blocksOf(wide);
  const lacking = table.rows.reduce((sum, row) => sum + 500 - row.length, 0);
  assert.ok(lacking <= 10_000, String(lacking));
  assert.equal(rest.length, 1);
});

test('pictures keep their description, and are links for the view', () => {
  assert.deepEqual(textOf('![a *b*](https://x.org/c.png "d")'), [{
    type: 'image', href: 'https://x.org/c.png', title: 'd', children: ['a ', { type: 'emphasis', children: ['b'] }],
  }]);
});

test('addresses in the text are links up to the punctuation behind them', () => {
  const links = (markdown) => parseMarkdown(markdown).children[0].children
    .filter(({ type }) => type === 'link').map(({ href }) => href);
  assert.deepEqual(links('See https://a.org/b_c_d, (http://e.org/(f)) and www.g.org/h?i=j&amp;!'),
    ['https://a.org/b_c_d', 'http://e.org/(f)', 'http://www.g.org/h?i=j']);
  assert.deepEqual(links('mail me@x.org. mailto:you@x.org xmpp:me@x.org/home me@x me@x.org_'),
    ['mailto:me@x.org', 'mailto:you@x.org', 'xmpp:me@x.org/home']);
  assert.deepEqual(links('http://localhost:80/a xhttp://a.b wwww.a.b www.a_b.c http://'), ['http://localhost:80/a']);
  assert.deepEqual(links('[https://a.org](https://b.org) `https://c.org`'), ['https://b.org']);
});

test('deep trees need no deep stack', () => {
  const deep = 50_000;
  const quotes = htmlOf(`${'> '.repeat(deep)}a`);
  assert.equal(quotes.split('<blockquote>').length, deep + 1);
  const brackets = htmlOf(`${'['.repeat(deep)}a${']'.repeat(deep)}`);
  assert.equal(brackets, `<p>${'['.repeat(deep)}a${']'.repeat(deep)}</p>\n`);
  const strong = htmlOf(`${'*a **a '.repeat(deep)}b${' a** a*'.repeat(deep)}`);
  assert.equal(strong, `<p>${'<em>a <strong>a '.repeat(deep)}b${' a</strong> a</em>'.repeat(deep)}</p>\n`);
  assert.equal(htmlOf(`${'- '.repeat(deep)}a`).split('<li>').length, deep + 1);
});
