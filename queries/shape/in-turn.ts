import { DomainError } from '../../src/kernel/errors.ts';
import type { LargeReadDeps } from './query-deps.ts';

/** As long as a few of the largest reads take. Whoever waited so long is told to ask again. */
const waitMsMax = 10_000;

/**
 * Reads of all that an org was, or of a page with many long texts: one at a time, so that many who ask take no more memory and
 * no more of the thread than one.
 */
export const inTurn = async <Answer extends object>(
  { largeReadTurns }: LargeReadDeps,
  read: () => Promise<Answer>,
): Promise<Answer> => {
  const answer = await largeReadTurns.run(waitMsMax, read);
  if (answer === null) throw new DomainError('service_unavailable');
  return answer;
};
