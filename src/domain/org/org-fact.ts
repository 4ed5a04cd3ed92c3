import { type FactRequests, fact } from '../../kernel/command.ts';
import { streamOf } from '../../kernel/stream-name.ts';
import { type ExpectedEntity, requireLive } from '../lifetime-rules.ts';
import type { Lifetime } from '../lifecycle.ts';
import { type OrgState, org } from './state.ts';

/** What a decision about a product or source knows of its org. */
export interface OrgFact {
  readonly org?: OrgState;
}

interface OrgChild extends Lifetime {
  readonly orgId: string | null;
}

export const orgFact = (orgId: string | null): FactRequests<OrgFact> =>
  orgId === null ? {} : { org: fact(streamOf('org', orgId), org) };

export const orgFactOf = ({ lifecycle, orgId }: OrgChild): FactRequests<OrgFact> =>
  lifecycle === 'absent' ? {} : orgFact(orgId);

/** A deleted org takes its products and sources with it: until it is restored they are not there either. */
export function requireOrgOfChild(expected: ExpectedEntity, child: OrgChild, { org }: OrgFact): void {
  if (child.lifecycle !== 'absent' && child.orgId !== null) requireLive(expected, org);
}

export function requireLiveChild(expected: ExpectedEntity, child: OrgChild, facts: OrgFact): void {
  requireLive(expected, child);
  requireOrgOfChild(expected, child, facts);
}
