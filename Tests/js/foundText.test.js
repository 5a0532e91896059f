import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foundIn } from '../../Public/js/models/foundText.js';

/** The text with what is found in brackets. */
function marked(text, ...words) {
  let shown = '';
  let end = 0;
  for (const range of foundIn(text, words)) {
    shown += `${text.slice(end, range.start)}[${text.slice(range.start, range.end)}]`;
    ({ end } = range);
  }
  return shown + text.slice(end);
}

test('whole words are found, and the parts that capitals begin', { shows: ['Q1'] }, () => {
  const examples = [
    ['[go] and going', ['go']], ['a foo[Bar]Baz, Barn', ['Bar']], ['[HTTP]Server', ['HTTP']],
    ['[#12] and #123', ['#12']],
    ['[Tea] in the [Teahouse], [teapot]', ['Tea', 'Teahouse', 'teapot']], ['我们[搜索]问题', ['搜索']],
    ['the [parser reads] on, reads', ['parser reads']], ['[naïve] naïveté', ['naïve']],
    ['cafe [cafe\u0301]', ['cafe\u0301']],
    ['x [a b c] d', ['b', 'a b c']], ['[one two] x', ['one\n two']], ['snake_[case]', ['case']], ['none', ['']],
    ['🎉[party]🎉', ['party']], ['𝒳y and [y]', ['y']],
  ];
  for (const [expected, words] of examples) {
    assert.equal(marked(expected.replaceAll(/[[\]]/g, ''), ...words), expected);
  }
});
