import { v5 as uuidV5 } from 'uuid';
import type { CommandRequest } from '../kernel/command.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { BatchRunner } from '../runtime/commands/batch-runner.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';

export interface CoverageServices {
  readonly commands: CommandRunner;
  readonly batches: Pick<BatchRunner, 'run'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** A step of something that takes several commands, some on the same stream: the same step again is the same command. */
export const stepOf = (request: CommandRequest, step: string): CommandRequest => ({
  ...request,
  commandId: uuidV5(step, request.commandId),
});
