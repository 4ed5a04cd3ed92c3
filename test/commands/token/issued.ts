import type { TokenIssued } from '../../../src/domain/token/events.ts';

export const tokenInput = {
  name: 'deploy',
  scopes: ['write' as const],
  lookup: 'abcdefABCDEF',
  secretSha256: 'a'.repeat(64),
  start: 'relk_abcdef',
  createdBy: 'root',
};

export const issued: TokenIssued = {
  type: 'TokenIssued.v1',
  data: {
    name: 'deploy',
    scopes: ['write'],
    principalType: 'internal',
    principalId: null,
    start: 'relk_abcdef',
    secretSha256: 'a'.repeat(64),
    expiresAt: null,
    createdBy: 'root',
    createdAt: '2026-01-01T00:00:00.000Z',
  },
};
