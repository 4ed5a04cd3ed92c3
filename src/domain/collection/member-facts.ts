import { type FactRequests, fact } from '../../kernel/command.ts';
import { isId } from '../../kernel/ids.ts';
import { requireLive } from '../lifetime-rules.ts';
import { type OrgState, org } from '../org/state.ts';
import { type ProductState, product } from '../product/state.ts';
import type { CollectionState } from './state.ts';

type OrgStream = `org-${string}`;
type ProductStream = `product-${string}`;

/** Orgs and products that shall be members, and the orgs of these products, by their streams. */
export type MemberFacts = {
  readonly [stream: OrgStream]: OrgState;
  readonly [stream: ProductStream]: ProductState;
};

const orgStream = (id: string): OrgStream => `org-${id}`;
const productStream = (id: string): ProductStream => `product-${id}`;

/** Only those that are new: a member stays one when it is deleted, so that it is back when it is restored. */
export const newMemberIds = ({ members }: CollectionState, wanted: readonly { readonly id: string }[]): string[] => {
  const known = new Set(members.map(({ id }) => id));
  return wanted.map(({ id }) => id).filter((id) => !known.has(id));
};

export const memberFacts = (ids: readonly string[], known: Partial<MemberFacts>): FactRequests<MemberFacts> => {
  const products = ids.filter((id) => isId('prod', id)).map(productStream);
  const orgIds = [
    ...ids.filter((id) => isId('org', id)),
    ...products.flatMap((stream) => (known[stream]?.lifecycle === 'live' ? [known[stream].orgId] : [])),
  ];
  return Object.fromEntries([
    ...products.map((stream) => [stream, fact(stream, product)]),
    ...orgIds.map((id) => [orgStream(id), fact(orgStream(id), org)]),
  ]);
};

export function requireLiveMembers(ids: readonly string[], facts: MemberFacts): void {
  for (const id of ids) {
    if (isId('org', id)) {
      requireLive('org', facts[orgStream(id)]);
      continue;
    }
    const product = facts[productStream(id)];
    requireLive('product', product);
    requireLive('product', product && facts[orgStream(product.orgId)]);
  }
}
