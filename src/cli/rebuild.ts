import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { rebuildProjection } from '../runtime/projector/rebuild.ts';
import type { Verified } from '../runtime/projector/filling/verify-generations.ts';
import { searchGenerated } from '../search/search-generation.ts';
import { type RunCommand, UsageError } from './cli-command.ts';
import { limitGarbage } from '../compose/processes/limit-garbage.ts';
import { createProgress } from './progress.ts';
import { runRebuildSearch } from './rebuild-search.ts';
import { withStores } from './with-stores.ts';

export const runRebuild: RunCommand = async (context) => {
  const [name] = context.words;
  if (name === searchGenerated.name) return runRebuildSearch(context);
  const projection = allProjections.find((one) => one.name === name);
  if (projection === undefined) {
    throw new UsageError(`Name one of: ${[...allProjections, searchGenerated].map((one) => one.name).join(', ')}.`);
  }
  limitGarbage(); // a rebuild runs beside a service and shares its memory
  return withStores(context.config, async ({ eventStore: store, readModels }) => {
    const progress = createProgress(projection.name, context);
    const { generation, verified } = await rebuildProjection(projection, {
      store,
      readModels,
      clock: systemClock,
      holder: `rebuild:${process.pid}:${systemIds.commandId()}`,
      givingWayTo: allProjections,
      onProgress: ({ phase, position, target, eventsPerSecond }) =>
        progress.show({ done: position, total: target, detail: `${phase}, ${eventsPerSecond} events/s` }),
    }).finally(progress.end);
    const { documents, compared } = verified;
    const answer = { name: projection.name, generation, documents, verified: compared };
    const sentence = `${answer.name} is live as generation ${generation}, ${describeVerified(verified)}`;
    context.print(context.json ? JSON.stringify(answer) : sentence);
    return 0;
  });
};

const describeVerified = ({ documents, compared }: Verified): string =>
  compared === documents
    ? `verified ${documents} documents`
    : `verified a sample of ${compared} of ${documents} documents`;
