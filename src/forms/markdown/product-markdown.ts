import type { ProductDetail } from '../../../queries/product-detail.ts';
import type { ProductNumbers } from '../../../queries/product-numbers.ts';
import { frontMatter } from './front-matter.ts';
import { inline, paragraph } from './inline.ts';
import { blocks, type ExcerptedRelease, partList, recentReleases, writtenSection } from './sections.ts';

export interface ProductInMarkdown {
  readonly product: Omit<ProductDetail, 'releases' | 'pagination'>;
  readonly releases: readonly ExcerptedRelease[];
  readonly orgSlug: string;
  readonly webPathOf: (thing: ProductInMarkdown['product'] | ProductDetail['sources'][number]) => string;
  readonly numbers: ProductNumbers;
  /** In Markdown; null when nobody wrote it. */
  readonly overview: string | null;
  readonly webBaseUrl: string;
}

/** A product as a document (contract 16.4). */
export const productMarkdown = (input: ProductInMarkdown): string => {
  const { product, releases, orgSlug, webPathOf, numbers, overview, webBaseUrl } = input;
  const facts = {
    name: product.name,
    slug: product.slug,
    org: orgSlug,
    category: product.category,
    kind: product.kind,
    sources: product.sourceCount,
    releases: numbers.releaseCount,
    releases_last_30_days: numbers.releasesLast30Days,
    tracking_since: numbers.trackingSince,
    url: `${webBaseUrl}${webPathOf(product)}`,
    tags: product.tags,
    aliases: product.aliases,
  };
  const sources = product.sources.map((source) => ({
    name: source.name,
    webUrl: `${webBaseUrl}${webPathOf(source)}`,
    kindOrType: source.kind ?? source.type,
    releaseCount: numbers.releaseCountOf(source.id),
  }));
  return `${frontMatter(facts)}\n${blocks(
    `# ${inline(product.name)}`,
    paragraph(product.description ?? ''),
    ...writtenSection('Overview', overview),
    ...partList('Sources', sources),
    ...recentReleases(releases),
  )}`;
};
