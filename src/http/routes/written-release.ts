import { releaseFeedReads } from '../../../queries/feed/release-feed-answer.ts';
import { type ReleaseDetail, releaseDetail, releaseDetailReads } from '../../../queries/releases/release-detail.ts';
import type { Projection } from '../../kernel/projection.ts';
import type { ReadView } from '../services.ts';

/** What a write of a release waits for: its own answer and the feeds that its writer looks at next. */
export const writtenReleaseReads: readonly Projection[] = [...new Set([...releaseDetailReads, ...releaseFeedReads])];

/** The detail for whoever wrote it: also of a release that nobody else sees yet, without what only admins are told. */
export async function writtenRelease(
  view: ReadView,
  id: string,
  { nowMs, admin }: { readonly nowMs: number; readonly admin: boolean },
): Promise<ReleaseDetail> {
  const detail = await releaseDetail(view, { release: id }, { nowMs, admin: true });
  if (admin) return detail;
  const { suppressed: _, suppressedReason: __, ...shown } = detail;
  return shown;
}
