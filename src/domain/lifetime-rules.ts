import { DomainError } from '../kernel/errors.ts';
import { type Lifetime, restoreDays } from './lifecycle.ts';

export type LivingEntity = 'org' | 'product' | 'source' | 'collection';

const dayMs = 86_400_000;

/** Writers see hidden entities, but not deleted ones. */
export function requireLive(entity: LivingEntity, lifetime: Pick<Lifetime, 'lifecycle'> | undefined): void {
  if (lifetime?.lifecycle !== 'live') throw new DomainError('not_found', entity);
}

export function requireRestorable(entity: LivingEntity, { lifecycle, deletedAt }: Lifetime, now: string): void {
  const isExpired = deletedAt !== null && Date.parse(now) - Date.parse(deletedAt) > restoreDays * dayMs;
  if (lifecycle === 'absent' || isExpired) throw new DomainError('not_found', entity);
}
