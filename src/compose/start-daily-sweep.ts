import { promoteOrg } from '../../commands/org/promote-org.ts';
import { sourceProjection } from '../../projections/source/source.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { OperationalStore } from '../ports/operational-store.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';
import { hasLiveSource, startDailySweep } from '../runtime/jobs/daily-sweep.ts';
import type { MinuteJob } from '../runtime/jobs/every-minute.ts';
import type { LiveReadModels } from '../runtime/projector/live-read-models.ts';
import { demoteOrg } from '../use-cases/demote-org.ts';

interface SweepingDeps {
  readonly ops: OperationalStore;
  readonly live: LiveReadModels;
  readonly commands: CommandRunner;
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  /** Of one new command of this job. */
  readonly request: () => CommandRequest;
}

/** Longer than a projector needs to be replaced by another one. */
const passedMs = 15_000;

/** The daily sweep over the stores of this process. */
export function startSweeping({ live, commands, request, ...deps }: SweepingDeps): Promise<MinuteJob> {
  const hasSource = async (orgId: string, position: number): Promise<boolean> => {
    const models = (await live.waitFor([sourceProjection], position, passedMs)) ? await live.current() : null;
    if (models === null) throw new Error('the read model of sources is behind');
    return hasLiveSource(models, orgId);
  };
  return startDailySweep({
    ...deps,
    models: live.current,
    demote: (orgId) => demoteOrg({ commands, hasSource }, orgId, request()),
    promote: (orgId) => commands.run(promoteOrg, { orgId, sources: {} }, request()),
  });
}
