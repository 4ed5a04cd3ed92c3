import type { ReleaseItem } from '../../src/domain/release/fields.ts';
import type { RoutedFetcher } from '../../src/ingest/fetch-routing.ts';
import type { FetchedSource, SourceToFetch } from '../../src/ingest/source-fetcher.ts';

/** What a third party told; what is not said is nothing. */
export const fetchedOf = (parts: Partial<FetchedSource> = {}): FetchedSource => ({
  isNew: true,
  items: [],
  leftOut: [],
  memory: {},
  changelogs: [],
  stars: null,
  iconUrl: null,
  ...parts,
});

export const itemOf = (version: string, others: Partial<ReleaseItem> = {}): ReleaseItem => ({
  title: `Release ${version}`,
  version,
  content: `What is new in ${version}`,
  ...others,
});

type Script = (source: SourceToFetch, deadlineMs: number) => Promise<FetchedSource> | FetchedSource;

/** Fetches as a test says, and remembers who was asked for when. */
export function createScriptedFetcher(first: Script = () => fetchedOf()) {
  let script = first;
  const asked: SourceToFetch[] = [];
  const underWay = new Map<string, number>();
  let mostAtOnce = 0;
  let mostOfOne = 0;
  const fetcher: RoutedFetcher = {
    fetch: async (source, deadlineMs) => {
      asked.push(source);
      const ofOne = (underWay.get(source.id) ?? 0) + 1;
      underWay.set(source.id, ofOne);
      mostOfOne = Math.max(mostOfOne, ofOne);
      mostAtOnce = Math.max(
        mostAtOnce,
        [...underWay.values()].reduce((sum, count) => sum + count, 0),
      );
      try {
        return await script(source, deadlineMs);
      } finally {
        underWay.set(source.id, underWay.get(source.id)! - 1);
      }
    },
  };
  return {
    fetcher,
    asked,
    /** The most fetches under way at once: of all sources, and of one. */
    mostAtOnce: () => mostAtOnce,
    mostOfOne: () => mostOfOne,
    answerWith: (next: Script) => {
      script = next;
    },
  };
}
