import type { Change, Document } from '../src/kernel/projection.ts';
import { bodiesProjection } from './bodies/bodies.ts';
import { deletionsProjection } from './deletions/deletions.ts';
import { feedChangesProjection } from './feed-changes/feed-changes.ts';
import { sourceOfInstants } from './instants/instants-document.ts';
import { instantsProjection } from './instants/instants.ts';
import { pendingProjection } from './pending/pending.ts';
import { releaseDetailProjection } from './release-detail/release-detail.ts';
import { releaseFeedProjection } from './release-feed/release-feed.ts';
import { releaseVersionsProjection } from './release-versions/release-versions.ts';
import { tokensProjection } from './tokens/tokens.ts';
import { webhooksProjection } from './webhooks/webhooks.ts';

/** Tags of one letter have places of their own (`touched-tags.ts`). Every answer made of read models depends on this one: what is written seldom, or about nobody knows which source. */
export const everythingTag = '*';
/** Whatever is written about releases. */
export const releasesTag = 'r';
export const sourceTag = (sourceId: string): string => `source ${sourceId}`;

/** Behind no public answer; or, as what feeds lost, told only beside one that is as good without it as when it was made. */
const unseen = new Set([
  tokensProjection.name,
  webhooksProjection.name,
  deletionsProjection.name,
  feedChangesProjection.name,
]);

/** Their documents know the source that they are of. */
export const ofReleases: ReadonlySet<string> = new Set([
  releaseDetailProjection.name,
  releaseFeedProjection.name,
  releaseVersionsProjection.name,
  instantsProjection.name,
  pendingProjection.name,
]);

const sourceOf = (name: string, change: Change<Document>): unknown => {
  if (change.kind === 'put') {
    return name === instantsProjection.name
      ? sourceOfInstants(change.doc.id)
      : (change.doc as { readonly sourceId?: unknown }).sourceId;
  }
  if (change.kind === 'delete') return name === instantsProjection.name ? sourceOfInstants(change.id) : undefined;
  return change.equals['sourceId'];
};

/** What a write changes of what answers are made of. */
export function tagsOfWrite(name: string, changes: readonly Change<Document>[]): ReadonlySet<string> {
  const tags = new Set<string>();
  if (changes.length === 0 || unseen.has(name)) return tags;
  if (name === bodiesProjection.name) return tags.add(releasesTag); // a text does not know whose it is
  if (!ofReleases.has(name)) return tags.add(everythingTag);
  tags.add(releasesTag);
  for (const change of changes) {
    const sourceId = sourceOf(name, change);
    if (typeof sourceId !== 'string') return tags.add(everythingTag);
    tags.add(sourceTag(sourceId));
  }
  return tags;
}
