import type { Document } from '../../kernel/projection.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import type { Random } from '../../ports/random.ts';
import { createBatchedFinds } from '../../concurrency/batched-calls.ts';
import type { Seal } from './seal.ts';

interface KeyDocument extends Document {
  /** Hexadecimal, sealed. */
  readonly sealedKey: string;
}

/** The keys that webhooks are signed with: sealed, and neither in an event nor in a log nor on a topic. */
export interface SigningKeys {
  /** The key of a webhook, made when it has none: the same however often a creation is tried again. */
  readonly make: (webhookId: string) => Promise<Uint8Array>;
  readonly get: (webhookId: string) => Promise<Uint8Array | null>;
  readonly remove: (webhookId: string) => Promise<void>;
}

const keyBytes = 32;
const readsAtOnceMax = 256;

export const signingKeysDeclaration = { name: 'signing-keys', indexes: {} };

export async function createSigningKeys(deps: {
  readonly ops: OperationalStore;
  readonly random: Random;
  readonly seal: Seal;
}): Promise<SigningKeys> {
  const { ops, random, seal } = deps;
  const { name: collection } = signingKeysDeclaration;
  const keys = await ops.collection<KeyDocument>(signingKeysDeclaration);
  const find = createBatchedFinds(keys.getMany, ({ doc }) => doc.id, readsAtOnceMax);

  const get: SigningKeys['get'] = async (webhookId) => {
    const stored = await find(webhookId);
    return stored && new Uint8Array(Buffer.from(seal.open(stored.doc.sealedKey), 'hex'));
  };

  return {
    get,
    make: async (webhookId) => {
      for (;;) {
        const known = await get(webhookId);
        if (known !== null) return known;
        const key = random.bytes(keyBytes);
        const doc: KeyDocument = { id: webhookId, sealedKey: seal.close(Buffer.from(key).toString('hex')) };
        if ((await ops.transact([{ kind: 'put', collection, doc, expected: 0 }])) === 'written') return key;
      }
    },
    remove: async (webhookId) => {
      await ops.transact([{ kind: 'delete', collection, id: webhookId }]);
    },
  };
}
