import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eraseRelease } from '../../../commands/release/erase-release.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { allProjections } from '../../../projections/all-projections.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { createEmbeddedSearchIndexes } from '../../../src/adapters/embedded/search-index/search-indexes.ts';
import { createEmbeddedVectorStore } from '../../../src/adapters/embedded/search-index/vector-store.ts';
import { openStaticEmbedder } from '../../../src/adapters/embedders/static-embedder.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { type Embedder, EmbedderUnavailable } from '../../../src/ports/embedder.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { Lease } from '../../../src/ports/leases.ts';
import type { ReadModels } from '../../../src/ports/read-models.ts';
import { type SearchIndexes, searchKinds, type VectorStore } from '../../../src/ports/search-index.ts';
import { createLiveReadModels } from '../../../src/runtime/projector/live-read-models.ts';
import { type ProjectionRunner, startProjectionRunner } from '../../../src/runtime/projector/projection-runner.ts';
import type { LeasedFollower } from '../../../src/runtime/resilience/follow-with-lease.ts';
import { indexedProjections } from '../../../src/runtime/searching/indexed-projections.ts';
import { createLiveSearch } from '../../../src/runtime/searching/live-search.ts';
import { rebuildSearch } from '../../../src/runtime/searching/rebuild-search.ts';
import { createScrubSearch } from '../../../src/runtime/searching/scrub-search.ts';
import { type SearchFeederDeps, startSearchFeeder } from '../../../src/runtime/searching/search-feeder.ts';
import { eventually } from '../../spec/eventually.ts';
import { fillHere } from '../../spec/fill-here.ts';
import { hurriedClock } from '../../spec/hurried-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import type { TempFolder } from '../../spec/temp-folder.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { copyOfFolder, createEmptyDataFolder } from '../../spec/worlds/followed-registry.ts';
import { webBaseUrl } from '../../spec/worlds/small-world.ts';
import { createTestSource } from '../../spec/worlds/source-world.ts';

let empty: TempFolder;
let folder: TempFolder;
let store: EventStore;
let readModels: ReadModels;
let projector: ProjectionRunner;
let indexes: SearchIndexes;
let vectors: VectorStore;
let embedder: Embedder;
let feeders: LeasedFollower[];
let heard: string[];
let sourceId: string;
let lastRequest = 0;
let laterMs = 0;
const log = createKeptLog();
const nextRequest = () => requestOf((lastRequest += 1));
const hurried = hurriedClock();
let sleeps = 0;
const clock: Clock = {
  nowMs: () => systemClock.nowMs() + laterMs,
  sleep: (ms, signal) => {
    sleeps += 1;
    return hurried.sleep(ms, signal);
  },
};
/** Time enough for a feeder to do what it does again and again. */
const untilLooked = () => {
  const before = sleeps;
  return eventually('it has looked often', () => sleeps >= before + 60);
};

beforeAll(async () => {
  empty = await createEmptyDataFolder();
});
afterAll(() => empty.remove());

beforeEach(async () => {
  folder = copyOfFolder(empty);
  laterMs = 0;
  log.lines.length = 0;
  store = await openTestEventStore(folder.path);
  readModels = await createEmbeddedReadModels({ folder: folder.path, clock: systemClock });
  const deps = { store, readModels, clock: systemClock, log, holder: 'projector' };
  projector = startProjectionRunner({ ...deps, projections: allProjections, fillApart: fillHere(deps) });
  indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
  vectors = createEmbeddedVectorStore(folder.path);
  const plain = openStaticEmbedder({ clock: systemClock });
  heard = [];
  embedder = {
    ...plain,
    embed: (texts, options) => {
      heard.push(...texts);
      return plain.embed(texts, options);
    },
  };
  feeders = [];
  sourceId = await createTestSource(createTestRunners(store, systemClock).commands, 'Acme', (lastRequest += 10));
  lastRequest += 10;
});

afterEach(async () => {
  for (const feeder of feeders) await feeder.close();
  await indexes.close();
  await vectors.close();
  await projector.close();
  await readModels.close();
  await store.close();
  folder.remove();
});

const live = () => createLiveReadModels(readModels, allProjections, systemClock);

/** Read models that nobody learns about while they are held. */
const holdable = () => {
  const real = live();
  let isHeld = true;
  const waitFor: typeof real.waitFor = async (...asked) => {
    await eventually('it may go on', () => !isHeld);
    return real.waitFor(...asked);
  };
  return {
    live: { ...real, waitFor },
    hold: () => {
      isHeld = true;
    },
    letGo: () => {
      isHeld = false;
    },
  };
};

const feed = (over: Partial<SearchFeederDeps> = {}): LeasedFollower => {
  const feeder = startSearchFeeder({
    store,
    indexes,
    vectors,
    embedders: { best: embedder, quick: null },
    live: live(),
    clock,
    log,
    holder: 'a',
    generated: { name: 'search', generation: 1 },
    onFilled: async () => {},
    ...over,
  });
  feeders.push(feeder);
  return feeder;
};

const ingest = async (content: string): Promise<string> => {
  const { batches } = createTestRunners(store, systemClock);
  const request = nextRequest();
  const items = [{ title: 'A release', version: request.correlationId, content, contentTokens: 1 }];
  const { results } = await batches.run(ingestReleases, { sourceId, items, webBaseUrl }, request);
  return results[0]!.id;
};

const erase = (releaseId: string) =>
  createTestRunners(store, systemClock).commands.run(eraseRelease, { releaseId }, nextRequest());

const find = async (word: string): Promise<string[]> => {
  const index = await createLiveSearch(indexes)();
  if (index === null) return [];
  const filter = { sources: { notIn: new Set<string>() }, withCoverage: true };
  const words = { tokens: [word], isPrefix: false };
  const [answer] = await index.search([{ kind: 'release', filter, limit: 10, words }]);
  return answer!.hits.map(({ id }) => id);
};
const found = (word: string, ids: readonly string[]) =>
  eventually(`${word} is found`, async () => (await find(word)).join() === ids.join());
const checkpoint = async () => await (await indexes.open((await indexes.pointer())!)).checkpoint();
const waiting = async (): Promise<string[]> => {
  const index = await indexes.open((await indexes.pointer())!);
  const wanted = { space: embedder.space, model: embedder.model };
  const start = { position: 0, id: '' };
  const all = await Promise.all(searchKinds.map((kind) => index.withoutVectors(kind, wanted, start, 10)));
  return all.flat().map(({ id }) => id);
};

describe('the search feeder', () => {
  it('finds what is written by its words and gives it vectors', async () => {
    feed();
    const id = await ingest('- The quokka leaps over everything');
    await found('quokka', [id]);
    await eventually('it has vectors', async () => (await waiting()).length === 0);
    await eventually('it has seen the log', async () => (await checkpoint()) >= (await store.head()));
    await erase(id);
    await found('quokka', []);
  });

  it('says that it has seen nothing that it has not indexed', async () => {
    const held = holdable();
    const before = await store.head();
    feed({ live: held.live });
    const id = await ingest('- The quokka leaps over everything');
    await eventually('there is an index', async () => (await indexes.pointer()) !== null);
    await untilLooked();
    expect(await checkpoint()).toBeLessThanOrEqual(before);
    held.letGo();
    await found('quokka', [id]);
  });

  it('is one for all processes, and another takes over', async () => {
    const first = feed({ holder: 'a' });
    const one = await ingest('- The quokka leaps over everything');
    await found('quokka', [one]);
    const second = feed({ holder: 'b' });
    const two = await ingest('- The wombat sleeps for a day');
    await found('wombat', [two]);
    expect(second.position()).toBe(0);
    await first.close();
    const three = await ingest('- The gibbon sings for a day');
    await found('gibbon', [three]);
    expect(second.position()).toBeGreaterThan(0);
  });

  it('goes on by words while the embedder fails, and gives vectors when it is back', async () => {
    let isBroken = true;
    let asks = 0;
    const failing: Embedder = {
      ...embedder,
      embed: async (...asked) => {
        asks += 1;
        if (isBroken) throw new EmbedderUnavailable('It is away.');
        return embedder.embed(...asked);
      },
    };
    feed({ embedders: { best: failing, quick: null } });
    const id = await ingest('- The quokka leaps over everything');
    await found('quokka', [id]);
    expect(await waiting()).toContain(id);
    const later = await ingest('- The wombat sleeps for a day');
    await found('wombat', [later]);
    await eventually('it was asked again and again', () => asks > 3);
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    isBroken = false;
    await eventually('they have vectors', async () => (await waiting()).length === 0);
  });

  it('fills an index of newer code beside the old one, embeds nothing again, and drops the old one later', async () => {
    const old = feed();
    const id = await ingest('- The quokka leaps over everything');
    await found('quokka', [id]);
    await eventually('it has vectors', async () => (await waiting()).length === 0);
    const oldPointer = (await indexes.pointer())!;
    await old.close();
    heard.length = 0;
    const held = holdable();
    feed({ generated: { name: 'search', generation: 2 }, live: held.live });
    await untilLooked();
    expect(await indexes.pointer()).toBe(oldPointer);
    held.letGo();
    await eventually('the new one is live', async () => (await indexes.pointer()) !== oldPointer);
    expect(await find('quokka')).toEqual([id]);
    expect(await waiting()).toEqual([]);
    expect(heard).toEqual([]);
    expect(await indexes.generations()).toContain(oldPointer);
    await eventually('it was seen that it is not live', async () => (await checkpoint()) >= (await store.head()));
    laterMs += 61_000;
    await eventually('the old one is gone', async () => {
      laterMs += 1_000;
      return !(await indexes.generations()).includes(oldPointer);
    });
  });

  it('leaves one alone that is being built', async () => {
    feed();
    await eventually('there is an index', async () => (await indexes.pointer()) !== null);
    const built = (await indexes.pointer())! + 1;
    await indexes.open(built);
    const { leases } = await indexes.open(built);
    let lease: Lease | null = null;
    // Whoever looks whether somebody feeds it has the lease for a moment, too.
    await eventually('it is being built', async () => {
      lease ??= await leases.acquire('search', 'rebuild', 600_000);
      return lease !== null;
    });
    await untilLooked();
    laterMs += 61_000;
    await untilLooked();
    expect(await indexes.generations()).toContain(built);
    await leases.release(lease!);
    await untilLooked();
    laterMs += 61_000;
    await eventually('it is dropped when nobody has fed it for a while', async () => {
      laterMs += 1_000;
      return !(await indexes.generations()).includes(built);
    });
  });

  it('feeds the live one on while one by newer code is filled', async () => {
    const old = feed();
    await found('quokka', [await ingest('- The quokka leaps over everything')]);
    await eventually('it has vectors', async () => (await waiting()).length === 0);
    await old.close();
    const pointer = (await indexes.pointer())!;
    const newer = { name: 'search', generation: 2 };
    let isStuck = true;
    const stuck: SearchIndexes = {
      ...indexes,
      switchPointer: async (...asked) => !isStuck && indexes.switchPointer(...asked),
    };
    feed({ generated: newer, indexes: stuck });
    const id = await ingest('- The wombat sleeps for a day');
    await found('wombat', [id]);
    expect(await indexes.pointer()).toBe(pointer);
    isStuck = false;
    await eventually('the new one is live', async () => (await indexes.pointer()) !== pointer);
    expect(await find('wombat')).toEqual([id]);
  });

  it('leaves an index of newer code to others', async () => {
    const newer = feed({ generated: { name: 'search', generation: 2 } });
    const id = await ingest('- The quokka leaps over everything');
    await found('quokka', [id]);
    const pointer = await indexes.pointer();
    await newer.close();
    const older = feed();
    await ingest('- The wombat sleeps for a day');
    await untilLooked();
    expect(older.position()).toBe(0);
    expect([await indexes.pointer(), await indexes.generations()]).toEqual([pointer, [pointer]]);
  });

  it('says aloud, once, when nobody has fed an index of newer code for a while, and what helps', async () => {
    const told = () => log.lines.filter(({ level }) => level === 'error').map(({ sentence }) => sentence);
    const newer = feed({ generated: { name: 'search', generation: 2 }, holder: 'newer' });
    await found('quokka', [await ingest('- The quokka leaps over everything')]);
    feed();
    await untilLooked();
    laterMs += 61_000;
    await untilLooked();
    expect(told()).toEqual([]);
    await newer.close();
    await eventually('it is told', () => {
      laterMs += 1_000;
      return told().length > 0;
    });
    laterMs += 120_000;
    await untilLooked();
    expect(told()).toEqual([expect.stringContaining('registry rebuild search')]);
    await rebuildSearch({
      store,
      indexes,
      vectors,
      embedders: null,
      live: live(),
      clock: systemClock,
      holder: 'rebuild',
      generated: { name: 'search', generation: 1 },
    });
    await found('wombat', [await ingest('- The wombat sleeps for a day')]);
  });
});

describe('a rebuild of the search index', () => {
  const rebuild = (over: Partial<SearchIndexes> = {}) =>
    rebuildSearch({
      store,
      indexes: { ...indexes, ...over },
      vectors,
      embedders: { best: embedder, quick: null },
      live: live(),
      clock: systemClock,
      holder: 'rebuild',
      generated: { name: 'search', generation: 1 },
    });

  it('embeds nothing again and takes the place of the live one, which is fed meanwhile', async () => {
    feed();
    const id = await ingest('- The quokka leaps over everything');
    await found('quokka', [id]);
    await eventually('it has vectors', async () => (await waiting()).length === 0);
    const pointer = (await indexes.pointer())!;
    heard.length = 0;
    expect(await rebuild()).toMatchObject({ generation: pointer + 1, releases: 1, chunks: 0 });
    expect(heard).toEqual([]);
    expect(await indexes.pointer()).toBe(pointer + 1);
    expect(await waiting()).toEqual([]);
    const later = await ingest('- The wombat sleeps for a day');
    await found('wombat', [later]);
    expect(await find('quokka')).toEqual([id]);
  });

  it('finds from the first moment what was written while it was scrubbed, and is fed by others while it is once more', async () => {
    const former = feed();
    await found('quokka', [await ingest('- The quokka leaps over everything')]);
    await former.close();
    const wombats: string[] = [];
    const isFedByRebuild: boolean[] = [];
    const open: SearchIndexes['open'] = async (generation) => {
      const index = await indexes.open(generation);
      const scrub = async (): Promise<void> => {
        if (wombats.length === 0) wombats.push(await ingest('- The wombat sleeps for a day'));
        isFedByRebuild.push(await index.isLeased('search'));
        await index.scrub();
      };
      return { ...index, scrub };
    };
    await rebuild({ open });
    expect(await find('wombat')).toEqual(wombats);
    expect(isFedByRebuild).toEqual([true, false]);
  });

  it('goes on when a release is erased that waits for its vectors', async () => {
    const former = feed({ embedders: null });
    const id = await ingest('- The quokka leaps over everything');
    await found('quokka', [id]);
    await former.close();
    let isErased = false;
    const open: SearchIndexes['open'] = async (generation) => {
      const index = await indexes.open(generation);
      const withoutVectors: typeof index.withoutVectors = async (...asked) => {
        const all = await index.withoutVectors(...asked);
        if (!isErased && all.length > 0) {
          isErased = true;
          const { position } = await erase(id);
          expect(await live().waitFor(indexedProjections, position, 10_000)).toBe(true);
        }
        return all;
      };
      return { ...index, withoutVectors };
    };
    expect(await rebuild({ open })).toMatchObject({ releases: 0 });
    expect(await waiting()).toEqual([]);
  });

  it('that was killed goes on where it was', async () => {
    feed();
    await found('quokka', [await ingest('- The quokka leaps over everything')]);
    const pointer = (await indexes.pointer())!;
    const killed = rebuild({
      switchPointer: async () => {
        throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    const begun = await indexes.open(pointer + 1);
    expect(await begun.count('release')).toBe(1);
    expect(await rebuild()).toMatchObject({ generation: pointer + 1 });
  });

  it('does not go on in one that other code has begun', async () => {
    feed();
    await found('quokka', [await ingest('- The quokka leaps over everything')]);
    const pointer = (await indexes.pointer())!;
    const begunByNewer = await indexes.open(2_000);
    expect(await rebuild()).toMatchObject({ generation: pointer + 1 });
    expect(await begunByNewer.count('release')).toBe(0);
  });

  it('finds its place taken by another one, and says so', async () => {
    feed();
    await found('quokka', [await ingest('- The quokka leaps over everything')]);
    await expect(rebuild({ switchPointer: async () => false })).rejects.toThrow('was switched to meanwhile');
  });
});

describe('scrubbing the search index', () => {
  const scrub = () => createScrubSearch({ openIndexes: async () => indexes, clock: systemClock });

  it('waits until the index has passed the erasure', async () => {
    const held = holdable();
    held.letGo();
    feed({ live: held.live });
    const id = await ingest('- The quokka leaps over everything');
    await found('quokka', [id]);
    held.hold();
    const { position } = await erase(id);
    let isDone = false;
    const scrubbing = scrub()(position).then(() => {
      isDone = true;
    });
    await untilLooked();
    expect(isDone).toBe(false);
    held.letGo();
    await scrubbing;
    expect(await checkpoint()).toBeGreaterThanOrEqual(position);
    expect(await find('quokka')).toEqual([]);
  });

  it('does not wait for one that is being built, and drops what was live before', async () => {
    feed();
    const id = await ingest('- The quokka leaps over everything');
    await found('quokka', [id]);
    const pointer = (await indexes.pointer())!;
    await indexes.open(pointer - 1);
    const built = await indexes.open(pointer + 1);
    await built.leases.acquire('search', 'rebuild', 60_000);
    const { position } = await erase(id);
    await scrub()(position);
    expect(await indexes.generations()).toEqual([pointer, pointer + 1]);
  });
});
