import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrowserStorage, LocalTexts } from '../../Public/js/services/storage.js';
import { FakeIndexedDB, FakeLocalStorage, settle } from './support/fakes.js';

test('IndexedDB stores values; if it fails, memory does', async () => {
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
  assert.deepEqual([indexedDB.opened[1].closed, await again.get('meta', 'a')], [true, { x: 1 }]);
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
    await memory.update('meta', 'a', (value) => value + 1);
    await memory.update('meta', 'none', () => undefined);
    assert.deepEqual([await memory.get('meta', 'a'), await memory.keys('meta')], [2, ['a']]);
    await memory.delete('meta', 'a');
    await memory.put('outbox', 'b', 1);
    await memory.wipe('outbox');
    assert.deepEqual([await memory.get('meta', 'a'), await memory.all('outbox'), memory.lasting],
      [undefined, [], false]);
    await memory.wipe();
  }
});

test('a value is replaced in one transaction, or left unchanged', async () => {
  const indexedDB = new FakeIndexedDB();
  const storage = new BrowserStorage(indexedDB);
  await Promise.all([1, 2, 3].map((add) => storage.update('messages', 'a', (sum = 0) => sum + add)));
  assert.equal(await storage.get('messages', 'a'), 6);
  await storage.update('messages', 'a', () => undefined);
  await storage.update('messages', 'b', () => undefined);
  assert.deepEqual([await storage.get('messages', 'a'), await storage.keys('messages')], [6, ['a']]);
});

test('a page that closes while writing keeps what it wrote, and a message on the disk itself',
  { shows: ['S2'] }, async () => {
  const indexedDB = new FakeIndexedDB();
  const storage = new BrowserStorage(indexedDB);
  await storage.put('meta', 'a', 1);
  storage.put('outbox', 'written', { text: 'last words' });
  await Promise.resolve();
  indexedDB.gone = true;
  await settle();
  indexedDB.gone = false;
  assert.deepEqual(await new BrowserStorage(indexedDB).all('outbox'), [{ text: 'last words' }]);
  assert.deepEqual([indexedDB.durability.outbox, indexedDB.durability.meta], ['strict', 'relaxed']);
});

test('a full disk: copies of messages are dropped, then memory is used on top of the disk',
  { shows: ['O1'] }, async () => {
  const indexedDB = new FakeIndexedDB();
  const storage = new BrowserStorage(indexedDB);
  await storage.put('messages', 'room', [1]);
  await storage.put('outbox', 'old', { text: 'old' });
  indexedDB.full = true;
  await storage.put('outbox', 'new', { text: 'new' });
  await storage.put('outbox', 'old', { text: 'changed' });
  await storage.update('messages', 'room', () => [1, 2]);
  assert.equal(storage.lasting, false);
  assert.deepEqual((await storage.all('outbox')).map(({ text }) => text), ['changed', 'new']);
  assert.deepEqual(await storage.keys('messages'), []);
  await storage.update('outbox', 'new', ({ text }) => ({ text: `${text}er` }));
  assert.equal((await storage.get('outbox', 'new')).text, 'newer');
  await storage.delete('outbox', 'old');
  assert.deepEqual(await storage.keys('outbox'), ['new'], 'a delete is taken by the disk, too');
  indexedDB.full = false;
  await storage.put('outbox', 'new', { text: 'again' });
  const next = new BrowserStorage(indexedDB);
  assert.deepEqual(await next.all('outbox'), [{ text: 'again' }], 'once there is room again, it is used');
});

test('storage that never opens is given two seconds; if it opens later, nothing is lost', async () => {
  const indexedDB = new FakeIndexedDB();
  indexedDB.silent = true;
  const timers = [];
  const storage = new BrowserStorage(indexedDB, (act, time) => timers.push({ act, time }));
  const reading = storage.get('meta', 'a');
  await settle();
  assert.equal(timers[0].time, 2000);
  timers[0].act();
  assert.equal(await reading, undefined);
  await storage.put('outbox', 'x', { text: 'kept' });
  assert.deepEqual([storage.lasting, await storage.all('outbox')], [false, [{ text: 'kept' }]]);
  indexedDB.silent = false;
  indexedDB.answer(indexedDB.requests[0]);
  await settle(20);
  assert.equal(storage.lasting, true);
  assert.deepEqual(await new BrowserStorage(indexedDB).all('outbox'), [{ text: 'kept' }]);
  const blocked = new FakeIndexedDB();
  blocked.silent = true;
  const other = new BrowserStorage(blocked, () => {});
  const waiting = other.get('meta', 'a');
  await settle();
  blocked.requests[0].onblocked();
  assert.equal(await waiting, undefined);
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

test('another tab’s changes are seen here, even over this tab’s own', { shows: ['T1', 'T2'] }, () => {
  const local = new FakeLocalStorage();
  const [here, there] = [new LocalTexts(local, 'preference'), new LocalTexts(local, 'preference')];
  here.set('notifications', 'on');
  there.set('notifications', '');
  there.set('sound-sending', 'off');
  assert.deepEqual([here.get('notifications'), here.get('sound-sending')], ['', 'off']);
  assert.deepEqual([...here.all()], [['sound-sending', 'off']]);
  local.full = true;
  here.set('sound-sending', 'kept here');
  assert.deepEqual([here.get('sound-sending'), there.get('sound-sending')], ['kept here', 'off']);
  local.full = false;
  here.set('sound-sending', 'on');
  there.set('sound-sending', '');
  assert.equal(here.get('sound-sending'), '', 'once it is stored, memory has it no more');
});

test('all texts of a kind are read at once, including those that could not be stored', () => {
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
