import { DomainError } from '../kernel/errors.ts';
import type { Lifetime } from './lifecycle.ts';
import { requireLive } from './lifetime-rules.ts';

type PartOfOrg = 'product' | 'source';

/** A product or source that an input names must be there and belong to the same org as what names it. */
export function requirePartOfOrg(
  expected: PartOfOrg | { readonly entity: PartOfOrg; readonly id: string },
  part: (Lifetime & { readonly orgId: string | null }) | undefined,
  orgId: string | null,
  path: string,
): void {
  requireLive(expected, part);
  if (part?.orgId !== orgId) {
    const entity = typeof expected === 'string' ? expected : expected.entity;
    throw new DomainError('validation_failed', { issues: [{ path, message: `names a ${entity} of another org` }] });
  }
}
