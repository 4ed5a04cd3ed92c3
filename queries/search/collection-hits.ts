import type { CollectionDocument } from '../../projections/collections/collections.ts';
import type { OrgDocument } from '../../projections/org/org.ts';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import type { CatalogEntry } from '../../src/catalogue/search/entity-search.ts';
import type { Found } from '../../src/catalogue/search/name-index.ts';
import { shownProduct } from '../../src/catalogue/visibility.ts';
import { byName } from '../../src/domain/name-key.ts';
import { previewMax } from '../collections/collection-list.ts';
import { shownMember } from '../shape/collection-members.ts';

type Matched = Found<OrgDocument | CatalogEntry>;

interface CollectionMatches {
  /** Called so themselves, in order. */
  readonly direct: readonly Found<CollectionDocument>[];
  /** Whatever else is called so. */
  readonly matched: readonly Matched[];
  readonly limit: number;
}

interface Reached extends Found<CollectionDocument> {
  /** In the order in which they matched. */
  readonly orgSlugs: Set<string>;
}

const byTier = <Doc extends Parameters<typeof byName>[0]>(a: Found<Doc>, b: Found<Doc>): number =>
  a.tier - b.tier || byName(a.doc, b.doc);

/** What it is, or belongs to: its releases are those of a collection that has one of these as a member. */
const membershipsOf = (catalogue: Catalogue, doc: Matched['doc']): readonly (string | null)[] => {
  if (!('orgId' in doc)) return [doc.id];
  if (!('productId' in doc)) return [doc.id, doc.orgId];
  return [shownProduct(catalogue, doc)?.id ?? null, doc.orgId];
};

/** The collections that have what matched, each with its best tier. */
const reachedBy = (catalogue: Catalogue, matched: readonly Matched[]): Map<string, Reached> => {
  const reached = new Map<string, Reached>();
  for (const { doc, tier } of matched.toSorted(byTier)) {
    const orgId = 'orgId' in doc ? doc.orgId : doc.id;
    const orgSlug = orgId === null ? undefined : catalogue.org(orgId)?.slug;
    if (orgSlug === undefined) continue; // only a source has no org, and such a one is in no collection
    for (const memberId of membershipsOf(catalogue, doc)) {
      for (const collection of memberId === null ? [] : catalogue.collectionsWith(memberId)) {
        const known = reached.get(collection.id) ?? { doc: collection, tier, orgSlugs: new Set() };
        known.orgSlugs.add(orgSlug);
        reached.set(collection.id, known);
      }
    }
  }
  return reached;
};

/** Those that are called so, and after them those that have a member that is. */
export const collectionHits = (catalogue: Catalogue, { direct, matched, limit }: CollectionMatches) => {
  const reached = reachedBy(catalogue, matched);
  const isDirect = new Set(direct.map(({ doc }) => doc.id));
  const others = [...reached.values()].filter(({ doc }) => !isDirect.has(doc.id)).sort(byTier);
  return [...direct, ...others].slice(0, limit).map(({ doc }) => {
    const members = catalogue.membersOf(doc);
    return {
      slug: doc.slug,
      name: doc.name,
      description: doc.description,
      memberCount: members.length,
      via: isDirect.has(doc.id) ? ('direct' as const) : ('member' as const),
      matchedOrgSlugs: [...(reached.get(doc.id)?.orgSlugs ?? [])],
      previewMembers: members.slice(0, previewMax).map(shownMember),
    };
  });
};
