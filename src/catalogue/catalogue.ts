import { instantsPlace, instantsProjection } from '../../projections/instants/instants.ts';
import { type OrgDocument, orgProjection } from '../../projections/org/org.ts';
import { type ProductDocument, productProjection } from '../../projections/product/product.ts';
import { type SourceDocument, sourceProjection } from '../../projections/source/source.ts';
import type { Category, SourceType } from '../domain/enumerations.ts';
import type { Document } from '../kernel/projection.ts';
import type { ReadModelSet } from '../ports/read-models.ts';
import { createEntities } from './entities.ts';
import { createFollower, type Followed } from './follower.ts';
import { createInstantsBySource } from './instants-by-source.ts';
import { createListings } from './listings.ts';
import type { PublicOrgs } from './org-lists.ts';
import type { PublicSources } from './public-sources.ts';
import { createSingleFlight } from '../concurrency/single-flight.ts';
import type { SourceInstants } from './source-instants.ts';

/** Every org, product and source, and when their releases appeared, in memory. The documents stay the truth. */
export interface Catalogue {
  readonly org: (id: string) => OrgDocument | undefined;
  readonly product: (id: string) => ProductDocument | undefined;
  readonly source: (id: string) => SourceDocument | undefined;
  /** By name. Deleted and hidden ones too, as in every list here. */
  readonly orgs: () => readonly OrgDocument[];
  /** Those with a part of their name or slug, in lower case; by name. */
  readonly orgsMatching: (q: string) => readonly OrgDocument[];
  /** Of one category or of all. */
  readonly publicOrgs: (category: Category | null, nowMs: number) => PublicOrgs;
  /** Whether the org has a counted release, to those who see the org. */
  readonly hasReleases: (orgId: string, nowMs: number) => boolean;
  /** All but those of some types. */
  readonly publicSources: (exclude: readonly SourceType[]) => PublicSources;
  readonly productsOfOrg: (orgId: string) => readonly ProductDocument[];
  readonly sourcesOfOrg: (orgId: string) => readonly SourceDocument[];
  readonly sourcesOfProduct: (productId: string) => readonly SourceDocument[];
  /** A deleted entity has given its slugs and domains away, so these find living ones only. */
  readonly orgBySlug: (slug: string) => OrgDocument | undefined;
  readonly orgByDomain: (domain: string) => OrgDocument | undefined;
  readonly productsBySlug: (slug: string) => readonly ProductDocument[];
  readonly sourcesBySlug: (slug: string) => readonly SourceDocument[];
  readonly instantsOf: (sourceId: string) => SourceInstants;
  /** Once it resolves, everything that was written before the call is known. */
  readonly refresh: () => Promise<void>;
}

/** The read models behind it. */
export const catalogueReads = [orgProjection, productProjection, sourceProjection, instantsProjection];

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

export const createCatalogue = async (models: ReadModelSet): Promise<Catalogue> => {
  const entities = createEntities();
  const instants = createInstantsBySource();
  const { orgChanged, sourceChanged, reads } = createListings(entities.reads, instants.instantsOf);
  const followers = [
    createFollower(models.of(orgProjection), telling(entities.org, orgChanged)),
    createFollower(models.of(productProjection), entities.product),
    createFollower(models.of(sourceProjection), telling(entities.source, sourceChanged)),
    createFollower(
      models.of(instantsProjection),
      telling(instants, (id) => sourceChanged(instantsPlace(id).sourceId)),
    ),
  ];
  for (const follower of followers) await follower.load();

  return {
    ...entities.reads,
    ...reads,
    instantsOf: instants.instantsOf,
    refresh: createSingleFlight(async () => {
      await Promise.all(followers.map((follower) => follower.catchUp()));
    }),
  };
};
