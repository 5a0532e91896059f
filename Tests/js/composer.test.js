process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ComposerViewModel } from '../../Public/js/viewmodels/composerViewModel.js';
import { conversationWorld as world } from './support/conversationWorld.js';
import { deferred, message, settle } from './support/fakes.js';

test('a draft belongs to its chat, is stored, and is sent only there', { shows: ['K3'] }, () => {
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

test('empty and overlong texts are not sent; characters are counted as people count them', () => {
  const { services, outbox } = world();
  const composer = new ComposerViewModel('room', services);
  composer.input('  \n ');
  assert.deepEqual([composer.state.canSend, composer.send()], [false, false]);
  composer.input('😀'.repeat(9_600));
  assert.deepEqual([composer.state.remaining, composer.state.hint, composer.state.canSend],
    [400, '400 characters left', true]);
  composer.input('😀'.repeat(10_001));
  assert.deepEqual([composer.state.tooLong, composer.state.canSend, composer.state.remaining], [true, false, -1]);
  assert.match(composer.state.hint, /1 character too long/);
  assert.equal(composer.send(), false);
  assert.equal(outbox.waiting, 0);
  composer.input('x');
  assert.equal(composer.state.remaining, null);
});

test('typing is reported at most every four seconds, and its end', { shows: ['S6'] }, async () => {
  const { services, api, clock } = world({ methods: { send: () => new Promise(() => {}) } });
  const composer = new ComposerViewModel('room', services);
  const told = () => api.calls.filter(([name]) => name === 'typing').map(([, , typing]) => typing);
  composer.input('a');
  await clock.advance(100);
  composer.input('ab');
  assert.deepEqual(told(), [], 'no key waits for a request');
  await clock.advance(150);
  assert.deepEqual(told(), [true]);
  await clock.advance(3900);
  composer.input('abc');
  assert.deepEqual(told(), [true]);
  await clock.advance(100);
  composer.input('abcd');
  await clock.advance(250);
  assert.deepEqual(told(), [true, true]);
  await clock.advance(4750);
  assert.deepEqual(told(), [true, true, false]);
  composer.input('abcde');
  await clock.advance(250);
  composer.send();
  composer.blur();
  await settle();
  assert.deepEqual(told(), [true, true, false, true, false], 'sending ends it, once');
  composer.input('x');
  await clock.advance(250);
  composer.input('');
  await settle();
  assert.deepEqual(told().slice(-2), [true, false]);
  const before = told().length;
  composer.input('sent at once');
  composer.send();
  composer.close();
  await clock.advance(10_000);
  assert.equal(told().length, before, 'what was sent at once was never typing');
});

test('the end of typing never overtakes its start on the way to the server', { shows: ['S6'] }, async () => {
  const first = deferred();
  const told = [];
  const { services, clock } = world({
    methods: {
      send: () => new Promise(() => {}),
      typing: (_room, typing) => {
        told.push(typing);
        return told.length === 1 ? first.promise : Promise.resolve();
      },
    },
  });
  const composer = new ComposerViewModel('room', services);
  const painted = [];
  clock.afterPaint = (act) => painted.push(act);
  composer.input('a');
  await clock.advance(250);
  composer.send();
  await settle();
  assert.equal(painted.length, 1, 'its own bubble is painted first');
  painted.shift()();
  await settle();
  assert.deepEqual(told, [true]);
  first.resolve();
  await settle();
  assert.deepEqual(told, [true, false]);
});

test('an edit uses the field without changing the draft, which returns',
  { shows: ['C7', 'K3', 'K4'] }, async () => {
  const edited = [];
  const { services, server, outbox, drafts } = world({ count: 2 });
  server.answers.set('PATCH /messages/2',
    ({ body }) => ({ ...message(2), ...body, edited_at: '2026-03-14T12:00:00.000Z' }));
  const composer = new ComposerViewModel('room', services, async (seq, text) => {
    edited.push((await services.messageApi.edit('room', seq, text)).body.text);
  });
  composer.input('half a thought');
  composer.edit({ seq: 2, text: 'teh end' });
  assert.deepEqual([composer.state.text, composer.state.banner.kind, composer.state.canSend],
    ['teh end', 'edit', true]);
  composer.input('the end');
  assert.equal(drafts.get('room'), 'half a thought');
  assert.equal(composer.send(), false, 'the field is not empty: the draft comes back');
  assert.equal(composer.state.busy, true);
  composer.input('typed meanwhile');
  await settle();
  assert.deepEqual([composer.state.text, composer.state.banner, composer.state.busy], ['half a thought', null, false]);
  assert.deepEqual(edited, ['the end']);
  assert.deepEqual(outbox.entries('room'), []);
  composer.edit({ seq: 2, text: 'the end' });
  composer.send();
  assert.equal(composer.state.banner, null, 'unchanged: nothing to save');
  composer.edit({ seq: 2, text: 'the end' });
  composer.input('');
  assert.equal(composer.state.canSend, false);
  assert.equal(composer.cancel(), true);
  assert.deepEqual([composer.cancel(), composer.state.text], [false, 'half a thought']);
});

test('a failed edit stays in the field with the reason; offline it is not tried',
  { shows: ['C7', 'S5'] }, async () => {
  const { services, status, api } = world({ count: 2 });
  const save = (seq, text) => services.messageApi.edit('room', seq, text);
  const composer = new ComposerViewModel('room', services, save);
  composer.edit({ seq: 2, text: 'one' });
  composer.input('two');
  composer.send();
  await settle();
  assert.match(composer.state.error, /change is not saved. That message is not there any more/);
  assert.deepEqual([composer.state.text, composer.state.banner.kind, composer.state.canSend], ['two', 'edit', true]);
  composer.input('three');
  assert.equal(composer.state.error, '');
  status.update({ connection: 'offline' });
  const before = api.calls.length;
  composer.send();
  assert.match(composer.state.error, /You are offline/);
  assert.equal(api.calls.length, before);
  assert.equal(composer.state.text, 'three');
});

test('a reply belongs to its chat and draft, is sent with the message, and can be cancelled',
  { shows: ['C7', 'K3'] }, async () => {
  const { services, outbox } = world({ count: 2, methods: { send: () => new Promise(() => {}) } });
  const composer = new ComposerViewModel('room', services);
  composer.reply({ seq: 2, name: 'Bob', text: 'text 2' });
  composer.input('an answer');
  composer.edit({ seq: 1, text: 'mine' });
  assert.equal(composer.state.banner.kind, 'edit');
  composer.cancel();
  assert.deepEqual([composer.state.banner.kind, composer.state.banner.title], ['reply', 'Reply to Bob']);
  assert.equal(new ComposerViewModel('other', services).state.banner, null);
  composer.close();
  const again = new ComposerViewModel('room', services);
  assert.equal(again.state.banner.seq, 2);
  assert.equal(again.send(), true);
  assert.deepEqual(outbox.entries('room').map(({ text, replyTo }) => [text, replyTo]), [['an answer', 2]]);
  assert.equal(again.state.banner, null);
  again.reply({ seq: 1, name: 'Bob', text: 'text 1' });
  assert.equal(again.cancel(), true);
  again.input('no answer');
  again.send();
  assert.equal(outbox.entries('room').at(-1).replyTo, null);
});
