import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { FilledStep } from './vector-filler.ts';

export interface FillProgressDeps {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: Log;
  /** How far the index is, and so how far vectors are to come. */
  readonly target: () => Promise<number>;
}

/** What is made within the first of these is not worth a line; a large registry takes hours. */
const tellEachMs = 10_000;

/** Tells from time to time how far the vectors are, while many are made. Documents are filled in the order of their positions. */
export function createFillProgress({ clock, log, target }: FillProgressDeps) {
  let begunMs: number | null = null;
  let toldMs: number | null = null;
  let documents = 0;

  return {
    filled: async ({ model, kind, position, documents: more }: FilledStep): Promise<void> => {
      const nowMs = clock.nowMs();
      begunMs ??= nowMs;
      documents += more;
      if (nowMs - (toldMs ?? begunMs) < tellEachMs) return;
      toldMs = nowMs;
      log.info('making vectors', { model, kind, documents, position, target: await target() });
    },
    /** Nothing waits any more. */
    done: (): void => {
      if (toldMs !== null) log.info('all texts have their vectors', { documents });
      [begunMs, toldMs, documents] = [null, null, 0];
    },
  };
}
