import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { after, before, test } from 'node:test';
import { namedEntity } from '../../Public/js/models/markdown/namedEntities.js';
import { parseMarkdown } from '../../Public/js/models/markdown/parse.js';
import { fuzz } from '../tools/fuzzMarkdown.mjs';
import { HARD } from '../tools/markdownHard.mjs';

const session = new Session();
const options = { entity: namedEntity, emoji: () => null, repository: { owner: 'o', repo: 'r' } };

before(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  parseMarkdown('warm');
});
after(() => session.disconnect());

/** How many blocks of the parser's code run for a text: the same on every machine. */
async function workFor(text) {
  await session.post('Profiler.takePreciseCoverage');
  parseMarkdown(text, options);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const functions = result.filter(({ url }) => url.includes('/models/markdown/')).flatMap((script) => script.functions);
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
}

const [SMALL, LARGE] = [2000, 16_000];

test('work grows with length alone, whatever the text', { shows: ['K5', 'control 10'] }, async (t) => {
  for (const [name, make] of Object.entries(HARD)) {
    const [small, large] = [await workFor(make(SMALL)), await workFor(make(LARGE))];
    const exponent = Math.log(large / small) / Math.log(LARGE / SMALL);
    assert.ok(exponent < 1.1, `${name}: ${small} steps for ${SMALL} characters, ${large} for ${LARGE}`);
    assert.ok(large / LARGE < 100, `${name}: ${large} steps for ${LARGE} characters`);
  }
  t.diagnostic(`${Object.keys(HARD).length} families of inputs`);
});

test('random and mutated texts: no crash, a well-formed tree, no forbidden address', (t) => {
  for (const seed of [16, 2026]) {
    const { count, characters } = fuzz(seed, (done) => done < 1500);
    assert.equal(count, 1500);
    t.diagnostic(`seed ${seed}: ${count} inputs, ${characters} characters`);
  }
});
