import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { register } from 'node:module';
import { test } from 'node:test';

const root = new URL('../../Public/js/', import.meta.url);
const templates = new URL('../../Templates/languages/', import.meta.url);
const filesOf = (folder) => readdirSync(new URL(folder, root), { recursive: true })
  .filter((name) => name.endsWith('.js')).sort();
const catalogues = ['texts.js', ...filesOf('models/texts/').map((name) => `texts/${name}`)].sort();
const languages = readdirSync(new URL('languages/', root));

/** Texts that are the same in German: names and loanwords. */
const SAME = new Set([
  'Hubbub', 'GitHub', 'Chats', 'Admin', 'Person', 'Repository', 'Issue', 'Release', 'Commit', 'August', 'April',
  'September',
  'November', '', 'Organisation', 'Alt', 'Tab',
]);

/** Every text with its path; a function stands for itself. */
function* leaves(value, path = []) {
  if (typeof value === 'string' || typeof value === 'function') yield [path.join('.'), value];
  else for (const [key, member] of Object.entries(value)) yield* leaves(member, [...path, key]);
}

/** The text of a function for an argument, which may be a number or a name. */
function say(make, argument) {
  const given = new Array(Math.max(make.length, 1)).fill(argument);
  try {
    return String(make(...given));
  } catch {
    return null;
  }
}

test('each language has all files of texts, and no other', { shows: ['H4'] }, () => {
  assert.ok(languages.includes('de') && catalogues.length > 10);
  for (const language of languages) assert.deepEqual(filesOf(`languages/${language}/`), catalogues, language);
});

for (const language of languages) {
  for (const file of catalogues) {
    test(`${language}/${file} has the structure of the English catalogue, and no English text`,
  { shows: ['H4'] }, async () => {
      const english = await import(new URL(`models/${file}`, root));
      const other = await import(new URL(`languages/${language}/${file}`, root));
      assert.deepEqual(Object.keys(other), Object.keys(english));
      const texts = new Map([...leaves({ ...other })]);
      const first = [...leaves({ ...english })];
      assert.deepEqual([...texts.keys()], first.map(([path]) => path), 'the same keys in the same order');
      for (const [path, text] of first) {
        const own = texts.get(path);
        assert.equal(typeof own, typeof text, path);
        if (typeof text === 'string') {
          assert.equal(own === '', text === '', `${path} is empty in one of the two`);
          assert.ok(own !== text || SAME.has(text) || !/\p{L}/u.test(text), `${path} is in English: ${text}`);
          assert.ok(!own.includes('...'), `${path}: … is one character`);
          continue;
        }
        assert.equal(own.length, text.length, `${path} takes as much as the English one`);
        // Texts of only placeholders and punctuation are the same in every language.
        for (const argument of ['Ada', 2, ['Ada', 'Bob', 'Cem'], { count: 2 }]) {
          const said = say(text, argument);
          const words = said?.replaceAll(/Ada|Bob|Cem|Hubbub|undefined|\[object Object\]|\{\w+\}/gu, '') ?? '';
          if (!/\p{L}{3}/u.test(words)) continue;
          assert.notEqual(say(own, argument), said, `${path}(${JSON.stringify(argument)}) is in English`);
        }
      }
    });
  }
}

test('the server’s own page texts exist in each language', { shows: ['H4'] }, () => {
  const read = (name) => JSON.parse(readFileSync(new URL(name, templates), 'utf8'));
  const english = read('en.json');
  const shape = (value) => [...leaves(value)].map(([path]) => path);
  for (const language of languages) {
    const own = read(`${language}.json`);
    assert.deepEqual(shape(own), shape(english));
    const others = new Map(leaves(own));
    for (const [path, text] of leaves(english)) {
      assert.ok(text !== others.get(path) || SAME.has(text) || path === 'direction', `${language} ${path}: ${text}`);
    }
  }
});

test('the server’s sentences that people see are translated in each language', { shows: ['H4'] }, async () => {
  const sources = new URL('../../Sources/', import.meta.url);
  const rooms = [
    'ChatSQLite/Subjects/Groups.swift', 'ChatSQLite/Subjects/Members.swift',
    'Chat/Services/Invitations.swift', 'Chat/Search/SearchQueryParser.swift', 'ChatSQLite/Search/Search.swift',
    'Web/SignIn/GitHubLinkController.swift', 'Chat/Services/GroupRules.swift',
  ];
  const known = {
    // Texts of the catalogue replace these by code, or only programs see them.
    'Give the group a name.': 1, 'Give the seconds until it ends: a minute to a year.': 1,
    'Give a number from 1 to 100,000.': 1,
    'There is no such person.': 1,
  };
  let checked = 0;
  for (const language of languages) {
    const { serverTexts } = await import(new URL(`languages/${language}/texts/server.js`, root));
    for (const room of rooms) {
      const text = readFileSync(new URL(room, sources), 'utf8').replaceAll(/^\s*\/\/.*$/gmu, '');
      const sentences = [
        ...text.matchAll(/(?:detail:|forbidden\(|conflict\(|"invalid",|"required",|"too_long",)\s*"([A-Z][^"]*\.)"/gu),
      ];
      for (const [, sentence] of sentences) {
        if (Object.hasOwn(known, sentence) || sentence.includes('example(of:')) continue;
        checked += 1;
        assert.notEqual(serverTexts.said(sentence.replaceAll(/\\\([^)]*\)+/gu, '7')), '', `${language}: ${sentence}`);
      }
    }
    const said = serverTexts.said('Nobody here is called Åsa *. Write a login or name, such as from:octocat.');
    assert.equal(said.includes('Åsa *'), true);
    assert.equal(serverTexts.said('Some other sentence.'), '');
    assert.equal(serverTexts.said(undefined), '');
  }
  assert.ok(checked > 20, String(checked));
});

test('dates, times and numbers are as German writes them', { shows: ['H4'] }, async () => {
  // Like the page's import map in a browser.
  const hooks = `export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    const url = found.url.replace(/\\/js\\/models\\/(texts(?:\\.js|\\/))/u, '/js/languages/de/$1');
    return { ...found, url };
  }`;
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
  const { dateText, fullTimeText, hourText, listTimeText } = await import(new URL('models/format.js?german', root));
  const { ageText, dayLabel, lastSeenText } = await import(new URL('models/days.js?german', root));
  const at = (...parts) => new Date(...parts).getTime();
  const now = at(2026, 2, 14, 18, 3);
  assert.equal(dateText(now), '14. März 2026');
  assert.equal(hourText(now), '18:03');
  assert.equal(fullTimeText(now), 'Samstag, 14. März 2026, 18:03');
  assert.equal(dayLabel(at(2026, 2, 13, 9), now), 'Gestern');
  assert.equal(listTimeText(at(2026, 2, 12, 9), now), 'Do');
  assert.equal(listTimeText(at(2026, 1, 2), now), '2. Feb.');
  assert.equal(listTimeText(at(2025, 8, 30), now), '30. Sept. 2025');
  assert.equal(listTimeText(at(2025, 4, 30), now), '30. Mai 2025');
  assert.equal(ageText(now - 60_000, now), 'vor 1 Minute');
  assert.equal(ageText(now - 3 * 86_400_000, now), 'vor 3 Tagen');
  assert.equal(lastSeenText(at(2026, 2, 14, 8, 5), now), 'zuletzt online heute um 08:05 Uhr');
  assert.equal(lastSeenText(at(2025, 2, 14, 8, 5), now), 'zuletzt online am 14. März 2025');
  const { peopleTexts } = await import(new URL('models/texts/people.js?german', root));
  assert.equal(peopleTexts.found(12_345), '12.345 gefunden');
});
