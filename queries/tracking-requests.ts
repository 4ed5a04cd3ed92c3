import { emptyOrgCount } from '../src/catalogue/entity-numbers.ts';
import { pageOf } from '../src/kernel/page.ts';
import type { OrgItem, OrgList, OrgListInput } from './org-list.ts';
import type { Asking, QueryDeps } from './shape/query-deps.ts';

/** Orgs that somebody asked to be tracked (contract 3.1). No event tells of such a request, so there are none. */
export const trackingRequests = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  input: Pick<OrgListInput, 'category' | 'page' | 'limit'>,
  { nowMs }: Asking,
): OrgList => ({
  ...pageOf<OrgItem>([], input),
  meta: { emptyOrgCount: emptyOrgCount(catalogue, input.category, nowMs) },
});
