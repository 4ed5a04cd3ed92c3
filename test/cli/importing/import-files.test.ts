import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findImportFiles, findImportFilesBelow, type ImportFiles } from '../../../src/cli/importing/import-files.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';

const folder = createTempFolder();
const at = (name: string): string => join(folder.path, name);

beforeAll(() => {
  for (const name of [
    'kit/CHANGELOG.md',
    'kit/readme.md',
    'kit/node_modules/left/changes.md',
    'exported/2023.ndjson',
    'exported/2024.ndjson',
    'exported/measured.jsonl',
    'both/docs/More.NDJSON',
    'both/news.md',
    'neither/readme.md',
  ]) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), '');
  }
});
afterAll(() => folder.remove());

const namesOf = ({ changelogs, releaseFiles }: ImportFiles) => ({
  changelogs: changelogs.map((read) => basename(read().path)),
  releases: releaseFiles.map(({ path }) => basename(path)),
});
const found = async (...words: string[]) => namesOf(await findImportFiles(words.map(at)));

describe('what is to be imported', () => {
  it.each([
    ['a folder of changelogs', 'kit', { changelogs: ['CHANGELOG.md'], releases: [] }],
    ['a folder of releases', 'exported', { changelogs: [], releases: ['2023.ndjson', '2024.ndjson'] }],
    ['a folder of both', 'both', { changelogs: ['news.md'], releases: ['More.NDJSON'] }],
    ['a file of releases', 'exported/measured.jsonl', { changelogs: [], releases: ['measured.jsonl'] }],
    ['a file of whatever name', 'neither/readme.md', { changelogs: ['readme.md'], releases: [] }],
    ['a pattern of releases', 'exported/*.ndjson', { changelogs: [], releases: ['2023.ndjson', '2024.ndjson'] }],
    ['a pattern of both', 'both/**', { changelogs: ['news.md'], releases: ['More.NDJSON'] }],
    ['a pattern of folders', '*t', { changelogs: ['CHANGELOG.md'], releases: [] }],
  ])('is found where a word names %s', async (_, word, expected) => {
    expect(await found(word)).toEqual(expected);
  });

  it('is each file once', async () => {
    expect(await found('exported', 'exported/2023.ndjson')).toEqual({
      changelogs: [],
      releases: ['2023.ndjson', '2024.ndjson'],
    });
  });

  it.each([
    ['nowhere', 'There is nothing to import at '],
    ['nowhere.ndjson', 'There is nothing to import at '],
    ['*.ndjson', 'There is nothing to import at '],
    ['neither', 'There is no changelog and no .ndjson file at '],
  ])('is never nothing: %s', async (word, says) => {
    await expect(found('kit', word)).rejects.toThrow(`${says}${at(word)}.`);
  });

  it('may be nothing below a folder that nobody has named', async () => {
    expect(namesOf(await findImportFilesBelow(at('neither')))).toEqual({ changelogs: [], releases: [] });
  });
});
