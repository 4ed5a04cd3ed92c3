import { emptyOrgCount } from '../../src/catalogue/entity-numbers.ts';
import type { RequestedOrg } from '../../src/catalogue/lists/tracking-requests.ts';
import { type Pagination, pageOf } from '../../src/kernel/paging/page.ts';
import { type OrgItem, type OrgListInput, orgFields } from './org-list.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

interface TrackingRequests {
  readonly items: readonly (OrgItem & { readonly trackingRequestedAt: string })[];
  readonly pagination: Pagination;
  readonly meta: { readonly emptyOrgCount: number };
}

type Filters = Pick<OrgListInput, 'q' | 'category' | 'featured'>;

const wantedOrgs = ({ catalogue }: Pick<QueryDeps, 'catalogue'>, { q, category, featured }: Filters) => {
  const requested = catalogue.trackingRequests();
  const found = q === null ? null : catalogue.orgsMatching(q.toLowerCase());
  const named = found && new Set<unknown>(found.slice(0, found.length));
  return requested.filter(
    (org) =>
      (named === null || named.has(org)) &&
      (category === null || org.category === category) &&
      (!featured || org.featured),
  );
};

/** Orgs that somebody asked to be tracked (contract 3.1): nothing is counted, as little is known of a stub. */
const requestedItem = (org: RequestedOrg) => ({
  ...orgFields(org),
  sourceCount: 0,
  releaseCount: 0,
  recentReleaseCount: 0,
  lastActivity: null,
  topProducts: [],
  sparkline: new Array<number>(30).fill(0),
  trackingRequestedAt: org.trackingRequestedAt,
});

export const trackingRequests = (
  deps: Pick<QueryDeps, 'catalogue'>,
  input: Filters & Pick<OrgListInput, 'page' | 'limit'>,
  { nowMs }: Asking,
): TrackingRequests => {
  const { items, pagination } = pageOf(wantedOrgs(deps, input), input);
  return {
    items: items.map(requestedItem),
    pagination,
    meta: { emptyOrgCount: emptyOrgCount(deps.catalogue, input.category, nowMs) },
  };
};
