import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenSearchIndexes } from '../../../src/adapters/opensearch/search-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { type SearchIndexes, VectorsUnavailable } from '../../../src/ports/search-index.ts';
import { eventually } from '../../spec/eventually.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import {
  documentOf,
  nearList,
  openIndex,
  type OpenedIndex,
  putOf,
  towards,
  vectorsOf,
  wordsList,
} from '../../spec/search-index/harness.ts';
import {
  hasNativeOpenSearch,
  type NativeOpenSearch,
  startNativeOpenSearch,
} from '../../spec/servers/native-opensearch.ts';

const aLongWhile = { withinMs: 120_000, everyMs: 50 };
const serverStartMs = 180_000;

/** While it comes back its words may be found a moment before its vectors: then only these fail, with the same reason. */
const outageIn = (failure: unknown): unknown => (failure instanceof VectorsUnavailable ? failure.cause : failure);

/** Feeds positions and searches, one after the other, until it is stopped; a failed write is written again. */
function startWork({ index, lease }: OpenedIndex, from: number) {
  const failures: unknown[] = [];
  let written = from;
  let searches = 0;
  let isStopped = false;

  const noted = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  };
  const writeNext = async (): Promise<void> => {
    const position = written + 1;
    const id = `doc ${position}`;
    const changes = [
      putOf('release', position, documentOf(id, { title: 'quokka' })),
      vectorsOf('release', position, id, towards(0)),
    ];
    const outcome = await index.write({ changes, position, lease });
    if (outcome !== 'written' && outcome !== 'behind') throw new Error(`the write was ${outcome}`);
    written = position;
    await index.settle();
  };
  const search = async (): Promise<void> => {
    await index.search([wordsList('quokka'), nearList(towards(0))]);
    searches += 1;
  };
  const workers = [writeNext, search].map(async (work) => {
    while (!isStopped) await noted(work);
  });
  return {
    failures,
    written: () => written,
    searches: () => searches,
    stop: async () => {
      isStopped = true;
      await Promise.all(workers);
    },
  };
}

describe.skipIf(!hasNativeOpenSearch())('an OpenSearch that goes away under load', () => {
  let server: NativeOpenSearch;
  let indexes: SearchIndexes;
  let opened: OpenedIndex;
  let written = 0;

  beforeAll(async () => {
    server = await startNativeOpenSearch();
    indexes = await createOpenSearchIndexes({
      urls: [server.url],
      prefix: 'killed',
      clock: systemClock,
      log: createKeptLog(),
    });
    opened = await openIndex(indexes);
  }, serverStartMs);
  afterAll(async () => {
    await indexes.close();
    await server.wipe();
  });

  const goesAway = async (begin: () => Promise<void>, end: () => Promise<void>): Promise<void> => {
    const work = startWork(opened, written);
    await eventually('it works', () => work.written() > written + 5 && work.searches() > 5, aLongWhile);
    await begin();
    await eventually('calls fail', () => work.failures.length >= 2, aLongWhile);
    await end();
    const [writtenThen, searchesThen] = [work.written(), work.searches()];
    await eventually(
      'it works again',
      () => work.written() > writtenThen + 5 && work.searches() > searchesThen + 5,
      aLongWhile,
    );
    await work.stop();
    for (const failure of work.failures) expect(outageIn(failure)).toBeInstanceOf(BackendUnavailable);
    written = work.written();
    await opened.index.settle();
    expect(await opened.index.checkpoint()).toBe(written);
    expect(await opened.index.count('release')).toBe(written);
    const [byWords, near] = await opened.ids(
      wordsList('quokka', { limit: 10_000 }),
      nearList(towards(0), { limit: 10_000 }),
    );
    expect([byWords!.length, near!.length]).toEqual([written, written]);
  };

  it('fails with its name and goes on by itself when it was killed', { timeout: 300_000 }, () =>
    goesAway(server.kill, server.start),
  );

  it('fails with its name and goes on by itself when it was frozen', { timeout: 300_000 }, () =>
    goesAway(server.freeze, server.thaw),
  );
});
