import type { ReadModels, RefusedSwitch } from '../../../ports/read-models.ts';
import { changedMeanwhile, type Filling } from './begin-filling.ts';

export const refusalSentence = ({ name, reason }: RefusedSwitch): string =>
  reason === 'changed'
    ? changedMeanwhile(name)
    : `the generation of ${name} that was filled has been dropped by another process; nothing was switched`;

/**
 * Makes all of them live in one write: during a rollout some process must be able to serve at every moment, with the old
 * ones or with all of the new. Answers those that are live now. One that is refused drops out, and then it is asked
 * again which ones are to be switched without it.
 */
export async function switchFillings(
  switchable: () => readonly Filling[],
  readModels: Pick<ReadModels, 'switchPointers'>,
  onRefused: (filling: Filling, refused: RefusedSwitch) => void,
): Promise<readonly Filling[]> {
  for (let ready = switchable(); ready.length > 0; ready = switchable()) {
    const switches = ready.map(({ projection: { name }, live, target: { generation }, held }) => ({
      name,
      expected: live,
      generation,
      lease: held.all[0]!,
    }));
    const refused = await readModels.switchPointers(switches);
    if (refused === null) return ready;
    const filling = ready.find(({ projection }) => projection.name === refused.name);
    if (filling === undefined) throw new Error(`${refused.name} was refused and not asked for`);
    onRefused(filling, refused);
  }
  return [];
}
