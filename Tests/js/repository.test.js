import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { RepositoryViewModel } from '../../Public/js/viewmodels/groups/repositoryViewModel.js';
import { ada, bob } from './support/fakes.js';

const room = (repository) => ({
  id: 'room', kind: 'direct', peer: bob, repository, last_seq: 0, read_seq: 0, unread_count: 0, mention_count: 0,
  updated_at: '2026-03-14T12:00:00.000Z',
});

function make({ repository = null, change = (patch) => room(patch.repository) } = {}) {
  const store = new ChatStore();
  store.setMe(ada);
  store.putRoom(room(repository));
  const sent = [];
  const groups = {
    change: async (_id, patch) => {
      sent.push(patch);
      return { body: change(patch) };
    },
  };
  return { view: new RepositoryViewModel('room', { groups, store }), store, sent };
}

test('a repository is stored by its name or address, and taken away', { shows: ['K5'] }, async () => {
  const { view, sent } = make();
  for (const [typed, stored] of [['apple/swift', 'apple/swift'], [' apple/swift ', 'apple/swift'],
    ['https://github.com/apple/swift', 'apple/swift'], ['github.com/a/b.git', 'a/b'],
    ['https://github.com/a/b.c/issues/1', 'a/b.c'], ['', null]]) {
    view.set('repository', typed);
    assert.equal(await view.save(), true, typed);
    assert.deepEqual(sent.at(-1), { repository: stored });
    assert.deepEqual([view.state.stored, view.state.values.repository], [stored ?? '', stored ?? '']);
    assert.notEqual(view.state.note, '');
  }
});

test('what is no repository is told at the field, before and after the server', { shows: ['K5'] }, async () => {
  const refused = () => {
    throw Object.assign(new Error(), { kind: 'invalid', errors: [{ field: 'repository', code: 'invalid' }] });
  };
  const { view, sent } = make({ change: refused });
  for (const wrong of ['swift', 'a/b/c', '-a/b', 'a/..', 'a b/c', 'https://example.com/a/b']) {
    view.set('repository', wrong);
    assert.equal(await view.save(), false, wrong);
    assert.match(view.state.fieldErrors.repository, /owner\/name/);
  }
  assert.deepEqual(sent, []);
  view.set('repository', 'apple/swift');
  assert.deepEqual(view.state.fieldErrors, {});
  assert.equal(await view.save(), false);
  assert.match(view.state.fieldErrors.repository, /owner\/name/);
  const offline = make({ change: () => { throw Object.assign(new Error(), { kind: 'network' }); } });
  offline.view.set('repository', 'apple/swift');
  await offline.view.save();
  assert.notEqual(offline.view.state.formError, null);
});

test('another’s change shows at once, but not over what is being typed', { shows: ['K5'] }, () => {
  const { view, store } = make({ repository: 'a/b' });
  assert.equal(view.state.values.repository, 'a/b');
  store.putRoom(room('c/d'));
  assert.deepEqual([view.state.stored, view.state.values.repository], ['c/d', 'c/d']);
  view.set('repository', 'half');
  store.putRoom(room('e/f'));
  assert.deepEqual([view.state.stored, view.state.values.repository], ['e/f', 'half']);
});
