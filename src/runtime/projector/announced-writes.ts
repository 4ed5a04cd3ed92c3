import type { Document, ReadModelDeclaration } from '../../kernel/projection.ts';
import type { OpenOptions, ReadModel, ReadModels } from '../../ports/read-models.ts';

/** Read models that tell of each switch: what is filled can be read from then on, and nobody reads it before. */
export const announcedSwitches = (readModels: ReadModels, onWritten: () => void): ReadModels => ({
  ...readModels,
  // Also of one that failed: it may have been written, and only the answer was lost.
  switchPointers: (switches) => readModels.switchPointers(switches).finally(onWritten),
});

/** Read models that tell of each write, once it can be read. */
export function announcedWrites(readModels: ReadModels, onWritten: () => void): ReadModels {
  const announcing = <Doc extends Document>(model: ReadModel<Doc>): ReadModel<Doc> => ({
    ...model,
    write: (write) => model.write(write).finally(onWritten),
  });
  return {
    ...announcedSwitches(readModels, onWritten),
    passOver: (moves) => readModels.passOver(moves).finally(onWritten),
    open: async <Doc extends Document>(declaration: ReadModelDeclaration, options?: OpenOptions) =>
      announcing(await readModels.open<Doc>(declaration, options)),
  };
}
