import { describe, expect, test } from 'vitest';
import { issueToken } from '../../../commands/token/issue-token.ts';
import { isId } from '../../../src/kernel/ids.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { issued, tokenInput } from './issued.ts';

describe('issue a token', () => {
  test('name and scopes are enough; the lookup part is not stored', () => {
    given(issueToken)
      .when(tokenInput)
      .then([{ ...issued, data: { ...issued.data, createdAt: testNow } }]);
  });

  test('every field is kept, scopes once and in the order of the ladder, the date in one spelling', () => {
    given(issueToken)
      .when({
        ...tokenInput,
        scopes: ['admin', 'read', 'admin'],
        principalType: 'agent',
        principalId: 'agent-7',
        expiresAt: '2027-01-01T01:00:00+01:00',
      })
      .then([
        {
          type: 'TokenIssued.v1',
          data: {
            ...issued.data,
            scopes: ['read', 'admin'],
            principalType: 'agent',
            principalId: 'agent-7',
            expiresAt: '2027-01-01T00:00:00.000Z',
            createdAt: testNow,
          },
        },
      ]);
  });

  test('its stream follows from the lookup part alone', () => {
    const streamFor = (lookup: string) => issueToken.stream({ ...tokenInput, lookup }, () => 'unused');
    const stream = streamFor('abcdefABCDEF');
    expect(isId('tok', stream.replace(/^token-/, ''))).toBe(true);
    expect(streamFor('abcdefABCDEF')).toBe(stream);
    expect(streamFor('abcdefABCDEG')).not.toBe(stream);
  });

  test.each([testNow, '2026-02-28', '2026-03-01T12:59:59+01:00'])(
    'an expiry at %s is not in the future',
    (expiresAt) => {
      given(issueToken)
        .when({ ...tokenInput, expiresAt })
        .thenFails('validation_failed', { issues: [{ path: 'expiresAt', message: expect.any(String) }] });
    },
  );

  test('the same token again is nothing new; another secret under its lookup part is a conflict', () => {
    given(issueToken, [issued]).when(tokenInput).thenNothing();
    given(issueToken, [issued])
      .when({ ...tokenInput, secretSha256: 'b'.repeat(64) })
      .thenFails('conflict', { field: 'lookup' });
  });
});
