import { instantsProjection } from '../../projections/instants/instants.ts';
import { type OrgDocument, orgProjection } from '../../projections/org/org.ts';
import { type ProductDocument, productProjection } from '../../projections/product/product.ts';
import { type SourceDocument, sourceProjection } from '../../projections/source/source.ts';
import type { ReadModelSet } from '../ports/read-models.ts';
import { createEntities } from './entities.ts';
import { createFollower } from './follower.ts';
import { createInstantsBySource } from './instants-by-source.ts';
import { createSingleFlight } from '../concurrency/single-flight.ts';
import type { SourceInstants } from './source-instants.ts';

/** Every org, product and source, and when their releases appeared, in memory. The documents stay the truth. */
export interface Catalogue {
  readonly org: (id: string) => OrgDocument | undefined;
  readonly product: (id: string) => ProductDocument | undefined;
  readonly source: (id: string) => SourceDocument | undefined;
  /** By name. Deleted and hidden ones too, as in every list here. */
  readonly orgs: () => readonly OrgDocument[];
  readonly products: () => Iterable<ProductDocument>;
  readonly sources: () => Iterable<SourceDocument>;
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

export const createCatalogue = async (models: ReadModelSet): Promise<Catalogue> => {
  const entities = createEntities();
  const instants = createInstantsBySource();
  const followers = [
    createFollower(models.of(orgProjection), entities.org),
    createFollower(models.of(productProjection), entities.product),
    createFollower(models.of(sourceProjection), entities.source),
    createFollower(models.of(instantsProjection), instants),
  ];
  for (const follower of followers) await follower.load();

  return {
    ...entities.reads,
    instantsOf: instants.instantsOf,
    refresh: createSingleFlight(async () => {
      await Promise.all(followers.map((follower) => follower.catchUp()));
    }),
  };
};
