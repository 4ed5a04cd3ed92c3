import type { ReadModels } from '../../ports/read-models.ts';
import { changedMeanwhile, type Filling } from './begin-filling.ts';

/**
 * Makes all of them live in one write: during a rollout some process must be able to serve at every moment, with the old
 * ones or with all of the new. Answers those that are live now; whose pointer was moved by another process drops out.
 */
export async function switchFillings(
  agreed: readonly Filling[],
  readModels: Pick<ReadModels, 'pointers' | 'switchPointers'>,
  onOvertaken: (filling: Filling, sentence: string) => void,
): Promise<readonly Filling[]> {
  let ready = agreed;
  while (ready.length > 0) {
    const switches = ready.map(({ projection: { name }, live, target: { generation } }) => ({
      name,
      expected: live,
      generation,
    }));
    if (await readModels.switchPointers(switches)) return ready;
    const pointers = await readModels.pointers();
    const isOvertaken = ({ projection: { name }, live }: Filling) => (pointers[name] ?? null) !== live;
    for (const filling of ready.filter(isOvertaken)) onOvertaken(filling, changedMeanwhile(filling.projection.name));
    ready = ready.filter((filling) => !isOvertaken(filling));
  }
  return [];
}
