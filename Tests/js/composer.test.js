process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ComposerViewModel } from '../../Public/js/viewmodels/composerViewModel.js';
import { conversationWorld as world } from './support/conversationWorld.js';
import { deferred, message, settle } from './support/fakes.js';

test('a draft belongs to its chat, is kept, and is sent only there (K3)', () => {
  const { services, drafts, outbox } = world({ methods: { send: () => new Promise(() => {}) } });
  const one = new ComposerViewModel('one', services);
  const two = new ComposerViewModel('two', services);
  one.input('for one');
  two.input('for two');
  assert.equal(new ComposerViewModel('one', services).state.text, 'for one');
  assert.equal(two.send(), true);
  assert.deepEqual(outbox.entries('two').map((entry) => entry.text), ['for two']);
  assert.deepEqual(outbox.entries('one'), []);
  assert.equal(drafts.get('two'), '');
  assert.equal(drafts.get('one'), 'for one');
  assert.equal(two.state.text, '');
});

test('nothing empty and nothing too long is sent; characters are counted as people count them', () => {
  const { services, outbox } = world();
  const composer = new ComposerViewModel('room', services);
  composer.input('  \n ');
  assert.deepEqual([composer.state.canSend, composer.send()], [false, false]);
  composer.input('😀'.repeat(9_600));
  assert.deepEqual([composer.state.remaining, composer.state.hint, composer.state.canSend], [400, '400 characters left', true]);
  composer.input('😀'.repeat(10_001));
  assert.deepEqual([composer.state.tooLong, composer.state.canSend, composer.state.remaining], [true, false, -1]);
  assert.match(composer.state.hint, /1 character too long/);
  assert.equal(composer.send(), false);
  assert.equal(outbox.waiting, 0);
  composer.input('x');
  assert.equal(composer.state.remaining, null);
});

test('typing is told at most every four seconds, and its end (S6)', async () => {
  const { services, api, clock } = world({ methods: { send: () => new Promise(() => {}) } });
  const composer = new ComposerViewModel('room', services);
  const told = () => api.calls.filter(([name]) => name === 'typing').map(([, , typing]) => typing);
  composer.input('a');
  composer.input('ab');
  assert.deepEqual(told(), [true]);
  await clock.advance(4000);
  composer.input('abc');
  assert.deepEqual(told(), [true, true]);
  await clock.advance(5000);
  assert.deepEqual(told(), [true, true, false]);
  composer.input('abcd');
  composer.send();
  composer.blur();
  await settle();
  assert.deepEqual(told(), [true, true, false, true, false], 'sending ends it, once');
  composer.input('x');
  composer.input('');
  await settle();
  assert.deepEqual(told().slice(-2), [true, false]);
  composer.close();
  assert.deepEqual(told().slice(-1), [false]);
});

test('the end of typing never overtakes its beginning on the way to the server (S6)', async () => {
  const first = deferred();
  const told = [];
  const { services } = world({
    methods: {
      send: () => new Promise(() => {}),
      typing: (_room, typing) => {
        told.push(typing);
        return told.length === 1 ? first.promise : Promise.resolve();
      },
    },
  });
  const composer = new ComposerViewModel('room', services);
  composer.input('a');
  composer.send();
  await settle();
  assert.deepEqual(told, [true]);
  first.resolve();
  await settle();
  assert.deepEqual(told, [true, false]);
});
