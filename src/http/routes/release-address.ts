import { z } from 'zod';
import { releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { allSight, isSourceVisible, publicSight } from '../../catalogue/visibility.ts';
import { notFound } from '../../kernel/errors.ts';
import { releaseIdOfPath } from '../../kernel/ids.ts';
import type { ReadView } from '../services.ts';

export const byReleaseId = z.object({ id: z.string() });

export const releaseIdOf = (segment: string): string => {
  const id = releaseIdOfPath(segment);
  if (id === null) throw notFound('release', segment);
  return id;
};

/**
 * Those of the releases that the caller cannot work on. Below what is hidden only admins work, below what is deleted
 * nobody does. A date ahead or a suppression hides a release from readers, not from writers. What is not projected
 * yet may be below anything, so for all but admins it is not there.
 */
export async function missingReleases(
  { models, catalogue }: ReadView,
  ids: readonly string[],
  admin: boolean,
): Promise<ReadonlySet<string>> {
  const found = await models.of(releaseFeedProjection).get([...new Set(ids)]); // rows hold no texts
  const sourceIds = new Map(found.map(({ id, sourceId }) => [id, sourceId]));
  const isMissing = (id: string): boolean => {
    const sourceId = sourceIds.get(id);
    if (sourceId === undefined) return !admin;
    const source = catalogue.source(sourceId);
    return source === undefined || !isSourceVisible(catalogue, source, admin ? allSight : publicSight);
  };
  return new Set(ids.filter(isMissing));
}

export async function requireReleases(view: ReadView, ids: readonly string[], admin: boolean): Promise<void> {
  const [missing] = await missingReleases(view, ids, admin);
  if (missing !== undefined) throw notFound('release', missing);
}
