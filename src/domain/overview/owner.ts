import { type FactRequests, fact } from '../../kernel/command.ts';
import { isId } from '../../kernel/ids.ts';
import { streamOf } from '../../kernel/stream-name.ts';
import { requireLive } from '../lifetime-rules.ts';
import { type OrgFact, orgFact, orgFactOf, requireLiveChild } from '../org/org-fact.ts';
import { type ProductState, product } from '../product/state.ts';

/** The org, or the product and its org. */
export interface OverviewOwner extends OrgFact {
  readonly product?: ProductState;
}

export const isOrg = (ownerId: string): boolean => isId('org', ownerId);

export const overviewOwner = (
  ownerId: string,
  { product: known }: Partial<OverviewOwner>,
): FactRequests<OverviewOwner> =>
  isOrg(ownerId)
    ? orgFact(ownerId)
    : { product: fact(streamOf('product', ownerId), product), ...(known && orgFactOf(known)) };

export function requireLiveOwner(ownerId: string, { org, product: part }: OverviewOwner): void {
  if (isOrg(ownerId)) requireLive('org', org);
  else if (part === undefined) requireLive('product', part);
  else requireLiveChild('product', part, { ...(org && { org }) });
}
