import { toTimestamp } from '../kernel/dates.ts';
import type { Document } from '../kernel/projection.ts';
import type { Log } from '../ports/log.ts';
import type { CollectionDeclaration, OperationalStore } from '../ports/operational-store.ts';

interface TokenUse extends Document {
  readonly lastUsedAt: string;
}

/** When each machine token was last used; written at most once a minute for each. */
export interface TokenUses {
  /** Of each of these tokens, in the same order; read anew each time: any process may be used with them. */
  readonly lastUses: (tokenIds: readonly string[]) => Promise<(string | null)[]>;
  readonly record: (tokenId: string, nowMs: number) => void;
}

const writeEveryMs = 60_000;

export const tokenUsesDeclaration: CollectionDeclaration = { name: 'token-uses', indexes: {} };

export async function createTokenUses(ops: OperationalStore, log: Log): Promise<TokenUses> {
  const documents = await ops.collection<TokenUse>(tokenUsesDeclaration);
  const collection = tokenUsesDeclaration.name;
  const writtenMs = new Map<string, number>();
  return {
    lastUses: async (tokenIds) => {
      const found = await documents.getMany(tokenIds);
      const uses = new Map(found.map(({ doc }) => [doc.id, doc.lastUsedAt]));
      return tokenIds.map((id) => uses.get(id) ?? null);
    },
    record: (tokenId, nowMs) => {
      if (nowMs - (writtenMs.get(tokenId) ?? 0) < writeEveryMs) return;
      writtenMs.set(tokenId, nowMs);
      const doc: TokenUse = { id: tokenId, lastUsedAt: toTimestamp(nowMs) };
      // The request does not wait for it, and does not fail with it.
      ops.transact([{ kind: 'put', collection, doc }]).catch((error: unknown) => {
        log.warn('the last use of a token could not be recorded', { tokenId, error });
      });
    },
  };
}
