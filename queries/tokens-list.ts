import { type TokenDocument, tokensProjection } from '../projections/tokens/tokens.ts';
import { DomainError } from '../src/kernel/errors.ts';
import type { ReadModelSet } from '../src/ports/read-models.ts';

const chunkRows = 500;

export interface TokenQueryDeps {
  readonly models: ReadModelSet;
  /** Bookkeeping, not an event: it comes from the operational store. */
  readonly lastUsedAt: (tokenId: string) => string | null;
}

export const tokenReads = [tokensProjection];

const tokenRecord = (token: TokenDocument, lastUsedAt: string | null, nowMs: number) => ({
  id: token.id,
  name: token.name,
  start: token.start,
  scopes: token.scopes,
  principalType: token.principalType,
  principalId: token.principalId,
  active: token.revokedAt === null && (token.expiresAt === null || Date.parse(token.expiresAt) > nowMs),
  expiresAt: token.expiresAt,
  lastUsedAt,
  revokedAt: token.revokedAt,
  createdAt: token.createdAt,
  createdBy: token.createdBy,
});

export type TokenRecord = ReturnType<typeof tokenRecord>;

/** All machine tokens, the newest first. */
export const tokensList = async (
  { models, lastUsedAt }: TokenQueryDeps,
  { nowMs }: { readonly nowMs: number },
): Promise<{ readonly tokens: readonly TokenRecord[] }> => {
  const records: TokenRecord[] = [];
  let after: readonly [number, string] | undefined;
  for (;;) {
    const rows = await models.of(tokensProjection).query({
      index: 'byCreated',
      equals: {},
      direction: 'descending',
      limit: chunkRows,
      ...(after && { after }),
    });
    for (const token of rows) records.push(tokenRecord(token, lastUsedAt(token.id), nowMs));
    const last = rows.at(-1);
    if (last === undefined || rows.length < chunkRows) return { tokens: records };
    after = [last.createdMs, last.id];
  }
};

export const tokenDetail = async (
  { models, lastUsedAt }: TokenQueryDeps,
  { id }: { readonly id: string },
  { nowMs }: { readonly nowMs: number },
): Promise<TokenRecord> => {
  const [token] = await models.of(tokensProjection).get([id]);
  if (token === undefined) throw new DomainError('not_found', 'token');
  return tokenRecord(token, lastUsedAt(id), nowMs);
};
