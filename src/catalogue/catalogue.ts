import { type CollectionDocument, collectionsProjection } from '../../projections/collections/collections.ts';
import { sourceOfInstants } from '../../projections/instants/instants-document.ts';
import { instantsProjection } from '../../projections/instants/instants.ts';
import { type OrgDocument, orgProjection } from '../../projections/org/org.ts';
import { type ProductDocument, productProjection } from '../../projections/product/product.ts';
import { type SourceDocument, sourceProjection } from '../../projections/source/source.ts';
import type { Category, SourceType } from '../domain/enumerations.ts';
import type { Document, Projection } from '../kernel/projection.ts';
import type { ReadModelSet } from '../ports/read-models.ts';
import { createCollectionMembers, type VisibleMember } from './collection-members.ts';
import { createCollections } from './collections.ts';
import { createEntities } from './entities.ts';
import { createFollower, type Followed, type ToldWrites } from './follower.ts';
import { createInstantsBySource } from './instants/instants-by-source.ts';
import { type ReadReleases, readReleases as readReleasesHere } from './instants/read-releases.ts';
import type { FacetedList } from './lists/faceted-list.ts';
import type { LargeGroup } from './lists/large-groups.ts';
import { createListings } from './lists/listings.ts';
import type { OrgInstants } from './lists/org-instants.ts';
import type { PublicOrgs } from './lists/org-lists.ts';
import type { FoundOrgs, OrgPieces } from './lists/org-search.ts';
import { createPartLists } from './lists/part-lists.ts';
import type { PublicSources } from './lists/public-sources.ts';
import type { ReleaseCounts } from './lists/release-counts.ts';
import type { SourceSets } from './lists/source-sets.ts';
import { createSingleFlight } from '../concurrency/single-flight.ts';
import type { RequestedOrg } from './lists/tracking-requests.ts';
import { type CatalogEntry, createEntitySearch } from './search/entity-search.ts';
import type { Found } from './search/name-index.ts';
import type { SourceInstants } from './instants/source-instants.ts';

/** Every org, product, source and collection, and when releases appeared, in memory. The documents stay the truth. */
export interface Catalogue {
  readonly org: (id: string) => OrgDocument | undefined;
  readonly product: (id: string) => ProductDocument | undefined;
  readonly source: (id: string) => SourceDocument | undefined;
  /** By name. Deleted and hidden ones too, as in every list here. */
  readonly orgs: () => readonly OrgDocument[];
  /** Of all or of some, those with a part of their name or slug, in lower case; by name. */
  readonly orgsMatching: (q: string, among?: OrgPieces) => FoundOrgs;
  /** Orgs that somebody asked to be tracked, the latest request first; hidden ones too. */
  readonly trackingRequests: () => readonly RequestedOrg[];
  /** Of one category or of all. */
  readonly publicOrgs: (category: Category | null, nowMs: number) => PublicOrgs;
  readonly featuredOrgs: (category: Category | null, nowMs: number) => PublicOrgs;
  /** Whether the org has a counted release, to those who see the org. */
  readonly hasReleases: (orgId: string, nowMs: number) => boolean;
  /** All but those of some types. */
  readonly publicSources: (exclude: readonly SourceType[]) => PublicSources;
  /** Those whose releases belong to a category. */
  readonly publicSourcesOfCategory: (category: Category) => PublicSources;
  /** Of an org with very many sources, those that everybody sees who sees the org; undefined for any other org. */
  readonly largeOrg: (orgId: string) => LargeGroup | undefined;
  /** The same of a product. */
  readonly largeProduct: (productId: string) => LargeGroup | undefined;
  /** All but the deleted, by name; hidden ones too, unless a filter leaves them out. */
  readonly productList: () => FacetedList<ProductDocument>;
  readonly sourceList: () => FacetedList<SourceDocument>;
  /** Of all sources that everybody sees. */
  readonly releaseCounts: () => ReleaseCounts;
  /** Of all sources, by what searches ask for. */
  readonly sourceSets: () => SourceSets;
  readonly productsOfOrg: (orgId: string) => readonly ProductDocument[];
  readonly sourcesOfOrg: (orgId: string) => readonly SourceDocument[];
  readonly sourcesOfProduct: (productId: string) => readonly SourceDocument[];
  /** A deleted entity has given its slugs and domains away, so these find living ones only. */
  readonly orgBySlug: (slug: string) => OrgDocument | undefined;
  readonly orgByDomain: (domain: string) => OrgDocument | undefined;
  /** Those that have it among their aliases: several may. */
  readonly productsByDomain: (domain: string) => readonly ProductDocument[];
  readonly productsBySlug: (slug: string) => readonly ProductDocument[];
  readonly sourcesBySlug: (slug: string) => readonly SourceDocument[];
  readonly productOfOrg: (orgId: string, slug: string) => ProductDocument | undefined;
  readonly sourceOfOrg: (orgId: string, slug: string) => SourceDocument | undefined;
  /** Those with a tag that is this slug, however it is spelled; in no order. */
  readonly orgsByTag: (slug: string) => readonly OrgDocument[];
  readonly productsByTag: (slug: string) => readonly ProductDocument[];
  /** Living ones that once had the slug, whoever has it now; in no order. */
  readonly orgsByEarlierSlug: (slug: string) => readonly OrgDocument[];
  readonly sourcesByEarlierSlug: (slug: string) => readonly SourceDocument[];
  readonly collectionsByEarlierSlug: (slug: string) => readonly CollectionDocument[];
  readonly instantsOf: (sourceId: string) => SourceInstants;
  /** Of its sources that are not hidden or deleted themselves. */
  readonly instantsOfOrg: (orgId: string) => OrgInstants;
  readonly collection: (id: string) => CollectionDocument | undefined;
  readonly collectionBySlug: (slug: string) => CollectionDocument | undefined;
  /** By name. */
  readonly collections: () => readonly CollectionDocument[];
  readonly featuredCollections: () => readonly CollectionDocument[];
  /** Those that have this org or product as a member, in no order. */
  readonly collectionsWith: (memberId: string) => readonly CollectionDocument[];
  /** Those that everybody sees, in the order of lists. */
  readonly membersOf: (collection: CollectionDocument) => readonly VisibleMember[];
  /** The first of those that everybody sees and that are called so, by tier and name (contract 7.2); `wantedWord` of a query. */
  readonly orgsNamed: (wanted: string, limit: number) => readonly Found<OrgDocument>[];
  /** Products and sources together. */
  readonly catalogNamed: (wanted: string, limit: number) => readonly Found<CatalogEntry>[];
  readonly collectionsNamed: (wanted: string, limit: number) => readonly Found<CollectionDocument>[];
  /** Who asks for names before has all that is left put in its place at once, while everybody waits. */
  readonly namesPlaced: Promise<void>;
  /** Once it resolves, everything that was written before the call is known. */
  readonly refresh: () => Promise<void>;
  /** The same of what the projector of this process has told; what others write may be left for the next `refresh`. */
  readonly refreshTold: () => Promise<void>;
  /** Up to where all is known. During a catch-up some of what comes after it is known, too. */
  readonly seen: () => string;
}

/** Entities by id and by what they belong to, of now or of a moment in the past. */
export type EntityReads = Pick<
  Catalogue,
  'org' | 'product' | 'source' | 'productsOfOrg' | 'sourcesOfOrg' | 'sourcesOfProduct'
>;

/** The same with what numbers are made of. */
export type NumberedEntities = EntityReads & Pick<Catalogue, 'instantsOf'>;

/** The read models behind it. */
export const catalogueReads = [
  orgProjection,
  productProjection,
  sourceProjection,
  instantsProjection,
  collectionsProjection,
];

/** Tells of each document that was brought in or taken out. */
const telling = <Doc extends Document>(followed: Followed<Doc>, tell: (id: string) => void): Followed<Doc> => ({
  apply: (doc) => {
    followed.apply(doc);
    tell(doc.id);
  },
  remove: (id) => {
    followed.remove(id);
    tell(id);
  },
});

export interface CatalogueOptions {
  /** Where the projector runs in this process, what it tells spares most questions to the stores. */
  readonly told?: ToldWrites | undefined;
  /** On this thread when absent. */
  readonly readReleases?: ReadReleases | undefined;
  /** Awaited again and again while all is loaded, so that others who need this thread are not kept waiting. */
  readonly takeTurn?: (() => Promise<void>) | undefined;
}

/** Sources that are put in their places between two turns. */
const placedAtOnce = 16;

export const createCatalogue = async (
  models: ReadModelSet,
  { told, readReleases = readReleasesHere, takeTurn }: CatalogueOptions = {},
): Promise<Catalogue> => {
  const follow = <Doc extends Document>(projection: Projection<Doc>, followed: Followed<Doc>) =>
    createFollower(models.of(projection), followed, told);
  const entities = createEntities();
  const instants = createInstantsBySource();
  const collections = createCollections();
  const members = createCollectionMembers(entities.reads);
  const { orgChanged, productChanged, sourceChanged, reads } = createListings(entities.reads, instants.instantsOf);
  const parts = createPartLists(entities.reads, instants.instantsOf);
  const search = createEntitySearch(entities.reads, collections.reads.collection);
  const source = telling(entities.source, (id) => {
    parts.sourceChanged(id);
    search.sourceChanged(id);
  });

  /** Sources whose releases, if any, were not told yet: when all is known of one, it is put in its place once. */
  const unplaced = new Set<string>();
  const placeLoaded = async (ids: readonly string[]): Promise<void> => {
    for (const [number, id] of ids.entries()) {
      if (unplaced.delete(id)) sourceChanged(id);
      if (number % placedAtOnce === 0) await takeTurn?.();
    }
  };

  const releases = follow(instantsProjection, {
    ...telling(instants, (id) => {
      const sourceId = sourceOfInstants(id);
      sourceChanged(sourceId);
      parts.releasesChanged(sourceId);
    }),
    load: async (model) => {
      const { position, pages } = await readReleases(model);
      const reading = pages[Symbol.asyncIterator]();
      try {
        const first = reading.next(); // read elsewhere, mostly: it shall not wait for the entities
        first.catch(() => undefined); // told to who waits for it
        await entitiesLoaded;
        for (let next = await first; next.done !== true; next = await reading.next()) {
          instants.addLoaded(next.value);
          await placeLoaded(next.value.sourceIds);
        }
        return position;
      } finally {
        await reading.return?.();
      }
    },
  });
  const others = [
    follow(
      orgProjection,
      telling(entities.org, (id) => {
        orgChanged(id);
        members.entityChanged(id);
        parts.orgChanged(id);
        search.orgChanged(id);
      }),
    ),
    follow(
      productProjection,
      telling(entities.product, (id) => {
        productChanged(id);
        members.entityChanged(id);
        parts.productChanged(id);
        search.productChanged(id);
      }),
    ),
    follow(
      collectionsProjection,
      telling(collections, (id) => {
        members.collectionChanged(id);
        search.collectionChanged(id);
      }),
    ),
    follow(sourceProjection, {
      ...telling(source, sourceChanged),
      load: async (model) => {
        const position = await model.checkpoint(); // before all is read: what is written meanwhile is seen again
        await model.readAll((docs) => {
          for (const doc of docs) {
            source.apply(doc);
            unplaced.add(doc.id);
          }
        });
        return position;
      },
    }),
  ];
  const loadOthers = async () => {
    for (const follower of others) await follower.load();
  };
  const entitiesLoaded = loadOthers();
  const loading = [releases.load(), entitiesLoaded];
  await Promise.allSettled(loading); // so that whoever tries again does not read beside this one
  await Promise.all(loading);
  await placeLoaded([...unplaced]);
  const namesPlaced = search.placeLoaded(takeTurn);
  namesPlaced.catch(() => undefined); // told to who waits for it
  const followers = [releases, ...others];
  let isLook = false;
  /** One after the other: else what was read first could be brought in last. */
  const catchUp = createSingleFlight(async () => {
    const bringIn = isLook ? 'catchUp' : 'catchUpTold';
    isLook = false;
    const runs = followers.map((follower) => follower[bringIn]());
    await Promise.allSettled(runs); // so that the next run does not overtake one that goes on behind a failure
    await Promise.all(runs);
  });

  return {
    ...entities.reads,
    ...reads,
    ...parts.reads,
    ...search.reads,
    ...collections.reads,
    membersOf: members.of,
    instantsOf: instants.instantsOf,
    namesPlaced,
    refresh: () => {
      isLook = true;
      return catchUp();
    },
    refreshTold: catchUp,
    seen: () => followers.map((follower) => follower.seen()).join(),
  };
};
