import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { isReleaseFile, releaseFile } from '../../../src/cli/importing/release-file.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';

const folder = createTempFolder();
const path = join(folder.path, 'some.ndjson');

afterAll(() => folder.remove());

const linesOf = async (from = { byte: 0, line: 0 }) => {
  const lines = [];
  for await (const line of releaseFile(path).lines(from)) lines.push(line);
  return lines;
};

it('reads lines with their numbers, also the last one without an end', async () => {
  writeFileSync(path, 'eins\n\nzwei ü\ndrei');
  expect(await linesOf()).toEqual([
    { number: 1, text: 'eins', endByte: 5 },
    { number: 2, text: '', endByte: 6 },
    { number: 3, text: 'zwei ü', endByte: 14 },
    { number: 4, text: 'drei', endByte: 18 },
  ]);
});

it('goes on from where a line ended', async () => {
  writeFileSync(path, 'eins\n\nzwei ü\ndrei\n');
  const all = await linesOf();
  for (const [index, { number, endByte }] of all.entries()) {
    expect(await linesOf({ byte: endByte, line: number })).toEqual(all.slice(index + 1));
  }
});

it('keeps nothing of a line that is too long, and all of the others', async () => {
  writeFileSync(path, `eins\n${'x'.repeat(9 * 1024 * 1024)}\ndrei\n`);
  expect((await linesOf()).map(({ text }) => text)).toEqual(['eins', null, 'drei']);
});

it('is told by its name', () => {
  expect(['a.ndjson', 'b/c.JSONL', 'changelog.md', 'ndjson'].filter(isReleaseFile)).toEqual(['a.ndjson', 'b/c.JSONL']);
});
