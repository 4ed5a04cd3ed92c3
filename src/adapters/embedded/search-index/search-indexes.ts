import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Clock } from '../../../ports/clock.ts';
import type { SearchIndexes } from '../../../ports/search-index.ts';
import { countCalls } from '../../threads/counted-calls.ts';
import { createRenewedThread } from '../../threads/renewed-thread.ts';
import { openReadPointers } from '../read-models/pointers.ts';
import { undivided } from './codes/code-parts.ts';
import { generationFile, generationOfFile, pointerName, pointersFile, searchFolder } from './file.ts';
import { explained, isOfFileOrThread } from './failures.ts';
import { createSearchIndex } from './search-index.ts';
import type { SearcherCalls, SearcherData } from './searcher-thread.ts';
import type { SearchWriterCalls, SearchWriterData } from './writer-thread.ts';

export interface EmbeddedSearchIndexesOptions {
  /** The data folder; it is made when it is not there. */
  readonly folder: string;
  readonly clock: Clock;
  /** False where nobody asks for what is near: then no vectors are held in memory. */
  readonly holdsVectors?: boolean;
}

export interface EmbeddedSearchIndexes extends SearchIndexes {
  /** What the vectors of a generation take in memory, for who measures it. */
  readonly codeBytes: (generation: number) => Promise<number>;
}

/**
 * One SQLite file for each generation in `search/`. Searching by words, by vectors and writing have a thread each, which the
 * first call starts: a process that only searches has none for writing.
 */
export async function createEmbeddedSearchIndexes({
  folder,
  clock,
  holdsVectors = true,
}: EmbeddedSearchIndexesOptions): Promise<EmbeddedSearchIndexes> {
  const pointers = openReadPointers(pointersFile(folder), false);
  const startSearcher = (name: string, data: SearcherData) =>
    createRenewedThread<SearcherCalls>({
      name,
      beside: import.meta.url,
      module: 'searcher-thread',
      workerData: data,
    });
  // Where there is a processor for it, words are looked for beside vectors, and a half of the vectors beside the other.
  const isApart = holdsVectors && availableParallelism() > 1;
  const near = startSearcher('searcher', { holdsVectors, parts: isApart ? { count: 2, held: [0, 1] } : undivided });
  const words = isApart ? startSearcher('word searcher', { holdsVectors, parts: { count: 2, held: [1] } }) : near;
  const searchers = [...new Set([words, near])];
  const counted = countCalls(words); // and not the halves of what is near, which are done together
  const parts = isApart ? [near, words] : [];
  // Most processes never start it.
  const longWords = startSearcher('long word searcher', { holdsVectors: false, parts: undivided });
  const writer = createRenewedThread<SearchWriterCalls>({
    name: 'search writer',
    beside: import.meta.url,
    module: 'writer-thread',
    workerData: { folder, pointersFile: pointersFile(folder) } satisfies SearchWriterData,
  });
  let closing: Promise<void> | undefined;

  const requireOpen = (): void => {
    if (closing !== undefined) throw new Error('The search indexes are closed.');
  };

  const openWords = async (file: string, generation: number): Promise<void> => {
    if (await words.call('open', file)) return;
    await writer.call('open', generation);
    await words.call('open', file);
  };

  /** So that its vectors are loaded before they are asked for. Where they cannot be, who asks is told so: words are found without. */
  const openNear = async (file: string): Promise<void> => {
    await near.call('open', file).catch((error: unknown) => {
      if (!isOfFileOrThread(error)) throw error;
    });
  };

  return {
    open: async (generation) => {
      requireOpen();
      const file = generationFile(folder, generation);
      await openWords(file, generation).catch(explained('opened'));
      if (near !== words) await openNear(file);
      return createSearchIndex({ words: counted, near, parts, longWords, writer }, clock, { file, generation });
    },
    pointer: async () => {
      requireOpen();
      try {
        return pointers.all()[pointerName] ?? null;
      } catch (error) {
        return explained('read')(error);
      }
    },
    switchPointer: async (expected, generation) => {
      requireOpen();
      return writer.call('switchPointer', { expected, generation });
    },
    generations: async () => {
      requireOpen();
      const names = await readdir(searchFolder(folder));
      return names.flatMap((name) => generationOfFile(name) ?? []).sort((a, b) => a - b);
    },
    drop: async (generation) => {
      requireOpen();
      await writer.call('drop', generation);
      const file = generationFile(folder, generation);
      const started = [...searchers, longWords].filter((searcher) => searcher.isStarted());
      for (const searcher of started) await searcher.call('forget', file); // opened again if it is live
    },
    identity: async () => {
      requireOpen();
      return pointers.identity();
    },
    setIdentity: async (registryId) => {
      requireOpen();
      pointers.setIdentity(registryId);
    },
    codeBytes: async (generation) => {
      const file = generationFile(folder, generation);
      const bytes = await Promise.all(searchers.map((searcher) => searcher.call('codeBytes', file)));
      return bytes.reduce((sum, each) => sum + each, 0);
    },
    close: () => {
      closing ??= (async () => {
        pointers.close();
        for (const searcher of [...searchers, longWords]) await searcher.close();
        await writer.close(); // last, so that it is the one to empty and remove the logs
      })();
      return closing;
    },
  };
}
