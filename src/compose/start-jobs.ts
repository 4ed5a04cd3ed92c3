import { abandonChangelogText } from '../../commands/changelog/abandon-changelog-text.ts';
import { dateRelease } from '../../commands/release/date-release.ts';
import { allProjections, generatedTextProjections, textProjections } from '../../projections/all-projections.ts';
import { pendingProjection } from '../../projections/pending/pending.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { closeInTurn } from '../concurrency/close-in-turn.ts';
import { namesText } from '../domain/changelog/state.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { Snapshots } from '../records/snapshots.ts';
import type { BatchRunner } from '../runtime/commands/batch-runner.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';
import { startAbandonedGenerations } from '../runtime/jobs/abandoned-generations.ts';
import { startDueDates } from '../runtime/jobs/due-dates.ts';
import { startEraser } from '../runtime/jobs/eraser.ts';
import { startExpirySweeper } from '../runtime/jobs/expiry-sweeper.ts';
import { createScrubTexts } from '../runtime/jobs/scrub-texts.ts';
import { startTextSweeper } from '../runtime/jobs/text-sweeper.ts';
import { createLiveReadModels, type LiveReadModels } from '../runtime/projector/live-read-models.ts';
import { createScrubSearch } from '../runtime/searching/scrub-search.ts';
import { startSweeping } from './start-daily-sweep.ts';
import { startPurging } from './start-purging.ts';
import type { Stores } from './stores/stores.ts';

/** What runs until it is closed; `done` rejects when it cannot go on. */
export interface RunningPart {
  readonly done: Promise<void>;
  readonly close: () => Promise<void>;
}

export interface JobsDeps {
  readonly stores: Pick<Stores, 'eventStore' | 'readModels' | 'ops' | 'openSearch'>;
  readonly live: LiveReadModels;
  readonly commands: CommandRunner;
  readonly batches: BatchRunner;
  readonly snapshots: Snapshots;
  readonly random: Random;
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  readonly webBaseUrl: string;
  /** Changes with every request that this process answers. */
  readonly requests: () => number;
}

/** A command that no caller has asked for. */
const systemRequest = (part: string): CommandRequest => {
  const commandId = systemIds.commandId();
  return { commandId, actor: `system:${part}`, cause: 'system', correlationId: commandId };
};

/** Takes each part as it is started. */
async function startEach(deps: JobsDeps, run: (part: RunningPart) => void): Promise<void> {
  const { stores, live, commands, batches, snapshots, random, clock, log, holder, webBaseUrl, requests } = deps;
  const { eventStore: store, readModels, ops } = stores;
  const holding = [...textProjections, ...generatedTextProjections];
  const scrubSearch = createScrubSearch({ openIndexes: stores.openSearch, clock });
  const scrubTexts = createScrubTexts({
    scrubSearch,
    live: createLiveReadModels(readModels, holding, clock),
    readModels,
    holding,
  });
  run(startEraser({ store, ops, snapshots, clock, log, holder, scrubTexts }));
  run(startAbandonedGenerations({ readModels, projections: allProjections, clock, log }));
  run(
    startDueDates({
      ops,
      clock,
      log,
      holder,
      pending: async () => (await live.current())?.of(pendingProjection) ?? null,
      dateRelease: async (releaseId) => {
        await commands.run(dateRelease, { releaseId, webBaseUrl }, systemRequest('due-dates'));
      },
    }),
  );
  run(startExpirySweeper({ ops, clock, log }));
  run(
    startTextSweeper({
      store,
      ops,
      clock,
      log,
      holder,
      abandonText: async (sourceId, key) => {
        const { state } = await commands.run(abandonChangelogText, { sourceId, key }, systemRequest('text-sweeper'));
        return !namesText(state, key);
      },
    }),
  );
  const request = () => systemRequest('daily-sweep');
  run(await startSweeping({ ops, live, commands, clock, log, holder, request }));
  const deciding = { store, clock, random, snapshots };
  run(
    await startPurging({ ...deciding, readModels, live, ops, commands, batches, log, holder, scrubSearch, requests }),
  );
}

/** The last one first: a purge waits for the eraser, and would wait in vain for one that has ended before it. */
export const closeJobs = (parts: readonly RunningPart[]): Promise<void> =>
  closeInTurn(parts.toReversed().map(({ close }) => close));

/** What has to be done again and again by one process, whoever asks for what. All of it runs, or nothing does. */
export async function startJobs(deps: JobsDeps): Promise<readonly RunningPart[]> {
  const parts: RunningPart[] = [];
  try {
    await startEach(deps, (part) => void parts.push(part));
    return parts;
  } catch (error) {
    await closeJobs(parts);
    throw error;
  }
}
