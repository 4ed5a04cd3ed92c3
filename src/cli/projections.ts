import { allProjections } from '../../projections/all-projections.ts';
import type { SearchIndexes } from '../ports/search-index.ts';
import { codeGenerationOf } from '../runtime/projector/generations.ts';
import { newerIndexSentence, searchGenerated } from '../search/search-generation.ts';
import type { RunCommand } from './cli-command.ts';
import { withStores } from './with-stores.ts';

interface ProjectionRow {
  readonly name: string;
  readonly generation: number | null;
  readonly position: number | null;
  readonly head: number;
  readonly behind: number | null;
}

export const runProjections: RunCommand = ({ config, json, print }) =>
  withStores(config, async ({ eventStore, readModels, openSearch }) => {
    const head = await eventStore.head();
    const pointers = await readModels.pointers();
    const rows: ProjectionRow[] = [];
    for (const projection of allProjections) {
      const { name, indexes } = projection;
      const generation = pointers[name];
      if (generation === undefined || codeGenerationOf(generation) !== projection.generation) {
        rows.push({ name, generation: generation ?? null, position: null, head, behind: null });
        continue;
      }
      const position = await (await readModels.open({ name, generation, indexes })).checkpoint();
      rows.push({ name, generation, position, head, behind: head - position });
    }
    rows.push(await searchRow(await openSearch(), head));
    if (json) print(JSON.stringify({ items: rows }));
    else for (const row of rows) print(describe(row));
    return 0;
  });

async function searchRow(indexes: SearchIndexes, head: number): Promise<ProjectionRow> {
  const { name, generation: ours } = searchGenerated;
  const generation = await indexes.pointer();
  if (generation === null || codeGenerationOf(generation) !== ours) {
    return { name, generation, position: null, head, behind: null };
  }
  const position = await (await indexes.open(generation)).checkpoint();
  return { name, generation, position, head, behind: head - position };
}

function describe({ name, generation, position, head, behind }: ProjectionRow): string {
  if (generation === null) return `${name.padEnd(16)} not built yet`;
  const isNewerIndex = name === searchGenerated.name && codeGenerationOf(generation) > searchGenerated.generation;
  if (isNewerIndex) return `${name.padEnd(16)} generation ${generation}  ${newerIndexSentence}`;
  if (position === null) return `${name.padEnd(16)} generation ${generation}  made by another version of the service`;
  return `${name.padEnd(16)} generation ${generation}  position ${position} of ${head}  behind by ${behind}`;
}
