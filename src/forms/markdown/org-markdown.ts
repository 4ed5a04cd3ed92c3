import type { OrgDetail } from '../../../queries/orgs/org-detail.ts';
import { frontMatter } from './front-matter.ts';
import { inline, paragraph } from './inline.ts';
import {
  blocks,
  type ExcerptedRelease,
  type ListedPart,
  partList,
  recentReleases,
  writtenSection,
} from './sections.ts';

type Part = OrgDetail['products'][number] | OrgDetail['sources'][number];

export interface OrgInMarkdown {
  /** As it is, or as it was at a moment. */
  readonly org: OrgDetail;
  /** Pages are where the path of now leads, whatever the moment that is told of. */
  readonly webPathOf: (thing: OrgDetail | Part) => string;
  readonly releases: readonly ExcerptedRelease[];
  readonly webBaseUrl: string;
}

/** An org as a document (contract 16.4). */
export const orgMarkdown = ({ org, webPathOf, releases, webBaseUrl }: OrgInMarkdown): string => {
  const listed = (part: Part): ListedPart => ({
    name: part.name,
    webUrl: `${webBaseUrl}${webPathOf(part)}`,
    kindOrType: part.kind ?? ('type' in part ? part.type : null),
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
    url: `${webBaseUrl}${webPathOf(org)}`,
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
