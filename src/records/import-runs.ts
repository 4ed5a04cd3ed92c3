import type { Document } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { OperationalStore } from '../ports/operational-store.ts';

/** How far an import of a long file is: everything before it is stored. */
export interface ImportPlace {
  readonly path: string;
  /** Of the file; in another one the place means nothing. */
  readonly stamp: string;
  readonly byte: number;
  readonly line: number;
}

interface ImportRun extends Document {
  readonly importId: string;
  readonly place: ImportPlace | null;
}

export const importRunsDeclaration = { name: 'import-runs', indexes: {} };
const collection = importRunsDeclaration.name;

/** Far longer than a claim without an owner is respected. */
const keptMs = 600_000;

export interface ImportRunInHand {
  readonly importId: string;
  /** Where the one that was cut off had come to. */
  readonly place: ImportPlace | null;
  readonly save: (place: ImportPlace) => Promise<void>;
}

/**
 * An import that was cut off goes on under its own id when it is begun again soon: so it meets the names that it had
 * claimed as its own, and not as those of a stranger who may still be at work. A dry run leaves no trace.
 */
export async function withImportRun<T>(
  { ops, clock, ids }: { readonly ops: OperationalStore; readonly clock: Clock; readonly ids: Ids },
  { name, isDryRun = false }: { readonly name: string; readonly isDryRun?: boolean },
  work: (run: ImportRunInHand) => Promise<T>,
): Promise<T> {
  if (isDryRun) return work({ importId: ids.commandId(), place: null, save: async () => undefined });
  const runs = await ops.collection<ImportRun>(importRunsDeclaration);
  const before = (await runs.get(name))?.doc;
  const importId = before?.importId ?? ids.commandId();
  const save = async (place: ImportPlace | null): Promise<void> => {
    const doc: ImportRun = { id: name, importId, place };
    await ops.transact([{ kind: 'put', collection, doc, expiresAtMs: clock.nowMs() + keptMs }]);
  };
  const place = before?.place ?? null;
  await save(place);
  const result = await work({ importId, place, save });
  await ops.transact([{ kind: 'delete', collection, id: name }]);
  return result;
}
