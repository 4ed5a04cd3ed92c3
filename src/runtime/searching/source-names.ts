import { type OrgDocument, orgProjection } from '../../../projections/org/org.ts';
import { type ProductDocument, productProjection } from '../../../projections/product/product.ts';
import { type SourceDocument, sourceProjection } from '../../../projections/source/source.ts';
import { isVisible } from '../../domain/release/visible.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';

/** A source and what it belongs to. */
export interface NamedSource {
  readonly source: SourceDocument;
  /** Only one that is seen: others are not shown with the source either. */
  readonly product: ProductDocument | null;
  readonly org: OrgDocument | null;
}

const byId = <Doc extends { readonly id: string }>(docs: readonly Doc[]): Map<string, Doc> =>
  new Map(docs.map((doc) => [doc.id, doc]));

const present = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];

/** Those that are there, by their ids. */
export async function namedSources(
  models: ReadModelSet,
  sourceIds: Iterable<string>,
): Promise<ReadonlyMap<string, NamedSource>> {
  const wanted = [...new Set(sourceIds)];
  const sources = wanted.length === 0 ? [] : await models.of(sourceProjection).get(wanted);
  const productIds = present(sources.map(({ productId }) => productId));
  const orgIds = present(sources.map(({ orgId }) => orgId));
  const products = byId(productIds.length === 0 ? [] : await models.of(productProjection).get(productIds));
  const orgs = byId(orgIds.length === 0 ? [] : await models.of(orgProjection).get(orgIds));
  return new Map(
    sources.map((source) => {
      const product = source.productId === null ? undefined : products.get(source.productId);
      const org = source.orgId === null ? undefined : orgs.get(source.orgId);
      const shown = product !== undefined && isVisible(product) ? product : null;
      return [source.id, { source, product: shown, org: org ?? null }];
    }),
  );
}

/** All names that what a source brings is found by. */
export const namesText = ({ source, product, org }: NamedSource): string => {
  const packages = source.packages.map(({ name }) => name);
  return [source.name, product?.name, org?.name, ...packages].filter((name) => name != null).join('\n');
};

/** By which people ask for what a source brings: the name of its package, if it has one, says it best. */
export const calledName = ({ source, product }: NamedSource): string =>
  source.packages[0]?.name ?? product?.name ?? source.name;
