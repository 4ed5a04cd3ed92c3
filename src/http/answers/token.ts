import { z } from 'zod';
import { principalTypes, tokenScopes } from '../../domain/enumerations.ts';
import { tokenId, userId } from '../../kernel/ids.ts';
import { timestamp } from './timestamp.ts';

/** What is shown of a machine token (contract 12). */
export const tokenRecord = z
  .strictObject({
    id: tokenId,
    name: z.string(),
    start: z.string(),
    scopes: z.array(z.enum(tokenScopes)),
    principalType: z.enum(principalTypes),
    principalId: z.string().nullable(),
    active: z.boolean(),
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
    createdAt: timestamp,
    createdBy: z.string(),
  })
  .meta({ id: 'Token' });

/** The only answer that holds the text of a token. */
export const issuedToken = tokenRecord.extend({ token: z.string() });

export const tokenList = z.strictObject({ tokens: z.array(tokenRecord) });

export const whoAmI = z.strictObject({
  kind: z.enum(['root', 'token', 'user']),
  name: z.string(),
  scopes: z.array(z.enum([...tokenScopes, '*'])),
  tokenId: tokenId.nullable(),
  userId: userId.nullable(),
  expiresAt: timestamp.nullable(),
});
