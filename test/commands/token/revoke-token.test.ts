import { describe, test } from 'vitest';
import { revokeToken } from '../../../commands/token/revoke-token.ts';
import type { TokenEvent } from '../../../src/domain/token/events.ts';
import { tokenIdOf } from '../../../src/domain/token/token-id.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { issued, tokenInput } from './issued.ts';

const input = { tokenId: tokenIdOf(tokenInput.lookup) };
const revoked: TokenEvent = { type: 'TokenRevoked.v1', data: { revokedAt: testNow } };

describe('revoke a token', () => {
  test('an issued one is revoked', () => {
    given(revokeToken, [issued]).when(input).then([revoked]);
  });

  test('a revoked one stays so', () => {
    given(revokeToken, [issued, revoked]).when(input).thenNothing();
  });

  test('an unknown one is not found', () => {
    given(revokeToken).when(input).thenFails('not_found', { entity: 'token' });
  });
});
