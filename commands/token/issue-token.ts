import { z } from 'zod';
import type { TokenEvent } from '../../src/domain/token/events.ts';
import { tokenIssueFields } from '../../src/domain/token/fields.ts';
import { requireFuture } from '../../src/domain/token/require-future.ts';
import { token } from '../../src/domain/token/state.ts';
import { tokenIdOf } from '../../src/domain/token/token-id.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** The caller makes the token's text and shows it once; here only its lookup part and the secret's hash arrive. */
export const issueToken = defineCommand({
  name: 'IssueToken',
  input: tokenIssueFields.extend({
    lookup: z.string().regex(/^[0-9A-Za-z]{12}$/),
    secretSha256: z.string().regex(/^[0-9a-f]{64}$/),
    start: z.string().min(1).max(20),
    createdBy: z.string().min(1).max(200),
  }),
  stream: ({ lookup }) => streamOf('token', tokenIdOf(lookup)),
  model: token,
  decide: ({ lookup: _, ...fields }, state, { now }): TokenEvent[] => {
    requireFuture(fields.expiresAt, now);
    if (state.status === 'issued') {
      if (state.secretSha256 === fields.secretSha256) return [];
      throw new DomainError('conflict', { field: 'lookup' }); // never another token's record; make a new text
    }
    return [
      {
        type: 'TokenIssued.v1',
        data: { principalType: 'internal', principalId: null, expiresAt: null, ...fields, createdAt: now },
      },
    ];
  },
});
