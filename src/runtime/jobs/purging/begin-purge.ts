import { purgeOrg } from '../../../../commands/org/purge-org.ts';
import { purgeProduct } from '../../../../commands/product/purge-product.ts';
import { eraseReleases } from '../../../../commands/release/erase-releases.ts';
import { purgeSource } from '../../../../commands/source/purge-source.ts';
import { type Deletion, parentIn } from '../../../../projections/deletions/deletions.ts';
import { toTimestamp } from '../../../kernel/dates.ts';
import { streamOf } from '../../../kernel/stream-name.ts';
import { removeText } from './finish-purge.ts';
import type { PurgeDeps } from './purge-deps.ts';
import type { EntityPurge } from './purge-step.ts';
import { removeChangelog, removeSummaries } from './remove-source-texts.ts';

/** From now on it is purged, if it must be: the command decides anew. True when it was not before. */
export async function beginPurge(
  { commands, request }: PurgeDeps,
  { kind, subjectId: id }: EntityPurge,
): Promise<boolean> {
  const isAsked = false;
  const begun =
    kind === 'org'
      ? await commands.run(purgeOrg, { orgId: id, isAsked }, request())
      : kind === 'product'
        ? await commands.run(purgeProduct, { productId: id, isAsked }, request())
        : await commands.run(purgeSource, { sourceId: id, isAsked }, request());
  return begun.events.length > 0;
}

function removeStrayText(deps: PurgeDeps, { id, kind, subjectId }: Deletion): Promise<number> {
  const metadata = { ...deps.request(), recordedAt: toTimestamp(deps.clock.nowMs()) };
  switch (kind) {
    case 'overview':
    case 'playbook':
      return removeText(deps, kind, subjectId, metadata);
    case 'changelog':
      return removeChangelog(deps.store, subjectId, metadata);
    case 'summary':
      return removeSummaries(deps.store, { sourceId: parentIn(id), summaryIds: [subjectId] }, metadata);
    default:
      throw new Error(`a ${kind} is no stray`);
  }
}

/** What was stored below something that is purged. True when there was something to do. */
export async function takeStray(deps: PurgeDeps, deletion: Deletion): Promise<boolean> {
  const { kind, subjectId } = deletion;
  if (kind === 'release') {
    const { results } = await deps.batches.run(eraseReleases, { releaseIds: [subjectId] }, deps.request());
    if (results[0]?.result === 'linked') await deps.eraseLinked(subjectId);
    return results[0]?.result !== 'unchanged';
  }
  const position = await removeStrayText(deps, deletion);
  await deps.snapshots.forget([streamOf(kind, subjectId)]);
  await deps.scrub(position);
  return true;
}
