import { feedChangesProjection } from '../../projections/feed-changes/feed-changes.ts';
import type { QueryDeps } from '../shape/query-deps.ts';

/** Whose changes can take something out of a feed: these entities alone, and all that is or was below these orgs. */
export interface FeedOwners {
  readonly entities: readonly string[];
  /** Null: below any org. */
  readonly orgs: readonly string[] | null;
}

/** A collection may have members of many orgs. Beyond these the last change of all is asked for, which is never too early. */
const orgsAskedMax = 20;

/**
 * When a feed last became another one without an entry that says so; 0 when it never did. Read after the feed: what was
 * missing there is known here by then.
 */
export async function feedChangedMs(
  { models }: Pick<QueryDeps, 'models'>,
  { entities, orgs }: FeedOwners,
): Promise<number> {
  const changes = models.of(feedChangesProjection);
  const latest = (index: 'byOrg' | 'all', equals: { readonly orgId?: string }) =>
    changes.query({ index, equals, direction: 'descending', limit: 1 });
  const asked = orgs && [...new Set(orgs)];
  const found = await Promise.all([
    changes.get(entities),
    ...(asked === null || asked.length > orgsAskedMax
      ? [latest('all', {})]
      : asked.map((orgId) => latest('byOrg', { orgId }))),
  ]);
  return found.flat().reduce((latestMs, { changedMs }) => Math.max(latestMs, changedMs ?? 0), 0);
}
