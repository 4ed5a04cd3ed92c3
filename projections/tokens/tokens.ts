import type { TokenEvent, TokenIssued } from '../../src/domain/token/events.ts';
import { defineProjection, makesOne, one } from '../../src/kernel/projection.ts';

/** What is listed of a machine token. Its hash stays in the event store, where credentials are checked. */
export interface TokenDocument extends Omit<TokenIssued['data'], 'secretSha256'> {
  readonly id: string;
  readonly createdMs: number;
  readonly revokedAt: string | null;
}

export const tokensProjection = defineProjection<TokenDocument, TokenEvent>({
  name: 'tokens',
  generation: 1,
  indexes: { byCreated: ['createdMs'] },
  on: {
    'TokenIssued.v1': makesOne(({ data: { secretSha256: _hash, ...shown }, stream }) => ({
      id: stream.id,
      ...shown,
      createdMs: Date.parse(shown.createdAt),
      revokedAt: null,
    })),
    'TokenChanged.v1': one((token, { data }) => token && { ...token, ...data.changed }),
    'TokenRevoked.v1': one((token, { data }) => token && { ...token, revokedAt: data.revokedAt }),
  },
});
