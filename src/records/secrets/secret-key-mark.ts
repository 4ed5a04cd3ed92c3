import { StartupError } from '../../kernel/startup-error.ts';
import type { Document } from '../../kernel/projection.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import type { Seal } from './seal.ts';

interface SealedMark extends Document {
  readonly sealed: string;
}

export const secretKeyMarkDeclaration = { name: 'secret-key-mark', indexes: {} };

const mark: Pick<SealedMark, 'id'> = { id: 'mark' };

/** Whether what was sealed before can be opened; null when nothing was. */
export async function opensSecrets(ops: OperationalStore, seal: Seal): Promise<boolean | null> {
  const stored = await (await ops.collection<SealedMark>(secretKeyMarkDeclaration)).get(mark.id);
  if (stored === null) return null;
  try {
    return seal.open(stored.doc.sealed) === mark.id;
  } catch {
    return false; // sealed with another key
  }
}

/** Stops a start with another key than before: no webhook could be signed, and nobody would be told why. */
export async function requireSameSecretKey(ops: OperationalStore, seal: Seal): Promise<void> {
  const known = await opensSecrets(ops, seal);
  if (known === true) return;
  if (known === null) {
    const doc: SealedMark = { ...mark, sealed: seal.close(mark.id) };
    const put = { kind: 'put', collection: secretKeyMarkDeclaration.name, doc, expected: 0 } as const;
    if ((await ops.transact([put])) === 'written') return;
    return requireSameSecretKey(ops, seal); // another process was first
  }
  throw new StartupError(
    'SECRET_KEY is not the key that the secrets of this registry are sealed with. Set the one it was first started with; ' +
      'of a registry that began in a data folder it lies there in the file secret.key.',
  );
}
