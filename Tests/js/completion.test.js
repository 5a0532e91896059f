import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_EMOJI, emojiNamed, searchEmoji } from '../../Public/js/models/emoji.js';
import { parseMarkdown } from '../../Public/js/models/markdown/parse.js';
import { handleOf, mentionedIn, namesIn } from '../../Public/js/models/mentions.js';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { CompletionViewModel } from '../../Public/js/viewmodels/completionViewModel.js';
import { ada, bob, deferred, message } from './support/fakes.js';

const carl = {
  id: 'carl', first_name: 'Carl', last_name: 'Friedrich Gauß', name: 'Carl Friedrich Gauß', avatar_url: '',
};

function completion(members = async () => [ada, bob, carl]) {
  const store = new ChatStore();
  store.setMe(ada);
  const emoji = () => import('../../Public/js/models/emojiNames.js');
  const view = new CompletionViewModel({ members, emoji, store });
  return { view, type: (text, caret = text.length) => view.typed(text, caret) };
}

const labels = (view) => view.state.items.map((item) => item.detail || item.label);

test('@ offers the people in the chat except me; those without a login by name', { shows: ['K4'] }, async () => {
  const { view, type } = completion();
  await type('hello @');
  assert.deepEqual([view.state.open, view.state.kind, labels(view)], [true, 'people', ['@bob', '@CarlFriedrichGauß']]);
  await type('hello @ga');
  assert.deepEqual(labels(view), ['@CarlFriedrichGauß'], 'by any of the names');
  assert.deepEqual(view.accept(), { text: 'hello @CarlFriedrichGauß ', caret: 25 });
  assert.equal(view.state.open, false);
  await type('a@b');
  assert.equal(view.state.open, false, 'an address is no mention');
  await type('(@b');
  assert.deepEqual(labels(view), ['@bob']);
});

test('an emoji table that fails to load does not affect typing, and is retried with the next name',
  { shows: ['K4'] }, async () => {
  const tables = [Promise.reject(new TypeError('Failed to fetch')), Promise.reject(new TypeError('Failed to fetch'))];
  const emoji = () => tables.shift() ?? import('../../Public/js/models/emojiNames.js');
  const view = new CompletionViewModel({ members: async () => [], emoji, store: new ChatStore() });
  assert.equal(await view.typed('I :hear', 7), null);
  assert.equal(view.state.open, false);
  assert.equal(await view.typed('I :heart:', 9), null);
  assert.equal(tables.length, 0);
  assert.equal((await view.typed('I :heart:', 9)).text.startsWith('I :'), false);
  await view.typed('I :hear', 7);
  assert.equal(view.state.open, true);
});

test('a completed name replaces what was typed, in the middle too', { shows: ['K4'] }, async () => {
  const { view, type } = completion();
  await type('ask @bo about it', 7);
  assert.deepEqual(view.accept(), { text: 'ask @bob about it', caret: 9 });
});

test(': offers emoji after two letters, and a complete shortcode becomes its emoji', { shows: ['K4'] }, async () => {
  const { view, type } = completion();
  await type('well :t');
  assert.equal(view.state.open, false);
  await type('well :tad');
  assert.deepEqual([view.state.kind, labels(view)[0]], ['emoji', ':tada:']);
  assert.deepEqual(view.accept(0), { text: 'well 🎉 ', caret: 8 });
  assert.deepEqual(await type('well :tada:'), { text: 'well 🎉', caret: 7 });
  assert.equal(await type('well :nothing_like_it:'), null);
  assert.equal(await type('at 12:30:'), null);
  assert.equal(view.state.open, false);
});

test(': finds all of GitHub’s shortcodes, the common ones first', { shows: ['K4'] }, async () => {
  const { view, type } = completion();
  await type(':hear');
  assert.equal(labels(view)[0], ':heart:');
  for (const [name, emoji] of [['zimbabwe', '🇿🇼'], ['octopus', '🐙'], ['woman_astronaut', '👩‍🚀'], ['shipit', null]]) {
    await type(`:${name}`);
    assert.equal(view.state.items[0]?.emoji ?? null, emoji, name);
    assert.equal((await type(`:${name}:`))?.text ?? null, emoji, name);
  }
});

test('arrow keys wrap around, Escape closes for this word only', { shows: ['K4'] }, async () => {
  const { view, type } = completion();
  await type('@');
  view.move(-1);
  assert.equal(view.state.active, 1);
  view.move(1);
  assert.equal(view.state.active, 0);
  view.dismiss();
  await type('@b');
  assert.equal(view.state.open, false);
  await type('@b and @');
  assert.equal(view.state.open, true);
  view.close();
  assert.equal(view.accept(), null);
});

test('late names do not show for a different word; a failed load is retried',
  { shows: ['K4'] }, async () => {
  const gate = deferred();
  let fails = true;
  const { view, type } = completion(() => gate.promise);
  const first = type('@b');
  const second = type('@bx');
  gate.resolve([bob]);
  await Promise.all([first, second]);
  assert.equal(view.state.open, false);
  const again = completion(async () => {
    if (fails) throw new Error('network');
    return [bob];
  });
  await again.type('@b');
  assert.equal(again.view.state.open, false);
  fails = false;
  await again.type('@bo');
  assert.equal(again.view.state.open, true);
});

test('the table: every emoji once, none longer than the server accepts, shortcodes found by prefix', () => {
  assert.ok(ALL_EMOJI.length >= 300);
  assert.equal(new Set(ALL_EMOJI.map(({ emoji }) => emoji)).size, ALL_EMOJI.length);
  const names = ALL_EMOJI.flatMap((one) => one.names);
  assert.equal(new Set(names).size, names.length);
  for (const { emoji } of ALL_EMOJI) assert.ok(new TextEncoder().encode(emoji).length <= 32, emoji);
  for (const name of names) assert.match(name, /^[a-z0-9_+-]+$/);
  assert.equal(emojiNamed('+1'), '👍');
  assert.equal(emojiNamed('nothing'), null);
  assert.equal(searchEmoji('heart', 1)[0].name, 'heart');
  assert.ok(searchEmoji('check').some(({ name }) => name === 'white_check_mark'));
  assert.equal(searchEmoji('white check')[0].name, 'white_check_mark');
});

test('mentions: whole names at the start of a word, one’s own marked, unknown ones by position',
  { shows: ['K4', 'R3'] }, () => {
  const store = new ChatStore();
  store.setMe(ada);
  for (const user of [bob, carl]) store.meet(user);
  const text = '@bob, @ada and others';
  const of = (mentions, members) => mentionedIn(message(1, { text, mentions, ...members }), store);
  assert.equal(of(['bob', 'ada']), 'bob !ada');
  assert.equal(of([]), '');
  assert.equal(of(['bob'], { deleted_at: 'x' }), '');
  const found = (text, mentioned) => {
    const names = namesIn(mentioned);
    return parseMarkdown(text, { mentions: (name) => names(name) !== null }).children[0].children
      .filter(({ type }) => type === 'mention').map(({ name }) => [`@${name}`, names(name) === 'own']);
  };
  assert.deepEqual(found('@Bob, @bobby and ask@bob @ada-', 'bob !ada'), [['@Bob', false], ['@ada', true]]);
  assert.deepEqual(found('hi @carlfriedrichgauß!', of(['carl'])), [['@carlfriedrichgauß', false]]);
  assert.deepEqual(found('hi @stranger', of(['nobody-known'])), [['@stranger', false]]);
  assert.deepEqual(found('hi @stranger', 'bob'), []);
  // The name used at the time: the stored id identifies the person.
  store.meet({ ...bob, handle: 'robert', login: undefined });
  assert.deepEqual(found('ask @bob', of(['bob'], { text: 'ask @bob' })), [['@bob', false]]);
  assert.deepEqual(found('ask @old', of(['ada'], { text: 'ask @old' })), [['@old', true]]);
  assert.equal(handleOf({ handle: 'given', login: 'x' }), 'given');
  assert.equal(handleOf({ name: 'No Parts' }), 'NoParts');
});

test('searching for names takes linear time',
  { shows: ['control 10'] }, () => {
  // In processor time, which a busy machine does not stretch; in turns, so that both see the same machine.
  const cost = (text) => {
    const began = process.cpuUsage();
    const names = namesIn('bob !ada');
    parseMarkdown(text, { mentions: (name) => names(name) !== null });
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  for (const part of ['@', '@a', '@ada ', 'aaaa', '@-', '-@']) {
    let [short, long] = [Infinity, Infinity];
    for (let round = 0; round < 5; round += 1) {
      short = Math.min(short, cost(part.repeat(10_000)));
      long = Math.min(long, cost(part.repeat(80_000)));
    }
    // Eight times the text: what grows with its square takes 64 times as long.
    assert.ok(long <= 24 * short + 50, `${part}: ${short} ms, then ${long} ms`);
  }
});
