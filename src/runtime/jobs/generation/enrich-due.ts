import { enrichRelease } from '../../../../commands/release/enrich-release.ts';
import { orgProjection } from '../../../../projections/org/org.ts';
import { isVisible } from '../../../domain/release/visible.ts';
import type { DueContent } from '../../../records/generation-due.ts';
import type { TextsDeps } from './generate-texts.ts';
import { contributing, type ReleaseReads, releaseToEnrich } from './visible-releases.ts';

/** Has a release named by the provider, where it can, and stores what nobody has given. */
export async function enrichDue(
  { provider, commands, request }: Pick<TextsDeps, 'provider' | 'commands' | 'request'>,
  reads: ReleaseReads,
  { ownerId: releaseId }: DueContent,
): Promise<void> {
  if (provider.enrich === undefined) return;
  const found = await releaseToEnrich(reads, releaseId);
  if (found === null || found.source.orgId === null) return;
  const { detail, source, text } = found;
  const [org] = await reads.models.of(orgProjection).get([found.source.orgId]);
  if (org === undefined || !isVisible(org) || !org.autoGenerateContent) return;
  const { titleGenerated, titleShort, composition } = detail.given;
  const isTold = titleGenerated !== undefined && titleShort !== undefined && composition !== undefined;
  if (isTold && detail.revision === 1) return; // all of it came with the release
  const values = await provider.enrich(contributing(reads, detail, source, text));
  const { contentHash } = detail.derived;
  const { webBaseUrl } = reads;
  await commands.run(enrichRelease, { releaseId, contentHash, values, webBaseUrl }, request('enrich'));
}

/** So many in each minute, by the clock. */
export function createMinuteLimit(perMinute: number) {
  let minute = -1;
  let used = 0;
  const left = (nowMs: number): number => {
    const current = Math.floor(nowMs / 60_000);
    if (current !== minute) [minute, used] = [current, 0];
    return perMinute - used;
  };
  return {
    left,
    use: (nowMs: number): void => {
      left(nowMs);
      used += 1;
    },
  };
}
