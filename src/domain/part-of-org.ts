import { DomainError } from '../kernel/errors.ts';
import type { Lifetime } from './lifecycle.ts';
import { requireLive } from './lifetime-rules.ts';

/** A product or source that an input names must be there and belong to the same org as what names it. */
export function requirePartOfOrg(
  entity: 'product' | 'source',
  part: (Lifetime & { readonly orgId: string | null }) | undefined,
  orgId: string | null,
  path: string,
): void {
  requireLive(entity, part);
  if (part?.orgId !== orgId) {
    throw new DomainError('validation_failed', { issues: [{ path, message: `names a ${entity} of another org` }] });
  }
}
