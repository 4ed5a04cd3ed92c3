import type { Change, Document, Projection } from '../src/kernel/projection.ts';
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

/** Every answer made of read models depends on this one: what is written seldom, or about nobody knows which source. */
export const everythingTag = '*';

/** Each read model of releases by a letter: a release is written to one after the other, and few answers are made of all. */
const letters: ReadonlyMap<string, string> = new Map([
  [bodiesProjection.name, 'b'],
  [releaseDetailProjection.name, 'd'],
  [releaseFeedProjection.name, 'f'],
  [instantsProjection.name, 'i'],
  [pendingProjection.name, 'p'],
  [releaseVersionsProjection.name, 'v'],
]);

/** Whatever is written to a read model of releases; undefined for another one. Tags of one letter have places of their own (`touched-tags.ts`). */
export const releasesTagOf = ({ name }: Pick<Projection, 'name'>): string | undefined => letters.get(name);
/** Whatever is written about releases. */
export const releasesTags: readonly string[] = [...letters.values()];
export const instantsTag = letters.get(instantsProjection.name)!;
export const pendingTag = letters.get(pendingProjection.name)!;

/** A part of what is written to a read model of releases. */
export const sourceTag = (releasesTag: string, sourceId: string): string => `${releasesTag} of source ${sourceId}`;
export const orgTag = (releasesTag: string, orgId: string): string => `${releasesTag} of org ${orgId}`;
/** The tag that is touched whenever this one is. */
export const wholeOf = (tag: string): string => tag.charAt(0);

/** Behind no public answer; or, as what feeds lost, told only beside one that is as good without it as when it was made. */
const unseen = new Set([
  tokensProjection.name,
  webhooksProjection.name,
  deletionsProjection.name,
  feedChangesProjection.name,
]);

/** Whether any public answer may be made of it. */
export const isSeen = (name: string): boolean => !unseen.has(name);

/** Whether its documents tell whose they are. Of another one it is enough to know that something was written. */
export const ownersOfWritesAreTold = (name: string): boolean => letters.has(name) && name !== bodiesProjection.name;

interface OwnedDocument {
  readonly sourceId?: unknown;
  readonly orgId?: unknown;
}

const ownerOf = (name: string, change: Change<Document>): OwnedDocument => {
  if (change.kind === 'put' && name !== instantsProjection.name) return change.doc as Document & OwnedDocument;
  if (name !== instantsProjection.name) return {};
  if (change.kind === 'put') return { sourceId: sourceOfInstants(change.doc.id) };
  return change.kind === 'delete' ? { sourceId: sourceOfInstants(change.id) } : {};
};

/** What a write changes of what answers are made of. */
export function tagsOfWrite(name: string, changes: readonly Change<Document>[]): ReadonlySet<string> {
  const tags = new Set<string>();
  if (changes.length === 0 || unseen.has(name)) return tags;
  const releasesTag = letters.get(name);
  if (releasesTag === undefined) return tags.add(everythingTag);
  tags.add(releasesTag);
  if (name === bodiesProjection.name) return tags; // a text does not know whose it is
  for (const change of changes) {
    const { sourceId, orgId } = ownerOf(name, change);
    if (typeof sourceId !== 'string') return tags.add(everythingTag);
    tags.add(sourceTag(releasesTag, sourceId));
    // Of a release it never changes: what is written of one org is missing in no other.
    if (typeof orgId === 'string') tags.add(orgTag(releasesTag, orgId));
  }
  return tags;
}
