import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { rebuildProjection } from '../runtime/projector/rebuild.ts';
import { type CliCommand, UsageError } from './cli-command.ts';
import { createProgress } from './progress.ts';
import { withStores } from './with-stores.ts';

export const rebuildCommand: CliCommand = {
  usage: 'rebuild <name>',
  summary: 'fills a read model anew beside the live one and switches to it; a killed rebuild goes on where it was',
  run: async (context) => {
    const [name] = context.words;
    const projection = allProjections.find((one) => one.name === name);
    if (projection === undefined) {
      throw new UsageError(`Name one of: ${allProjections.map((one) => one.name).join(', ')}.`);
    }
    return withStores(context.config, async ({ eventStore: store, readModels }) => {
      const progress = createProgress(projection.name, context);
      const generation = await rebuildProjection(projection, {
        store,
        readModels,
        clock: systemClock,
        holder: `rebuild:${process.pid}:${systemIds.commandId()}`,
        onProgress: ({ phase, position, target, eventsPerSecond }) =>
          progress.show({ done: position, total: target, detail: `${phase}, ${eventsPerSecond} events/s` }),
      }).finally(progress.end);
      const answer = { name: projection.name, generation };
      context.print(context.json ? JSON.stringify(answer) : `${answer.name} is live as generation ${generation}`);
      return 0;
    });
  },
};
