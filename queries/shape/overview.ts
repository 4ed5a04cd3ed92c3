import type { OrgDocument } from '../../projections/org/org.ts';
import type { OverviewDocument } from '../../projections/overviews/overviews.ts';
import type { ProductDocument } from '../../projections/product/product.ts';

const written = ({ id: _, toldReleaseIds: __, ...overview }: OverviewDocument) => overview;

export const orgOverview = ({ slug }: OrgDocument, overview: OverviewDocument) => ({
  scope: 'org' as const,
  orgSlug: slug,
  productSlug: null,
  ...written(overview),
});

export const productOverview = (
  { slug }: ProductDocument,
  org: OrgDocument | undefined,
  overview: OverviewDocument,
) => ({
  scope: 'product' as const,
  orgSlug: org?.slug ?? null,
  productSlug: slug,
  ...written(overview),
});
