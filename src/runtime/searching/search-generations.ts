import type { Part } from '../../concurrency/run-together.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Log } from '../../ports/log.ts';
import { type SearchIndex, type SearchIndexes, searchKinds } from '../../ports/search-index.ts';
import { codeGenerationOf, firstBuild, type Generated } from '../projector/generations.ts';
import { newerIndexSentence } from '../../search/search-generation.ts';
import { feedLeaseName } from './feed-lease.ts';

export interface SearchGenerationsDeps {
  readonly store: Pick<EventStore, 'head'>;
  readonly indexes: SearchIndexes;
  readonly clock: Clock;
  readonly log: Log;
  /** What the code makes: an index by older code is replaced, one by newer code is left to others. */
  readonly generated: Generated;
  /** Null where nothing is embedded. */
  readonly space: string | null;
}

export interface SearchGenerations {
  /** The one that is searched. Null where newer code sees to it. */
  readonly live: () => Promise<number | null>;
  /** The one that shall take its place, because it was made by older code; null where none shall. */
  readonly building: () => Promise<number | null>;
  /** Ends when another one is live; drops what is not needed any more. */
  readonly watchLive: (generation: number) => Part;
  /** Ends when another one is live, or this one can take its place and does. */
  readonly watchBuilding: (generation: number, index: SearchIndex) => Part;
}

const lookMs = 2_000;
/** Whoever reads an index that was live until now is done with it by then, and whoever builds one has begun again. */
const graceMs = 60_000;
/** So long a new index waits for vectors; afterwards they come while it is searched. */
const vectorsMsMax = 10 * 60_000;
/** Whoever waits for newer code asks once a second, and need not look each time whether that feeds its index. */
const lookAtNewerMs = 10_000;
const start = { position: 0, id: '' };

/** Which generation of the search index is fed, which is live, and which is dropped. */
export function createSearchGenerations(deps: SearchGenerationsDeps): SearchGenerations {
  const { store, indexes, clock, log, generated, space } = deps;
  const ownBuild = firstBuild(generated);
  const idleSinceMs = new Map<number, number>();
  let newer = { lookedMs: Number.NEGATIVE_INFINITY, isTold: false };

  async function hasVectors(index: SearchIndex, head: number): Promise<boolean> {
    if (space === null) return true;
    for (const kind of searchKinds) {
      const waiting = await index.withoutVectors(kind, { space }, start, 1);
      if (waiting.some(({ position }) => position <= head)) return false;
    }
    return true;
  }

  const isFed = async (generation: number): Promise<boolean> =>
    (await indexes.open(generation)).isLeased(feedLeaseName);

  /** How long nobody has fed it, as far as was looked. */
  async function idleMs(generation: number, wasLive = false): Promise<number> {
    const nowMs = clock.nowMs();
    if (!wasLive && (await isFed(generation))) {
      idleSinceMs.delete(generation);
      return 0;
    }
    const sinceMs = idleSinceMs.get(generation) ?? nowMs;
    idleSinceMs.set(generation, sinceMs);
    return nowMs - sinceMs;
  }

  /** Those before the live one were live; one behind it is being built, unless nobody has fed it for a while. */
  async function dropIdle(pointer: number): Promise<void> {
    for (const generation of await indexes.generations()) {
      if (generation !== pointer && (await idleMs(generation, generation < pointer)) >= graceMs) {
        await indexes.drop(generation);
      }
    }
  }

  /** Newer code feeds what it made. After a rollback there is none, and what happens from then on is in no index. */
  async function tellIfAbandoned(generation: number): Promise<void> {
    const nowMs = clock.nowMs();
    if (nowMs - newer.lookedMs < lookAtNewerMs) return;
    const isAbandoned = (await idleMs(generation)) >= graceMs;
    if (isAbandoned && !newer.isTold) log.error(`the search index stands still: ${newerIndexSentence}`, { generation });
    newer = { lookedMs: nowMs, isTold: isAbandoned };
  }

  /** Looks again and again until another one is live, or the work says that it is over. */
  const watch =
    (look: (pointer: number | null) => Promise<boolean>): Part =>
    async (over) => {
      const before = await indexes.pointer();
      while (!over.aborted) {
        await clock.sleep(lookMs, over);
        if (over.aborted) return;
        const pointer = await indexes.pointer();
        if (pointer !== before || (await look(pointer))) return;
      }
    };

  return {
    live: async () => {
      if ((await indexes.pointer()) === null) {
        // There is nothing to fill it beside: what is indexed can be found at once.
        await indexes.open(ownBuild);
        await indexes.switchPointer(null, ownBuild);
      }
      const pointer = await indexes.pointer();
      if (pointer === null || codeGenerationOf(pointer) <= generated.generation) return pointer;
      await tellIfAbandoned(pointer);
      return null;
    },
    building: async () => {
      const pointer = await indexes.pointer();
      return pointer === null || codeGenerationOf(pointer) >= generated.generation ? null : ownBuild;
    },
    watchLive: (generation) =>
      watch(async () => {
        await dropIdle(generation);
        return false;
      }),
    watchBuilding: (generation, index) => {
      let head: number | null = null;
      let completeSinceMs: number | null = null;
      const isComplete = async (): Promise<boolean> => {
        // As it was a moment ago: writes that never end must not hold up the switch.
        const [seen, now] = [head, await store.head()];
        head = now;
        if (seen === null || (await index.checkpoint()) < seen) return false;
        completeSinceMs ??= clock.nowMs();
        return clock.nowMs() - completeSinceMs >= vectorsMsMax || hasVectors(index, seen);
      };
      return watch(async (pointer) => {
        if (!(await isComplete())) return false;
        await index.scrub(); // erasures did not wait for it
        log.info('a new search index takes the place of the old one', { generation });
        const isSwitched = await indexes.switchPointer(pointer, generation);
        if (isSwitched) await index.scrub(); // of what was erased meanwhile
        return true;
      });
    },
  };
}
