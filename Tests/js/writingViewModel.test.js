import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WritingViewModel } from '../../Public/js/viewmodels/writingViewModel.js';

const at = (text, start = text.length, end = start) => ({ text, start, end });
const key = (name, more = {}) => ({ name, shift: false, command: false, sends: false, cancels: false, ...more });
const RETURN = key('Enter', { sends: true });
const CODE = 'def go():\n    return 1';

test('Return sends, but breaks the line in an open fence; with Ctrl it always sends', { shows: ['K1'] }, () => {
  const view = new WritingViewModel();
  assert.equal(view.press(RETURN, at('- one')), null);
  assert.equal(view.press(RETURN, at('```\na')).text, '```\na\n');
  assert.equal(view.press(RETURN, at('```\na\n```')), null);
  assert.equal(view.press(key('Enter', { sends: true, command: true }), at('```\na')), null);
  assert.equal(view.press(key('Enter', { shift: true }), at('- one')).text, '- one\n- ');
  assert.equal(view.press(key('Enter'), at('- one')).text, '- one\n- ', 'as on-screen keyboards press it');
  assert.equal(view.press(key('Enter', { shift: true }), at('one')), null);
});

test('Tab is left to the page outside of lists and code, and after Escape', { shows: ['H4'] }, () => {
  const view = new WritingViewModel();
  const list = at('- one\n- two');
  assert.equal(view.press(key('Tab'), at('one')), null);
  assert.equal(view.press(key('Escape'), at('one')), null, 'Escape keeps its meaning where Tab has its own');
  assert.equal(view.press(key('Tab'), list).text, '- one\n  - two');
  assert.equal(view.press(key('Escape'), list), list, 'taken');
  assert.equal(view.state.tabLeaves, true);
  assert.equal(view.press(key('Escape'), list), null, 'the second one is the page’s');
  view.press(key('Shift', { shift: true }), list);
  assert.equal(view.press(key('Tab', { shift: true }), list), null);
  view.press(key('Escape'), list);
  view.press(key('x'), list);
  assert.equal(view.state.tabLeaves, false);
  assert.equal(view.press(key('Escape', { cancels: true }), list), null, 'ends a reply as well');
  view.moved();
  assert.notEqual(view.press(key('Tab'), list), null);
});

test('letters with Ctrl set marks; K only around a selection', { shows: ['K5'] }, () => {
  const view = new WritingViewModel();
  const command = (name, writing) => view.press(key(name, { command: true }), writing);
  assert.equal(command('b', at('word', 0, 4)).text, '**word**');
  assert.equal(command('k', at('word', 0, 4)).text, '[word](url)');
  assert.equal(command('k', at('word')), null);
  assert.equal(command('c', at('word', 0, 4)), null);
  assert.equal(view.press(key('b'), at('word', 0, 4)), null);
});

test('pasted code is offered as a block while it stands in the text', { shows: ['K5'] }, () => {
  const view = new WritingViewModel();
  const paste = (pasted, before = '') => {
    const linked = view.paste(pasted, at(before));
    view.typed(before + pasted.replaceAll('\r\n', '\n'));
    return linked;
  };
  assert.equal(paste('two\nlines'), null);
  assert.equal(view.state.offersCode, false);
  assert.equal(paste(CODE.replaceAll('\n', '\r\n'), 'see '), null);
  assert.equal(view.state.offersCode, true);
  view.typed(`see ${CODE} and more`);
  assert.equal(view.state.offersCode, true);
  assert.equal(view.press(key('e', { command: true }), at(`see ${CODE}`)).text, `see \n\`\`\`\n${CODE}\n\`\`\`\n`);
  assert.equal(view.state.offersCode, false);
  paste(CODE);
  view.typed('def');
  assert.equal(view.state.offersCode, false, 'it was changed');
  paste(CODE);
  assert.notEqual(view.press(key('Escape'), at(CODE)), null);
  assert.equal(view.state.offersCode, false);
  paste(CODE, '```\n');
  assert.equal(view.state.offersCode, false, 'it is in a block');
  assert.equal(view.paste('https://a.b', at('word', 0, 4)).text, '[word](https://a.b)');
});

test('the preview opens for a text, and closes with it', { shows: ['K5'] }, () => {
  const view = new WritingViewModel();
  const writing = at('x');
  const toggle = () => view.press(key('p', { command: true, shift: true }), writing);
  toggle();
  assert.equal(view.state.previews, false, 'nothing to show');
  view.typed('x');
  assert.equal(toggle(), writing);
  assert.equal(view.state.previews, true);
  view.typed(' ');
  assert.equal(view.state.previews, true);
  assert.equal(view.press(key('Escape'), at('x')).text, 'x');
  assert.equal(view.state.previews, false);
  view.typed('x');
  view.togglePreview();
  view.typed('');
  assert.deepEqual([view.state.previews, view.state.isEmpty], [false, true], 'sent');
});

test('on touch there are tools for the selection, and in lists and code', { shows: ['K5'] }, () => {
  const view = new WritingViewModel();
  assert.deepEqual(view.toolsAt(at('word', 0, 4)), ['bold', 'italic', 'code', 'link']);
  assert.deepEqual(view.toolsAt(at('word')), []);
  assert.deepEqual(view.toolsAt(at('- one')), ['outdent', 'indent']);
  assert.deepEqual(view.toolsAt(at('```\nx', 4, 5)), ['outdent', 'indent']);
  assert.equal(view.use('indent', at('- a\n- b')).text, '- a\n  - b');
  assert.equal(view.use('outdent', at('- a')).text, '- a');
  assert.equal(view.use('bold', at('word', 0, 4)).text, '**word**');
});
