import { lookupDomain, lookupProduct, lookupSource } from '../../../queries/lookups.ts';
import { orgAccounts } from '../../../queries/orgs/org-accounts.ts';
import { orgCollections } from '../../../queries/orgs/org-collections.ts';
import { orgHeatmap } from '../../../queries/orgs/org-heatmap.ts';
import { orgProducts } from '../../../queries/orgs/org-products.ts';
import { orgResolve } from '../../../queries/orgs/org-resolve.ts';
import { orgSparklines } from '../../../queries/orgs/org-sparklines.ts';
import { orgTags } from '../../../queries/orgs/org-tags.ts';
import { trackingRequests } from '../../../queries/orgs/tracking-requests.ts';
import { overviewOf } from '../../../queries/overview.ts';
import { playbookOf } from '../../../queries/playbook.ts';
import { sourceHeatmap } from '../../../queries/sources/source-heatmap.ts';
import { sourceReleases } from '../../../queries/sources/source-releases.ts';
import { kinds } from '../../../src/domain/enumerations.ts';
import { naiveProductDetail, naiveSourceDetail } from '../naive/naive-answers.ts';
import { naiveFeed } from '../naive/naive-feed.ts';
import {
  naiveDomainLookup,
  naiveHeatmap,
  naiveOrgCollections,
  naiveOrgProducts,
  naiveOrgSparklines,
  naiveOverview,
  naiveTrackingRequests,
} from '../naive/naive-org-parts.ts';
import { orgOf, publishedMsOf, sourcesOfOrg } from '../naive/naive-view.ts';
import { answerOf, asAdmin, type Comparison, publicly, same, sameFeed } from './comparison.ts';

const page = { page: 1, limit: 500 };

const onlyPage = (items: readonly unknown[]) => {
  const count = items.length;
  const pagination = { page: 1, pageSize: 500, returned: count, totalItems: count, totalPages: 1, hasMore: false };
  return { items, pagination };
};

const inAnyCase = (a: string, b: string): number => a.toLowerCase().localeCompare(b.toLowerCase(), 'en');

export const compareOrgParts = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  const asking = publicly(comparison);
  for (const row of view.orgs) {
    const org = random.pick([row.id, row.slug]);
    const what = `of org ${row.id}`;
    const kind = random.pick([null, ...kinds.slice(0, 3)]);
    const products = naiveOrgProducts(view, row, kind);
    same(
      `products ${what}`,
      onlyPage(products),
      orgProducts(reading, { org, kind, includeHidden: false, ...page }, asking),
    );
    const playbook = row.playbook && { scope: 'playbook', ...row.playbook };
    same(`playbook ${what}`, playbook, await playbookOf(reading, row.id));
    same(`collections ${what}`, naiveOrgCollections(view, row), orgCollections(reading, { org }, asking));
    same(`sparklines ${what}`, naiveOrgSparklines(view, row), orgSparklines(reading, { org }, asking));
    const heatmap = { org: { slug: row.slug, name: row.name }, ...naiveHeatmap(view, sourcesOfOrg(view, row.id)) };
    same(`heatmap ${what}`, heatmap, orgHeatmap(reading, { org }, asking));
    same(`tags ${what}`, onlyPage(row.tags.toSorted(inAnyCase)), orgTags(reading, { org, ...page }, asking));
    const accounts = row.accounts.map(({ platform, handle }) => ({ platform, handle }));
    const inOrder = accounts.sort((a, b) => inAnyCase(a.platform, b.platform) || inAnyCase(a.handle, b.handle));
    same(`accounts ${what}`, onlyPage(inOrder), orgAccounts(reading, { org, platform: null, ...page }, asking));
    for (const platform of ['github', 'X']) {
      const [oldest] = row.accounts.filter((account) => account.platform === platform.toLowerCase());
      const expected = oldest === undefined ? null : { platform: oldest.platform, handle: oldest.handle };
      same(`account ${what}`, expected, orgAccounts(reading, { org, platform, ...page }, asking));
    }
    for (const slug of new Set([...view.registry.products, ...view.registry.sources].map((part) => part.slug))) {
      const product = view.products.find((part) => part.orgId === row.id && part.slug === slug);
      const source = view.sources.find((part) => part.orgId === row.id && part.slug === slug);
      const found = product
        ? { kind: 'product', product: naiveProductDetail(view, product) }
        : source && { kind: 'source', source: naiveSourceDetail(view, source) };
      const lanes = { includePrereleases: false, includeCoverage: false };
      const ask = () => orgResolve(reading, { org, slug, ...lanes, cursor: null, limit: 1, sent: {} }, asking);
      same(`${slug} ${what}`, found ? { answer: found } : { refused: 'not_found' }, await answerOf(ask));
    }
  }
  for (const row of [...view.orgs, ...view.products]) {
    same(`overview of ${row.id}`, naiveOverview(view, row), await overviewOf(reading, row.id, view.nowMs));
  }
  const anyOrg = { q: null, category: null, featured: false };
  const requested = trackingRequests(reading, { ...anyOrg, ...page }, asAdmin(comparison));
  const { items, emptyOrgCount } = naiveTrackingRequests(view);
  same('orgs asked for', { ...onlyPage(items), meta: { emptyOrgCount } }, requested);
};

export const compareSourceParts = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  const asking = publicly(comparison);
  const dates = view.registry.releases.map(publishedMsOf).filter((ms) => ms !== null);
  for (const row of view.sources) {
    const source = reading.catalogue.source(row.id)!;
    const { slug, name } = row;
    const org = orgOf(view, row);
    const head = { slug, name, orgSlug: org?.slug ?? null, orgName: org?.name ?? null };
    const heatmap = { source: head, ...naiveHeatmap(view, [row]) };
    same(`heatmap of source ${row.id}`, heatmap, sourceHeatmap(reading, source, asking));
    const sinceMs = dates.length === 0 ? 0 : random.pick(dates) + random.pick([0, 1]);
    const lanes = { includePrereleases: true, includeCoverage: false };
    const expected = naiveFeed(view, [row], { ...lanes, sinceMs, untilMs: null });
    await sameFeed(`recent releases of source ${row.id}`, comparison, expected, (paging) =>
      sourceReleases(reading, { source, feed: 'recent-releases', sinceMs, ...lanes, ...paging }, asking),
    );
  }
};

export const compareNameLookups = async (comparison: Comparison): Promise<void> => {
  const { reading, view } = comparison;
  const { orgs, products, sources } = view.registry;
  const asking = publicly(comparison);
  const domainsOf = ({ domain, aliases }: (typeof orgs)[number]) => [...(domain === null ? [] : [domain]), ...aliases];
  const domains = new Set([...orgs.flatMap(domainsOf), ...products.flatMap(({ aliases }) => aliases)]);
  for (const domain of domains) {
    const found = naiveDomainLookup(view, domain);
    const expected = found === null ? { refused: 'not_found' } : { answer: found };
    same(`domain ${domain}`, expected, await answerOf(() => lookupDomain(reading, { domain }, asking)));
  }
  const sameHome = async (
    what: string,
    slug: string,
    visible: readonly { readonly id: string }[],
    ask: () => unknown,
    answer: (id: string) => object,
  ) => {
    const [only, ...others] = visible;
    const refused = only === undefined ? 'not_found' : 'ambiguous_slug';
    const expected = only === undefined || others.length > 0 ? { refused } : { answer: answer(only.id) };
    same(`${what} named ${slug}`, expected, await answerOf(ask));
  };
  for (const slug of new Set(sources.map((row) => row.slug))) {
    const visible = view.sources.filter((row) => row.slug === slug);
    const ask = () => lookupSource(reading, { slug }, asking);
    await sameHome('home of source', slug, visible, ask, (sourceId) => {
      const { orgId } = view.sources.find(({ id }) => id === sourceId)!;
      const orgSlug = orgs.find(({ id }) => id === orgId)?.slug ?? null;
      const path = orgSlug === null ? `/v1/sources/${sourceId}` : `/v1/orgs/${orgSlug}/sources/${slug}`;
      return { sourceId, sourceSlug: slug, orgId, orgSlug, path };
    });
  }
  for (const slug of new Set(products.map((row) => row.slug))) {
    const visible = view.products.filter((row) => row.slug === slug);
    const ask = () => lookupProduct(reading, { slug }, asking);
    await sameHome('home of product', slug, visible, ask, (productId) => {
      const { orgId } = view.products.find(({ id }) => id === productId)!;
      const orgSlug = orgs.find(({ id }) => id === orgId)!.slug;
      return { productId, productSlug: slug, orgId, orgSlug, path: `/v1/orgs/${orgSlug}/products/${slug}` };
    });
  }
};
