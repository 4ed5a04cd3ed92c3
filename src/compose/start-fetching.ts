import { changeFetchPriority } from '../../commands/source/change-fetch-priority.ts';
import { instantsProjection } from '../../projections/instants/instants.ts';
import { sourceProjection } from '../../projections/source/source.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { readInstants } from '../catalogue/instants/stored-instants.ts';
import { releaseCount } from '../catalogue/numbers.ts';
import { createNamedPlaces } from '../concurrency/named-places.ts';
import type { FetchSettings } from '../config/fetch-settings.ts';
import type { FetchStatus } from '../ingest/fetch-delay.ts';
import type { Fetchers } from '../ingest/fetch-routing.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { Projection } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Log } from '../ports/log.ts';
import type { OperationalStore } from '../ports/operational-store.ts';
import type { Random } from '../ports/random.ts';
import type { ReadModelSet } from '../ports/read-models.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { openFetchMemories } from '../records/fetching/fetch-memories.ts';
import { openFetchOutcomes } from '../records/fetching/fetch-outcomes.ts';
import { openFetchTurns } from '../records/fetching/fetch-turns.ts';
import { createSourceContacts } from '../records/source-contacts.ts';
import type { BatchRunner } from '../runtime/commands/batch-runner.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';
import { startFetchLoop } from '../runtime/fetching/fetch-loop.ts';
import { retierSources } from '../runtime/fetching/retier-sources.ts';
import { startScheduleFollower } from '../runtime/fetching/schedule-follower.ts';
import { startEveryDay } from '../runtime/jobs/every-day.ts';
import type { LiveReadModels } from '../runtime/projector/live-read-models.ts';
import type { FetchServices } from '../use-cases/fetching/fetch-services.ts';
import { fetchSource } from '../use-cases/fetching/fetch-source.ts';

interface FetchingParts {
  readonly eventStore: EventStore;
  readonly ops: OperationalStore;
  readonly live: LiveReadModels;
  readonly commands: CommandRunner;
  readonly batches: BatchRunner;
  readonly tokenCounter: TokenCounter;
  readonly fetchers: Fetchers;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly webBaseUrl: string;
}

/** Longer than a projector needs to be replaced by another one. A count is told then as the read models are. */
const passedMs = 15_000;

async function modelsOf(live: LiveReadModels): Promise<ReadModelSet> {
  const models = await live.current();
  if (models === null) throw new Error('the read models are being filled');
  return models;
}

async function modelsAt(live: LiveReadModels, reads: readonly Projection[], position: number): Promise<ReadModelSet> {
  if (!(await live.waitFor(reads, position, passedMs))) throw new Error('a read model is behind');
  return modelsOf(live);
}

/** What one fetch works with. */
export async function createFetchServices(
  parts: FetchingParts,
  { backfillDays, perHostMax }: Pick<FetchSettings, 'backfillDays' | 'perHostMax'>,
): Promise<FetchServices & { readonly turns: Awaited<ReturnType<typeof openFetchTurns>> }> {
  const { ops, live, clock } = parts;
  return {
    ...parts,
    ids: systemIds,
    turns: await openFetchTurns({ ops, clock, ids: systemIds }),
    hosts: createNamedPlaces(perHostMax),
    outcomes: await openFetchOutcomes(ops),
    memories: await openFetchMemories(ops),
    backfillDays,
    countReleases: async (sourceId, position) => {
      await live.waitFor([instantsProjection], position, passedMs);
      return releaseCount([await readInstants(await modelsOf(live), sourceId)], clock.nowMs());
    },
  };
}

interface RunningPart {
  readonly done: Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Fetching {
  readonly parts: readonly RunningPart[];
  /** Something is due that was not a moment ago. */
  readonly wake: () => void;
}

const systemRequest = (): CommandRequest => {
  const commandId = systemIds.commandId();
  return { commandId, actor: 'system:fetcher', cause: 'system', correlationId: commandId };
};

/** Everything that fetches by itself, over the stores of this process. */
export async function startFetching(
  parts: FetchingParts & { readonly holder: string; readonly onFetched: (status: FetchStatus) => void },
  settings: FetchSettings,
): Promise<Fetching> {
  const { eventStore: store, ops, live, commands, clock, log, holder } = parts;
  const services = await createFetchServices(parts, settings);
  const outcomes = await openFetchOutcomes(ops);
  const contacts = await createSourceContacts(ops, clock);
  const { turns } = services;

  // Before the others, which nobody would end if this one could not be started.
  const change = async (sourceId: string, from: string, to: string) => {
    const { events } = await commands.run(changeFetchPriority, { sourceId, from, to }, systemRequest());
    if (events.length > 0) await contacts.recordRetier(sourceId, clock.nowMs());
  };
  const failure = 'giving sources their priorities failed';
  const retiering = await startEveryDay(
    { ops, clock, log, holder, id: 'priorities', leaseName: 'retier', failure },
    (stop) => retierSources({ models: live.current, change, clock, log }, stop),
  );

  const loop = startFetchLoop({
    ...settings,
    turns,
    hosts: services.hosts,
    clock,
    log,
    isReady: async () => (await live.current()) !== null,
    fetch: async (taken, options) => {
      const report = await fetchSource(services, taken, options);
      if (report !== null) parts.onFetched(report.status);
    },
  });
  const follower = startScheduleFollower({
    store,
    ops,
    outcomes,
    clock,
    log,
    holder,
    modelsAt: (position) => modelsAt(live, [sourceProjection], position),
    onScheduled: loop.wake,
  });
  return { parts: [loop, follower, retiering], wake: loop.wake };
}
