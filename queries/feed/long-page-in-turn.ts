import { DomainError } from '../../src/kernel/errors.ts';
import type { LongPageDeps } from '../shape/query-deps.ts';

/** As long as a few of the longest pages take. Whoever waited so long is told to ask again. */
const waitMsMax = 10_000;

/** Pages with many long texts: one at a time, so that many who ask take no more memory and no more of the thread than one. */
export const inTurn = async <Answer extends object>(
  { longPageTurns }: LongPageDeps,
  read: () => Promise<Answer>,
): Promise<Answer> => {
  const answer = await longPageTurns.run(waitMsMax, read);
  if (answer === null) throw new DomainError('service_unavailable');
  return answer;
};
