import { z } from 'zod';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { decisionReason } from '../../src/domain/release/fields.ts';
import { placeOf, type ReleaseState, release } from '../../src/domain/release/state.ts';
import { defineBatchCommand } from '../../src/kernel/command.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const input = z.object({ releaseIds: z.array(releaseId).min(1).max(500), reason: decisionReason });

export type SuppressReleasesInput = z.output<typeof input>;

export interface SuppressResult {
  readonly id: string;
  /** False only of a release that is not there. */
  readonly suppressed: boolean;
  readonly reason: string | null;
}

/** Takes releases down. One that is down already stays so; a reason that is sent takes the place of the one before. */
export const suppressReleases = defineBatchCommand<
  SuppressReleasesInput,
  Pick<SuppressReleasesInput, 'reason'>,
  ReleaseState,
  ReleaseEvent,
  object,
  object,
  SuppressResult
>({
  name: 'SuppressReleases',
  input,
  facts: () => ({}),
  items: ({ releaseIds, reason }) => releaseIds.map((id) => ({ stream: streamOf('release', id), item: { reason } })),
  model: release,
  decide: ({ reason }, state, { id, now }) => {
    if (state.status !== 'indexed') return { events: [], result: { id, suppressed: false, reason: null } };
    const { suppression } = state;
    if (suppression !== null && (reason === undefined || reason === suppression.reason)) {
      return { events: [], result: { id, suppressed: true, reason: suppression.reason } };
    }
    const said = reason ?? null;
    return {
      events: [{ type: 'ReleaseSuppressed.v1', data: { ...placeOf(state), reason: said, suppressedAt: now } }],
      result: { id, suppressed: true, reason: said },
    };
  },
});
