import { allProjections } from '../../projections/all-projections.ts';
import type { CliCommand } from './cli-command.ts';
import { withStores } from './with-stores.ts';

interface ProjectionRow {
  readonly name: string;
  readonly generation: number | null;
  readonly position: number | null;
  readonly head: number;
  readonly lagEvents: number | null;
}

export const projectionsCommand: CliCommand = {
  usage: 'projections',
  summary: 'lists every read model, its live generation and how far behind it is',
  run: ({ dataDir, json, print }) =>
    withStores(dataDir, async ({ eventStore, readModels }) => {
      const head = await eventStore.head();
      const pointers = await readModels.pointers();
      const rows: ProjectionRow[] = [];
      for (const { name, indexes } of allProjections) {
        const generation = pointers[name];
        if (generation === undefined) {
          rows.push({ name, generation: null, position: null, head, lagEvents: null });
          continue;
        }
        const position = await (await readModels.open({ name, generation, indexes })).checkpoint();
        rows.push({ name, generation, position, head, lagEvents: head - position });
      }
      if (json) print(JSON.stringify({ items: rows }));
      else for (const row of rows) print(describe(row));
      return 0;
    }),
};

const describe = ({ name, generation, position, head, lagEvents }: ProjectionRow): string =>
  generation === null
    ? `${name.padEnd(16)} not built yet`
    : `${name.padEnd(16)} generation ${generation}  position ${position} of ${head}  behind by ${lagEvents}`;
