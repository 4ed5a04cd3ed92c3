import type { Document, Projection } from '../../../src/kernel/projection.ts';
import type { ReadModel } from '../../../src/ports/read-models.ts';
import type { SampleRegistry } from '../worlds/sample-registry.ts';

/** What queries read of a registry, with a count of it. */
export const countReads = (registry: () => SampleRegistry) => {
  const counts = { rows: 0, queries: 0 };

  const counted = <Doc extends Document>(model: ReadModel<Doc>): ReadModel<Doc> => ({
    ...model,
    query: async (query) => {
      const rows = await model.query(query);
      counts.rows += rows.length;
      counts.queries += 1;
      return rows;
    },
    get: async (ids) => {
      counts.rows += ids.length;
      return model.get(ids);
    },
  });

  return {
    counts,
    beginAnew: () => {
      counts.rows = 0;
      counts.queries = 0;
    },
    deps: () => ({
      models: { of: <Doc extends Document>(projection: Projection<Doc>) => counted(registry().models.of(projection)) },
      catalogue: registry().catalogue,
      webBaseUrl: 'https://registry.example',
    }),
  };
};
