import { type InstantsDocument } from '../../../projections/instants/instants-document.ts';
import type { ReadModel } from '../../ports/read-models.ts';
import { addChange, type ChangedReleases, noChanges } from './changed-releases.ts';
import { type PackedSources, packSources, type ReleasesOfSource } from './packed-sources.ts';

/** Releases and sources that are taken over in some milliseconds: whoever waits for an answer meanwhile shall hardly notice. */
const takenAtOnce = 2_000;

/** All releases of a generation, as they are read. */
export interface ReleasesRead {
  /** What was written up to there is told; what is written meanwhile, as it was or as it is. */
  readonly position: number;
  /** Some sources at a time. */
  readonly pages: AsyncIterable<PackedSources>;
}

export type ReadReleases = (model: ReadModel<InstantsDocument>) => Promise<ReleasesRead>;

/** Documents lie in no order, so the releases of a source are whole when all documents were read. */
async function readBySource(model: ReadModel<InstantsDocument>): Promise<Map<string, ChangedReleases>> {
  const bySource = new Map<string, ChangedReleases>();
  const changesOf = (sourceId: string): ChangedReleases => {
    const known = bySource.get(sourceId);
    if (known !== undefined) return known;
    const changes = noChanges();
    bySource.set(sourceId, changes);
    return changes;
  };
  await model.readAll((docs) => {
    for (const { id, sourceId, releases } of docs) addChange(changesOf(sourceId), id, releases);
  });
  return bySource;
}

async function* pagesOf(model: ReadModel<InstantsDocument>): AsyncGenerator<PackedSources> {
  let next: ReleasesOfSource[] = [];
  let taken = 0;
  for (const source of await readBySource(model)) {
    next.push(source);
    taken += 1 + source[1].versions.length;
    if (taken < takenAtOnce) continue;
    yield packSources(next);
    next = [];
    taken = 0;
  }
  if (next.length > 0) yield packSources(next);
}

export const readReleases: ReadReleases = async (model) => ({
  position: await model.checkpoint(),
  pages: pagesOf(model),
});
