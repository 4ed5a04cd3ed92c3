import { membersOf, naiveCollectionList } from './naive-collections.ts';
import { dailyCounts, sparkline } from './naive-numbers.ts';
import type { NaiveOrg } from './naive-registry.ts';
import { inOrderOfNames, type NaiveView, releasesOf, sourcesOfOrg, sourcesOfProduct } from './naive-view.ts';

const dayMs = 86_400_000;
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const productsOf = (view: NaiveView, orgId: string) =>
  inOrderOfNames(view.products.filter((product) => product.orgId === orgId));

/** Contract 3.5. */
export const naiveOrgProducts = (view: NaiveView, org: NaiveOrg, kind: string | null) =>
  productsOf(view, org.id)
    .filter((product) => kind === null || product.kind === kind)
    .map(({ id, slug, name, orgId, kind: own }) => ({
      id,
      slug,
      name,
      orgId,
      kind: own,
      sourceCount: sourcesOfProduct(view, id).length,
    }));

export const naiveOrgCollections = (view: NaiveView, org: NaiveOrg) => {
  const ids = [org.id, ...productsOf(view, org.id).map(({ id }) => id)];
  const having = view.registry.collections.filter(
    (row) => !row.deleted && row.members.some(({ id }) => ids.includes(id)) && membersOf(view, row).length > 0,
  );
  return naiveCollectionList(view, false).filter(({ slug }) => having.some((row) => row.slug === slug));
};

export const naiveOrgSparklines = (view: NaiveView, { id: orgId, slug, name }: NaiveOrg) => {
  const sources = inOrderOfNames(sourcesOfOrg(view, orgId));
  const lineOf = (of: typeof sources) => sparkline(releasesOf(view, of), view.nowMs);
  return {
    org: { slug, name },
    range: { from: dayText(view.nowMs - 29 * dayMs), to: dayText(view.nowMs) },
    aggregate: lineOf(sources),
    sources: sources.map((source) => ({ slug: source.slug, name: source.name, sparkline: lineOf([source]) })),
    products: productsOf(view, orgId).map((product) => ({
      slug: product.slug,
      name: product.name,
      sparkline: lineOf(sourcesOfProduct(view, product.id)),
    })),
  };
};

export const naiveHeatmap = (view: NaiveView, sources: ReturnType<typeof sourcesOfOrg>) => {
  const days = dailyCounts(releasesOf(view, sources), view.nowMs, 364);
  return {
    range: { from: dayText(view.nowMs - 363 * dayMs), to: dayText(view.nowMs) },
    dailyCounts: days,
    total: days.reduce((sum, { count }) => sum + count, 0),
  };
};

/** Contract 8. */
export const naiveDomainLookup = (view: NaiveView, domain: string) => {
  const org = view.orgs.find((row) => row.domain === domain || row.aliases.includes(domain));
  const products = inOrderOfNames(view.products.filter(({ aliases }) => aliases.includes(domain)));
  if (org === undefined && products.length === 0) return null;
  return {
    domain,
    org:
      org === undefined
        ? null
        : { id: org.id, slug: org.slug, matchedVia: org.domain === domain ? 'primary' : 'alias', status: org.status },
    products: products.map(({ id, slug, name, orgId, category }) => {
      const owner = view.orgs.find((row) => row.id === orgId)!;
      return { id, slug, name, orgId, orgSlug: owner.slug, orgName: owner.name, category };
    }),
  };
};
