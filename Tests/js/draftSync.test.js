import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DraftSync } from '../../Public/js/services/draftSync.js';
import { ComposerViewModel } from '../../Public/js/viewmodels/composerViewModel.js';
import { conversationWorld as world } from './support/conversationWorld.js';
import { deferred, failure, room, settle } from './support/fakes.js';

function writing(options) {
  const made = world({ ...options, methods: { send: () => new Promise(() => {}), ...options?.methods } });
  const put = [];
  made.server.answers.set('PATCH ', ({ body }) => { put.push(body.draft); return null; });
  return { ...made, put, composer: new ComposerViewModel('room', made.services) };
}

test('a draft is stored with every key, sent after a pause and on leaving, and cleared by sending',
  { shows: ['K3'] }, async () => {
  const { composer, put, drafts, clock, services } = writing();
  composer.input('a');
  composer.input('ab');
  assert.equal(drafts.get('room'), 'ab');
  await clock.advance(700);
  assert.deepEqual(put, []);
  await clock.advance(100);
  assert.deepEqual(put, ['ab']);
  await clock.advance(10_000);
  assert.deepEqual(put, ['ab'], 'once');
  composer.input('abc');
  composer.leave();
  await settle();
  assert.deepEqual(put, ['ab', 'abc']);
  composer.send();
  await settle();
  assert.deepEqual(put, ['ab', 'abc', '']);
  composer.input('quick');
  composer.send();
  await clock.advance(5000);
  assert.deepEqual(put, ['ab', 'abc', ''], 'what never reached the server needs no clearing');
  assert.equal(services.store.room('room').draft, '');
});

test('a draft from another device shows, unless there is unsent input here',
  { shows: ['K3'] }, async () => {
  const { composer, event, clock, put } = writing();
  event('draft.updated', { room_id: 'room', draft: 'from the phone' });
  assert.equal(composer.state.text, 'from the phone');
  composer.input('from the phone, and on');
  event('draft.updated', { room_id: 'room', draft: 'stale' });
  assert.equal(composer.state.text, 'from the phone, and on');
  await clock.advance(800);
  assert.deepEqual(put, ['from the phone, and on']);
  event('draft.updated', { room_id: 'room', draft: 'from the phone, and on' });
  event('draft.updated', { room_id: 'room', draft: '' });
  assert.equal(composer.state.text, '', 'sent from the phone');
  event('draft.updated', { room_id: 'elsewhere', draft: 'not here' });
  assert.equal(composer.state.text, '');
});

test('the echo of an earlier draft undoes no later input', { shows: ['K3'] }, async () => {
  const { composer, event, clock } = writing();
  composer.input('one');
  await clock.advance(800);
  composer.input('one two');
  await clock.advance(800);
  event('draft.updated', { room_id: 'room', draft: 'one' });
  assert.equal(composer.state.text, 'one two');
  event('draft.updated', { room_id: 'room', draft: 'one two' });
  assert.equal(composer.state.text, 'one two');
  event('draft.updated', { room_id: 'room', draft: 'one' });
  assert.equal(composer.state.text, 'one', 'this one comes from elsewhere');
});

test('a draft from elsewhere waits while a message is edited', { shows: ['K3', 'C7'] }, () => {
  const { composer, event } = writing();
  composer.edit({ seq: 1, text: 'mine' });
  event('draft.updated', { room_id: 'room', draft: 'from the phone' });
  assert.equal(composer.state.text, 'mine');
  composer.cancel();
  assert.equal(composer.state.text, 'from the phone');
});

test('unsent drafts are sent when the connection is back, even after a reload', { shows: ['K3'] }, async () => {
  const { composer, server, clock, status, put, services } = writing();
  server.answers.set('PATCH ', () => { throw failure('network'); });
  composer.input('kept');
  await clock.advance(800);
  server.answers.set('PATCH ', ({ body }) => { put.push(body.draft); return null; });
  status.update({ connection: 'connecting' });
  await settle();
  status.update({ connection: 'online' });
  await settle();
  assert.deepEqual(put, ['kept']);
  services.store.putRoom(room({ draft: 'older' }));
  services.drafts.set('room', 'from before the reload');
  services.drafts.set('room#new', 'yes');
  const draftSync = new DraftSync(services);
  assert.equal(new ComposerViewModel('room', { ...services, draftSync }).state.text, 'from before the reload');
  await clock.advance(800);
  assert.deepEqual(put, ['kept', 'from before the reload']);
});

test('a refused draft is not sent again and again; one that is too long stays here', { shows: ['K3'] }, async () => {
  const { composer, server, clock, put } = writing();
  server.answers.set('PATCH ', () => { put.push('refused'); throw failure('invalid', { status: 422 }); });
  composer.input('x');
  await clock.advance(60_000);
  assert.deepEqual(put, ['refused']);
  composer.input('x'.repeat(10_001));
  await clock.advance(60_000);
  assert.deepEqual(put, ['refused']);
});

test('the length of a draft is counted in code points, as the server counts it', { shows: ['K3'] }, async () => {
  const { composer, put, clock } = writing();
  const longest = '🙂'.repeat(10_000);
  composer.input(longest);
  await clock.advance(800);
  assert.deepEqual(put, [longest]);
});

test('typing during a request sends the newer draft after it, never before',
  { shows: ['K3'] }, async () => {
  const gate = deferred();
  const { composer, server, clock, put } = writing();
  server.answers.set('PATCH ', async ({ body }) => { put.push(body.draft); await gate.promise; return null; });
  composer.input('one');
  await clock.advance(800);
  composer.input('two');
  composer.send();
  await clock.advance(2000);
  assert.deepEqual(put, ['one']);
  gate.resolve();
  await settle();
  await clock.advance(1000);
  assert.deepEqual(put, ['one', '']);
});

test('the server’s draft is used for a chat without input here', { shows: ['K3'] }, () => {
  const { services, store } = world();
  services.drafts.set('room', 'left over');
  store.putRoom(room({ draft: 'from the phone' }));
  assert.equal(new ComposerViewModel('room', services).state.text, 'from the phone');
  const unknown = world({ known: false });
  unknown.drafts.set('room', 'kept here');
  assert.equal(new ComposerViewModel('room', unknown.services).state.text, 'kept here');
  const composer = new ComposerViewModel('room', unknown.services);
  unknown.store.load([room({ draft: 'the server’s' })], 100);
  assert.equal(composer.state.text, 'the server’s');
});

test('another tab’s typing does not withhold a draft from this one', { shows: ['K3'] }, async () => {
  const { composer, event, services } = writing();
  const other = new DraftSync({ ...services, api: { request: () => new Promise(() => {}) } });
  other.set('room', 'typed there');
  event('draft.updated', { room_id: 'room', draft: 'typed there' });
  assert.equal(composer.state.text, 'typed there');
});
