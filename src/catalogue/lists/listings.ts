import type { SourceDocument } from '../../../projections/source/source.ts';
import type { Category, SourceType } from '../../domain/enumerations.ts';
import { inheritedCategory } from '../../domain/inherited-category.ts';
import { isVisible } from '../../domain/release/visible.ts';
import type { Entities } from '../entities.ts';
import { createLargeGroups, type LargeGroup } from './large-groups.ts';
import { createOrgInstants, type OrgInstants } from './org-instants.ts';
import { createOrgLists, type PublicOrgs } from './org-lists.ts';
import { createOrgSearch, type FoundOrgs, type OrgPieces } from './org-search.ts';
import { createTrackingRequests } from './tracking-requests.ts';
import { createPublicSources, type PublicSources } from './public-sources.ts';
import type { SourceInstants } from '../instants/source-instants.ts';
import { addWaiting } from './waiting-changes.ts';
import { createWideMap } from '../wide-map.ts';

const never = Number.POSITIVE_INFINITY;

/** From when on a source has a release. */
const firstMsOf = ({ undatedCount, published }: SourceInstants): number =>
  undatedCount > 0 ? Number.NEGATIVE_INFINITY : (published[0] ?? never);

interface Known {
  readonly orgId: string | null;
  readonly productId: string | null;
  readonly firstMs: number;
}

/** Lists of what is there, kept in order as entities and releases change, so that no read walks through all of it. */
export const createListings = (entities: Entities['reads'], instantsOf: (sourceId: string) => SourceInstants) => {
  const changedOrgs = new Set<string>();
  const changedProducts = new Set<string>();
  const changedSources = new Set<string>();
  /** Of those that everybody sees, which their sources take over. */
  const orgCategories = new Map<string, Category | null>();
  /** What their sources take over from orgs, to whoever sees these, as one word. */
  const orgTopics = new Map<string, string>();
  /** What their sources take over from products, as one word. */
  const productTopics = new Map<string, string>();
  const orgOf = ({ orgId }: SourceDocument) => (orgId === null ? undefined : entities.org(orgId));
  const productOf = ({ productId }: SourceDocument) => (productId === null ? undefined : entities.product(productId));
  const shownProductOf = (source: SourceDocument) => {
    const product = productOf(source);
    return product !== undefined && isVisible(product) ? product : undefined;
  };
  const isPublic = (part: SourceDocument): boolean =>
    isVisible(part) && (part.orgId === null || orgCategories.has(part.orgId));
  const knownSources = createWideMap<Known>();
  const orgLists = createOrgLists();
  const orgInstants = createOrgInstants(entities, instantsOf);
  const trackingRequests = createTrackingRequests();
  const searchOrgs = createOrgSearch();
  const publicSources = createPublicSources({
    source: entities.source,
    isPublic,
    topicOf: (source) =>
      inheritedCategory(
        shownProductOf(source)?.category,
        source.orgId === null ? null : orgCategories.get(source.orgId),
      ),
    instantsOf,
  });

  const largeOrgs = createLargeGroups({
    source: entities.source,
    groupOf: ({ orgId }) => orgId,
    sourcesOf: entities.sourcesOfOrg,
    kindOf: (source) => source.kind ?? shownProductOf(source)?.kind ?? null,
    categoryOf: (source) => inheritedCategory(shownProductOf(source)?.category, orgOf(source)?.category),
    instantsOf,
  });
  const largeProducts = createLargeGroups({
    source: entities.source,
    groupOf: ({ productId }) => productId,
    sourcesOf: entities.sourcesOfProduct,
    // Who sees a hidden product sees its sources with its kind and category.
    kindOf: (source) => source.kind ?? productOf(source)?.kind ?? null,
    categoryOf: (source) => inheritedCategory(productOf(source)?.category, orgOf(source)?.category),
    instantsOf,
  });

  /** Whether there is anything new in it for its sources. */
  const note = <Value>(noted: Map<string, Value>, id: string, value: Value | undefined): boolean => {
    if (noted.get(id) === value) return false;
    if (value === undefined) noted.delete(id);
    else noted.set(id, value);
    return true;
  };

  /** What an org hides or shows are all its sources. */
  const noteOrg = (orgId: string) => {
    const org = entities.org(orgId);
    if (!note(orgTopics, orgId, org && `${isVisible(org)} ${org.category}`)) return;
    note(orgCategories, orgId, org !== undefined && isVisible(org) ? org.category : undefined);
    for (const { id } of entities.sourcesOfOrg(orgId)) changedSources.add(id);
  };

  const placeProduct = (productId: string) => {
    const product = entities.product(productId);
    const topics = product && `${isVisible(product)} ${product.category} ${product.kind}`;
    if (!note(productTopics, productId, topics)) return;
    for (const { id } of entities.sourcesOfProduct(productId)) changedSources.add(id);
  };

  const placeSource = (sourceId: string) => {
    publicSources.place(sourceId);
    const source = entities.source(sourceId);
    const before = knownSources.get(sourceId) ?? { orgId: null, productId: null, firstMs: never };
    const instants = instantsOf(sourceId); // also of one that is gone: what was known of its releases goes when somebody looks
    const after = {
      orgId: source?.orgId ?? null,
      productId: source?.productId ?? null,
      firstMs: source !== undefined && isVisible(source) ? firstMsOf(instants) : never,
    };
    largeOrgs.place(sourceId, before.orgId, after.orgId);
    largeProducts.place(sourceId, before.productId, after.productId);
    const orgIds = [before.orgId, after.orgId].filter((orgId) => orgId !== null);
    orgIds.forEach(orgInstants.forget);
    if (source === undefined) knownSources.delete(sourceId);
    else knownSources.set(sourceId, after);
    if (before.orgId === after.orgId && before.firstMs === after.firstMs) return;
    for (const orgId of orgIds) changedOrgs.add(orgId);
  };

  const placeOrg = (orgId: string) => {
    const org = entities.org(orgId);
    if (org === undefined) {
      orgLists.remove(orgId);
      trackingRequests.remove(orgId);
      return;
    }
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
      orgsMatching: (q: string, among?: OrgPieces): FoundOrgs => {
        settle();
        return searchOrgs(among ?? orgLists.everyPiece(), q);
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
        return publicSources.those(({ type }) => !exclude.includes(type));
      },
      largeOrg: (orgId: string): LargeGroup | undefined => {
        settle();
        return largeOrgs.of(orgId);
      },
      largeProduct: (productId: string): LargeGroup | undefined => {
        settle();
        return largeProducts.of(productId);
      },
      publicSourcesOfCategory: (category: Category): PublicSources => {
        settle();
        return publicSources.those(({ topic }) => topic === category);
      },
    },
  };
};
