import { DomainError } from '../kernel/errors.ts';
import { isExpired, type Lifetime } from './lifecycle.ts';

export type LivingEntity = 'org' | 'product' | 'source' | 'collection';

/** Writers see hidden entities, but not deleted ones. */
export function requireLive(entity: LivingEntity, lifetime: Pick<Lifetime, 'lifecycle'> | undefined): void {
  if (lifetime?.lifecycle !== 'live') throw new DomainError('not_found', entity);
}

export function requireRestorable(entity: LivingEntity, lifetime: Lifetime, now: string): void {
  const isGone = lifetime.lifecycle === 'absent' || lifetime.lifecycle === 'purged';
  if (isGone || isExpired(lifetime, now)) throw new DomainError('not_found', entity);
}
