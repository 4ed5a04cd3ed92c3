import { DomainError, notFound } from '../kernel/errors.ts';
import { isExpired, type Lifetime } from './lifecycle.ts';

export type LivingEntity = 'org' | 'product' | 'source' | 'collection';

interface NamedEntity {
  readonly entity: LivingEntity;
  readonly id: string;
}

/** Without an id where whoever asked has found it a moment ago. */
export type ExpectedEntity = LivingEntity | NamedEntity;

const missing = (expected: ExpectedEntity): DomainError =>
  typeof expected === 'string' ? new DomainError('not_found', expected) : notFound(expected.entity, expected.id);

/** Writers see hidden entities, but not deleted ones. */
export function requireLive(expected: ExpectedEntity, lifetime: Pick<Lifetime, 'lifecycle'> | undefined): void {
  if (lifetime?.lifecycle !== 'live') throw missing(expected);
}

export function requireRestorable(expected: NamedEntity, lifetime: Lifetime, now: string): void {
  const isGone = lifetime.lifecycle === 'absent' || lifetime.lifecycle === 'purged';
  if (isGone || isExpired(lifetime, now)) throw missing(expected);
}
