import type { Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { ReadModels } from '../../ports/read-models.ts';
import { codeGenerationOf } from '../projector/generations.ts';
import { type MinuteJob, startEveryMinute } from './every-minute.ts';

/** Whoever goes back in the evening and on again in the morning finds what was filled. */
const idleMs = 24 * 3_600_000;

/**
 * Drops what was filled and left: by a process that was killed and never came back, or by a version that nobody runs any
 * more. What these folds miss is left to those who fill it, however old it is.
 */
export function startAbandonedGenerations(deps: {
  readonly readModels: Pick<ReadModels, 'pointers' | 'generations' | 'dropAbandoned'>;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  readonly log: Log;
}): MinuteJob {
  const { readModels, projections, log } = deps;
  return startEveryMinute({ ...deps, failure: 'abandoned generations could not be dropped' }, async (stop) => {
    const pointers = await readModels.pointers();
    for (const projection of projections) {
      const { name } = projection;
      const live = pointers[name];
      const isMissing = live === undefined || codeGenerationOf(live) < projection.generation;
      for (const generation of await readModels.generations(name)) {
        if (stop.aborted) return;
        if (isMissing && codeGenerationOf(generation) === projection.generation) continue;
        const isDropped = await readModels.dropAbandoned(name, generation, idleMs);
        if (isDropped) log.info('dropped a generation that nobody has worked on for a day', { name, generation });
      }
    }
  });
}
