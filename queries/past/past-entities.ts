import { type OrgDocument, orgProjection } from '../../projections/org/org.ts';
import { type ProductDocument, productProjection } from '../../projections/product/product.ts';
import { type SourceDocument, sourceProjection } from '../../projections/source/source.ts';
import type { EntityReads } from '../../src/catalogue/catalogue.ts';
import { createEntities } from '../../src/catalogue/entities.ts';
import { isSeen, type Sight } from '../../src/catalogue/visibility.ts';
import { documentsAt, type StreamsOfModel } from './documents-at.ts';
import type { PastDeps } from './past-deps.ts';

type Entity = OrgDocument | ProductDocument | SourceDocument;

const orgs: StreamsOfModel<OrgDocument> = { projection: orgProjection, category: 'org' };
const products: StreamsOfModel<ProductDocument> = { projection: productProjection, category: 'product' };
const sources: StreamsOfModel<SourceDocument> = { projection: sourceProjection, category: 'source' };

/** Some entities as they were at a moment, to those who see them today too. */
export interface PastEntities {
  readonly reads: EntityReads;
  readonly loadOrgs: (ids: readonly string[]) => Promise<void>;
  readonly loadProducts: (ids: readonly string[]) => Promise<void>;
  readonly loadSources: (ids: readonly string[]) => Promise<void>;
  /** The org with all that belongs to it. */
  readonly loadWholeOrg: (orgId: string) => Promise<void>;
}

/**
 * Neither a product nor a source ever changes its org, so what belonged to an org is among what belongs to it now. What is not
 * seen today is hidden in the past, too: it counts for what others were, and does not show.
 */
export const createPastEntities = (
  deps: Pick<PastDeps, 'streams' | 'catalogue'>,
  { atMs, sight }: { readonly atMs: number; readonly sight: Sight },
): PastEntities => {
  const { catalogue } = deps;
  const entities = createEntities();

  const loadWith =
    <Doc extends Entity>(
      model: StreamsOfModel<Doc>,
      todays: (id: string) => Doc | undefined,
      apply: (doc: Doc) => void,
    ) =>
    async (ids: readonly string[]): Promise<void> => {
      // What is purged is in no catalogue, whatever the store still has of it.
      const known = [...new Set(ids)].flatMap((id) => todays(id) ?? []);
      const then = await documentsAt(
        deps,
        model,
        known.map(({ id }) => id),
        atMs,
      );
      for (const today of known) {
        const doc = then.get(today.id);
        if (doc !== undefined) apply(isSeen(today, sight) ? doc : { ...doc, hidden: true });
      }
    };

  const loadOrgs = loadWith(orgs, catalogue.org, entities.org.apply);
  const loadProducts = loadWith(products, catalogue.product, entities.product.apply);
  const loadSources = loadWith(sources, catalogue.source, entities.source.apply);
  return {
    reads: entities.reads,
    loadOrgs,
    loadProducts,
    loadSources,
    loadWholeOrg: async (orgId) => {
      const idsOf = (parts: readonly { readonly id: string }[]) => parts.map(({ id }) => id);
      await Promise.all([
        loadOrgs([orgId]),
        loadProducts(idsOf(catalogue.productsOfOrg(orgId))),
        loadSources(idsOf(catalogue.sourcesOfOrg(orgId))),
      ]);
    },
  };
};
