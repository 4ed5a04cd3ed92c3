import { expect, it } from 'vitest';
import { tokensProjection } from '../../projections/tokens/tokens.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { idOf } from '../spec/events/entity-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';
import { createRecorder } from '../spec/events/record-events.ts';

const id = idOf('tok', 'T');
const createdAt = '2026-01-01T00:00:00.000Z';
const issued = {
  type: 'TokenIssued.v1',
  data: {
    name: 'CI',
    scopes: ['write'],
    principalType: 'internal',
    principalId: null,
    start: 'relk_abc',
    secretSha256: 'deadbeef',
    expiresAt: null,
    createdBy: 'root',
    createdAt,
  },
};

const after = (...events: DomainEvent[]) => {
  const recorder = createRecorder();
  recorder.record(`token-${id}`, events);
  return foldProjection(tokensProjection, recorder.all()).get(id);
};

it('a token is listed without its hash', () => {
  const { secretSha256: _hash, ...shown } = issued.data;
  expect(after(issued)).toEqual({ id, ...shown, createdMs: Date.parse(createdAt), revokedAt: null });
});

it('changes and revocation show', () => {
  const changed = { type: 'TokenChanged.v1', data: { changed: { scopes: ['read'], expiresAt: createdAt } } };
  const revoked = { type: 'TokenRevoked.v1', data: { revokedAt: createdAt } };
  expect(after(issued, changed, revoked)).toMatchObject({
    name: 'CI',
    scopes: ['read'],
    expiresAt: createdAt,
    revokedAt: createdAt,
  });
  expect(after(revoked)).toBeUndefined();
});
