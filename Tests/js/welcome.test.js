import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { WelcomeViewModel } from '../../Public/js/viewmodels/welcomeViewModel.js';

const newcomer = { id: 'a', name: 'Ada', avatar_url: '/api/v1/avatars/initials-a' };

function welcome({ me = newcomer, rooms = 0, mayNotify = () => true, offersGitHub = true } = {}) {
  const store = new ChatStore();
  const kept = new Map();
  const preferences = { set: (name, value) => kept.set(name, value) };
  const model = new WelcomeViewModel({ store, preferences, mayNotify, offersGitHub });
  model.open();
  assert.deepEqual(model.state.items, [], 'nothing is known yet');
  store.load(Array.from({ length: rooms }, (_, id) => ({ id: `r${id}`, kind: 'group', name: 'x', last_seq: 0 })), 5);
  store.setMe(me);
  return { model, store, kept };
}

test('a newcomer is invited to what is missing', () => {
  assert.deepEqual(welcome().model.state.items, ['notifications', 'picture', 'gitHub']);
  const me = { ...newcomer, avatar_url: '/api/v1/avatars/x', login: 'ada' };
  assert.deepEqual(welcome({ me }).model.state.items, ['notifications']);
  assert.deepEqual(welcome({ mayNotify: () => false, offersGitHub: false }).model.state.items, ['picture']);
});

test('what is done goes; once all is, or it was dismissed, it never comes again', () => {
  const { model, store, kept } = welcome({ mayNotify: () => false });
  store.setMe({ ...newcomer, login: 'ada' });
  assert.deepEqual(model.state.items, ['picture']);
  store.setMe({ ...newcomer, login: 'ada', avatar_url: '/api/v1/avatars/x' });
  assert.deepEqual([model.state.items.length, kept.get('welcome')], [0, 'done']);
  const third = welcome({ offersGitHub: false });
  third.store.apply({ id: 6, event: 'user.updated', data: { ...newcomer, avatar_url: '/api/v1/avatars/x' } }, 0);
  assert.deepEqual(third.model.state.items, ['notifications'], 'a picture from another device');
  const other = welcome();
  other.model.dismiss();
  other.store.setMe(newcomer);
  assert.deepEqual([other.model.state.items.length, other.kept.get('welcome')], [0, 'done']);
});

test('whoever has several chats is no newcomer', () => {
  const { model, kept } = welcome({ rooms: 3 });
  assert.deepEqual([model.state.items.length, kept.get('welcome')], [0, 'done']);
});
