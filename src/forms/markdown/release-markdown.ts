import type { ReleaseDetail } from '../../../queries/releases/release-detail.ts';
import { closedMarkdown } from './cut-markdown.ts';
import { frontMatter } from './front-matter.ts';
import { inline } from './inline.ts';
import { blocks, writtenSection } from './sections.ts';

/** A release as a document (contract 16.4). */
export const releaseMarkdown = (release: ReleaseDetail): string => {
  const facts = {
    id: release.id,
    version: release.version,
    title: release.title,
    published_at: release.publishedAt,
    org: release.org?.slug ?? null,
    source: release.sourceSlug,
    type: release.type,
    breaking: release.breaking,
    importance: release.importance,
    url: release.url ?? release.webUrl,
  };
  return `${frontMatter(facts)}\n${blocks(
    `# ${inline(release.title)}`,
    closedMarkdown(release.content),
    ...writtenSection('Migration notes', release.migrationNotes),
  )}`;
};
