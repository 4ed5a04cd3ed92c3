import { abandonChangelogText } from '../../../commands/changelog/abandon-changelog-text.ts';
import { dateRelease } from '../../../commands/release/date-release.ts';
import { pendingProjection } from '../../../projections/pending/pending.ts';
import type { PastDeps } from '../../../queries/past/past-deps.ts';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import type { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { namesText } from '../../../src/domain/changelog/state.ts';
import type { RecordedEvent } from '../../../src/kernel/event.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { dateDueReleases } from '../../../src/runtime/jobs/due-dates.ts';
import { type Erasure, eraseTexts } from '../../../src/runtime/jobs/erase-texts.ts';
import { sweepAfter, type Swept, sweptTypes } from '../../../src/runtime/jobs/text-sweeper.ts';
import { compareGenerations } from '../compare/compare-generations.ts';
import { compareSearch } from '../compare/compare-search.ts';
import { compareSecondFold } from '../compare/compare-second-fold.ts';
import { compareWithNaive } from '../compare/compare-with-naive.ts';
import type { Comparison } from '../compare/comparison.ts';
import { createFakeClock } from '../fake-clock.ts';
import { openInThreadEventStore } from '../in-thread-event-store.ts';
import { createKeptLog } from '../kept-log.ts';
import { naiveRegistry } from '../naive/naive-registry.ts';
import { naiveView, publishedMsOf } from '../naive/naive-view.ts';
import type { Seeded } from '../seeded.ts';
import { createSteppedChance } from '../stepped-chance.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../worlds/embedded-registry.ts';
import { followRegistry } from '../worlds/followed-registry.ts';
import { openHistorySearch } from '../worlds/history-search.ts';
import { createTestPurging } from '../worlds/test-purging.ts';
import { createRandomHistory, historyWebUrl } from './random-history.ts';

// Above what a history needs for its own commands.
const firstDatingNumber = 1_000_000;
const dayMs = 86_400_000;

// Every one of these many runs over the event store as the service opens it, with its writer thread.
const threadedEvery = 10;
// An index has threads of its own, which take longer to start than a history takes.
const searchedEvery = 10;

const onFatal = (error: Error) => {
  throw error;
};

const openFolderStore = async (seed: number, folder: string): Promise<EventStore> =>
  seed % threadedEvery === 0 ? openTestEventStore(folder) : openInThreadEventStore(folder);

/** Now, later without any new event, and moments at which some release is just or just not due, recent or in a window. */
const momentsOf = (random: Seeded, log: readonly RecordedEvent[], nowMs: number): number[] => {
  const dates = naiveRegistry(log)
    .releases.map(publishedMsOf)
    .filter((ms) => ms !== null);
  const edges = [-60_001, -60_000, 30 * dayMs, 30 * dayMs + 1, 90 * dayMs, 180 * dayMs, 180 * dayMs + 1];
  const edge = () => (dates.length === 0 ? [] : [random.pick(dates) + random.pick(edges)]);
  return [nowMs, nowMs + 61_000, nowMs + dayMs, nowMs + 31 * dayMs, ...edge(), ...edge()];
};

/** Steps are numbered from 1; 0 is what is decided before. */
export const stepsOf = (seed: number): number[] => {
  const { random, beginStep } = createSteppedChance(seed);
  beginStep(0);
  return Array.from({ length: random.int(60, 120) }, (_, index) => index + 1);
};

export interface ToldStep {
  readonly number: number;
  readonly name: string;
}

/** Where a history takes place. */
export interface Place {
  readonly folder: string;
  /** Stores on servers; embedded in the folder without. */
  readonly openStore?: () => Promise<EventStore>;
  readonly openReadModels?: typeof createEmbeddedReadModels;
}

/** One history, from an empty folder to a rebuild; throws a `Difference` where readers see what did not happen. */
export async function runHistory(
  seed: number,
  { folder, openStore, openReadModels }: Place,
  numbers: readonly number[],
  onStep: (step: ToldStep) => void,
): Promise<void> {
  const { random, beginStep } = createSteppedChance(seed);
  // A random moment of some months, so that days and months end in the middle of histories.
  const clock = createFakeClock(Date.UTC(2030, 0, 1) + random.int(0, 90 * 24 * 60) * 60_000 + random.int(0, 59_999));
  const store = await (openStore?.() ?? openFolderStore(seed, folder));
  const followed = await followRegistry(folder, store, clock, openReadModels);
  // Purges go on side by side, and whoever loses a conflict sleeps: nobody moves the clock meanwhile.
  const sleepingClock = { ...clock, sleep: systemClock.sleep };
  const runners = createTestRunners(store, sleepingClock);
  const { commands, batches } = runners;
  const ops = await createEmbeddedOperationalStore({ folder, clock, onFatal });
  const log: RecordedEvent[] = [];
  const truncates = seed % 2 === 0;
  let datingNumber = firstDatingNumber;

  const searched =
    seed % searchedEvery === 0 ? await openHistorySearch({ folder, store, clock, followed, random }) : null;
  const compareSearchAt = async (nowMs: number) => {
    if (searched === null) return;
    await searched.follow();
    const comparison = { reading: followed.live, log, view: naiveView(naiveRegistry(log), nowMs), random };
    await compareSearch(comparison, searched);
  };
  const compareAt = (reading: PastDeps, nowMs: number, seen: Pick<Comparison, 'feedsSeen'> = {}) =>
    compareWithNaive({ reading, log, view: naiveView(naiveRegistry(log), nowMs), random, ...seen });
  const seen = { feedsSeen: new Map<string, string>() };
  const compareNow = (reading: PastDeps) => compareAt(reading, clock.nowMs(), seen);
  const catchUp = async () => {
    await followed.follow(random);
    await followed.live.catalogue.refresh();
  };
  const abandonText = async (sourceId: string, key: string) => {
    datingNumber += 1;
    const input = { sourceId, key };
    const { state } = await commands.run(abandonChangelogText, input, requestOf(datingNumber, 'system:text-sweeper'));
    return !namesText(state, key);
  };
  /** The log keeps what the eraser and the sweeper take from the store, often before the projector has seen it. */
  const recordNew = async () => {
    const { events } = await store.readAll({ afterPosition: log.at(-1)?.position ?? 0, limit: 10_000 });
    log.push(...events);
    if (!truncates) return;
    const erasures = events.filter(({ type }) => type === 'ReleaseErased.v1') as readonly RecordedEvent[];
    await eraseTexts(store, erasures as readonly Erasure[]);
    for (const event of events) {
      if (sweptTypes.includes(event.type)) await sweepAfter({ store, abandonText }, event as Swept);
    }
  };
  const purging = await createTestPurging({
    store,
    ops,
    clock: sleepingClock,
    log: createKeptLog(),
    runners,
    models: followed.live.models,
    // Recorded first: a purge takes from the store what it has passed.
    follow: async () => {
      await recordNew();
      await catchUp();
    },
    erased: recordNew,
  });
  const history = createRandomHistory({
    random,
    clock,
    commands,
    batches,
    purgeAll: async () => void (await purging.purgeAll()),
    knownParts: {
      hasSource: async (orgId) => {
        await recordNew();
        await catchUp();
        return followed.live.catalogue.sourcesOfOrg(orgId).some(({ deletedAt }) => deletedAt === null);
      },
      isProductThere: (productId) => followed.live.catalogue.product(productId)?.deletedAt === null,
    },
    dateDueReleases: async () => {
      await catchUp();
      await dateDueReleases({
        clock,
        pending: async () => followed.live.models.of(pendingProjection),
        dateRelease: async (releaseId) => {
          datingNumber += 1;
          const request = requestOf(datingNumber, 'system:due-dates');
          await commands.run(dateRelease, { releaseId, webBaseUrl: historyWebUrl }, request);
        },
      });
    },
  });

  try {
    const stops = [random.int(15, 40), random.int(41, 60)];
    for (const step of numbers) {
      beginStep(step);
      onStep({ number: step, name: await history.step(step) });
      await recordNew();
      if (random.chance(20)) await followed.follow(random);
      if (!stops.includes(step)) continue;
      await catchUp();
      await compareNow(followed.live);
      await compareSearchAt(clock.nowMs());
    }
    await catchUp();
    await compareNow(followed.live);
    const moments = momentsOf(random, log, clock.nowMs());
    if (openReadModels) {
      // A server may answer otherwise, at some moment as at any other; what it keeps is rebuilt by suites of its own.
      await compareAt(followed.live, random.pick(moments.slice(1)));
      return;
    }
    for (const nowMs of moments.slice(1)) await compareAt(followed.live, nowMs);
    for (const nowMs of moments.slice(0, 4)) await compareSearchAt(nowMs);
    await compareSecondFold(followed.live.models, store);
    const rebuilt = await followed.rebuild();
    await compareGenerations(followed.live, rebuilt);
    await compareNow(rebuilt);
  } finally {
    await searched?.close();
    await followed.close();
    await ops.close();
    await store.close();
  }
}
