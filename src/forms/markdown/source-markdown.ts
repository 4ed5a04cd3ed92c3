import type { SourceDetail } from '../../../queries/sources/source-detail.ts';
import { frontMatter } from './front-matter.ts';
import { inline } from './inline.ts';
import { blocks, type ExcerptedRelease, recentReleases } from './sections.ts';

export interface SourceInMarkdown {
  readonly source: Omit<SourceDetail, 'releases' | 'pagination'>;
  readonly releases: readonly ExcerptedRelease[];
  readonly webUrl: string;
}

/** A source as a document (contract 16.4). */
export const sourceMarkdown = ({ source, releases, webUrl }: SourceInMarkdown): string => {
  const facts = {
    name: source.name,
    slug: source.slug,
    org: source.org?.slug ?? null,
    product: source.productSlug,
    type: source.type,
    kind: source.kind,
    releases: source.releaseCount,
    releases_last_30_days: source.releasesLast30Days,
    latest_version: source.latestVersion,
    tracking_since: source.trackingSince,
    url: webUrl,
  };
  return `${frontMatter(facts)}\n${blocks(`# ${inline(source.name)}`, ...recentReleases(releases))}`;
};
