import type { Document } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import type { Seal } from './seal.ts';

interface SecretDocument extends Document {
  readonly sealedSecret: string;
}

/** What a command makes up and its answer alone shows: sealed, and kept as long as the command may be repeated. */
export interface NewSecrets {
  /** The secret of a command, made when it has none: the same however often the command is tried. */
  readonly make: (commandId: string, create: () => string) => Promise<string>;
}

/** As long as an idempotency key, which gives the command its id. */
const keptMs = 24 * 3_600_000;

export const newSecretsDeclaration = { name: 'new-secrets', indexes: {} };

export async function createNewSecrets(deps: {
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly seal: Seal;
}): Promise<NewSecrets> {
  const { ops, clock, seal } = deps;
  const { name: collection } = newSecretsDeclaration;
  const secrets = await ops.collection<SecretDocument>(newSecretsDeclaration);
  return {
    make: async (commandId, create) => {
      for (;;) {
        const known = await secrets.get(commandId);
        const doc = known?.doc ?? { id: commandId, sealedSecret: seal.close(create()) };
        // Also when it is known: each try lets the key live on, and the secret with it.
        const expiresAtMs = clock.nowMs() + keptMs;
        const put = { kind: 'put', collection, doc, expected: known?.revision ?? 0, expiresAtMs } as const;
        if ((await ops.transact([put])) === 'written') return seal.open(doc.sealedSecret);
      }
    },
  };
}
