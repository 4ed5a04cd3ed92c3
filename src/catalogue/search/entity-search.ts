import type { CollectionDocument } from '../../../projections/collections/collections.ts';
import type { OrgDocument } from '../../../projections/org/org.ts';
import type { ProductDocument } from '../../../projections/product/product.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';
import { inheritedCategory } from '../../domain/inherited-category.ts';
import { isVisible, isVisibleInOrg } from '../../domain/release/visible.ts';
import type { Entities } from '../entities.ts';
import { addWaiting } from '../lists/waiting-changes.ts';
import { createNameIndex } from './name-index.ts';

export type CatalogEntry = ProductDocument | SourceDocument;

/** Between two turns. */
const placedAtOnce = 16;

export const isProduct = (entry: CatalogEntry): entry is ProductDocument => !('productId' in entry);

/** Everything that everybody sees, found by its names as it, and what it belongs to, change. */
export const createEntitySearch = (
  entities: Pick<
    Entities['reads'],
    'org' | 'product' | 'source' | 'productsOfOrg' | 'sourcesOfOrg' | 'sourcesOfProduct'
  >,
  collection: (id: string) => CollectionDocument | undefined,
) => {
  const orgs = createNameIndex<OrgDocument>(({ name, slug, domain, aliases }, category) => ({
    name,
    slug,
    domains: domain === null ? aliases : [domain, ...aliases],
    category,
  }));
  const entries = createNameIndex<CatalogEntry>((entry, category) => {
    const { name, slug, url } = entry;
    return { name, slug, url, category, ...(isProduct(entry) && { domains: entry.aliases }) };
  });
  const collections = createNameIndex<CollectionDocument>(({ name, slug }) => ({ name, slug }));
  const changedOrgs = new Set<string>();
  const changedProducts = new Set<string>();
  const changedSources = new Set<string>();
  const changedCollections = new Set<string>();

  const orgOf = ({ orgId }: CatalogEntry) => (orgId === null ? undefined : entities.org(orgId));

  const isFound = (entry: CatalogEntry): boolean =>
    isVisibleInOrg<OrgDocument | CatalogEntry>(entry, orgOf(entry), (entity) => isVisible(entity));

  /** A product gives it to its sources only where it is seen. */
  const categoryOf = (source: SourceDocument) => {
    const product = source.productId === null ? undefined : entities.product(source.productId);
    const given = product !== undefined && isFound(product) ? product.category : null;
    return inheritedCategory(given, orgOf(source)?.category);
  };

  const placeOrg = (id: string) => {
    const org = entities.org(id);
    if (org !== undefined && isVisible(org)) orgs.place(org, org.category);
    else orgs.remove(id);
  };

  const placeProduct = (id: string) => {
    const product = entities.product(id);
    if (product !== undefined && isFound(product)) entries.place(product, product.category);
    else entries.remove(id);
  };

  const placeSource = (id: string) => {
    const source = entities.source(id);
    if (source !== undefined && isFound(source)) entries.place(source, categoryOf(source));
    else entries.remove(id);
  };

  const placeCollection = (id: string) => {
    const doc = collection(id);
    if (doc !== undefined) collections.place(doc, null);
    else collections.remove(id);
  };

  const changes = [
    [changedOrgs, placeOrg],
    [changedProducts, placeProduct],
    [changedSources, placeSource],
    [changedCollections, placeCollection],
  ] as const;

  const settle = () => {
    for (const [changed, place] of changes) {
      for (const id of changed) place(id);
      changed.clear();
    }
  };

  let isLoading = true;
  /** What was loaded and has no place yet. */
  const loaded: (() => void)[] = [];

  const note = (changed: Set<string>, id: string) => {
    if (isLoading) changed.add(id);
    else addWaiting(changed, id, settle);
  };

  const placeNext = (count: number): void => {
    for (let left = count; left > 0; left -= 1) loaded.pop()?.();
  };

  /** Who asks before all that was loaded is in its place has the rest of it put there at once. */
  const settled =
    <Answer>(find: (wanted: string, limit: number) => Answer) =>
    (wanted: string, limit: number): Answer => {
      placeNext(loaded.length);
      settle();
      return find(wanted, limit);
    };

  const productChanged = (productId: string) => {
    note(changedProducts, productId);
    for (const { id } of entities.sourcesOfProduct(productId)) note(changedSources, id);
  };

  return {
    /**
     * When everything was told once: puts it in its place, in turns. It takes half of what all other lists take together, and
     * nobody waits for it but who searches by then.
     */
    placeLoaded: async (takeTurn?: () => Promise<void>): Promise<void> => {
      for (const [changed, place] of changes) {
        for (const id of changed) loaded.push(() => place(id));
        changed.clear();
      }
      isLoading = false;
      while (loaded.length > 0) {
        placeNext(placedAtOnce);
        await takeTurn?.();
      }
    },
    /** What an org hides, shows or is about are all its products and sources, and what these are about. */
    orgChanged: (orgId: string) => {
      note(changedOrgs, orgId);
      for (const { id } of entities.productsOfOrg(orgId)) productChanged(id);
      for (const { id } of entities.sourcesOfOrg(orgId)) note(changedSources, id);
    },
    productChanged,
    sourceChanged: (sourceId: string) => note(changedSources, sourceId),
    collectionChanged: (collectionId: string) => note(changedCollections, collectionId),
    reads: {
      orgsNamed: settled(orgs.find),
      catalogNamed: settled(entries.find),
      collectionsNamed: settled(collections.find),
    },
  };
};
