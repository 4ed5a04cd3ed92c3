import { describe, expect, test } from 'vitest';
import { tokenChangeFields, tokenIssueFields } from '../../../src/domain/token/fields.ts';
import { fieldBounds, text, uncleanTexts } from '../accepts.ts';

const fields = {
  name: { accepted: ['x', text(80)], refused: ['', ' ', text(81), ...uncleanTexts, null] },
  scopes: { accepted: [['read'], ['admin', 'write', 'read']], refused: [[], ['*'], ['root'], 'read', null] },
  expiresAt: { accepted: ['2030-01-01', '2030-01-01T00:00:00Z', null], refused: ['2030-02-30', 'tomorrow', '7d', 1] },
};

describe('fields of a new token', () => {
  fieldBounds(
    tokenIssueFields,
    { name: 'x', scopes: ['read'] },
    {
      ...fields,
      principalType: { accepted: ['internal', 'agent', 'user'], refused: ['root', null] },
      principalId: { accepted: ['x', text(100), null], refused: ['', text(101), ...uncleanTexts] },
    },
  );

  test('name and scopes are required, other keys are refused', () => {
    expect(tokenIssueFields.safeParse({ name: 'x' }).success).toBe(false);
    expect(tokenIssueFields.safeParse({ scopes: ['read'] }).success).toBe(false);
    expect(tokenIssueFields.safeParse({ name: 'x', scopes: ['read'], secret: 'y' }).success).toBe(false);
  });
});

describe('fields of a changed token', () => {
  fieldBounds(tokenChangeFields, {}, fields);

  test('nothing sent is nothing to update; the principal cannot be changed', () => {
    expect(tokenChangeFields.safeParse({}).success).toBe(false);
    expect(tokenChangeFields.safeParse({ principalId: 'x' }).success).toBe(false);
  });
});
