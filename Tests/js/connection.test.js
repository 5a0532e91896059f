process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionViewModel } from '../../Public/js/viewmodels/connectionViewModel.js';
import { world } from './support/chatsWorld.js';
import { settle } from './support/fakes.js';

test('the connection describes its state and what is waiting', { shows: ['S5'] }, async () => {
  const here = world();
  const connection = new ConnectionViewModel(here);
  assert.deepEqual(connection.state, { state: 'online', text: '', waiting: 0, said: null });
  here.status.update({ connection: 'connecting' });
  await settle();
  assert.equal(connection.state.text, 'Connecting…');
  here.status.update({ connection: 'offline' });
  await settle();
  assert.equal(connection.state.text, 'Offline');
  const unsent = { roomId: 'a', state: 'unsent', text: '', createdAt: '2026-03-14T12:00:00.000Z' };
  here.outbox.set([unsent, { ...unsent }]);
  assert.equal(connection.state.text, 'Offline, 2 messages waiting');
  here.outbox.set([]);
  here.status.update({ connection: 'online' });
  await settle();
  here.outbox.set([unsent]);
  assert.equal(connection.state.text, '', 'what is sent at once is not spoken of');
  await here.clock.advance(1000);
  assert.equal(connection.state.text, 'Sending 1 message…');
  here.outbox.set([]);
  assert.deepEqual(connection.state, { state: 'online', text: '', waiting: 0, said: { text: 'Connected again' } });
  connection.close();
});

test('a delay requested by the server counts down, and is announced once', { shows: ['control 6'] }, async () => {
  const here = world();
  const connection = new ConnectionViewModel(here);
  const unsent = { roomId: 'a', state: 'unsent', text: '', createdAt: '2026-03-14T12:00:00.000Z' };
  here.outbox.set([unsent, { ...unsent }]);
  here.outbox.pausedUntil = here.clock.now() + 12_000;
  here.outbox.tell({ type: 'paused' });
  assert.equal(connection.state.text, '2 messages wait, sending goes on in 0:12');
  const { said } = connection.state;
  assert.equal(said.text, 'Too many messages at once. The rest follows by itself.');
  await here.clock.advance(2_000);
  assert.equal(connection.state.text, '2 messages wait, sending goes on in 0:10');
  assert.equal(connection.state.said, said);
  here.outbox.pausedUntil = null;
  here.outbox.tell({ type: 'paused' });
  assert.equal(connection.state.text, 'Sending 2 messages…');
  here.outbox.set([]);
  connection.close();
  assert.equal(here.clock.pending, 0);
});

test('reconnecting and failed messages are announced once each for screen readers',
  { shows: ['S3', 'S5', 'H4'] }, async () => {
  const here = world();
  const connection = new ConnectionViewModel(here);
  const said = [];
  let last = null;
  connection.subscribe((state) => {
    if (state.said !== last) said.push(state.said.text);
    last = state.said;
  });
  const status = async (connection) => {
    here.status.update({ connection });
    await settle();
  };
  await status('connecting');
  await here.clock.advance(999);
  await status('online');
  assert.deepEqual(said, [], 'nobody noticed that it was gone');
  await status('connecting');
  await here.clock.advance(1000);
  await status('online');
  assert.deepEqual(said.splice(0), ['Connected again']);
  await status('offline');
  await status('connecting');
  await status('online');
  assert.deepEqual(said, ['Connected again']);
  const entry = { roomId: 'a', state: 'unsent', text: 'hello', failure: null, createdAt: '2026-03-14T12:00:00.000Z' };
  here.outbox.tell({ type: 'added', entry });
  here.outbox.tell({ type: 'changed', entry: { ...entry, state: 'failed', failure: 'server' } });
  await settle();
  assert.equal(said[1], 'Not sent: hello. The server had a problem for a minute.');
  here.outbox.tell({ type: 'changed', entry });
  here.outbox.set([]);
  await settle();
  assert.equal(said.length, 2);
  here.outbox.tell({ type: 'changed', entry: { ...entry, state: 'failed', failure: 'server' } });
  await settle();
  assert.deepEqual([said.length, said[2]], [3, said[1]], 'another try that fails is said again');
  connection.close();
});

test('a first connection is not announced as a reconnection', { shows: ['S5'] }, async () => {
  const here = world();
  here.status.update({ connection: 'connecting' });
  await settle();
  const connection = new ConnectionViewModel(here);
  await here.clock.advance(5000);
  here.status.update({ connection: 'online' });
  await settle();
  assert.equal(connection.state.said, null);
  connection.close();
});
