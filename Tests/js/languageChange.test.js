import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { reloadAnew } from '../../Public/js/services/serviceWorker.js';
import { LanguageViewModel } from '../../Public/js/viewmodels/profile/languageViewModel.js';
import { ada, answer, failure, fakeApi, settle } from './support/fakes.js';

/** Ada's settings in a browser with or without cached pages. */
function settings({ serviceWorker, refuses = false } = {}) {
  const did = [];
  const active = { postMessage: ({ type }) => did.push(type) };
  const window = {
    navigator: { serviceWorker: serviceWorker ?? { getRegistration: async () => ({ active }) } },
    location: { reload: () => did.push('reload') },
  };
  const store = new ChatStore();
  store.setMe({ ...ada, settings: { language: 'system' } });
  const profile = fakeApi({
    async changeSettings(change) {
      if (refuses) throw failure('network');
      return answer({ settings: change });
    },
  });
  const reload = () => reloadAnew(window);
  return { did, model: new LanguageViewModel({ profile, store, reload }, 'en=English,de=Deutsch') };
}

test('another language drops the pages stored in the former one, and then reloads',
  { shows: ['H4', 'O1'] }, async () => {
  const { did, model } = settings();
  assert.equal(await model.choose('de'), true);
  await settle();
  assert.deepEqual(did, ['forget', 'reload']);
});

test('without stored pages it only reloads; if the choice was not saved, nothing happens',
  { shows: ['H4'] }, async () => {
  for (const serviceWorker of [
    { getRegistration: async () => undefined }, { getRegistration: async () => ({ active: null }) },
    { getRegistration: async () => { throw new Error('denied'); } },
  ]) {
    const { did, model } = settings({ serviceWorker });
    await model.choose('de');
    await settle();
    assert.deepEqual(did, ['reload']);
  }
  const { did, model } = settings({ refuses: true });
  assert.equal(await model.choose('de'), false);
  await settle();
  assert.deepEqual(did, []);
});

test('the settings are put together so', { shows: ['H4'] }, async () => {
  const { readFile } = await import('node:fs/promises');
  const page = await readFile(new URL('../../Public/js/pages/settingsPage.js', import.meta.url), 'utf8');
  assert.match(page, /new LanguageViewModel\(\{ \.\.\.services, reload: \(\) => reloadAnew\(globalThis\) \}/);
});
