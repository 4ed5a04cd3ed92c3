import { startThread, type Thread } from '../../adapters/threads/thread.ts';
import { restoreError } from '../../adapters/threads/thread-messages.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { FillApart } from '../../runtime/projector/filling/build-missing.ts';
import type { FillOutcome } from '../../runtime/projector/filling/fill-generations.ts';
import { FoldFailure } from '../../runtime/projector/fold-batch.ts';
import { firstBuild } from '../../runtime/projector/generations.ts';
import type { FillerThreadCalls, FillerThreadData, SentOutcome } from './filler-worker.ts';

function received(outcome: SentOutcome): FillOutcome {
  if (outcome.kind !== 'failed') return outcome;
  const { position, error, ...rest } = outcome;
  return { ...rest, error: position === null ? restoreError(error) : new FoldFailure(error.message, position) };
}

const namesOf = (named: readonly { readonly name: string }[]): string[] => named.map(({ name }) => name);

/** Fills in a thread that is there only meanwhile: filling is rare, and a thread costs memory. */
export const createFiller = (data: FillerThreadData): FillApart => {
  const start = (signal: AbortSignal): Promise<Thread<FillerThreadCalls>> =>
    startThread<FillerThreadCalls>({
      name: 'filler',
      beside: import.meta.url,
      module: 'filler-worker',
      workerData: data,
      onExit: () => undefined, // the call in hand is rejected with the reason
      signal,
    });

  async function fill({ missing, givingWayTo, signal }: Parameters<FillApart>[0]): Promise<FillOutcome[]> {
    const thread = await start(signal);
    const stop = () => void thread.call('stop', null).catch(() => undefined); // it has ended, which is as well
    try {
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      const answer = await thread.call('fill', { missing: namesOf(missing), givingWayTo: namesOf(givingWayTo) });
      if ('unavailable' in answer) throw new BackendUnavailable(answer.unavailable);
      return answer.outcomes.map(received);
    } finally {
      signal.removeEventListener('abort', stop);
      await thread.close();
    }
  }

  /** What takes the thread down must not take those down who feed: it is told, and tried again. */
  return async (filling) => {
    try {
      return await fill(filling);
    } catch (error) {
      if (error instanceof BackendUnavailable || filling.signal.aborted) throw error;
      return filling.missing.map((projection) => ({
        name: projection.name,
        generation: firstBuild(projection),
        kind: 'failed',
        error: error as Error,
      }));
    }
  };
};
