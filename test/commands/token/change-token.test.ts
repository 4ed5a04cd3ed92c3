import { describe, expect, test } from 'vitest';
import { changeToken } from '../../../commands/token/change-token.ts';
import { tokenIdOf } from '../../../src/domain/token/token-id.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { issued, tokenInput } from './issued.ts';

const tokenId = tokenIdOf(tokenInput.lookup);
const change = (changes: object) => ({ tokenId, changes });

describe('change a token', () => {
  test('only fields that differ are recorded', () => {
    given(changeToken, [issued])
      .when(change({ name: 'deploy', scopes: ['read'], expiresAt: '2026-04-01' }))
      .then([
        { type: 'TokenChanged.v1', data: { changed: { scopes: ['read'], expiresAt: '2026-04-01T00:00:00.000Z' } } },
      ]);
  });

  test('null takes the expiry away', () => {
    given(changeToken, [{ ...issued, data: { ...issued.data, expiresAt: '2026-04-01T00:00:00.000Z' } }])
      .when(change({ expiresAt: null }))
      .then([{ type: 'TokenChanged.v1', data: { changed: { expiresAt: null } } }]);
  });

  test('nothing new is nothing recorded', () => {
    given(changeToken, [issued])
      .when(change({ name: 'deploy', scopes: ['write'], expiresAt: null }))
      .thenNothing();
  });

  test('an expiry that has passed is refused', () => {
    given(changeToken, [issued])
      .when(change({ expiresAt: testNow }))
      .thenFails('validation_failed', { issues: [{ path: 'expiresAt', message: expect.any(String) }] });
  });

  test('an unknown token is not found, a revoked one does not change', () => {
    given(changeToken)
      .when(change({ name: 'x' }))
      .thenFails('not_found', { entity: 'token' });
    given(changeToken, [issued, { type: 'TokenRevoked.v1', data: { revokedAt: testNow } }])
      .when(change({ name: 'x' }))
      .thenFails('conflict', { field: 'revokedAt' });
  });
});
