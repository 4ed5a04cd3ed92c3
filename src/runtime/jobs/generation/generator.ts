import { sourceProjection } from '../../../../projections/source/source.ts';
import type { Part } from '../../../concurrency/run-together.ts';
import { createStreamQueue } from '../../../concurrency/stream-queue.ts';
import { retryDelayMs } from '../../../generation/cadence.ts';
import { ProviderFailed } from '../../../generation/content-provider.ts';
import { BackendUnavailable } from '../../../kernel/backend-unavailable.ts';
import { isDomainError } from '../../../kernel/errors.ts';
import type { RecordedEvent } from '../../../kernel/event.ts';
import type { Document } from '../../../kernel/projection.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { EventBatch } from '../../../ports/event-store.ts';
import type { Lease } from '../../../ports/leases.ts';
import type { Log } from '../../../ports/log.ts';
import type { OperationalStore } from '../../../ports/operational-store.ts';
import type { ReadModelSet } from '../../../ports/read-models.ts';
import { checkpointsDeclaration } from '../../../records/checkpoints.ts';
import { type DueContent, openGenerationDue } from '../../../records/generation-due.ts';
import type { CommandRunner } from '../../commands/command-runner.ts';
import { type LeasedFollower, followWithLease } from '../../resilience/follow-with-lease.ts';
import { acquireLeases, LeaseLost } from '../../resilience/held-leases.ts';
import type { Erasure } from '../erase-texts.ts';
import { dropGenerated, textsTellingOf } from './drop-generated.ts';
import { dueWishes, followedTypes } from './due-wishes.ts';
import { createMinuteLimit, enrichDue } from './enrich-due.ts';
import { generateOverview, generateSummary, type NextLookMs, type TextsDeps } from './generate-texts.ts';

export interface GeneratorDeps extends TextsDeps {
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  /** Read models that have passed a position; throws when they do not get there. */
  readonly modelsAt: (position: number) => Promise<ReadModelSet>;
  /** Public address of the web pages, without a slash at its end. */
  readonly webBaseUrl: string;
  readonly enrichmentsPerMinute: number;
}

interface Checkpoint extends Document {
  readonly position: number;
}

const what = 'generating content';
const checkpointId = 'generator';
const leaseTtlMs = 30_000;
const batchSize = 200;
/** Without anything to note the checkpoint is saved this rarely. */
const checkpointEveryMs = 10_000;
const lookEveryMs = 5_000;
/** Between two texts: whoever answers requests on the same thread comes first. */
const pauseMs = 20;
/** How long events are gathered before they are noted. */
const gatherMs = 1_000;

/** Another process may be at work by now: what comes too late is not stored. */
const whileHeld = ({ run }: CommandRunner, over: AbortSignal): CommandRunner => ({
  run: async (command, input, request) => {
    if (over.aborted) throw new LeaseLost(what);
    return run(command, input, request);
  },
});

async function unlessOver<Result>(work: Promise<Result>, over: AbortSignal): Promise<Result | 'over'> {
  let end = (): void => undefined;
  const ended = new Promise<'over'>((resolve) => {
    end = () => resolve('over');
  });
  over.addEventListener('abort', end, { once: true });
  if (over.aborted) end();
  try {
    return await Promise.race([work, ended]);
  } finally {
    over.removeEventListener('abort', end);
  }
}

/**
 * Follows the releases, keeps a list of what is to be written about them and when, and writes what is due. Reading events
 * and writing take turns: a text that was made of a release which is erased meanwhile is there when the erasure is read.
 */
export function startGenerator(deps: GeneratorDeps): LeasedFollower {
  const { store, ops, snapshots, clock, log, holder, provider, modelsAt, webBaseUrl } = deps;
  const enriches = provider.enrich !== undefined;
  const limit = createMinuteLimit(deps.enrichmentsPerMinute);

  const open = async (lease: Lease) => {
    const turns = createStreamQueue();
    const due = await openGenerationDue(ops);
    const checkpoints = await ops.collection<Checkpoint>(checkpointsDeclaration);
    const from = (await checkpoints.get(checkpointId))?.doc.position ?? 0;
    let handled = from;
    let savedMs = clock.nowMs();

    async function wishesOf(events: readonly RecordedEvent[], position: number) {
      const models = await modelsAt(position);
      const sourceIds = new Set(
        events.map(({ stream, data }) => (data as { sourceId?: string }).sourceId ?? stream.id),
      );
      const sources = await models.of(sourceProjection).get([...sourceIds]);
      const orgIds = new Map(sources.map(({ id, orgId }) => [id, orgId]));
      const context = { nowMs: clock.nowMs(), enriches, orgIdOf: (id: string) => orgIds.get(id) ?? null };
      return events.flatMap((event) => dueWishes(event, context));
    }

    async function note({ events, position }: EventBatch): Promise<void> {
      if (events.length === 0 && clock.nowMs() - savedMs < checkpointEveryMs) return;
      const erasures = events.filter(({ type }) => type === 'ReleaseErased.v1') as readonly Erasure[];
      const generated = textsTellingOf(erasures);
      await dropGenerated(store, generated);
      await snapshots.forget(generated.map(({ stream }) => stream));
      const changes = events.length === 0 ? [] : await due.wishes(await wishesOf(events, position));
      const doc: Checkpoint = { id: checkpointId, position };
      const put = { kind: 'put' as const, collection: checkpointsDeclaration.name, doc };
      if ((await ops.transact([...changes, put], lease)) === 'stale_lease') throw new LeaseLost(what);
      savedMs = clock.nowMs();
    }

    async function write(row: DueContent, over: AbortSignal): Promise<NextLookMs> {
      const reads = { models: await modelsAt(handled), nowMs: clock.nowMs(), webBaseUrl };
      const commands = whileHeld(deps.commands, over);
      if (row.kind === 'overview') return generateOverview({ ...deps, commands }, reads, row);
      if (row.kind !== 'release') return generateSummary({ ...deps, commands }, reads, row);
      limit.use(clock.nowMs());
      await enrichDue({ ...deps, commands }, reads, row);
      return null;
    }

    /** A failure keeps its own text waiting, and nothing else. */
    function putOff(row: DueContent, error: unknown): DueContent {
      const failures = row.failures + 1;
      const isProviders = error instanceof ProviderFailed;
      const waitMs = retryDelayMs(failures, isProviders ? error.retryAfterMs : null);
      const fields = { content: row.id, failures, retryInMs: waitMs };
      if (isProviders) log.warn(`${error.message}; it is asked again later`, { ...fields, status: error.status });
      else log.error('content could not be generated; it is tried again later', { ...fields, error });
      return { ...row, failures, dueMs: clock.nowMs() + waitMs };
    }

    async function work(row: DueContent, over: AbortSignal): Promise<void> {
      let next: DueContent | null = null;
      try {
        const writing = write(row, over);
        // A provider may take minutes; whoever stops does not wait for it, and what it says is left unheard.
        const outcome = await unlessOver(writing, over);
        if (outcome === 'over') {
          writing.catch((error: unknown) => log.warn('content was not generated before the end', { error }));
          return;
        }
        if (outcome !== null) next = { ...row, dueMs: outcome, isUrgent: false, failures: 0 };
      } catch (error) {
        if (error instanceof BackendUnavailable || error instanceof LeaseLost) throw error;
        // Its owner is gone: there is nothing to write about.
        if (!isDomainError(error, 'not_found')) next = putOff(row, error);
      }
      const isKept = next === null ? await due.remove(row, lease) : await due.save(next, lease);
      if (!isKept) throw new LeaseLost(what);
    }

    /** Whether there was something to do. */
    const step = (queue: DueContent['queue'], over: AbortSignal): Promise<boolean> =>
      turns.run('turn', async () => {
        if (over.aborted) return false;
        if (queue === 'releases' && limit.left(clock.nowMs()) <= 0) return false;
        const [row] = await due.due(queue, clock.nowMs(), 1);
        if (row !== undefined) await work(row, over);
        return row !== undefined;
      });

    const working: Part = async (over) => {
      while (!over.aborted) {
        const isBusy = [await step('texts', over), await step('releases', over)].includes(true);
        await clock.sleep(isBusy ? pauseMs : lookEveryMs, over);
      }
    };

    return {
      from,
      types: followedTypes,
      batchSize,
      onBatch: async (batch: EventBatch, over: AbortSignal) => {
        await turns.run('turn', async () => {
          await note(batch);
          handled = batch.position;
        });
        // Nobody waits for it: what comes meanwhile is noted together.
        if (batch.events.length > 0) await clock.sleep(gatherMs, over);
      },
      beside: [working],
    };
  };

  return followWithLease({
    store,
    clock,
    log,
    what,
    acquire: () =>
      acquireLeases([{ leases: ops.leases, name: 'generator', what }], { holder, ttlMs: leaseTtlMs, clock }),
    open: ({ all: [lease] }) => open(lease!),
  });
}
