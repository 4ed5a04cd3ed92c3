import { purgeOrg } from '../../../../commands/org/purge-org.ts';
import { purgeProduct } from '../../../../commands/product/purge-product.ts';
import { eraseReleases } from '../../../../commands/release/erase-releases.ts';
import { purgeSource } from '../../../../commands/source/purge-source.ts';
import type { Deletion } from '../../../../projections/deletions/deletions.ts';
import { toTimestamp } from '../../../kernel/dates.ts';
import { streamOf } from '../../../kernel/stream-name.ts';
import { removeText } from './finish-purge.ts';
import type { PurgeDeps } from './purge-deps.ts';
import type { EntityPurge } from './purge-step.ts';

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

/** What was stored below something that is purged. True when there was something to do. */
export async function takeStray(deps: PurgeDeps, { kind, subjectId }: Deletion): Promise<boolean> {
  if (kind === 'release') {
    const { results } = await deps.batches.run(eraseReleases, { releaseIds: [subjectId] }, deps.request());
    if (results[0]?.result === 'linked') await deps.eraseLinked(subjectId);
    return results[0]?.result !== 'unchanged';
  }
  if (kind !== 'overview' && kind !== 'playbook') throw new Error(`a ${kind} is no stray`);
  const recordedAt = toTimestamp(deps.clock.nowMs());
  const position = await removeText(deps, kind, subjectId, { ...deps.request(), recordedAt });
  await deps.snapshots.forget([streamOf(kind, subjectId)]);
  await deps.scrub(position);
  return true;
}
