import { type InstantsDocument, sourceOfInstants } from '../../../projections/instants/instants-document.ts';
import { addChange, type ChangedReleases, noChanges } from './changed-releases.ts';
import { type PackedSources, unpackSources } from './packed-sources.ts';
import { piecesAfter } from './release-pieces.ts';
import { instantsWith, noInstants, sizeOf, type SourceInstants } from './source-instants.ts';
import { createWideMap } from '../wide-map.ts';

/** What was known of a source, and what has changed since. */
interface Changed {
  readonly before: SourceInstants;
  readonly releases: ChangedReleases;
  /** How many documents may be kept so: nobody may ever look, and the same ones may change again and again. */
  readonly documentsMax: number;
}

const keptChangesMin = 512;

/**
 * What changes is only kept, and put in its place when somebody asks: brought in one by one, all that a source has would be
 * copied for each.
 */
export const createInstantsBySource = () => {
  const known = new Map<string, SourceInstants>();
  const changedSources = createWideMap<Changed>();

  const bringIn = (sourceId: string, { before, releases }: Changed): SourceInstants => {
    const [dated, undated] = [piecesAfter(before.dated, releases, false), piecesAfter(before.undated, releases, true)];
    const isSame = dated === before.dated && undated === before.undated;
    const after = isSame ? before : instantsWith(dated, undated, before);
    changedSources.delete(sourceId);
    if (after !== noInstants) known.set(sourceId, after);
    return after;
  };

  const begin = (sourceId: string): Changed => {
    const before = known.get(sourceId) ?? noInstants;
    const changed = { before, releases: noChanges(), documentsMax: keptChangesMin + sizeOf(before) };
    changedSources.set(sourceId, changed);
    known.delete(sourceId);
    return changed;
  };

  const change = (sourceId: string, id: string, releases: InstantsDocument['releases']): void => {
    const changed = changedSources.get(sourceId) ?? begin(sourceId);
    addChange(changed.releases, id, releases);
    if (changed.releases.documents.length >= changed.documentsMax) bringIn(sourceId, changed);
  };

  return {
    /** What is read of all sources at a start, when nothing is known of them. */
    addLoaded: (packed: PackedSources) =>
      unpackSources(packed, (sourceId, dated, undated) => {
        const instants = instantsWith(dated, undated);
        if (instants !== noInstants) known.set(sourceId, instants);
      }),
    apply: ({ id, sourceId, releases }: InstantsDocument) => change(sourceId, id, releases),
    remove: (id: string) => change(sourceOfInstants(id), id, []),
    instantsOf: (sourceId: string): SourceInstants => {
      const instants = known.get(sourceId);
      if (instants !== undefined) return instants;
      const changed = changedSources.get(sourceId);
      return changed === undefined ? noInstants : bringIn(sourceId, changed);
    },
  };
};
