import { z } from 'zod';
import { changedFields } from '../../src/domain/changed-fields.ts';
import type { TokenEvent, TokenIssued } from '../../src/domain/token/events.ts';
import { tokenChangeFields } from '../../src/domain/token/fields.ts';
import { requireFuture } from '../../src/domain/token/require-future.ts';
import { token } from '../../src/domain/token/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { DomainError, notFound } from '../../src/kernel/errors.ts';
import { tokenId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const revoked = (id: string, value: string) =>
  new DomainError('conflict', { field: 'revokedAt', value }, `The token \`${id}\` was revoked and changes no more.`);

export const changeToken = defineCommand({
  name: 'ChangeToken',
  input: z.strictObject({ tokenId, changes: tokenChangeFields }),
  stream: ({ tokenId }) => streamOf('token', tokenId),
  model: token,
  decide: ({ changes }, state, { now, id }): TokenEvent[] => {
    requireFuture(changes.expiresAt, now);
    if (state.status === 'absent') throw notFound('token', id);
    if (state.revokedAt !== null) throw revoked(id, state.revokedAt);
    const changed = changedFields<Pick<TokenIssued['data'], 'name' | 'scopes' | 'expiresAt'>>(state, changes);
    return changed === null ? [] : [{ type: 'TokenChanged.v1', data: { changed } }];
  },
});
