import type { SourceDocument } from '../../../projections/source/source.ts';
import type { Category, SourceType } from '../../domain/enumerations.ts';
import { inheritedCategory } from '../../domain/inherited-category.ts';
import { isVisible } from '../../domain/release/visible.ts';
import type { Entities } from '../entities.ts';
import { createLargeOrgSources } from './large-org-sources.ts';
import { createOrgInstants, type OrgInstants } from './org-instants.ts';
import { createOrgLists, type PublicOrgs } from './org-lists.ts';
import { createOrgSearch, type OrgsSearched } from './org-search.ts';
import { createTrackingRequests } from './tracking-requests.ts';
import { createPublicSources, type PublicSources, type SourcesByType } from './public-sources.ts';
import type { SourceInstants } from '../instants/source-instants.ts';
import { addWaiting } from './waiting-changes.ts';
import { createWideMap } from '../wide-map.ts';

const never = Number.POSITIVE_INFINITY;

/** From when on a source has a release. */
const firstMsOf = ({ undatedCount, published }: SourceInstants): number =>
  undatedCount > 0 ? Number.NEGATIVE_INFINITY : (published[0] ?? never);

interface Known {
  readonly orgId: string | null;
  readonly firstMs: number;
}

/** Lists of what is there, kept in order as entities and releases change, so that no read walks through all of it. */
export const createListings = (entities: Entities['reads'], instantsOf: (sourceId: string) => SourceInstants) => {
  const changedOrgs = new Set<string>();
  const changedProducts = new Set<string>();
  const changedSources = new Set<string>();
  /** Of those that everybody sees, which their sources take over. */
  const orgCategories = new Map<string, Category | null>();
  const productCategories = new Map<string, Category | null>();
  const isPublic = (part: SourceDocument): boolean =>
    isVisible(part) && (part.orgId === null || orgCategories.has(part.orgId));
  const knownSources = createWideMap<Known>();
  const orgLists = createOrgLists();
  const orgInstants = createOrgInstants(entities, instantsOf);
  const trackingRequests = createTrackingRequests();
  const orgSearch = createOrgSearch({ org: entities.org, every: orgLists.every });
  const publicSources = createPublicSources({
    source: entities.source,
    isPublic,
    categoryOf: ({ productId, orgId }) =>
      inheritedCategory(
        productId === null ? null : productCategories.get(productId),
        orgId === null ? null : orgCategories.get(orgId),
      ),
    instantsOf,
  });

  const largeOrgSources = createLargeOrgSources({
    source: entities.source,
    sourcesOfOrg: entities.sourcesOfOrg,
    instantsOf,
  });

  /** Whether there is anything new in it for its sources. */
  const noteCategory = (
    noted: Map<string, Category | null>,
    id: string,
    entity: (Parameters<typeof isVisible>[0] & { readonly category: Category | null }) | undefined,
  ): boolean => {
    const category = entity !== undefined && isVisible(entity) ? entity.category : undefined;
    if (noted.get(id) === category) return false;
    if (category === undefined) noted.delete(id);
    else noted.set(id, category);
    return true;
  };

  /** What an org hides or shows are all its sources. */
  const noteOrg = (orgId: string) => {
    if (!noteCategory(orgCategories, orgId, entities.org(orgId))) return;
    for (const { id } of entities.sourcesOfOrg(orgId)) changedSources.add(id);
  };

  const placeProduct = (productId: string) => {
    if (!noteCategory(productCategories, productId, entities.product(productId))) return;
    for (const { id } of entities.sourcesOfProduct(productId)) changedSources.add(id);
  };

  const placeSource = (sourceId: string) => {
    publicSources.place(sourceId);
    const source = entities.source(sourceId);
    const before = knownSources.get(sourceId) ?? { orgId: null, firstMs: never };
    const after = {
      orgId: source?.orgId ?? null,
      firstMs: source !== undefined && isVisible(source) ? firstMsOf(instantsOf(sourceId)) : never,
    };
    largeOrgSources.place(sourceId, before.orgId, after.orgId);
    const orgIds = [before.orgId, after.orgId].filter((orgId) => orgId !== null);
    orgIds.forEach(orgInstants.forget);
    if (before.orgId === after.orgId && before.firstMs === after.firstMs) return;
    if (source === undefined) knownSources.delete(sourceId);
    else knownSources.set(sourceId, after);
    for (const orgId of orgIds) changedOrgs.add(orgId);
  };

  const placeOrg = (orgId: string) => {
    const org = entities.org(orgId);
    if (org === undefined) {
      orgLists.remove(orgId);
      orgSearch.remove(orgId);
      trackingRequests.remove(orgId);
      return;
    }
    orgSearch.place(org);
    trackingRequests.place(org);
    const firsts = entities.sourcesOfOrg(orgId).map(({ id }) => knownSources.get(id)?.firstMs ?? never);
    orgLists.place(
      org,
      firsts.reduce((a, b) => Math.min(a, b), never),
    );
  };

  const settle = () => {
    for (const orgId of changedOrgs) noteOrg(orgId);
    for (const productId of changedProducts) placeProduct(productId);
    for (const sourceId of changedSources) placeSource(sourceId);
    for (const orgId of changedOrgs) placeOrg(orgId);
    changedProducts.clear();
    changedSources.clear();
    changedOrgs.clear();
  };

  const noted = (changed: Set<string>) => (id: string) => addWaiting(changed, id, settle);

  return {
    orgChanged: noted(changedOrgs),
    productChanged: noted(changedProducts),
    /** It, or its releases. */
    sourceChanged: noted(changedSources),
    reads: {
      orgs: () => {
        settle();
        return orgLists.every();
      },
      instantsOfOrg: (orgId: string): OrgInstants => {
        settle();
        return orgInstants.of(orgId);
      },
      orgsMatching: (q: string, among?: OrgsSearched) => {
        settle();
        return orgSearch.matching(q, among);
      },
      trackingRequests: () => {
        settle();
        return trackingRequests.items();
      },
      publicOrgs: (category: Category | null, nowMs: number): PublicOrgs => {
        settle();
        return orgLists.public(category, nowMs);
      },
      featuredOrgs: (category: Category | null, nowMs: number): PublicOrgs => {
        settle();
        return orgLists.featured(category, nowMs);
      },
      hasReleases: (orgId: string, nowMs: number): boolean => {
        settle();
        return orgLists.hasReleases(orgId, nowMs);
      },
      publicSources: (exclude: readonly SourceType[]): PublicSources => {
        settle();
        return publicSources.but(exclude);
      },
      sourcesOfLargeOrg: (orgId: string): SourcesByType | undefined => {
        settle();
        return largeOrgSources.of(orgId);
      },
      publicSourcesOfCategory: (category: Category): PublicSources => {
        settle();
        return publicSources.ofCategory(category);
      },
    },
  };
};
