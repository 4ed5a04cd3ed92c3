import type { OrgDocument } from '../../projections/org/org.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { emptyOrgCount, topProducts } from '../../src/catalogue/entity-numbers.ts';
import { newestPublishedMs, recentReleaseCount, releaseCount, sparkline } from '../../src/catalogue/numbers.ts';
import { allSight, isOrgVisible, sightOn } from '../../src/catalogue/visibility.ts';
import { alphabeticalSet } from '../../src/domain/alphabetical.ts';
import type { Category } from '../../src/domain/enumerations.ts';
import { type Pagination, pageOf, type Sliced } from '../../src/kernel/paging/page.ts';
import { orgRecord } from '../shape/org-record.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { timestampOrNull } from '../shape/timestamps.ts';

export interface OrgListInput {
  /** Substring of name or slug, in any case. */
  readonly q: string | null;
  readonly category: Category | null;
  readonly featured: boolean;
  /** Also orgs without a counted release. */
  readonly includeEmpty: boolean;
  /** Admin only; the route refuses it to others. */
  readonly includeHidden: boolean;
  readonly page: number;
  readonly limit: number;
}

export const orgListReads = catalogueReads;

/** What an org says of itself, in a list. */
export const orgFields = (org: OrgDocument) => ({ ...orgRecord(org), aliasDomains: alphabeticalSet(org.aliases) });

const orgItem = ({ catalogue }: Pick<QueryDeps, 'catalogue'>, org: OrgDocument, { nowMs, admin }: Asking) => {
  const { sourceCount, instants } = catalogue.instantsOfOrg(org.id);
  return {
    ...orgFields(org),
    sourceCount,
    releaseCount: releaseCount(instants, nowMs),
    recentReleaseCount: recentReleaseCount(instants, nowMs),
    lastActivity: timestampOrNull(newestPublishedMs(instants, nowMs)),
    topProducts: topProducts(catalogue, org.id, nowMs, sightOn(admin, org.id)),
    sparkline: sparkline(instants, nowMs),
  };
};

export type OrgItem = ReturnType<typeof orgItem>;

export interface OrgList {
  readonly items: readonly OrgItem[];
  readonly pagination: Pagination;
  readonly meta: { readonly emptyOrgCount: number };
}

/** In the order of the list. What everybody may ask for is at hand as a list, or searched in one. */
const listedOrgs = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  input: OrgListInput,
  nowMs: number,
): Sliced<OrgDocument> => {
  const { category, featured, includeEmpty, includeHidden } = input;
  const q = input.q?.toLowerCase() ?? '';
  if (includeHidden) {
    const isListed = (org: OrgDocument): boolean =>
      isOrgVisible(org, allSight) &&
      (category === null || org.category === category) &&
      (!featured || org.featured) &&
      (includeEmpty || catalogue.hasReleases(org.id, nowMs));
    const found = catalogue.orgsMatching(q);
    return found.slice(0, found.length).filter(isListed);
  }
  const { all, withReleases, pieces } = (featured ? catalogue.featuredOrgs : catalogue.publicOrgs)(category, nowMs);
  if (q === '') return includeEmpty ? all : withReleases;
  return catalogue.orgsMatching(q, includeEmpty ? pieces.all : pieces.withReleases);
};

export const orgList = (deps: Pick<QueryDeps, 'catalogue'>, input: OrgListInput, asking: Asking): OrgList => {
  const { items, pagination } = pageOf(listedOrgs(deps, input, asking.nowMs), input);
  return {
    items: items.map((org) => orgItem(deps, org, asking)),
    pagination,
    meta: { emptyOrgCount: emptyOrgCount(deps.catalogue, input.category, asking.nowMs) },
  };
};
