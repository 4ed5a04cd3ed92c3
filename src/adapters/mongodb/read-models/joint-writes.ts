import type { ClientSession, Collection, Db, Document, Filter, UpdateFilter } from 'mongodb';
import type { ReadModelDeclaration } from '../../../kernel/projection.ts';
import type { NamedWrite, ReadModels } from '../../../ports/read-models.ts';
import { isTooLarge } from '../failures.ts';
import type { RunTransaction } from '../transaction.ts';
import { findRows } from './find-rows.ts';
import type { ReadModelWriter } from './writer.ts';

/** What one read model adds to a transaction of several. */
export interface JointPart extends Pick<ReadModelWriter, 'prepare'> {
  readonly moveOf: (write: Pick<NamedWrite, 'lease' | 'position'>) => {
    readonly filter: Filter<Document>;
    readonly update: UpdateFilter<Document>;
  };
}

export interface JointWritesDeps {
  readonly db: Db;
  /** Of the generations, with their checkpoints and leases. */
  readonly collection: Collection<Document>;
  readonly runTransaction: RunTransaction;
}

export interface JointWrites {
  readonly opened: (declaration: Pick<ReadModelDeclaration, 'name' | 'generation'>, part: JointPart) => void;
  readonly writeTogether: NonNullable<ReadModels['writeTogether']>;
}

const keyOf = ({ name, generation }: { readonly name: string; readonly generation: number }): string =>
  `${name}.g${generation}`;

/**
 * An event mostly concerns several read models. Each of their transactions would wait for the disk by itself: one for all
 * waits once, and moves all checkpoints in one command.
 */
export function createJointWrites({ db, collection, runTransaction }: JointWritesDeps): JointWrites {
  /** By what is open: one that was dropped and made anew replaces the other, and refuses the leases of that. */
  const parts = new Map<string, JointPart>();

  const partOf = (write: NamedWrite): JointPart => {
    const part = parts.get(keyOf(write));
    if (part === undefined) throw new Error(`${keyOf(write)} is not open here`);
    return part;
  };

  /** All come to the same place as a rule: then it is one update, where one for each would take longer than all else here. */
  const moveAll = async (writes: readonly NamedWrite[], session: ClientSession): Promise<boolean> => {
    let moved = 0;
    for (const position of new Set(writes.map((write) => write.position))) {
      const moves = writes.filter((write) => write.position === position).map((write) => partOf(write).moveOf(write));
      const held = { $or: moves.map(({ filter }) => filter) };
      moved += (await collection.updateMany(held, moves[0]!.update, { session })).matchedCount;
    }
    return moved === writes.length;
  };

  return {
    opened: (declaration, part) => void parts.set(keyOf(declaration), part),
    writeTogether: async (writes) => {
      const prepared = writes
        .filter(({ changes }) => changes.length > 0)
        .map((write) => partOf(write).prepare(write.changes));
      const rows = await findRows(
        db,
        prepared.map((each) => each.rows),
      );
      const work = async (session: ClientSession): Promise<boolean> => {
        if (!(await moveAll(writes, session))) return false;
        for (const [index, { apply }] of prepared.entries()) await apply(rows[index]!, session);
        return true;
      };
      try {
        return await runTransaction(work, (isWritten) => isWritten);
      } catch (error) {
        if (isTooLarge(error)) return false;
        throw error;
      }
    },
  };
}
