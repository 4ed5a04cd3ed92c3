import { allProjections, entityTextProjections } from '../../projections/all-projections.ts';
import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { createShortTurns } from '../concurrency/short-turns.ts';
import { purgerActor } from '../domain/purge/purger-actor.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { Projection } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Log } from '../ports/log.ts';
import type { OperationalStore } from '../ports/operational-store.ts';
import type { Random } from '../ports/random.ts';
import type { ReadModels } from '../ports/read-models.ts';
import { openPurgeJobs } from '../records/purge-jobs.ts';
import type { Snapshots } from '../records/snapshots.ts';
import type { BatchRunner } from '../runtime/commands/batch-runner.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';
import { eraserFailure, eraserPosition, waitUntilTruncated } from '../runtime/jobs/eraser-progress.ts';
import type { MinuteJob } from '../runtime/jobs/every-minute.ts';
import { createTurnsBesideReaders } from '../runtime/jobs/purging/turns-beside-readers.ts';
import { startPurger } from '../runtime/jobs/purging/purger.ts';
import { stepStreams } from '../runtime/jobs/purging/walks.ts';
import { createScrubTexts, type ScrubTextsDeps } from '../runtime/jobs/scrub-texts.ts';
import { createLivePace } from '../runtime/projector/live-pace.ts';
import { createLiveReadModels, type LiveReadModels } from '../runtime/projector/live-read-models.ts';
import { eraseRelease } from '../use-cases/erase-release.ts';

interface PurgingDeps {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly ops: OperationalStore;
  readonly snapshots: Snapshots;
  readonly commands: CommandRunner;
  readonly batches: Pick<BatchRunner, 'run'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly holder: string;
  /** Changes with every request that this process answers. */
  readonly requests: () => number;
  /** Tells at once how far the projector of this process is, if it has one. */
  readonly live: Pick<LiveReadModels, 'waitFor'>;
  readonly scrubSearch: ScrubTextsDeps['scrubSearch'];
}

/** Longer than a projector needs to be replaced by another one. */
const passedMs = 15_000;

/** The purger over the stores of this process. */
export async function startPurging(deps: PurgingDeps): Promise<MinuteJob> {
  const { store, readModels, ops, commands, batches, clock, random, scrubSearch, requests } = deps;
  const live = createLiveReadModels(readModels, allProjections, clock);
  const liveTexts = createLiveReadModels(readModels, entityTextProjections, clock);
  const { scrub } = createScrubTexts({ live: liveTexts, readModels, holding: entityTextProjections, scrubSearch });
  // One step: with nothing left to do, the projector would stand still while the next one is read and decided. Positions of
  // EventStoreDB are bytes of its log: there all is waited for.
  const { giveWay } = createLivePace({ store, readModels, clock, live: allProjections, mayBeBehind: stepStreams });
  const request = (): CommandRequest => {
    const commandId = systemIds.commandId();
    return { commandId, actor: purgerActor, cause: 'system', correlationId: commandId };
  };
  const passed = async (reads: readonly Projection[], position: number): Promise<void> => {
    if (!(await live.waitFor(reads, position, passedMs))) throw new Error('a read model is behind a purge');
  };
  // The one that the walk goes by stands for all: they are written one right after the other, or together.
  const hasPassed = (position: number, timeoutMs: number): Promise<boolean> =>
    deps.live.waitFor([releaseFeedProjection], position, timeoutMs);
  return startPurger({
    ...deps,
    jobs: await openPurgeJobs(ops),
    models: live.current,
    passed,
    giveWay,
    mayGoOn: createShortTurns(clock),
    inTurn: createTurnsBesideReaders({ clock, requests, hasPassed }),
    scrub,
    request,
    truncated: (position) => waitUntilTruncated({ ops, clock }, position),
    isErased: async (position) => (await eraserPosition(ops)) >= position,
    eraserFailure: () => eraserFailure(ops),
    eraseLinked: (releaseId) => eraseRelease({ commands, batches, clock, random }, releaseId, request()),
  });
}
