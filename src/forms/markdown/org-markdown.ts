import type { OrgDetail } from '../../../queries/orgs/org-detail.ts';
import { orgWebPath, partWebPath } from '../../domain/web-paths.ts';
import { frontMatter } from './front-matter.ts';
import { inline, paragraph } from './inline.ts';
import { blocks, type ListedPart, type ListedRelease, partList, recentReleases, writtenSection } from './sections.ts';

export interface OrgInMarkdown {
  readonly org: OrgDetail;
  readonly releases: readonly ListedRelease[];
  readonly webBaseUrl: string;
}

/** An org as a document (contract 16.4). */
export const orgMarkdown = ({ org, releases, webBaseUrl }: OrgInMarkdown): string => {
  const listed = (part: OrgDetail['products'][number] | OrgDetail['sources'][number]): ListedPart => ({
    name: part.name,
    webUrl: `${webBaseUrl}${partWebPath(org.slug, part)}`,
    sort: part.kind ?? ('type' in part ? part.type : null),
    releaseCount: part.releaseCount,
  });
  const facts = {
    name: org.name,
    slug: org.slug,
    domain: org.domain,
    category: org.category,
    sources: org.sourceCount,
    releases: org.releaseCount,
    releases_last_30_days: org.releasesLast30Days,
    tracking_since: org.trackingSince,
    url: `${webBaseUrl}${orgWebPath(org)}`,
    tags: org.tags,
    aliases: org.aliases,
  };
  return `${frontMatter(facts)}\n${blocks(
    `# ${inline(org.name)}`,
    paragraph(org.description ?? ''),
    ...writtenSection('Overview', org.overview?.content ?? null),
    ...partList('Products', org.products.map(listed)),
    ...partList('Sources', org.sources.map(listed)),
    ...recentReleases(releases),
  )}`;
};
