import { toTimestamp } from '../kernel/dates.ts';
import type { Log } from '../ports/log.ts';
import type { OperationalStore } from '../ports/operational-store.ts';
import { type FollowedDocument, followCollection, followedDeclaration } from './followed-collection.ts';

interface TokenUse extends FollowedDocument {
  readonly lastUsedAt: string;
}

/** When each machine token was last used; written at most once a minute for each. */
export interface TokenUses {
  readonly lastUsedAt: (tokenId: string) => string | null;
  readonly refresh: () => Promise<void>;
  readonly record: (tokenId: string, nowMs: number) => void;
}

const writeEveryMs = 60_000;

export const tokenUsesDeclaration = followedDeclaration('token-uses');

export async function createTokenUses(ops: OperationalStore, log: Log): Promise<TokenUses> {
  const uses = await followCollection<TokenUse>(ops, tokenUsesDeclaration);
  const writtenMs = new Map<string, number>();
  return {
    lastUsedAt: (tokenId) => uses.get(tokenId)?.lastUsedAt ?? null,
    refresh: uses.refresh,
    record: (tokenId, nowMs) => {
      if (nowMs - (writtenMs.get(tokenId) ?? 0) < writeEveryMs) return;
      writtenMs.set(tokenId, nowMs);
      // The request does not wait for it, and does not fail with it.
      uses.put({ id: tokenId, updatedMs: nowMs, lastUsedAt: toTimestamp(nowMs) }).catch((error: unknown) => {
        log.warn('the last use of a token could not be recorded', { tokenId, error });
      });
    },
  };
}
