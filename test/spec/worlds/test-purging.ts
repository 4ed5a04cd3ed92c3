import { systemIds } from '../../../src/adapters/system/ids.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { purgerActor } from '../../../src/domain/purge/purger-actor.ts';
import type { CommandRequest } from '../../../src/kernel/command.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import type { ReadModelSet } from '../../../src/ports/read-models.ts';
import { openPurgeJobs } from '../../../src/records/purge-jobs.ts';
import { purgeRound, type PurgeRoundDeps } from '../../../src/runtime/jobs/purging/purge-round.ts';
import { eraseRelease } from '../../../src/use-cases/erase-release.ts';
import type { createTestRunners } from './embedded-registry.ts';

const roundsMax = 200;

/** The purger without its lease and its clock, over read models that are fed by hand. */
export async function createTestPurging(deps: {
  readonly store: EventStore;
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly runners: ReturnType<typeof createTestRunners>;
  readonly models: ReadModelSet;
  /** Brings the read models up to the end of the log. */
  readonly follow: () => Promise<void>;
  /** Erases what is to be erased; throws when it does not come to the position. */
  readonly erased: (position: number) => Promise<void>;
}) {
  const { ops, clock, runners, models, follow, erased } = deps;
  const request = (): CommandRequest => {
    const commandId = systemIds.commandId();
    return { commandId, actor: purgerActor, cause: 'system', correlationId: commandId };
  };
  const round: PurgeRoundDeps = {
    ...deps,
    ...runners,
    snapshots: { forget: async () => {} },
    jobs: await openPurgeJobs(ops),
    models: async () => models,
    passed: follow,
    giveWay: follow,
    mayGoOn: async () => {},
    inTurn: (piece) => piece(),
    scrub: async () => {},
    truncated: erased,
    isErased: async (position) => {
      await erased(position);
      return true;
    },
    eraserFailure: async () => null,
    request,
    eraseLinked: (id) => eraseRelease({ ...runners, clock, random: systemRandom }, id, request()),
  };
  const never = new AbortController().signal;
  return {
    deps: round,
    /** Until nothing is left to do now. */
    purgeAll: async (over: Partial<PurgeRoundDeps> = {}): Promise<number> => {
      await follow();
      for (let rounds = 0; rounds < roundsMax; rounds += 1) {
        if (!(await purgeRound({ ...round, ...over }, never))) return rounds;
        await follow();
      }
      throw new Error(`the purges do not end within ${roundsMax} rounds`);
    },
  };
}
