import { z } from 'zod';
import { lineText } from '../../kernel/text-rules.ts';
import { changeSet } from '../change-set.ts';
import { principalTypes, tokenScopes, type TokenScope } from '../enumerations.ts';
import { filledText } from '../filled-text.ts';
import { moment } from '../moment.ts';

const byLadder = (scopes: readonly TokenScope[]): TokenScope[] => tokenScopes.filter((scope) => scopes.includes(scope));

const name = lineText(1, 80);
/** Each once, in the order of the ladder. */
const scopes = z.array(z.enum(tokenScopes)).min(1).overwrite(byLadder);
const expiresAt = moment.nullable();

export const tokenIssueFields = z.strictObject({
  name,
  scopes,
  principalType: z.enum(principalTypes).exactOptional(),
  principalId: filledText(1, 100).nullable().exactOptional(),
  expiresAt: expiresAt.exactOptional(),
});

export const tokenChangeFields = changeSet({
  name: name.exactOptional(),
  scopes: scopes.exactOptional(),
  expiresAt: expiresAt.exactOptional(),
});
