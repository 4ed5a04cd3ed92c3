import { z } from 'zod';
import {
  claimantsOf,
  claimsByFate,
  releaseFacts,
  type ReleasesById,
} from '../../src/domain/release/coverage/claims.ts';
import { coverageConflict } from '../../src/domain/release/coverage/conflict.ts';
import { erasedEvent } from '../../src/domain/release/erased-event.ts';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { type ReleaseState, release } from '../../src/domain/release/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const input = z.object({ releaseId });

export type EraseReleaseInput = z.output<typeof input>;

/**
 * Deleted parents do not matter here: what must go goes. But nothing may be left that covers what is gone: links to it
 * are ended before, and one that is made meanwhile is a conflict.
 */
export const eraseRelease = defineCommand<EraseReleaseInput, ReleaseState, ReleaseEvent, ReleasesById>({
  name: 'EraseRelease',
  input,
  stream: ({ releaseId }) => streamOf('release', releaseId),
  model: release,
  facts: (_, state) => releaseFacts(claimantsOf(state)),
  decide: (_, state, { id, facts }) => {
    if (state.status === 'absent') throw notFound('release', id);
    if (state.status === 'erased') return [];
    const { linked, open } = claimsByFate(id, state.coverage.claims, facts);
    if (linked.length + open.length > 0) throw coverageConflict('canonical', id);
    return [erasedEvent(id, state)];
  },
});
