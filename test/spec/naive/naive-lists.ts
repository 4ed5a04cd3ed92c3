import { naiveSourceRecord } from './naive-answers.ts';
import type { NaiveProduct, NaiveSource } from './naive-registry.ts';
import { inOrderOfNames, type NaiveView, naiveView, orgOf, shownProduct, sourcesOfProduct } from './naive-view.ts';

/** The same as those see it who see what is hidden, but not what is deleted. */
const seeingHidden = ({ registry, nowMs }: NaiveView): NaiveView => {
  const shown = <Row extends { readonly hidden: boolean }>(rows: readonly Row[]): Row[] =>
    rows.map((row) => ({ ...row, hidden: false }));
  const { orgs, products, sources } = registry;
  return naiveView({ ...registry, orgs: shown(orgs), products: shown(products), sources: shown(sources) }, nowMs);
};

const viewOf = (view: NaiveView, includeHidden: boolean): NaiveView => (includeHidden ? seeingHidden(view) : view);

export interface NaiveProductFilters {
  readonly orgId: string | null;
  readonly kind: string | null;
  readonly includeHidden: boolean;
}

/** Contract 4. */
export const naiveProductList = (everybody: NaiveView, { orgId, kind, includeHidden }: NaiveProductFilters) => {
  const view = viewOf(everybody, includeHidden);
  const isWanted = (product: NaiveProduct): boolean =>
    (orgId === null || product.orgId === orgId) && (kind === null || product.kind === kind);
  return inOrderOfNames(view.products.filter(isWanted)).map((product) => ({
    id: product.id,
    name: product.name,
    slug: product.slug,
    orgId: product.orgId,
    url: product.url,
    description: product.description,
    avatarUrl: product.avatarUrl,
    category: product.category,
    kind: product.kind,
    createdAt: product.createdAt,
    sourceCount: sourcesOfProduct(view, product.id).length,
  }));
};

export interface NaiveSourceFilters {
  readonly independent: boolean;
  readonly hasFeed: boolean;
  readonly type: string | null;
  readonly kind: string | null;
  readonly category: string | null;
  readonly includeHidden: boolean;
  readonly orgId: string | null;
  /** A slug or an id. */
  readonly product: string | null;
  readonly slug: string | null;
  readonly q: string | null;
}

/** Contract 5.1. */
export const naiveSourceList = (everybody: NaiveView, wanted: NaiveSourceFilters) => {
  const view = viewOf(everybody, wanted.includeHidden);
  const contains = (text: string): boolean => text.toLowerCase().includes((wanted.q ?? '').toLowerCase());
  const isWanted = (source: NaiveSource): boolean => {
    const product = shownProduct(view, source);
    const category = product?.category ?? orgOf(view, source)?.category ?? null;
    const hasFeed = source.type === 'feed' || source.metadata['feedUrl'] !== undefined;
    return (
      (!wanted.independent || source.orgId === null) &&
      (!wanted.hasFeed || hasFeed) &&
      (wanted.type === null || source.type === wanted.type) &&
      (wanted.kind === null || source.kind === wanted.kind) &&
      (wanted.category === null || category === wanted.category) &&
      (wanted.orgId === null || source.orgId === wanted.orgId) &&
      (wanted.product === null || [product?.id, product?.slug].includes(wanted.product)) &&
      (wanted.slug === null || source.slug === wanted.slug) &&
      (contains(source.name) || contains(source.slug) || contains(source.url))
    );
  };
  const isHidden = (id: string) => everybody.registry.sources.some((source) => source.id === id && source.hidden);
  return inOrderOfNames(view.sources.filter(isWanted)).map((source) => ({
    ...naiveSourceRecord(view, source),
    isHidden: isHidden(source.id),
  }));
};
