import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import { plainLine } from '../../Public/js/models/format.js';

const examples = JSON.parse(readFileSync(new URL('../Fixtures/plain-lines.json', import.meta.url), 'utf8'));

for (const [subject, lines] of Object.entries(examples)) {
  test(`a plain line, as the server makes it: ${subject}`, { shows: ['K5', 'L1'] }, () => {
    for (const [text, line] of lines) assert.equal(plainLine(text), line, JSON.stringify(text));
  });
}

test('a line is cut to what fits any row, and read no further than it can show', () => {
  assert.equal(plainLine('x'.repeat(9999)).length, 200);
  assert.equal(plainLine(`**${'x'.repeat(150)}** _and_ more`), `${'x'.repeat(150)} and more`);
  assert.equal(plainLine(`${' '.repeat(2000)}late`), 'late');
});

test('work is bounded, whatever the text', { shows: ['K5', 'control 10'] }, async () => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const pieces = ['*', '_', '*a_', '`', '` `` ', '[', '![', '](', '[a](<', '[a](b "', '[a](b(c', '<a@', '> ', '- ',
    '# ', '|', '\\', 'http://', ' ', '\n', 'a*', '- [x] ', '-', '=', '~~~\n', '|-\n'];
  for (const piece of pieces) {
    await session.post('Profiler.takePreciseCoverage');
    plainLine(piece.repeat(10_000));
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const { functions } = result.find(({ url }) => url.endsWith('/models/format.js'));
    const steps = functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
    assert.ok(steps < 20_000, `${JSON.stringify(piece)}: ${steps} steps`);
  }
  session.disconnect();
});
