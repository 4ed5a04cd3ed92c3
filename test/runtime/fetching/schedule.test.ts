import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FetchFailed } from '../../../src/ingest/fetch-failed.ts';
import { fetchTurnsDeclaration } from '../../../src/records/fetching/fetch-turn.ts';
import { turnTtlMs } from '../../../src/records/fetching/fetch-turns.ts';
import { refreshChangelog } from '../../../src/use-cases/fetching/refresh-changelog.ts';
import { eventually } from '../../spec/eventually.ts';
import { createScriptedFetcher, fetchedOf, itemOf } from '../../spec/scripted-fetcher.ts';
import type { TempFolder } from '../../spec/temp-folder.ts';
import { type FetchWorld, openFetchWorld } from '../../spec/worlds/fetch-world.ts';
import { createEmptyDataFolder } from '../../spec/worlds/followed-registry.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
let empty: TempFolder;
let world: FetchWorld;
let script: ReturnType<typeof createScriptedFetcher>;

beforeAll(async () => {
  empty = await createEmptyDataFolder();
});
afterAll(() => empty.remove());
beforeEach(async () => {
  script = createScriptedFetcher();
  world = await openFetchWorld({ feed: script.fetcher }, empty);
});
afterEach(() => world.close());

describe('several fetchers', () => {
  it('share what is due, and never fetch one source at once', async () => {
    const sourceIds = await Promise.all(Array.from({ length: 40 }, () => world.addSource()));
    script.answerWith(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return fetchedOf();
    });
    const others = await Promise.all([1, 2, 3].map(() => world.openProcess()));
    await Promise.all(
      others.map(async ({ roundsOf }) => {
        const rounds = roundsOf({ atOnceMax: 5 });
        while ((await rounds.begin()) > 0) await rounds.settled();
        await rounds.settled();
      }),
    );
    expect(script.mostOfOne()).toBe(1);
    expect(script.asked.map(({ id }) => id).sort()).toEqual(sourceIds.sort());
  });

  it('take a source that both have found due only once', async () => {
    await world.addSource();
    const other = await world.openProcess();
    const [found] = await world.turns.due('scheduled', 1);
    expect(await world.turns.take(found!)).not.toBeNull();
    expect(await other.turns.take(found!)).toBeNull();
  });

  it('keep a source while they fetch it, however long storing takes', async () => {
    const sourceId = await world.addSource();
    let finish = () => {};
    const storing = new Promise<void>((resolve) => {
      finish = resolve;
    });
    script.answerWith(() => fetchedOf({ items: [itemOf('1.0.0')] }));
    const { countReleases, clock } = world.services;
    let pauses = 0;
    Object.assign(world.services, {
      countReleases: async (id: string, position: number) => {
        await storing;
        return countReleases(id, position);
      },
      clock: {
        ...clock,
        sleep: (ms: number, signal?: AbortSignal) => {
          if (ms === turnTtlMs / 3) pauses += 1;
          return clock.sleep(ms, signal);
        },
      },
    });
    const rounds = world.roundsOf();
    await rounds.begin();
    const other = (await world.openProcess()).roundsOf();
    for (let pause = 1; pause <= 9; pause += 1) {
      await eventually('it was kept, and will be again', () => pauses === pause);
      expect(await other.begin()).toBe(0);
      world.clock.advance(turnTtlMs / 3);
    }
    finish();
    await rounds.settled();
    expect(script.asked).toHaveLength(1);
    expect(await world.entriesOf(sourceId)).toHaveLength(1);
  });

  it('lose a source that they did not keep, and store nothing about it any more', async () => {
    const sourceId = await world.addSource();
    const [due] = await world.turns.due('scheduled', 1);
    const taken = (await world.turns.take(due!))!;
    world.clock.advance(2 * turnTtlMs);
    await world.fetchDue();
    expect(script.asked).toHaveLength(1);
    script.answerWith(() => fetchedOf({ items: [itemOf('9.9.9')] }));
    expect(await world.fetch(taken)).toBeNull();
    const { events } = await world.store.readAll({ afterPosition: 0, limit: 100, types: ['ReleaseIndexed.v1'] });
    expect(events).toEqual([]);
    expect(await world.entriesOf(sourceId)).toHaveLength(1);
  });

  it('write nothing for a turn that is still theirs for long, between taking and ending it', async () => {
    const sourceId = await world.addSource();
    script.answerWith(() => fetchedOf({ items: [itemOf('1.0.0')] }));
    const turns = await world.ops.collection(fetchTurnsDeclaration);
    const before = (await turns.get(sourceId))!.revision;
    await world.fetchDue();
    expect((await turns.get(sourceId))!.revision).toBe(before + 2);
  });

  it('keep a turn that is over soon before they store what they found', async () => {
    await world.addSource();
    const [due] = await world.turns.due('scheduled', 1);
    const taken = (await world.turns.take(due!))!;
    world.clock.advance(turnTtlMs - 1);
    script.answerWith(() => fetchedOf({ items: [itemOf('1.0.0')] }));
    const { countReleases } = world.services;
    let takenMeanwhile: number | undefined;
    Object.assign(world.services, {
      countReleases: async (id: string, position: number) => {
        world.clock.advance(2);
        takenMeanwhile = await (await world.openProcess()).roundsOf().begin();
        return countReleases(id, position);
      },
    });
    expect(await world.fetch(taken)).toMatchObject({ status: 'success' });
    expect(takenMeanwhile).toBe(0);
  });

  it('go on beside one that takes long', async () => {
    const slow = await world.addSource();
    await Promise.all(Array.from({ length: 10 }, () => world.addSource()));
    script.answerWith(({ id }) => (id === slow ? new Promise(() => {}) : fetchedOf()));
    const rounds = world.roundsOf({ atOnceMax: 2 });
    while (script.asked.length < 11) {
      await rounds.begin();
      await new Promise(setImmediate);
    }
    expect(script.mostAtOnce()).toBeLessThanOrEqual(2);
    world.clock.advance(minuteMs);
    await rounds.settled();
    expect((await world.entriesOf(slow))[0]?.status).toBe('timeout');
  });

  it('come to other hosts while one hangs, however many sources of it are due', async () => {
    const slow = await Promise.all(
      Array.from({ length: 150 }, (_, nth) => world.addSource({ url: `https://slow.example/${nth}` })),
    );
    world.clock.advance(1);
    const other = await world.addSource({ url: 'https://other.example/' });
    script.answerWith(({ id }) => (id === other ? fetchedOf() : new Promise(() => {})));
    const { roundsOf } = await world.openProcess({ perHostMax: 2 });
    const rounds = roundsOf({ atOnceMax: 4 });
    await eventually('the other host is asked', async () => {
      await rounds.begin();
      return script.asked.some(({ id }) => id === other);
    });
    const asked = script.asked.filter(({ id }) => id !== other);
    expect(asked).toHaveLength(2);
    // Nothing is booked on those that wait, and what hangs ends alone.
    world.clock.advance(minuteMs);
    await rounds.settled();
    const logged = await Promise.all(slow.map(async (id) => (await world.entriesOf(id)).map(({ status }) => status)));
    expect(logged.flat()).toEqual(['timeout', 'timeout']);
    expect((await world.entriesOf(other)).map(({ status }) => status)).toEqual(['no_change']);
    // Who had to wait has the whole minute once it is their turn.
    await eventually('the next two are asked', async () => {
      await rounds.begin();
      return script.asked.length === 5;
    });
  });

  it('come to what somebody asked for first, and without a schedule to nothing else', async () => {
    await Promise.all(Array.from({ length: 3 }, () => world.addSource()));
    const asked = await world.addSource();
    await world.turns.ask({ sourceId: asked, jobId: `fet_${'a'.repeat(21)}`, force: false, dryRun: false });
    const rounds = world.roundsOf({ atOnceMax: 4, isScheduleOn: false });
    expect(await rounds.begin()).toBe(1);
    await rounds.settled();
    expect(await rounds.begin()).toBe(0);
    expect(script.asked.map(({ id }) => id)).toEqual([asked]);
  });
});

describe('reading a changelog file', () => {
  const read = async (sourceId: string, fileAgeHours: number, isHastened = false) => {
    let woken = 0;
    const nowMs = world.clock.nowMs();
    let isLooked = false;
    const services = { fetchTurns: world.turns, wakeFetching: () => (woken += 1), log: world.log };
    const fetchStates = async (ids: readonly string[]) => {
      isLooked = true;
      return Promise.all(ids.map(world.stateOf));
    };
    const fetchedAt = new Date(nowMs - fileAgeHours * hourMs).toISOString();
    refreshChangelog(services, { id: sourceId }, { fetchedAt, nowMs, fetchStates });
    if (isHastened) await eventually('it is hastened', () => woken > 0);
    for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
    return { isLooked, woken };
  };

  it('has a source fetched whose file nobody has looked after for a day, and no other', async () => {
    const sourceId = await world.addSource();
    script.answerWith(() => fetchedOf({ stars: 7 }));
    for (let time = 0; time < 8; time += 1) {
      await world.fetchDue();
      world.clock.advance(Date.parse((await world.stateOf(sourceId)).nextFetchAfter!) - world.clock.nowMs());
    }
    await world.fetchDue(); // the next one comes in about two days
    const fetches = script.asked.length;
    expect(await read(sourceId, 23)).toEqual({ isLooked: false, woken: 0 });
    expect(await read(sourceId, 1_000)).toEqual({ isLooked: true, woken: 0 });
    world.clock.advance(25 * hourMs);
    await world.fetchDue();
    expect(script.asked).toHaveLength(fetches);
    expect(await read(sourceId, 1_000, true)).toEqual({ isLooked: true, woken: 1 });
    await world.fetchDue();
    expect(script.asked).toHaveLength(fetches + 1);
  });

  it('has a source fetched whose file was not looked after when it was last asked', async () => {
    const sourceId = await world.addSource();
    let stars: number | null = 7;
    script.answerWith(() => fetchedOf({ stars }));
    for (let time = 0; time < 8; time += 1) {
      await world.fetchDue();
      world.clock.advance(Date.parse((await world.stateOf(sourceId)).nextFetchAfter!) - world.clock.nowMs());
    }
    await world.fetchDue(); // with the file; the next one comes in about two days
    world.clock.advance(19 * hourMs);
    stars = null;
    await world.turns.ask({ sourceId, jobId: `fet_${'a'.repeat(21)}`, force: false, dryRun: false });
    await world.fetchDue(); // because of new releases, without the file
    world.clock.advance(4.9 * hourMs);
    expect(await read(sourceId, 1_000)).toEqual({ isLooked: true, woken: 0 });
    world.clock.advance(0.2 * hourMs);
    expect(await read(sourceId, 1_000, true)).toEqual({ isLooked: true, woken: 1 });
  });

  it('leaves a source that fails to its schedule', async () => {
    const sourceId = await world.addSource();
    script.answerWith(() => {
      throw new FetchFailed('limited', 429, { retryAfterMs: 72 * hourMs });
    });
    await world.fetchDue();
    world.clock.advance(20 * hourMs);
    expect(await read(sourceId, 1_000)).toEqual({ isLooked: true, woken: 0 });
  });

  it('leaves a paused source alone', async () => {
    const sourceId = await world.addSource({ fetchPriority: 'paused' });
    expect(await read(sourceId, 1_000)).toEqual({ isLooked: true, woken: 0 });
  });
});
