import { DomainError } from '../../src/kernel/errors.ts';
import type { PastDeps } from './past-deps.ts';

/** As long as a few of the largest orgs take. Whoever waited so long is told to ask again. */
const waitMsMax = 10_000;

/** Reads of all that an org was: one at a time, so that many who ask take no more memory and no more of the thread than one. */
export const inTurn = async <Answer extends object>(
  { wholeOrgTurns }: Pick<PastDeps, 'wholeOrgTurns'>,
  read: () => Promise<Answer>,
): Promise<Answer> => {
  const answer = await wholeOrgTurns.run(waitMsMax, read);
  if (answer === null) throw new DomainError('service_unavailable');
  return answer;
};
