import type { Change, Document, ReadModelDeclaration } from '../../kernel/projection.ts';
import type { OpenOptions, ReadModel, ReadModels } from '../../ports/read-models.ts';

export interface WrittenReadModel {
  readonly name: string;
  readonly generation: number;
  /** Its checkpoint; null when it is not known whether it was written. */
  readonly position: number | null;
  readonly changes: readonly Change<Document>[];
}

/** What can be read from now on; null of a switch: anything may be another than it was. */
export type Announcement = readonly WrittenReadModel[] | null;

type Announce = (announcement: Announcement) => void;

/** Read models that tell of each switch: what is filled can be read from then on, and nobody reads it before. */
export const announcedSwitches = (readModels: ReadModels, announce: Announce): ReadModels => ({
  ...readModels,
  // Also of one that failed: it may have been written, and only the answer was lost.
  switchPointers: (switches) => readModels.switchPointers(switches).finally(() => announce(null)),
});

/** Read models that tell of each write, once it can be read. */
export function announcedWrites(readModels: ReadModels, announce: Announce): ReadModels {
  async function announced<Outcome>(
    written: readonly WrittenReadModel[],
    write: Promise<Outcome>,
    isWhole: (outcome: Outcome) => boolean,
  ): Promise<Outcome> {
    let isWritten = false;
    try {
      const outcome = await write;
      isWritten = isWhole(outcome);
      return outcome;
    } finally {
      announce(isWritten ? written : written.map((each) => ({ ...each, position: null })));
    }
  }

  const announcing = <Doc extends Document>(model: ReadModel<Doc>): ReadModel<Doc> => ({
    ...model,
    write: (write) => {
      const { name, generation } = model.declaration;
      const { changes, position } = write;
      const written = [{ name, generation, changes, position }];
      return announced(written, model.write(write), (outcome) => outcome === 'written');
    },
  });
  return {
    ...announcedSwitches(readModels, announce),
    passOver: (moves) => {
      const written = moves.map((move) => ({ ...move, changes: [] }));
      return announced(written, readModels.passOver(moves), (moved) => moved === moves.length);
    },
    writeTogether:
      readModels.writeTogether &&
      ((writes) => announced(writes, readModels.writeTogether!(writes), (isWritten) => isWritten)),
    open: async <Doc extends Document>(declaration: ReadModelDeclaration, options?: OpenOptions) =>
      announcing(await readModels.open<Doc>(declaration, options)),
  };
}
