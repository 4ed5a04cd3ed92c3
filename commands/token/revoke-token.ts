import { z } from 'zod';
import type { TokenEvent } from '../../src/domain/token/events.ts';
import { token } from '../../src/domain/token/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { tokenId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const revokeToken = defineCommand({
  name: 'RevokeToken',
  input: z.strictObject({ tokenId }),
  stream: ({ tokenId }) => streamOf('token', tokenId),
  model: token,
  decide: (_, state, { now, id }): TokenEvent[] => {
    if (state.status === 'absent') throw notFound('token', id);
    return state.revokedAt === null ? [{ type: 'TokenRevoked.v1', data: { revokedAt: now } }] : [];
  },
});
