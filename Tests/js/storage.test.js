import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrowserStorage, LocalTexts } from '../../Public/js/services/storage.js';
import { FakeIndexedDB, FakeLocalStorage } from './support/fakes.js';

test('IndexedDB keeps values; where it fails, memory does', async () => {
  const indexedDB = new FakeIndexedDB();
  const storage = new BrowserStorage(indexedDB);
  await storage.put('meta', 'a', { x: 1 });
  await storage.put('outbox', 'b', { y: 2 });
  const again = new BrowserStorage(indexedDB);
  assert.deepEqual(await again.get('meta', 'a'), { x: 1 });
  assert.deepEqual(await again.all('outbox'), [{ y: 2 }]);
  await again.delete('outbox', 'b');
  assert.deepEqual(await again.all('outbox'), []);
  indexedDB.opened[1].onversionchange();
  assert.deepEqual(await again.get('meta', 'a'), { x: 1 });
  indexedDB.opened.at(-1).onclose();
  await again.wipe();
  assert.equal(await again.get('meta', 'a'), undefined);
  assert.equal(again.lasting, true);
  indexedDB.broken = true;
  await again.put('meta', 'c', 3);
  assert.equal(again.lasting, false);
  assert.equal(await again.get('meta', 'c'), 3);
  for (const none of [undefined, null, indexedDB]) {
    const memory = new BrowserStorage(none);
    await memory.put('meta', 'a', 1);
    assert.deepEqual(await memory.all('meta'), [1]);
    await memory.delete('meta', 'a');
    await memory.put('outbox', 'b', 1);
    await memory.wipe('outbox');
    assert.deepEqual([await memory.get('meta', 'a'), await memory.all('outbox'), memory.lasting], [undefined, [], false]);
    await memory.wipe();
  }
});

test('local texts survive a full or refused storage, and wiping takes only their own', () => {
  const local = new FakeLocalStorage();
  const drafts = new LocalTexts(local, 'draft');
  const preferences = new LocalTexts(local, 'preference');
  drafts.set('a', 'one');
  preferences.set('theme', 'dark');
  assert.equal(new LocalTexts(local, 'draft').get('a'), 'one');
  drafts.wipe();
  assert.equal(drafts.get('a'), '');
  assert.equal(new LocalTexts(local, 'preference').get('theme'), 'dark');
  local.full = true;
  drafts.set('b', 'two');
  assert.equal(drafts.get('b'), 'two');
  drafts.set('b', '');
  assert.equal(drafts.get('b'), '');
  const none = new LocalTexts(null, 'draft');
  none.set('a', 'x');
  assert.equal(none.get('a'), 'x');
  none.wipe();
  assert.equal(none.get('a'), '');
  const refusing = { getItem() { throw new Error('no'); }, get length() { throw new Error('no'); } };
  const refused = new LocalTexts(refusing, 'draft');
  assert.equal(refused.get('a'), '');
  refused.wipe();
});

test('all texts of a kind are read at once, with those that could not be stored', () => {
  const local = new FakeLocalStorage();
  const drafts = new LocalTexts(local, 'draft');
  new LocalTexts(local, 'preference').set('theme', 'dark');
  new LocalTexts(local, 'draft').set('other tab', 'one');
  drafts.set('here', 'two');
  drafts.set('gone', 'x');
  drafts.set('gone', '');
  assert.deepEqual([...drafts.all()].sort(), [['here', 'two'], ['other tab', 'one']]);
  assert.equal(new LocalTexts(null, 'draft').all().size, 0);
  const refused = new LocalTexts({ get length() { throw new Error('no'); } }, 'draft');
  refused.set('a', 'kept');
  assert.deepEqual([...refused.all()], [['a', 'kept']]);
});
