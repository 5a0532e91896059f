import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksLikeCode } from '../../Public/js/models/writing/codeLines.js';
import { breakLine, indentLines } from '../../Public/js/models/writing/lists.js';
import { asCodeBlock, linkTo, toggleMark } from '../../Public/js/models/writing/marks.js';
import { fenceAt } from '../../Public/js/models/writing/structure.js';

/** A text with its selection: `|` is the caret, or each end of the selection. */
function read(marked) {
  const [before, ...rest] = marked.split('|');
  const text = before + rest.join('');
  return { text, start: before.length, end: before.length + (rest.length > 1 ? rest[0].length : 0) };
}

function show(writing) {
  if (!writing) return null;
  const { text, start, end } = writing;
  const selected = start === end ? '' : `${text.slice(start, end)}|`;
  return `${text.slice(0, start)}|${selected}${text.slice(end)}`;
}

function check(act, cases) {
  for (const [before, after] of cases) assert.equal(show(act(read(before))), after, JSON.stringify(before));
}

test('a line break goes on with bullets, numbers, task boxes and quotes', { shows: ['K4', 'K5'] }, () => {
  check(breakLine, [
    ['- one|', '- one\n- |'], ['* one|', '* one\n* |'], ['+ one|', '+ one\n+ |'], ['  - one|', '  - one\n  - |'],
    ['1. one|', '1. one\n2. |'], ['9) nine|', '9) nine\n10) |'], ['-   wide|', '-   wide\n-   |'],
    ['- [ ] buy|', '- [ ] buy\n- [ ] |'], ['1. [x] done|', '1. [x] done\n2. [ ] |'],
    ['> said|', '> said\n> |'], ['> > deep|', '> > deep\n> > |'], ['> - both|', '> - both\n> - |'],
    ['- one| two', '- one\n- | two'], ['- o|ne tw|o', '- o\n- |o'], ['before\n- one|\nafter',
    'before\n- one\n- |\nafter'],
  ]);
});

test('a line break on an empty item ends the list, one level at a time', { shows: ['K4'] }, () => {
  check(breakLine, [
    ['- one\n- |', '- one\n|'], ['1. one\n2. |', '1. one\n|'], ['- [ ] one\n- [ ] |', '- [ ] one\n|'],
    ['> said\n> |', '> said\n|'], ['> - one\n> - |', '> - one\n> |'], ['- one\n  - two\n  - |', '- one\n  - two\n- |'],
    ['1. one\n   - two\n   - |', '1. one\n   - two\n- |'], ['- one\n- |\nafter', '- one\n|\nafter'],
  ]);
});

test('other lines break as they always do', { shows: ['K1'] }, () => {
  for (const text of ['plain|', '|- one', '-| one', '-no item|', '**bold**|', '1.5 apples|', '|', 'a > b|', '---|']) {
    assert.equal(breakLine(read(text)), null, text);
  }
});

test('a fence is open from its marks to its closing line', { shows: ['K5'] }, () => {
  const open = ['```|', '```js|', '```\ncode|', '```\ncode\n|', '~~~\n```\n|', '````\n```\n|', '- ```\n  code|',
    '> ```\n> code|',
    '```\na\n```\n```\nb|', '```\na|\n```', '```\n- item|', '1. ```sh\n|'];
  const closed = ['|', '|```', '``|`', '```\ncode\n```|', '```\ncode\n```\n|', '`` a ``|', '```not a fence```|',
    '> ```\n> a\nb|',
    '```\na\n``` \n|', 'a ```|'];
  for (const text of open) assert.ok(fenceAt(read(text).text, read(text).start), text);
  for (const text of closed) assert.equal(fenceAt(read(text).text, read(text).start), null, text);
});

test('in an open fence a line break keeps the indentation of the code', { shows: ['K5'] }, () => {
  check(breakLine, [
    ['```|', '```\n|'], ['```\nif a:\n    b|', '```\nif a:\n    b\n    |'], ['```\n\tx|', '```\n\tx\n\t|'],
    ['- ```js|', '- ```js\n  |'], ['> ```|', '> ```\n> |'], ['> ```\n> a|', '> ```\n> a\n> |'],
    ['```\n- x|', '```\n- x\n|'], ['```\n  a|b', '```\n  a\n  |b'],
  ]);
});

test('Tab and Shift+Tab move items in and out', { shows: ['K4'] }, () => {
  check((writing) => indentLines(writing, false), [
    ['- one\n- two|', '- one\n  - two|'], ['- one\n- t|wo', '- one\n  - t|wo'], ['1. one\n2. two|',
    '1. one\n   1. two|'],
    ['- one\n  - two\n- three|', '- one\n  - two\n  - three|'], ['- one|', '  - one|'], ['  - one|', '  - one|'],
    ['- one\n  - two|', '- one\n  - two|'], ['- a\n- |b\n- c|', '- a\n  - |b\n  - c|'], ['> - a\n> - b|',
    '> - a\n>   - b|'],
    ['1. a\n   1. b\n2. c|', '1. a\n   1. b\n   2. c|'], ['- [ ] a\n- [ ] b|', '- [ ] a\n  - [ ] b|'],
    ['plain|', null], ['> quote|', null],
  ]);
  check((writing) => indentLines(writing, true), [
    ['- one\n  - two|', '- one\n- two|'], ['1. one\n   1. two|', '1. one\n2. two|'], ['- one|', null],
    ['- a\n  - |b\n  - c|', '- a\n- |b\n- c|'], ['- a\n  - b\n    - c|', '- a\n  - b\n  - c|'], ['  - |one', '- |one'],
  ]);
});

test('Tab and Shift+Tab indent code in an open fence', { shows: ['K5'] }, () => {
  check((writing) => indentLines(writing, false), [
    ['```\n|', '```\n  |'], ['```\na|b', '```\na  |b'], ['```\n\tx\n|', '```\n\tx\n\t|'], ['```\n    x\n|',
    '```\n    x\n    |'],
    ['```\n|a\n\nb|', '```\n  |a\n\n  b|'], ['```js|', null],
  ]);
  check((writing) => indentLines(writing, true), [
    ['```\n  a|', '```\na|'], ['```\n\ta|', '```\na|'], ['```\n|    a\n  b|', '```\n|  a\nb|'], ['```\na|', '```\na|'],
    ['> ```\n>   a|', '> ```\n> a|'],
  ]);
});

test('bold, italic and code are set around a selection and taken away again', { shows: ['K5'] }, () => {
  const cases = {
    bold: [['|word|', '**|word|**'], ['**|word|**', '|word|'], ['|**word**|', '|word|'], ['__|word|__', '|word|'],
      ['| word |', ' **|word|** '], ['wo|rd', '**|word|**'], ['**wo|rd**', '|word|'], ['a |', 'a **|**'],
      ['a **|**', 'a |'], ['*|word|*', '***|word|***'], ['***|word|***', '*|word|*'],
      ['|- one\n- two|', '- **|one**\n- **two|**'], ['- **|one**\n- **two|**', '- |one\n- two|'],
      ['|one\n\ntwo|', '**|one**\n\n**two|**'], ['|**a** and **b**|', '**|a and b|**'], ['```\n|a|\n```',
      '```\n|a|\n```']],
    italic: [['|_a_ and _b_|', '_|a and b|_'], ['_|snake_case|_', '|snake_case|'], ['|word|', '_|word|_'],
    ['_|word|_', '|word|'], ['*|word|*', '|word|'], ['**|word|**', '**_|word|_**'],
      ['***|word|***', '**|word|**'], ['|_word_|', '|word|']],
    code: [['|word|', '`|word|`'], ['`|word|`', '|word|'], ['|a `b` c|', '`` |a `b` c| ``'], ['|`x`|', '|x|'],
      ['|a\nb|', '```\na\nb\n```\n|'], ['```\n|a\nb|\n```', '|a\nb|'], ['|```js\na\nb\n```|', '|a\nb|']],
    link: [['|docs|', '[docs](|url|)'], ['|https://a.b/c|', '[|](https://a.b/c)'], ['[|docs|](https://a.b)', '|docs|'],
      ['|[docs](https://a.b)|', '|docs|'], ['|a[b|', '[a\\[b](|url|)'], ['see [do|c|s](https://a.b/(c)) ok',
      'see |docs| ok'],
      ['|a\nb|', '|a\nb|']],
  };
  for (const [mark, pairs] of Object.entries(cases)) check((writing) => toggleMark(writing, mark), pairs);
});

test('an address pasted on selected words makes a link', { shows: ['K5'] }, () => {
  const paste = (pasted) => (writing) => linkTo(writing, pasted);
  check(paste(' https://a.b/c?d=1 \n'), [
    ['see |the docs| ok', 'see [the docs](https://a.b/c?d=1)| ok'], ['|a]b|', '[a\\]b](https://a.b/c?d=1)|'],
    ['|', null], ['| |', null], ['|https://old.example|', null], ['|a\nb|', null], ['|[a](b)|', null],
    ['`|x|`', null], ['```\n|x|', null],
  ]);
  check(paste('https://a.b/c_(d)'), [['|x|', '[x](<https://a.b/c_(d)>)|']]);
  check(paste('mailto:a@b.c'), [['|x|', '[x](mailto:a@b.c)|']]);
  for (const other of ['words', 'javascript:alert(1)', 'https://a.b and more', 'https://a\nhttps://b', '']) {
    assert.equal(linkTo(read('|x|'), other), null, other);
  }
});

test('a code block stands on lines of its own, with a fence that its text does not close', { shows: ['K5'] }, () => {
  check(asCodeBlock, [
    ['|a\nb|', '```\na\nb\n```\n|'], ['see |a\nb|', 'see \n```\na\nb\n```\n|'], ['|  a\nb\n|', '```\n  a\nb\n```\n|'],
    ['|a\n```\nb|', '````\na\n```\nb\n````\n|'], ['|a\nb|\nafter', '```\na\nb\n```\n|after'],
  ]);
});

const CODE = [
  'const a = 1;\nconst b = 2;', 'function add(a, b) {\n  return a + b;\n}', 'def add(a, b):\n    return a + b',
  'import os\nimport sys\n\nprint(os.name)', 'let x = 5\nprint(x)', 'func go() {\n\tfmt.Println("hi")\n}',
  '#include <stdio.h>\nint main(void) {\n  return 0;\n}', '<div class="a">\n  <p>Hello</p>\n</div>',
    '.a {\n  color: red;\n}',
  '{\n  "name": "hubbub",\n  "private": true\n}', 'name: ci\non: push\njobs:\n  test:\n    runs-on: ubuntu-latest',
  'SELECT name, id\nFROM people\nWHERE id = 7;', '$ git pull\n$ swift build',
    'FROM swift:6\nRUN swift build\nCMD ["./hubbub"]',
  'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    go()\nTypeError: no',
  'Error: nope\n    at go (/app/index.js:3:7)\n    at main (/app/index.js:9:1)',
    '@@ -1,2 +1,2 @@\n-let a = 1;\n+let a = 2;',
  'if [ -f x ]; then\n  rm x\nfi', 'pub fn main() {\n    println!("hi");\n}',
    'a.swift:3:7: error: no such thing\nb.swift:9:1: error: nor this',
  'for i in range(3):\n    print(i)\n    go(i)', 'class A:\n    pass\n\nclass B(A):\n    x = 1', 'x = [\n  1,\n  2,\n]',
  '// a comment that reads as a sentence\nint a;\nint b;', 'docker run \\\n  --rm \\\n  -p 80:80 \\\n  image',
];
const WORDS = [
  'one line', 'const a = 1;', 'Hello Bob,\n\nhow are you today?\n\nAda', 'milk\neggs\nbread',
    '- milk\n- eggs\n- brown bread from the market',
  '1. Open the door\n2. Go in\n3. Close the door', 'I like this.\nDo you like it as well?',
    'https://a.b/c\nhttps://d.e/f',
  'Roses are red,\nViolets are blue,\nSugar is sweet', '> I said so\n> and you agreed\n\nNo, I did not.',
  'Ada Lovelace\n12 Example Street\nLondon', 'When: Tuesday\nWhere: the usual place\nBring your own cup, please.',
  'Let me know if that works.\nFor now I will wait (as agreed).', 'Return the book to me;\nit is due on Friday.',
  'If you see this:\nplease answer soon, we have a class at noon.',
    '10:32 Ada: are you there?\n10:33 Bob: yes, what is it?',
  '# Notes\nWe met on Monday and talked about the release.', '```\nlet a = 1;\nlet b = 2;\n```',
  'Select a seat from the list\nand update the table for us', '日本語の文章です。\n二行目です。',
  'Name\tAge\nAda\t36\nBob\t41',
  'Import the file, then export it.\nClass begins at nine.', 'a\nb', '\n\n\n', ':) :)\n;) ok',
];

test('lines of code are told from other lines', { shows: ['K5'] }, () => {
  assert.deepEqual(CODE.filter((text) => !looksLikeCode(text)), [], 'code');
  assert.deepEqual(WORDS.filter((text) => looksLikeCode(text)), [], 'words');
});

test('what a key does takes time that grows with the text alone', { shows: ['K1'] }, () => {
  const cost = (act) => {
    const began = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  const acts = [
    (text) => breakLine({ text, start: text.length, end: text.length }),
    (text) => indentLines({ text, start: 0, end: text.length }, false),
    (text) => toggleMark({ text, start: 0, end: text.length }, 'bold'),
    (text) => toggleMark({ text, start: 5, end: 6 }, 'link'),
    looksLikeCode,
  ];
  for (const part of [' ', '> ', '- ', '```\n', '`', '[', '](', '*', '\n', 'a b ', '  - a\n', '(', '\t']) {
    for (const act of acts) {
      let [short, long] = [Infinity, Infinity];
      for (let round = 0; round < 3; round += 1) {
        short = Math.min(short, cost(() => act(part.repeat(10_000 / part.length))));
        long = Math.min(long, cost(() => act(part.repeat(80_000 / part.length))));
      }
      // Eight times the text: what grows with its square takes 64 times as long, a second and more.
      assert.ok(long <= 24 * short + 50, `${JSON.stringify(part)} ${acts.indexOf(act)}: ${short} ms, then ${long} ms`);
    }
  }
});
