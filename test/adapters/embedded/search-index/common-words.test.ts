import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generationFile } from '../../../../src/adapters/embedded/search-index/file.ts';
import { createEmbeddedSearchIndexes } from '../../../../src/adapters/embedded/search-index/search-indexes.ts';
import { createSourceOrdinals } from '../../../../src/adapters/embedded/search-index/source-ordinals.ts';
import { createWordCounts } from '../../../../src/adapters/embedded/search-index/word-counts.ts';
import { createWordSearch } from '../../../../src/adapters/embedded/search-index/word-list.ts';
import { type Database, openDatabase } from '../../../../src/adapters/embedded/sqlite/open-database.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import type { EmbeddedSearchIndexes } from '../../../../src/adapters/embedded/search-index/search-indexes.ts';
import type { SearchFilter } from '../../../../src/ports/search-index.ts';
import { documentOf, everything, openIndex, type OpenedIndex, putOf } from '../../../spec/search-index/harness.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

const commonMin = 10;
const others = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';
const bodies: Readonly<Record<string, string>> = {
  'often common': `${'fix '.repeat(6)} ${others} quokka`,
  'rarely common': `fix ${others} quokka`,
  'often rare': `fix ${others} quokka quokka quokka`,
  'not common': `${others} quokka`,
};

describe('a word that a large share of the documents has', () => {
  let folder: TempFolder;
  let indexes: EmbeddedSearchIndexes;
  let write: OpenedIndex['write'];
  let db: Database;
  let nowMs = 0;

  beforeAll(async () => {
    folder = createTempFolder();
    indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
    ({ write } = await openIndex(indexes));
    const named = Object.entries(bodies).map(([id, body]) => putOf('release', 1, documentOf(id, { body })));
    const plain = Array.from({ length: 36 }, (_, number) =>
      putOf('release', 1, documentOf(`${number}`, { body: number < 10 ? `fix ${others}` : others })),
    );
    await write(1, ...named, ...plain);
    db = openDatabase({ file: generationFile(folder.path, 1), kind: 'search', synchronous: 'NORMAL', readonly: true });
  });
  afterAll(async () => {
    db.close();
    await indexes.close();
    folder.remove();
  });

  const find = (tokens: readonly string[], filter: Partial<SearchFilter> = {}): string[] => {
    const sources = createSourceOrdinals(db);
    sources.follow();
    const search = createWordSearch(db, sources, { counts: createWordCounts(db, commonMin) });
    const words = { tokens, isPrefix: false };
    return search
      .search({ kind: 'release', words, filter: { ...everything, ...filter }, limit: 20 })
      .map(({ id }) => id);
  };

  it('must be there beside a rarer one, but does not rank', () => {
    expect(find(['fix', 'quokka'])).toEqual(['often rare', 'rarely common', 'often common']);
  });

  it('must be there within some sources and some days, too', () => {
    expect(new Set(find(['quokka', 'fix'], { sources: { in: new Set([documentOf('any').sourceId]) } }))).toEqual(
      new Set(['often rare', 'rarely common', 'often common']),
    );
    expect(find(['quokka', 'fix'], { fromMs: 8e12 })).toEqual([]);
  });

  it('ranks where it stands alone', () => {
    expect(find(['fix'])[0]).toBe('often common');
    expect(find(['fix'])).toHaveLength(13);
  });

  it('only has to be there behind some others, so that a list of common words does not count them all', () => {
    const named = Object.keys(bodies);
    const rankOf = (tokens: readonly string[]) => find(tokens).filter((id) => named.includes(id));
    const sixteen = others.split(' ');
    expect(rankOf([...sixteen.slice(1), 'fix'])).toEqual(['often common', 'rarely common', 'often rare']);
    expect(rankOf([...sixteen, 'fix'])).toEqual(['rarely common', 'often rare', 'often common']);
  });

  it('is counted once a minute', async () => {
    const counts = createWordCounts(db, 1_000, () => nowMs);
    const many = Array.from({ length: 600 }, (_, number) =>
      putOf('release', 2, documentOf(`wombat ${number}`, { body: 'wombat' })),
    );
    await write(2, ...many);
    expect(counts.of('release', '"wombat"')).toBe(600);
    await write(3, putOf('release', 3, documentOf('wombat 600', { body: 'wombat' })));
    nowMs += 59_999;
    expect(counts.of('release', '"wombat"')).toBe(600);
    nowMs += 1;
    expect(counts.of('release', '"wombat"')).toBe(601);
    expect(createWordCounts(db, 601).of('release', '"wombat"')).toBe(Number.POSITIVE_INFINITY);
  });
});
