import { allProjections } from '../../../projections/all-projections.ts';
import { releaseFeedReads } from '../../../queries/feed/release-feed-answer.ts';
import { createWholeOrgTurns } from '../../../queries/past/in-turn.ts';
import { createTurns } from '../../../src/concurrency/turns.ts';
import type { PastDeps } from '../../../queries/past/past-deps.ts';
import { createEmbeddedEventStore } from '../../../src/adapters/embedded/event-store/event-store.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock as clock } from '../../../src/adapters/system/clock.ts';
import { catalogueReads, createCatalogue } from '../../../src/catalogue/catalogue.ts';
import { derivedValues } from '../../../src/domain/release/derived/derive.ts';
import type { ReleaseEvent } from '../../../src/domain/release/events.ts';
import { toTimestamp } from '../../../src/kernel/dates.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import { createEventCodec } from '../../../src/kernel/event-codec.ts';
import { derivedId } from '../../../src/kernel/ids.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import { streamOf } from '../../../src/kernel/stream-name.ts';
import type { EventStore, StreamAppend } from '../../../src/ports/event-store.ts';
import type { ReadModels } from '../../../src/ports/read-models.ts';
import { neverFetched } from '../../../src/records/fetch-state.ts';
import { newEvents } from '../../../src/runtime/commands/new-events.ts';
import { foldBatch } from '../../../src/runtime/projector/fold-batch.ts';
import { createReadModelSet } from '../../../src/runtime/projector/read-model-set.ts';
import { failBench } from './bench-folder.ts';
import { orgCreated, orgIdOf, sourceCreated, sourceIdOf } from './grown-events.ts';
import { benchNowMs, benchRangeMs, benchRequest, benchWebBaseUrl, createChance, releaseItem } from './seeded-data.ts';

const sourcesPerOrg = 3;
const dayMs = 86_400_000;
const appendsAtOnce = 500;
const codec = createEventCodec([]);
/** The other read models stay empty: nobody asks them here. */
const filled: readonly Projection[] = [...catalogueReads, ...releaseFeedReads];

/** Everything was indexed before it, and some changed afterwards. */
export const benchThenMs = benchNowMs - 10 * dayMs;
const [firstMs, laterMs] = [benchThenMs - dayMs, benchThenMs + dayMs];

export interface PastShape {
  readonly orgs: number;
  readonly releasesPerOrg: number;
  /** Of all releases, those that were revised after the moment that is asked about. */
  readonly revisedShare: number;
}

const appendOf = (stream: string, timed: readonly (readonly [DomainEvent, number])[]): StreamAppend => {
  const events = timed.flatMap(([event, ms], index) =>
    newEvents([event], { stream, expectedVersion: index }, benchRequest(index), toTimestamp(ms)),
  );
  return { stream, expectedVersion: 0, events };
};

function* appendsOf({ orgs, releasesPerOrg, revisedShare }: PastShape): Generator<StreamAppend> {
  const chance = createChance(1);
  for (let org = 0; org < orgs; org += 1) {
    yield appendOf(streamOf('org', orgIdOf(org)), [[orgCreated(org), firstMs]]);
    for (let source = org * sourcesPerOrg; source < (org + 1) * sourcesPerOrg; source += 1) {
      yield appendOf(streamOf('source', sourceIdOf(source)), [[sourceCreated(source, orgIdOf(org)), firstMs]]);
    }
    for (let number = 0; number < releasesPerOrg; number += 1) {
      const given = releaseItem(chance, number, { bodyChars: 1_500, fromMs: firstMs - benchRangeMs, toMs: firstMs });
      const derived = derivedValues(given, given.content, 400);
      const place = { sourceId: sourceIdOf(org * sourcesPerOrg + (number % sourcesPerOrg)), orgId: orgIdOf(org) };
      const indexed: ReleaseEvent = {
        type: 'ReleaseIndexed.v1',
        data: {
          ...place,
          identity: { kind: 'version', value: given.version },
          given,
          derived,
          fetchedAt: toTimestamp(firstMs),
          pending: false,
          announcement: 'none',
        },
      };
      const revised: ReleaseEvent = {
        type: 'ReleaseRevised.v1',
        data: {
          ...place,
          revision: 2,
          given: { title: 'Revised' },
          derived,
          pending: false,
          previousPublishedAt: given.publishedAt ?? null,
        },
      };
      const isRevised = number < releasesPerOrg * revisedShare;
      const stream = streamOf('release', derivedId('rel', String(org), String(number)));
      yield appendOf(stream, [[indexed, firstMs], ...(isRevised ? [[revised, laterMs] as const] : [])]);
    }
  }
}

async function fillStore(store: EventStore, shape: PastShape): Promise<void> {
  let appends: StreamAppend[] = [];
  const flush = async () => {
    const outcomes = appends.length === 0 ? [] : await store.appendMany(appends);
    if (outcomes.some(({ outcome }) => outcome !== 'appended')) throw new Error('an append was refused');
    appends = [];
  };
  for (const append of appendsOf(shape)) {
    appends.push(append);
    if (appends.length === appendsAtOnce) await flush();
  }
  await flush();
}

async function fillModels(readModels: ReadModels, store: EventStore): Promise<void> {
  for (const projection of filled) {
    const model = await readModels.open(projection);
    const lease = await model.leases.acquire('feed', 'bench', 3_600_000);
    if (lease === null) throw new Error('the read models of a bench have one writer');
    const types = Object.keys(projection.on);
    for (let afterPosition = 0; ; ) {
      const batch = await store.readAll({ afterPosition, limit: 1_000, types });
      if (batch.position === afterPosition) break;
      const changes = await foldBatch(projection, model, batch.events);
      await model.write({ changes, position: batch.position, lease });
      afterPosition = batch.position;
    }
  }
}

const setOf = async (readModels: ReadModels) =>
  createReadModelSet(await Promise.all(allProjections.map((projection) => readModels.open(projection))));

/** Event store and read models of a registry whose releases were indexed, and some of them revised later. */
export async function createPastRegistry(folder: string, shape: PastShape) {
  const store = await createEmbeddedEventStore({ folder, codec, onFatal: failBench });
  await fillStore(store, shape);
  const readModels = await createEmbeddedReadModels({ folder, clock });
  await fillModels(readModels, store);
  const catalogue = await createCatalogue(await setOf(readModels));
  return {
    /** On connections that have read nothing yet. */
    withColdStores: async (work: (deps: PastDeps) => Promise<void>) => {
      const cold = await createEmbeddedReadModels({ folder, clock, readonly: true });
      const streams = await createEmbeddedEventStore({ folder, codec, onFatal: failBench, readonly: true });
      const fetchStates = async (ids: readonly string[]) => ids.map(() => neverFetched);
      try {
        const longPageTurns = createTurns(clock, 1);
        const wholeOrgTurns = createWholeOrgTurns(clock);
        const models = await setOf(cold);
        await work({
          models,
          catalogue,
          streams,
          clock,
          longPageTurns,
          wholeOrgTurns,
          fetchStates,
          embeddedAt: async () => null,
          webBaseUrl: benchWebBaseUrl,
        });
      } finally {
        await streams.close();
        await cold.close();
      }
    },
    close: async () => {
      await readModels.close();
      await store.close();
    },
  };
}

export type PastRegistry = Awaited<ReturnType<typeof createPastRegistry>>;
