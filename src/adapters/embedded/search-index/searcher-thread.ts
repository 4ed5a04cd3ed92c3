import { workerData } from 'node:worker_threads';
import { GenerationDropped, type SearchKind, type SearchList, type WantedWords } from '../../../ports/search-index.ts';
import { dieOf, serveThread } from '../../threads/serve-thread.ts';
import { stepAside } from '../../threads/step-aside.ts';
import { type CodeParts, holdsAll } from './codes/code-parts.ts';
import { openForSearching } from './file.ts';
import type { NearList, PartMoment, SearchedMoment } from './search-lists.ts';
import { createSearcher, type OfSourceQuery, type Searcher, type WithoutVectorsQuery } from './searcher.ts';

export interface SearcherData {
  /** Whether it is asked for what is near: who is not needs no codes in memory. */
  readonly holdsVectors: boolean;
  /** Of the codes that it has in memory, if any. */
  readonly parts: CodeParts;
}

/** Each with the file of the generation that it is about. */
export type SearcherCalls = {
  /** False when the file has not been made yet. */
  readonly open: (file: string) => boolean;
  readonly search: (input: { file: string; lists: readonly SearchList[] }) => SearchedMoment;
  readonly searchPart: (input: { file: string; lists: readonly NearList[]; part: number }) => PartMoment;
  readonly matching: (input: {
    file: string;
    kind: SearchKind;
    ids: readonly string[];
    words: WantedWords;
  }) => Set<string>;
  readonly vectorsOf: (input: { file: string; kind: SearchKind; id: string; space: string }) => Float32Array[];
  readonly textHashesOf: (input: { file: string; kind: SearchKind; ids: readonly string[] }) => Map<string, string[]>;
  readonly idsOfSource: (input: { file: string; query: OfSourceQuery }) => string[];
  readonly withoutVectors: (input: {
    file: string;
    query: WithoutVectorsQuery;
  }) => readonly { readonly id: string; readonly position: number }[];
  readonly checkpoint: (file: string) => number;
  readonly count: (input: { file: string; kind: SearchKind }) => number;
  /** Lets go of it: it is dropped. */
  readonly forget: (file: string) => void;
  /** What the codes take in memory. */
  readonly codeBytes: (file: string) => number;
};

/** How often it is looked whether somebody has written: a search looks, too, but then finds little to take in. */
const followEachMs = 200;
/** Who holds no vectors only learns that a file was dropped. */
const lookEachMs = 5_000;

await serveThread<SearcherCalls>(() => {
  stepAside('asked');
  const { holdsVectors, parts } = workerData as SearcherData;
  const opened = new Map<string, Searcher>();
  const following = new Set<string>();

  const forget = (file: string): void => {
    opened.get(file)?.close();
    opened.delete(file);
  };

  const follow = async (file: string): Promise<void> => {
    if (following.has(file)) return;
    following.add(file);
    try {
      if (holdsVectors) await opened.get(file)?.followCodes();
      else opened.get(file)?.checkpoint(); // which tells that it was dropped
    } catch (error) {
      if (error instanceof GenerationDropped) forget(file);
      // Words are found without codes, and who asks for what is near follows them once more and is told.
      else if (holdsAll(parts)) dieOf(error);
    } finally {
      following.delete(file);
    }
  };

  const open = (file: string): boolean => {
    if (opened.has(file)) return true;
    const db = openForSearching(file);
    if (typeof db === 'string') return false;
    opened.set(file, createSearcher(db, parts));
    void follow(file);
    return true;
  };

  const using = <Result>(file: string, work: (searcher: Searcher) => Result): Result => {
    if (!open(file)) throw new GenerationDropped();
    try {
      return work(opened.get(file)!);
    } catch (error) {
      if (error instanceof GenerationDropped) forget(file);
      throw error;
    }
  };

  const timer = setInterval(
    () => {
      for (const file of opened.keys()) void follow(file);
    },
    holdsVectors ? followEachMs : lookEachMs,
  );

  return {
    calls: {
      open: (file) => {
        // One of the same name may have been dropped and made anew.
        try {
          return open(file) && using(file, (searcher) => searcher.checkpoint() >= 0);
        } catch (error) {
          if (error instanceof GenerationDropped) return false;
          throw error;
        }
      },
      search: ({ file, lists }) => using(file, (searcher) => searcher.search(lists)),
      searchPart: ({ file, lists, part }) => using(file, (searcher) => searcher.searchPart(lists, part)),
      matching: ({ file, kind, ids, words }) => using(file, (searcher) => searcher.matching(kind, ids, words)),
      vectorsOf: ({ file, kind, id, space }) => using(file, (searcher) => searcher.vectorsOf(kind, id, space)),
      textHashesOf: ({ file, kind, ids }) => using(file, (searcher) => searcher.textHashesOf(kind, ids)),
      idsOfSource: ({ file, query }) => using(file, (searcher) => searcher.idsOfSource(query)),
      withoutVectors: ({ file, query }) => using(file, (searcher) => searcher.withoutVectors(query)),
      checkpoint: (file) => using(file, (searcher) => searcher.checkpoint()),
      count: ({ file, kind }) => using(file, (searcher) => searcher.count(kind)),
      codeBytes: (file) => using(file, (searcher) => searcher.codeBytes()),
      forget,
    },
    close: () => {
      clearInterval(timer);
      for (const file of [...opened.keys()]) forget(file);
    },
  };
});
