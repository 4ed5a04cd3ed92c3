import type { Document, Projection } from '../../kernel/projection.ts';
import type { ReadModel, ReadModelSet } from '../../ports/read-models.ts';

export function createReadModelSet(models: readonly ReadModel[]): ReadModelSet {
  const byName = new Map(models.map((model) => [model.declaration.name, model]));
  return {
    of: <Doc extends Document>({ name }: Projection<Doc>) => {
      const model = byName.get(name);
      if (model === undefined) throw new Error(`there is no read model ${name}`);
      // Under the name of a projection lies what its folds wrote; a map cannot say so.
      return model as ReadModel<Doc>;
    },
  };
}
