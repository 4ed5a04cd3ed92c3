import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, openIndex, putOf } from '../../spec/search-index/harness.ts';
import { hasNativeOpenSearch, nativeOpenSearchFolder } from '../../spec/servers/native-opensearch.ts';
import { createOpenSearchBackends } from './opensearch-backends.ts';

/** Whether some file of the server holds the word; files may go while they are looked for. */
const isInSomeFile = (word: string): boolean => {
  const folder = join(nativeOpenSearchFolder(), 'data');
  const isFile = (entry: { isFile: () => boolean }) => entry.isFile();
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(isFile)
    .some((entry) => {
      try {
        return readFileSync(join(entry.parentPath, entry.name)).includes(word);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw error;
      }
    });
};

describe.skipIf(!hasNativeOpenSearch())('what was deleted or overwritten', () => {
  // Up to half a minute the server keeps what was deleted for copies that are away.
  it('is in no file of the server after a scrub, and the rest is there', { timeout: 180_000 }, async () => {
    const backends = createOpenSearchBackends(process.env['OPENSEARCH_URL_FOR_TESTS'] ?? '');
    const { write, find, index } = await openIndex(await backends.make());
    const [deleted, overwritten] = ['zyzzogetonquokka', 'zyzzogetonwombat'];
    const others = Array.from({ length: 50 }, (_, number) => documentOf(`doc ${number}`, { body: 'plain words' }));
    await write(
      1,
      ...[...others, documentOf('gone', { body: deleted }), documentOf('kept', { body: overwritten })].map((doc) =>
        putOf('release', 1, doc),
      ),
    );
    expect([deleted, overwritten].map(isInSomeFile)).toEqual([true, true]);
    await write(
      2,
      { kind: 'delete', index: 'release', position: 2, id: 'gone' },
      putOf('release', 2, documentOf('kept', { body: 'words' })),
    );
    await index.scrub();
    expect([deleted, overwritten].map(isInSomeFile)).toEqual([false, false]);
    expect(await find('words', { limit: 100 })).toHaveLength(others.length + 1);
    await backends.close();
  });
});
