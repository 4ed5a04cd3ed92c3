import type { NaiveOrg, NaiveSource } from './naive-registry.ts';
import { inOrderOfNames, isPrimary, type NaiveView, shownProduct, sourcesOfOrg } from './naive-view.ts';

const repositories = 'https://github.com/';

export const locatorOf = ({ type, url, metadata }: NaiveSource) => {
  if (type === 'github') return url.startsWith(repositories) ? { github: url.slice(repositories.length) } : { url };
  if (type === 'appstore') return { appstore: url };
  const feedUrl = metadata['feedUrl'];
  return type === 'feed' || feedUrl !== undefined ? { feed: feedUrl ?? url } : { url };
};

const locatorsOf = (view: NaiveView, sources: readonly NaiveSource[], max: number) => {
  const named = inOrderOfNames(sources);
  const [canonical] = named.filter((source) => isPrimary(view, source));
  return [...named.filter((each) => each === canonical), ...named.filter((each) => each !== canonical)]
    .slice(0, max)
    .map((source) => ({
      ...locatorOf(source),
      title: source.name,
      ...(source === canonical && { canonical: true }),
    }));
};

const unlessEmpty = <Part extends object>(part: Part): Part | undefined =>
  Object.keys(part).length === 0 ? undefined : part;

/** Contract 3.6. Nothing in a history is too long, and all addresses are https. */
export const naiveManifest = (view: NaiveView, org: NaiveOrg) => {
  const sources = sourcesOfOrg(view, org.id);
  const products = inOrderOfNames(view.products.filter(({ orgId }) => orgId === org.id));
  const sourcesUnder = (productId: string | null) =>
    sources.filter((source) => (shownProduct(view, source)?.id ?? null) === productId);
  const [only] = products.length === 1 ? products : [];
  const social = Object.fromEntries([...org.accounts].reverse().map(({ platform, handle }) => [platform, handle]));
  return {
    $schema: 'https://registry.example/schemas/manifest-2.json',
    version: 2,
    registries: { mine: { org: org.id, product: only?.id.replace('prod_', 'prd_') } },
    name: org.name,
    category: org.category ?? undefined,
    tags: unlessEmpty(org.tags),
    social: unlessEmpty(social),
    releases: unlessEmpty(locatorsOf(view, sourcesUnder(null), 32)),
    products: unlessEmpty(
      products.slice(0, 24).map((product) => ({
        name: product.name,
        slug: product.slug,
        kind: product.kind ?? undefined,
        category: product.category ?? undefined,
        tags: unlessEmpty(product.tags),
        releases: unlessEmpty(locatorsOf(view, sourcesUnder(product.id), 8)),
      })),
    ),
  };
};
