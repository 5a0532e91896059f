import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { PersonCardViewModel, whoIsNamed } from '../../Public/js/viewmodels/personCardViewModel.js';

const ada = { id: 'a', handle: 'AdaLovelace', name: 'Ada Lovelace', first_name: 'Ada', last_name: 'Lovelace' };
const bob = { id: 'b', handle: 'bobk', login: 'bobk', name: 'Bob Kahn', member: true };

function storeWith(...people) {
  const store = new ChatStore();
  store.setMe(ada);
  for (const user of people) store.meet(user);
  return store;
}

/** An API whose answers are given by path; a path that is not given fails. */
function apiWith(answers, asked = []) {
  const answer = async (path) => {
    asked.push(path);
    if (!(path in answers)) throw Object.assign(new Error(path), { kind: 'not-found', status: 404 });
    return { body: answers[path] };
  };
  return { request: (_, path) => answer(path), directory: (path) => answer(path), openDirect: () => answer('/rooms') };
}

const clock = { now: () => Date.parse('2026-03-14T18:00:00Z') };

test('a mention names the person who has the handle now', { shows: ['L6'] }, () => {
  const message = { text: 'ask @bobk and @AdaLovelace', mentions: ['a', 'b'] };
  const store = storeWith(bob);
  assert.equal(whoIsNamed('@BobK', message, store).id, 'b');
  assert.equal(whoIsNamed('@AdaLovelace', message, store).id, 'a');
});

test('for a handle that nobody has any more, the stored ids identify the person if possible', { shows: ['L6'] }, () => {
  const store = storeWith({ ...bob, handle: 'robert' });
  assert.equal(whoIsNamed('@bobk', { text: '@bobk and @AdaLovelace', mentions: ['a', 'b'] }, store).id, 'b');
  assert.equal(whoIsNamed('@bobk', { text: '@bobk', mentions: ['x'] }, store).id, 'x', 'somebody unknown here');
  assert.equal(whoIsNamed('@bobk', { text: '@bobk, @old', mentions: ['b', 'x'] }, store), null, 'either of two');
  assert.equal(whoIsNamed('@bobk', { text: '@bobk' }, store), null);
});

test('a card shows known data at once, then the server’s and GitHub’s, and follows changes', async () => {
  const store = storeWith(bob);
  const asked = [];
  const card = new PersonCardViewModel({ store, clock, api: apiWith({
    '/users/b': { ...bob, online: true }, '/github/users/bobk': { bio: 'Packets', location: 'Here' },
  }, asked) }, { id: 'b' });
  assert.equal(card.state.face.name, 'Bob Kahn');
  assert.equal(card.state.login, 'bobk');
  assert.equal(card.state.bio, '');
  await card.open();
  assert.deepEqual([card.state.seen, card.state.bio, card.state.location], ['online', 'Packets', 'Here']);
  assert.deepEqual(asked.sort(), ['/github/users/bobk', '/users/b']);
  store.apply({ id: 1, event: 'user.updated', data: { ...bob, name: 'Robert Kahn' } }, 0);
  assert.equal(card.state.face.name, 'Robert Kahn');
  card.close();
  store.apply({ id: 2, event: 'user.updated', data: bob }, 0);
  assert.equal(card.state.face.name, 'Robert Kahn', 'a closed card changes no more');
});

test('without a response a card shows what it has; a chat that fails to open says why', async () => {
  const card = new PersonCardViewModel({ store: storeWith(), clock, api: apiWith({}) }, { id: 'z', name: 'Zoe' });
  await card.open();
  assert.deepEqual([card.state.face.name, card.state.seen, card.state.login], ['Zoe', '', '']);
  assert.equal(await card.write(), null);
  assert.notEqual(card.state.problem, '');
  assert.equal(card.state.busy, false);
});

test('my own card is marked as mine', () => {
  assert.equal(new PersonCardViewModel({ store: storeWith(), clock, api: apiWith({}) }, { id: 'a' }).state.me, true);
});
