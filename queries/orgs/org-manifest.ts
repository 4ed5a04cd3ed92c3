import type { OrgDocument } from '../../projections/org/org.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { type Catalogue, catalogueReads } from '../../src/catalogue/catalogue.ts';
import { isPrimarySource } from '../../src/catalogue/primary-source.ts';
import { resolveOrg } from '../../src/catalogue/resolve.ts';
import { shownProduct, sightOn, visibleProductsOf, visibleSourcesOf } from '../../src/catalogue/visibility.ts';
import { byName } from '../../src/domain/name-key.ts';
import { locatorOf } from '../shape/locations.ts';
import { filled, firstCharsOf, httpsUriOf, uriOf } from '../shape/manifest-text.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

export interface OrgManifestInput {
  readonly org: string;
  /** What this registry calls itself. */
  readonly registryName: string;
}

export const orgManifestReads = catalogueReads;

const locatorsMax = 32;
const productsMax = 24;
const locatorsOfProductMax = 8;
const tagsMax = 50;
const charsMax = { name: 120, description: 2_000, title: 200, tag: 60, platform: 40, handle: 200 } as const;

/** Undefined for an address that is not https, or no URI. */
const sourceLocator = (source: SourceDocument) => {
  const { github, url, feed, appstore } = locatorOf(source);
  if (github !== undefined) return { github };
  const located = filled({ url: httpsUriOf(url), feed: httpsUriOf(feed), appstore: httpsUriOf(appstore) });
  return Object.keys(located).length === 0 ? undefined : located;
};

/** The canonical one first, then by name; what is too much is cut. */
const locatorsOf = (catalogue: Catalogue, sources: readonly SourceDocument[], max: number) => {
  const located = [...sources].sort(byName).flatMap((source) => {
    const locator = sourceLocator(source);
    return locator === undefined ? [] : [{ source, locator }];
  });
  // Those of a hidden product are among those without one, and may bring a primary source of their own.
  const canonical = located.find(({ source }) => isPrimarySource(catalogue, source));
  const ordered = canonical === undefined ? located : [canonical, ...located.filter((each) => each !== canonical)];
  return ordered.slice(0, max).map((each) => ({
    ...each.locator,
    ...filled({
      title: firstCharsOf(each.source.name, charsMax.title),
      canonical: each === canonical ? true : undefined,
    }),
  }));
};

const tagsOf = (tags: readonly string[]): string[] =>
  tags.flatMap((tag) => firstCharsOf(tag, charsMax.tag) ?? []).slice(0, tagsMax);

/** The oldest account of each platform. */
const socialOf = ({ accounts }: OrgDocument): Readonly<Record<string, string>> => {
  const handles = new Map<string, string>();
  for (const { platform, handle } of accounts) {
    const [key, value] = [firstCharsOf(platform, charsMax.platform), firstCharsOf(handle, charsMax.handle)];
    if (key !== undefined && value !== undefined && !handles.has(key)) handles.set(key, value);
  }
  return Object.fromEntries(handles);
};

const productEntry = (catalogue: Catalogue, product: ProductDocument, sources: readonly SourceDocument[]) =>
  filled({
    name: firstCharsOf(product.name, charsMax.name),
    slug: product.slug,
    kind: product.kind ?? undefined,
    category: product.category ?? undefined,
    description: firstCharsOf(product.description, charsMax.description),
    website: uriOf(product.url),
    tags: tagsOf(product.tags),
    releases: locatorsOf(catalogue, sources, locatorsOfProductMax),
  });

/** A manifest knows a product by another prefix. */
const manifestProductId = ({ id }: ProductDocument): string => id.replace(/^prod_/, 'prd_');

/** The manifest that an org could publish on its own domain, made of what is known of it (contract 3.6). */
export const orgManifest = (
  { catalogue, webBaseUrl }: Pick<QueryDeps, 'catalogue' | 'webBaseUrl'>,
  { org: identifier, registryName }: OrgManifestInput,
  { admin }: Pick<Asking, 'admin'>,
) => {
  const org = resolveOrg(catalogue, identifier, admin);
  const sight = sightOn(admin, org.id);
  const products = visibleProductsOf(catalogue, org.id, sight).sort(byName);
  const sources = visibleSourcesOf(catalogue, org.id, sight);
  const sourcesOf = (productId: string | null) =>
    sources.filter((source) => (shownProduct(catalogue, source, sight)?.id ?? null) === productId);
  const [only, ...others] = products;
  const ids = { org: org.id, ...(only && others.length === 0 && { product: manifestProductId(only) }) };
  return {
    $schema: `${webBaseUrl}/schemas/manifest-2.json`,
    version: 2 as const,
    registries: { [registryName]: ids },
    ...filled({
      name: firstCharsOf(org.name, charsMax.name),
      description: firstCharsOf(org.description, charsMax.description),
      category: org.category ?? undefined,
      avatar: httpsUriOf(org.avatarUrl),
      tags: tagsOf(org.tags),
      social: socialOf(org),
      releases: locatorsOf(catalogue, sourcesOf(null), locatorsMax),
      products: products
        .slice(0, productsMax)
        .map((product) => productEntry(catalogue, product, sourcesOf(product.id))),
    }),
  };
};
