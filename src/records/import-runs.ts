import type { Document } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { OperationalStore } from '../ports/operational-store.ts';

interface ImportRun extends Document {
  readonly importId: string;
}

export const importRunsDeclaration = { name: 'import-runs', indexes: {} };
const collection = importRunsDeclaration.name;

/** Far longer than a claim without an owner is respected. */
const keptMs = 600_000;

/**
 * An import that was cut off goes on under its own id when it is begun again soon: so it meets the names that it had
 * claimed as its own, and not as those of a stranger who may still be at work.
 */
export async function withImportRun<T>(
  { ops, clock, ids }: { readonly ops: OperationalStore; readonly clock: Clock; readonly ids: Ids },
  name: string,
  work: (importId: string) => Promise<T>,
): Promise<T> {
  const runs = await ops.collection<ImportRun>(importRunsDeclaration);
  const importId = (await runs.get(name))?.doc.importId ?? ids.commandId();
  const doc: ImportRun = { id: name, importId };
  await ops.transact([{ kind: 'put', collection, doc, expiresAtMs: clock.nowMs() + keptMs }]);
  const result = await work(importId);
  await ops.transact([{ kind: 'delete', collection, id: name }]);
  return result;
}
