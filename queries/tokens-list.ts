import { type TokenDocument, tokensProjection } from '../projections/tokens/tokens.ts';
import { notFound } from '../src/kernel/errors.ts';
import type { ReadModelSet } from '../src/ports/read-models.ts';

const chunkRows = 500;

export interface TokenQueryDeps {
  readonly models: ReadModelSet;
  /** Bookkeeping, not events: of each of these tokens, in the same order, as the operational store has it now. */
  readonly lastUses: (tokenIds: readonly string[]) => Promise<readonly (string | null)[]>;
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
  { models, lastUses }: TokenQueryDeps,
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
    const uses = await lastUses(rows.map(({ id }) => id));
    for (const [index, token] of rows.entries()) records.push(tokenRecord(token, uses[index]!, nowMs));
    const last = rows.at(-1);
    if (last === undefined || rows.length < chunkRows) return { tokens: records };
    after = [last.createdMs, last.id];
  }
};

export const tokenDetail = async (
  { models, lastUses }: TokenQueryDeps,
  { id }: { readonly id: string },
  { nowMs }: { readonly nowMs: number },
): Promise<TokenRecord> => {
  const [token] = await models.of(tokensProjection).get([id]);
  if (token === undefined) throw notFound('token', id);
  const [lastUsedAt] = await lastUses([id]);
  return tokenRecord(token, lastUsedAt!, nowMs);
};
